package lower

import (
	"slices"
	"strings"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// A Judgement is what is to be evaluated of a constraint or a requirement: the
// bindings of its subject and actors, and its conditions in order. All have
// one unit, so that a calculation usage runs once in a check.
type Judgement struct {
	Element *model.Element
	// Kind is "constraint" or "requirement".
	Kind string
	// Unit evaluates the conditions. It returns the number of the condition,
	// from 0, that is required and false, or -1 where all hold.
	Unit exec.UnitID
	// Subjects are the parameters that the caller may bind: subject, actors
	// and directed features, in order.
	Subjects   []Subject
	Conditions []Condition
	// Negated says that the whole holds where a required condition fails.
	Negated bool
}

// A Subject is a parameter of a Judgement.
type Subject struct {
	Name    string
	Element *model.Element
	// Subject says that it is the subject, not an actor or another parameter.
	Subject bool
}

// A Condition is one condition of a Judgement.
type Condition struct {
	Text     string
	Span     source.Span
	Required bool
	// Word is "assertion" or "require condition".
	Word string
}

// Required reports whether some condition is required.
func (j *Judgement) Required() bool {
	for _, c := range j.Conditions {
		if c.Required {
			return true
		}
	}
	return false
}

// A clause is a condition as the model states it.
type clause struct {
	expr     syntax.Expr
	scope    *model.Element
	required bool
	word     string
	negated  bool
	// value is the name of an element whose value is the condition.
	value *model.Element
	group []clause // of a negated conjunction
	// within are the conditions inside the checked one that state it, the
	// innermost first.
	within []*model.Element
	// of are those of whose bodies it is part, the innermost first.
	of []*model.Element
}

// Judgement is what is to be evaluated of constraint or requirement e.
func (l *Lowering) Judgement(e *model.Element) *Judgement {
	if j := l.conds[e]; j != nil {
		return j
	}
	defer l.asked("judgement", e, "")()
	j := &Judgement{Element: e, Kind: "constraint"}
	if isRequirement(e) {
		j.Kind = "requirement"
	}
	l.conds[e] = j
	clauses := l.clauses(e, map[*model.Element]bool{})
	j.Negated = e.Is(syntax.Negated) && e.Metaclass() != syntax.SatisfyRequirementUsage
	c := l.describe(l.calcOf(e))
	u := l.unit(plainName(e), exec.PlainUnit)
	j.Unit = u.ID
	for _, p := range c.params {
		d := p.element.Decl()
		_, has := p.element.Value()
		j.Subjects = append(j.Subjects, Subject{p.name, p.element, d != nil && d.Member == syntax.SubjectMember})
		u.Params = append(u.Params, exec.Param{Name: p.name, Default: has, Optional: true})
	}
	for _, cl := range clauses {
		j.Conditions = append(j.Conditions, Condition{Text: cl.text(), Span: cl.span(), Required: cl.required, Word: cl.word})
	}
	l.later(func() { l.compile(u, e, func(b *body) { b.judge(c, clauses, e) }) })
	return j
}

// judge lowers bindings and conditions.
func (b *body) judge(c *calc, clauses []clause, e *model.Element) {
	b.self, b.checked = true, append(b.checked, e)
	b.subjects(c)
	b.clauses(e, clauses)
}

// clauses emits what returns, of the clauses of e, the number of the first
// required one that is false, and -1 where all of them hold.
func (b *body) clauses(e *model.Element, list []clause) {
	for i, cl := range list {
		top := b.top
		v := b.clause(cl)
		b.emit(exec.Instr{Op: exec.OpCheckBool, B: v, D: exec.ConditionValue})
		if cl.required {
			holds := b.emit(exec.Instr{Op: exec.OpJumpIf, B: v, D: exec.ConditionValue})
			b.evaluated(e)
			b.emit(exec.Instr{Op: exec.OpReturn, B: b.konst(value.Int(int64(i)))})
			b.land(holds)
		}
		b.top = top
	}
	b.evaluated(e)
	b.emit(exec.Instr{Op: exec.OpReturn, B: b.konst(value.Int(-1))})
}

// subjects binds subject, actors and other parameters: what the caller gives,
// else what they declare, each visible to those behind it. What nobody gives
// stays Absent, and its name is read as any other.
func (b *body) subjects(c *calc) {
	b.enter()
	k := b.blocks[len(b.blocks)-1]
	for i, p := range c.params {
		have := b.emit(exec.Instr{Op: exec.OpJumpPresent, B: int32(i)})
		if v, has := p.element.Value(); has {
			b.computing = append(b.computing, p.element)
			b.move(int32(i), b.in(v.Scope, v.Expr, int32(i)))
			b.computing = b.computing[:len(b.computing)-1]
			k.locals[p.name] = &local{kind: registerLocal, register: int32(i)}
		} else {
			k.locals[p.name] = &local{kind: givenLocal, register: int32(i), element: p.element}
		}
		for _, o := range p.others {
			if k.locals[o] == nil {
				k.locals[o] = k.locals[p.name]
			}
		}
		b.land(have)
	}
}

// clause lowers a condition, and notes that those who state it were evaluated.
func (b *body) clause(c clause) operand {
	v := b.stated(c)
	for _, e := range c.of {
		b.evaluated(e)
	}
	for _, e := range c.within {
		if !slices.Contains(c.of, e) {
			b.evaluated(e)
		}
	}
	return v
}

// evaluated notes for a coverage that e was evaluated.
func (b *body) evaluated(e *model.Element) {
	if e.IsLibrary() {
		return
	}
	s := conditionSite(e)
	i := slices.Index(b.u.Conditions, s)
	if i < 0 {
		i = len(b.u.Conditions)
		b.u.Conditions = append(b.u.Conditions, s)
	}
	b.emit(exec.Instr{Op: exec.OpEvaluated, B: int32(i)})
}

// conditionSite is where a coverage notes e.
func conditionSite(e *model.Element) exec.Site {
	if isRequirement(e) {
		return exec.Site{Kind: exec.RequirementSite, Span: e.Span()}
	}
	return exec.Site{Kind: exec.ConstraintSite, Span: e.Span()}
}

func (b *body) stated(c clause) operand {
	outer := len(b.checked)
	for i := len(c.within) - 1; i >= 0; i-- {
		b.checked = append(b.checked, c.within[i])
	}
	defer func() { b.checked = b.checked[:outer] }()
	if c.value != nil {
		return b.denote(c.value, label(c.value), -1)
	}
	if c.group != nil {
		to := b.alloc()
		var ends []int
		for _, g := range c.group {
			v := b.clause(g)
			b.emit(exec.Instr{Op: exec.OpCheckBool, B: v, D: exec.ConditionValue})
			b.move(to, v)
			ends = append(ends, b.emit(exec.Instr{Op: exec.OpJumpIfNot, B: v, D: exec.ConditionValue}))
		}
		b.land(ends...)
		b.emit(exec.Instr{Op: exec.OpUnary, D: uint16(value.Not), A: to, B: to})
		return to
	}
	v := b.in(c.scope, c.expr, -1)
	if c.negated {
		b.emit(exec.Instr{Op: exec.OpCheckBool, B: v, D: exec.ConditionValue})
		to := b.alloc()
		b.emit(exec.Instr{Op: exec.OpUnary, D: uint16(value.Not), A: to, B: v})
		return to
	}
	return v
}

func (c clause) text() string {
	if c.value != nil {
		return label(c.value)
	}
	if c.group != nil {
		var parts []string
		for _, g := range c.group {
			parts = append(parts, g.text())
		}
		return "not { " + strings.Join(parts, "; ") + " }"
	}
	text := strings.Join(strings.Fields(c.expr.Span().Text()), " ")
	if c.negated {
		return "not " + text
	}
	return text
}

func (c clause) span() source.Span {
	if c.expr != nil {
		return c.expr.Span()
	}
	if c.value != nil {
		return c.value.Span()
	}
	if len(c.group) > 0 {
		return c.group[0].span()
	}
	return source.Span{}
}

// clauses are the conditions of e and of what it specializes, the most
// general first.
func (l *Lowering) clauses(e *model.Element, open map[*model.Element]bool) []clause {
	if open[e] {
		return nil
	}
	open[e] = true
	defer delete(open, e)
	var chain []*model.Element
	supers := e.Supertypes()
	for i := len(supers) - 1; i >= 0; i-- {
		if s := supers[i]; isCondition(s) && !(s.IsLibrary() && isRootBehaviour(s)) {
			chain = append(chain, s)
		}
	}
	var all []clause
	for _, o := range append(chain, e) {
		for _, m := range o.Members() {
			for _, c := range l.memberClauses(o, m, open) {
				c.of = append(c.of, o)
				all = append(all, c)
			}
		}
	}
	return all
}

// memberClauses are the conditions that member m of o states.
func (l *Lowering) memberClauses(o, m *model.Element, open map[*model.Element]bool) []clause {
	d := m.Decl()
	if d == nil {
		return nil
	}
	part, hasExpr := d.Detail.(*syntax.ExpressionPart)
	word := "assertion"
	switch d.Member {
	case syntax.ResultMember:
		if !hasExpr {
			return nil
		}
		if isRequirementBody(o) {
			word = "require condition"
		}
		return []clause{{expr: part.Expr, scope: o, required: true, word: word}}
	case syntax.RequireMember, syntax.AssumeMember, syntax.FrameMember:
		required := d.Member != syntax.AssumeMember
		word = "require condition"
		if hasExpr {
			return []clause{{expr: part.Expr, scope: o, required: required, word: word, negated: m.Is(syntax.Negated)}}
		}
		return l.stated(m, required, word, open)
	}
	switch m.Metaclass() {
	case syntax.AssertConstraintUsage:
		if hasExpr {
			return []clause{{expr: part.Expr, scope: o, required: true, word: word, negated: m.Is(syntax.Negated)}}
		}
		return l.stated(m, true, word, open)
	case syntax.RequirementUsage, syntax.ConcernUsage:
		if isRequirement(o) && d.Member == syntax.OwnedMember {
			return l.stated(m, true, "require condition", open)
		}
	}
	return nil
}

func isRequirementBody(o *model.Element) bool { return isRequirement(o) }

// stated are the conditions of a constraint or requirement that another one
// states: its own, or the value of the name it refers to.
func (l *Lowering) stated(m *model.Element, required bool, word string, open map[*model.Element]bool) []clause {
	inner := l.clauses(m, open)
	if len(inner) == 0 {
		for _, g := range m.Generals() {
			if g.Kind == syntax.References && !isCondition(g.Target) {
				inner = []clause{{value: g.Target, required: true}}
			}
		}
	}
	for i := range inner {
		inner[i].required = inner[i].required && required
		inner[i].within = append(inner[i].within, m)
		inner[i].word = word
	}
	if m.Is(syntax.Negated) && len(inner) > 0 {
		if len(inner) == 1 && inner[0].group == nil && inner[0].value == nil {
			inner[0].negated = !inner[0].negated
			return inner
		}
		return []clause{{group: inner, required: required, word: word}}
	}
	return inner
}

// conditionValue is a constraint named as a value: whether it holds.
func (b *body) conditionValue(e *model.Element, want int32) operand {
	top := b.top
	c := b.l.calcOf(e)
	b.l.describe(c)
	to := b.result(want)
	b.top = max(top, to+1)
	b.emit(exec.Instr{Op: exec.OpCall, A: to, B: int32(b.l.callUnit(c)), C: b.top, D: 0})
	return to
}

// returnConditions lowers a condition that is called as a function: it returns
// whether all that is required holds.
func (b *body) returnConditions(e *model.Element) {
	b.checked = append(b.checked, e)
	for _, cl := range b.l.clauses(e, map[*model.Element]bool{}) {
		v := b.clause(cl)
		b.emit(exec.Instr{Op: exec.OpCheckBool, B: v, D: exec.ConditionValue})
		if cl.required {
			holds := b.emit(exec.Instr{Op: exec.OpJumpIf, B: v, D: exec.ConditionValue})
			b.evaluated(e)
			b.emit(exec.Instr{Op: exec.OpReturn, B: b.konst(value.False)})
			b.land(holds)
		}
	}
	b.evaluated(e)
	b.emit(exec.Instr{Op: exec.OpReturn, B: b.konst(value.True)})
}
