package lower

import (
	"slices"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// A Case is an analysis or a verification case as it is run.
type Case struct {
	Element *model.Element
	// Run is a unit that runs the case and returns the run; its parameters
	// are those of the case, Absent ones taking what the case declares.
	Run     exec.UnitID
	Params  []Subject
	Outputs []CaseOutput
	// Objectives and assertions are judged over the registers of the run.
	Verdicts []CaseVerdict
	// Subcases are the verification cases among the members, in order. Where
	// they are steps of a flow that is Flow; NoGraph where there is none.
	Subcases []*model.Element
	Flow     exec.GraphID
}

// A CaseOutput is an output of a Case.
type CaseOutput struct {
	Name   string
	Result bool
	// Unit gives the output of the run that is its argument.
	Unit exec.UnitID
}

// A CaseVerdict is an objective or an asserted condition of a Case.
type CaseVerdict struct {
	Name       string
	Objective  bool
	Element    *model.Element
	Conditions []Condition
	// Unit returns the number of the condition that fails, or -1; its
	// parameters are the registers of the run.
	Unit exec.UnitID
}

// Case is what is run of case e.
func (l *Lowering) Case(e *model.Element) (*Case, error) {
	if !isCase(e) {
		return nil, diagnostic.New(exec.NotCallable, e.NameSpan(), e.QualifiedName()+" is no analysis or verification case")
	}
	if k := l.cases[e]; k != nil {
		return k, nil
	}
	defer l.asked("case", e, "")()
	c := l.usageOf(e)
	k := &Case{Element: e, Flow: exec.NoGraph}
	l.cases[e] = k
	for _, p := range c.params {
		d := p.element.Decl()
		k.Params = append(k.Params, Subject{p.name, p.element, d != nil && d.Member == syntax.SubjectMember})
	}
	u := l.unit("", exec.PlainUnit)
	k.Run = u.ID
	for range c.params {
		u.Params = append(u.Params, exec.Param{Optional: true})
	}
	l.compile(u, e, func(b *body) { b.runOf(c) })
	for i, o := range c.outputs {
		k.Outputs = append(k.Outputs, CaseOutput{o.name, o.result, l.outputOf(c, i)})
	}
	if len(c.outputs) == 0 {
		if i, o := l.implicitResult(c, "result"); o != nil {
			k.Outputs = append(k.Outputs, CaseOutput{"result", true, l.outputOf(c, i)})
		}
	}
	l.later(func() { l.verdicts(k, c) })
	l.Program()
	if len(k.Subcases) > 0 && isFlowBody(bodyMembers(e), false) {
		k.Flow = l.Action(e)
		l.Program()
	}
	return k, nil
}

// runOf emits the run of case c: what no argument gives, its defaults give.
func (b *body) runOf(c *calc) {
	b.atLeft()
	b.self = true
	run := b.alloc()
	b.u.Locals = b.top
	b.note(exec.EnterNote, c.name, 0)
	b.wordNote(caseWord(c.element))
	first := b.top
	given := c.given()
	for i := range c.params {
		b.move(b.alloc(), int32(i))
	}
	b.depth++
	for i, p := range c.params {
		if !given[p.element] {
			continue
		}
		at := first + int32(i)
		have := b.emit(exec.Instr{Op: exec.OpJumpPresent, B: at})
		v, _ := p.element.Value()
		b.move(at, b.reading(v))
		b.note(exec.DefaultNote, p.name, at)
		b.land(have)
	}
	b.depth--
	b.emit(exec.Instr{Op: exec.OpStart, A: run, B: int32(c.run), C: first, D: uint16(len(c.params))})
	b.emit(exec.Instr{Op: exec.OpReturn, B: run})
}

// RunOf is the unit that runs the body of k.
func (l *Lowering) RunOf(k *Case) exec.UnitID { return l.calcOf(k.Element).run }

func caseWord(e *model.Element) string {
	switch e.Metaclass() {
	case syntax.VerificationCaseDefinition, syntax.VerificationCaseUsage:
		return "verification"
	case syntax.AnalysisCaseDefinition, syntax.AnalysisCaseUsage:
		return "analysis"
	}
	return "case"
}

// wordNote makes the last note one of another kind of calculation.
func (b *body) wordNote(word string) { b.notes[len(b.notes)-1].Word = word }

// outputOf is a unit that reads output i of the run that is its argument.
func (l *Lowering) outputOf(c *calc, i int) exec.UnitID {
	u := l.unit("", exec.PlainUnit)
	u.Params = []exec.Param{{Name: "run"}}
	u.Reads = []exec.OutputRead{{Unit: c.run, Output: int32(i)}}
	u.Code = []exec.Instr{{Op: exec.OpOutput, Cost: 1, A: 1, B: 0, C: 0}, {Op: exec.OpReturn, B: 1}}
	u.Locals, u.Registers = 1, 2
	return u.ID
}

// verdicts lowers the objective and the assertions of a case.
func (l *Lowering) verdicts(k *Case, c *calc) {
	for _, o := range c.chain {
		for _, m := range o.Members() {
			d := m.Decl()
			switch {
			case d == nil:
			case d.Member == syntax.ObjectiveMember:
				name := label(m)
				if name == "" {
					name = "obj"
				}
				if !redefinedBelow(c, m) {
					l.verdict(k, c, name, m, true)
				}
			case m.Metaclass() == syntax.AssertConstraintUsage || m.Metaclass() == syntax.ConstraintUsage && d.Member == syntax.RequireMember:
				l.verdict(k, c, label(m), m, false)
			}
		}
	}
	for _, m := range c.element.Members() {
		if m.Metaclass() == syntax.VerificationCaseUsage {
			k.Subcases = append(k.Subcases, m)
		}
	}
	for _, s := range c.chain[:len(c.chain)-1] {
		for _, m := range s.Members() {
			if m.Metaclass() == syntax.VerificationCaseUsage && !s.IsLibrary() {
				k.Subcases = append(k.Subcases, m)
			}
		}
	}
}

// redefinedBelow reports whether a more special case has another objective in
// the place of m.
func redefinedBelow(c *calc, m *model.Element) bool {
	for _, o := range c.chain {
		for _, x := range o.Members() {
			if x != m && x.Decl() != nil && x.Decl().Member == syntax.ObjectiveMember && slices.Contains(x.RedefinitionClosure(), m) {
				return true
			}
		}
	}
	return false
}

func (l *Lowering) verdict(k *Case, c *calc, name string, m *model.Element, objective bool) {
	clauses := l.clauses(m, map[*model.Element]bool{})
	if len(clauses) == 0 {
		return
	}
	v := CaseVerdict{Name: name, Objective: objective, Element: m}
	for _, cl := range clauses {
		v.Conditions = append(v.Conditions, Condition{Text: cl.text(), Span: cl.span(), Required: cl.required, Word: cl.word})
	}
	run := l.program.Units[c.run]
	u := l.unit("", exec.PlainUnit)
	v.Unit = u.ID
	layout := l.layouts[c]
	l.compile(u, m, func(b *body) {
		b.calc, b.self, b.checked = c, true, append(b.checked, m)
		b.top = max(b.top, run.Registers)
		b.u.Registers, b.u.Locals = max(b.u.Registers, b.top), max(b.u.Locals, b.top)
		if layout != nil {
			b.blocks = append(b.blocks, layout)
		}
		own := l.describe(l.calcOf(m))
		b.objectiveParameters(own, c, m)
		b.clauses(m, clauses)
	})
	k.Verdicts = append(k.Verdicts, v)
}

// objectiveParameters binds the parameters of an objective that it declares
// values for itself, read among the names of the case, and its subject: that
// of a verification case, or the result of another. What it inherits is read
// where it is named.
func (b *body) objectiveParameters(own *calc, c *calc, m *model.Element) {
	k := b.enter()
	for _, p := range own.params {
		d := p.element.Decl()
		v, has := p.element.Value()
		subject := d != nil && d.Member == syntax.SubjectMember
		switch {
		case has && v.Scope.Owner() == m:
			b.computing = append(b.computing, p.element)
			quiet := b.quiet
			b.quiet = true
			r := b.alloc()
			b.move(r, b.in(v.Scope, v.Expr, -1))
			b.quiet = quiet
			b.u.Locals = max(b.u.Locals, b.top)
			b.computing = b.computing[:len(b.computing)-1]
			k.locals[p.name] = &local{kind: registerLocal, register: r}
		case subject:
			if l := b.subjectOf(c); l != nil {
				k.locals[p.name] = l
			}
		}
		for _, o := range p.others {
			if k.locals[o] == nil && k.locals[p.name] != nil {
				k.locals[o] = k.locals[p.name]
			}
		}
	}
}

// subjectOf is what the subject of the objective of c is.
func (b *body) subjectOf(c *calc) *local {
	if caseWord(c.element) != "verification" {
		for _, o := range c.outputs {
			if o.result && o.inout < 0 {
				return b.lookup(o.name)
			}
		}
	}
	for i, q := range c.params {
		if e := q.element.Decl(); e != nil && e.Member == syntax.SubjectMember {
			return &local{kind: registerLocal, register: int32(i)}
		}
	}
	return nil
}

// objectiveOf is the objective of the case that the body runs which e, named
// in the body of a more general case, is there.
func (b *body) objectiveOf(e *model.Element) *model.Element {
	if e.Decl() == nil || e.Decl().Member != syntax.ObjectiveMember || b.calc == nil {
		return nil
	}
	for i := len(b.calc.chain) - 1; i >= 0; i-- {
		for _, m := range b.calc.chain[i].Members() {
			if m.Decl() != nil && m.Decl().Member == syntax.ObjectiveMember && (m == e || slices.Contains(m.RedefinitionClosure(), e)) {
				return m
			}
		}
	}
	return e
}

// objective lowers a call of an objective inside the case that has it: the
// names of the case are seen where the objective binds its parameters.
func (b *body) objective(m *model.Element, args []syntax.Argument, want int32) operand {
	own := b.l.describe(b.l.calcOf(m))
	given := map[int]int32{}
	result := b.result(want)
	top := b.top
	for i, a := range args {
		at := i
		if len(a.Name.Segments) > 0 {
			at = own.param(a.Name.Last().Text)
		}
		if at < 0 || at >= len(own.params) {
			return b.failed(value.UnknownParameter, "unknown parameter: objective "+own.name+" has no such parameter", "")
		}
		given[at] = b.alloc()
		b.into(a.Value, given[at])
	}
	b.note(exec.EnterNote, own.name, 0)
	b.wordNote("objective")
	b.depth++
	k := b.enter()
	for i, p := range own.params {
		l := &local{kind: registerLocal}
		kind := exec.BindNote
		if r, ok := given[i]; ok {
			l.register = r
		} else if v, has := p.element.Value(); has {
			b.computing = append(b.computing, p.element)
			l.register = b.alloc()
			b.move(l.register, b.in(v.Scope, v.Expr, l.register))
			b.computing = b.computing[:len(b.computing)-1]
			kind = exec.DefaultNote
		} else {
			continue
		}
		b.note(kind, p.name, l.register)
		b.u.Locals = max(b.u.Locals, b.top)
		k.locals[p.name] = l
		for _, o := range p.others {
			k.locals[o] = l
		}
	}
	b.checked = append(b.checked, m)
	b.emit(exec.Instr{Op: exec.OpMove, A: result, B: b.konst(value.True)})
	var ends []int
	for _, cl := range b.l.clauses(m, map[*model.Element]bool{}) {
		v := b.clause(cl)
		if cl.required {
			b.move(result, v)
			ends = append(ends, b.emit(exec.Instr{Op: exec.OpJumpIfNot, B: v, D: exec.ConditionValue}))
		}
	}
	b.land(ends...)
	b.checked = b.checked[:len(b.checked)-1]
	b.depth--
	b.note(exec.ExitValueNote, own.name, result)
	b.wordNote("objective")
	b.leave()
	b.top = top
	return result
}
