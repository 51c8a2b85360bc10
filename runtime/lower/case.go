package lower

import (
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
	// Subcases are the verification cases among the members, in order.
	Subcases []*model.Element
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
	c := l.usageOf(e)
	k := &Case{Element: e}
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
	l.compile(u, e, func(b *body) {
		b.atLeft()
		b.self = true
		run := b.alloc()
		b.u.Locals = b.top
		b.note(exec.EnterNote, c.name, 0)
		b.wordNote(caseWord(e))
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
	})
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
	return k, nil
}

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
				l.verdict(k, c, name, m, true)
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
		b.calc, b.self, b.checked = c, true, m
		b.top = max(b.top, run.Registers)
		b.u.Registers, b.u.Locals = max(b.u.Registers, b.top), max(b.u.Locals, b.top)
		if layout != nil {
			b.blocks = append(b.blocks, layout)
		}
		own := l.describe(l.calcOf(m))
		b.objectiveParameters(own, c)
		for i, cl := range clauses {
			top := b.top
			r := b.clause(cl)
			b.emit(exec.Instr{Op: exec.OpCheckBool, B: r, D: exec.ConditionValue})
			if cl.required {
				holds := b.emit(exec.Instr{Op: exec.OpJumpIf, B: r, D: exec.ConditionValue})
				b.emit(exec.Instr{Op: exec.OpReturn, B: b.konst(value.Int(int64(i)))})
				b.land(holds)
			}
			b.top = top
		}
		b.emit(exec.Instr{Op: exec.OpReturn, B: b.konst(value.Int(-1))})
	})
	k.Verdicts = append(k.Verdicts, v)
}

// isOpen reports whether the library says more of the objectives of a case
// than what its subject is: those of trade studies.
func isOpen(c *calc) bool {
	for _, e := range c.chain {
		if e.IsLibrary() && !isRootBehaviour(e) {
			return true
		}
	}
	return false
}

// objectiveParameters binds the parameters of an objective: its subject is
// that of the case where it declares no value, the others are what they
// declare, read among the names of the case.
func (b *body) objectiveParameters(own *calc, c *calc) {
	k := b.enter()
	for _, p := range own.params {
		d := p.element.Decl()
		v, has := p.element.Value()
		if has && v.Scope.IsLibrary() && d != nil && d.Member == syntax.SubjectMember && !isOpen(c) {
			has = false // the library binds it to the subject, or to the result
		}
		switch {
		case has:
			b.computing = append(b.computing, p.element)
			quiet := b.quiet
			b.quiet = true
			r := b.alloc()
			b.move(r, b.in(v.Scope, v.Expr, -1))
			b.quiet = quiet
			b.u.Locals = max(b.u.Locals, b.top)
			b.computing = b.computing[:len(b.computing)-1]
			k.locals[p.name] = &local{kind: registerLocal, register: r}
		case d != nil && d.Member == syntax.SubjectMember:
			for i, q := range c.params {
				if e := q.element.Decl(); e != nil && e.Member == syntax.SubjectMember {
					k.locals[p.name] = &local{kind: registerLocal, register: int32(i)}
				}
			}
		}
		for _, o := range p.others {
			if k.locals[o] == nil && k.locals[p.name] != nil {
				k.locals[o] = k.locals[p.name]
			}
		}
	}
}
