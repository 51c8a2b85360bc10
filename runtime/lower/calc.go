package lower

import (
	"fmt"
	"slices"
	"strings"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// A calc is a calculation as it is called: its parameters, outputs and body,
// gathered over what it specializes.
type calc struct {
	element   *model.Element
	name      string
	chain     []*model.Element // most general first, the calculation last
	params    []parameter
	outputs   []*output
	described bool
	// host is the member of chain whose body runs.
	host *model.Element
	// designated is the expression of `bind result = e`.
	designated *model.Element
	nested     []*model.Element // calculation usages among the members

	call, run exec.UnitID
}

// A parameter is an input of a calc.
type parameter struct {
	name    string
	element *model.Element
	others  []string // names of what it redefines
	inout   bool
}

// An output is an output of a calc.
type output struct {
	name    string
	element *model.Element
	result  bool
	inout   int // index of the parameter it is; -1 for none
}

// calcOf is what is known of calculation e; describe fills it in.
func (l *Lowering) calcOf(e *model.Element) *calc {
	c := l.calcs[e]
	if c == nil {
		c = &calc{element: e, name: plainName(e), call: exec.NoUnit, run: exec.NoUnit}
		l.calcs[e] = c
	}
	return c
}

// param is the index of the parameter called name; -1 where there is none.
func (c *calc) param(name string) int {
	for i, p := range c.params {
		if p.name == name {
			return i
		}
	}
	for i, p := range c.params {
		if slices.Contains(p.others, name) {
			return i
		}
	}
	return -1
}

// output is the output called name; nil where there is none.
func (c *calc) output(name string) (int, *output) {
	for i, o := range c.outputs {
		if o.name == name || o.result && name == "result" {
			return i, o
		}
	}
	return -1, nil
}

// describe finds parameters, outputs and body of c.
func (l *Lowering) describe(c *calc) *calc {
	if c.described {
		return c
	}
	c.described = true
	supers := c.element.Supertypes()
	for i := len(supers) - 1; i >= 0; i-- {
		s := supers[i]
		if (isCalc(s) || isCondition(s)) && !isRootBehaviour(s) {
			c.chain = append(c.chain, s)
		}
	}
	c.chain = append(c.chain, c.element)
	for _, e := range c.chain {
		for _, m := range e.Members() {
			c.member(e, m)
		}
	}
	return c
}

// isRootBehaviour reports whether e is one of the library's bases, which
// declare no parameters that a call binds.
func isRootBehaviour(e *model.Element) bool {
	if !e.IsLibrary() || e.Owner() == nil {
		return false
	}
	switch e.Owner().Name() {
	case "Calculations", "Performances", "Actions", "Cases", "AnalysisCases", "VerificationCases", "Constraints", "Requirements", "Base", "Occurrences":
		return e.Name() != "PassIf"
	}
	return false
}

// member takes up what a member says of the calculation: a parameter, an
// output, what the result is bound to, or that its owner has the body.
func (c *calc) member(owner, m *model.Element) {
	d := m.Decl()
	if d == nil {
		return
	}
	if m.Metaclass() == syntax.BindingConnectorAsUsage || m.Metaclass() == syntax.BindingConnector {
		if boundResult(m) != nil {
			c.designated = m
		}
		return
	}
	if isBodyMember(m) && (c.host != owner) && (returns(owner) || c.host == nil || !returns(c.host)) {
		c.host = owner
	}
	if !m.Metaclass().IsFeature() {
		return
	}
	direction, isCalls := calledDirection(m)
	if !isCalls {
		return
	}
	if direction == syntax.In || direction == syntax.InOut {
		c.addParameter(m, direction == syntax.InOut)
	}
	if direction == syntax.Out || direction == syntax.InOut {
		if replaced := c.addOutput(m); replaced {
			return
		}
	}
	if isCalcUsage(m) && d.Member == syntax.OwnedMember {
		c.nested = append(c.nested, m)
	}
}

// calledDirection is the direction in which a feature passes through a call;
// not where it says what the result or the objective is, which is no place of
// its own.
func calledDirection(m *model.Element) (syntax.Direction, bool) {
	d := m.Decl()
	switch d.Member {
	case syntax.SubjectMember, syntax.ActorMember, syntax.StakeholderMember:
		return syntax.In, true
	case syntax.ReturnMember:
		_, isExpr := d.Detail.(*syntax.ExpressionPart)
		return syntax.Out, !isExpr && !isBareReturn(m)
	case syntax.ResultMember, syntax.ObjectiveMember:
		return syntax.NoDirection, false
	}
	return m.Direction(), true
}

// addParameter adds m, in the place of the parameter that it redefines.
func (c *calc) addParameter(m *model.Element, inout bool) {
	p := parameter{name: label(m), element: m, inout: inout}
	isSubject := m.Decl().Member == syntax.SubjectMember
	redefined := m.RedefinitionClosure()
	at := -1
	for i := range c.params {
		old := c.params[i].element.Decl()
		if slices.Contains(redefined, c.params[i].element) || c.params[i].name == p.name && p.name != "" ||
			isSubject && old != nil && old.Member == syntax.SubjectMember {
			at = i
		}
	}
	if at < 0 {
		c.params = append(c.params, p)
		return
	}
	old := c.params[at]
	p.inout = p.inout || old.inout
	p.others = append(old.others, old.name)
	if p.name == "" {
		p.name = old.name
	}
	c.params[at] = p
}

// addOutput adds m, and reports whether it took the place of the output that
// it redefines.
func (c *calc) addOutput(m *model.Element) (replaced bool) {
	name := label(m)
	o := &output{name: name, element: m, result: m.Decl().Member == syntax.ReturnMember, inout: -1}
	if name == "" {
		o.name = "result"
	}
	redefined := m.RedefinitionClosure()
	for i, old := range c.outputs {
		if slices.Contains(redefined, old.element) || old.name == o.name || o.result && old.result && (name == "" || old.name == "result") {
			o.result = o.result || old.result
			c.outputs[i] = o
			return true
		}
	}
	c.outputs = append(c.outputs, o)
	return false
}

// isBareReturn reports whether m is `return x;`, which returns what x is.
func isBareReturn(m *model.Element) bool {
	d := m.Decl()
	return d.Member == syntax.ReturnMember && d.Value == nil && d.Detail == nil && d.Multiplicity == nil && d.Body == nil &&
		len(d.Relationships) == 0 && d.Name.Text != "" && d.Keyword.IsZero()
}

// isBodyMember reports whether m makes its owner one that has a body.
func isBodyMember(m *model.Element) bool {
	d := m.Decl()
	switch d.Member {
	case syntax.ResultMember, syntax.ReturnMember:
		return d.Detail != nil || d.Value != nil || isBareReturn(m)
	}
	return isBodyStatement(m)
}

// isBodyStatement reports whether m is a statement in a body.
func isBodyStatement(m *model.Element) bool {
	d := m.Decl()
	if d == nil {
		return false
	}
	switch m.Metaclass() {
	case syntax.AssignmentActionUsage, syntax.IfActionUsage, syntax.WhileLoopActionUsage, syntax.ForLoopActionUsage,
		syntax.SendActionUsage, syntax.AcceptActionUsage, syntax.TerminateActionUsage, syntax.PerformActionUsage,
		syntax.ActionUsage:
		return d.Direction == syntax.NoDirection
	case syntax.AttributeUsage, syntax.ReferenceUsage, syntax.ItemUsage, syntax.PartUsage, syntax.EnumerationUsage, syntax.Feature:
		return d.Member == syntax.OwnedMember && d.Direction == syntax.NoDirection
	case syntax.CalculationUsage:
		return d.Member == syntax.OwnedMember && d.Direction == syntax.NoDirection
	}
	return false
}

// returns reports whether the body of e returns on some path.
func returns(e *model.Element) bool {
	for _, m := range e.Members() {
		d := m.Decl()
		if d == nil {
			continue
		}
		if d.Member == syntax.ResultMember || d.Member == syntax.ReturnMember && (d.Detail != nil || d.Value != nil || isBareReturn(m)) {
			return true
		}
		if isBlock(m) && returns(m) {
			return true
		}
		for _, h := range m.Header() {
			if isBlock(m) && returns(h) {
				return true
			}
		}
	}
	return false
}

func isBlock(m *model.Element) bool {
	switch m.Metaclass() {
	case syntax.IfActionUsage, syntax.WhileLoopActionUsage, syntax.ForLoopActionUsage, syntax.ActionUsage:
		return true
	}
	return false
}

// boundResult is the end of a binding connector that is not `result`; nil
// where none of its ends is.
func boundResult(m *model.Element) *syntax.ConnectorEnd {
	part, ok := m.Decl().Detail.(*syntax.ConnectorPart)
	if !ok || len(part.Ends) != 2 {
		return nil
	}
	for i, e := range part.Ends {
		if !e.Target.IsChain() && e.Target.First().IsSimple() && e.Target.First().Last().Text == "result" {
			return part.Ends[1-i]
		}
	}
	return nil
}

// callUnit is the unit that a call runs.
func (l *Lowering) callUnit(c *calc) exec.UnitID {
	if c.call != exec.NoUnit {
		return c.call
	}
	kind := exec.CalcUnit
	switch c.element.Metaclass() {
	case syntax.AnalysisCaseDefinition, syntax.AnalysisCaseUsage:
		kind = exec.AnalysisUnit
	case syntax.VerificationCaseDefinition, syntax.VerificationCaseUsage:
		kind = exec.VerifyUnit
	}
	if isCondition(c.element) {
		kind = exec.PlainUnit
	}
	u := l.unit(c.name, kind)
	c.call = u.ID
	l.describe(c)
	l.parameters(u, c)
	l.later(func() { l.compile(u, c.element, func(b *body) { b.calculation(c) }) })
	return u.ID
}

func (l *Lowering) parameters(u *exec.Unit, c *calc) {
	u.Params = nil
	for _, p := range c.params {
		_, has := p.element.Value()
		m := p.element.Multiplicity()
		u.Params = append(u.Params, exec.Param{Name: p.name, Default: has, Optional: m.Declared && m.Constant && m.Lower == 0})
	}
}

// compile lowers a body into u. Runs of calculation usages that the body
// reads get registers of their own, before all others but parameters; how
// many there are is known after a first pass.
func (l *Lowering) compile(u *exec.Unit, scope *model.Element, lower func(*body)) {
	fresh := *u
	var memos []*memo
	for {
		*u = fresh
		b := l.body(u, scope)
		b.memos, b.known = nil, memos
		for range u.Params {
			b.alloc()
		}
		for _, m := range memos {
			m.register = b.alloc()
		}
		u.Locals = b.top
		lower(b)
		if len(b.memos) == len(memos) {
			b.finish()
			return
		}
		memos = b.memos
	}
}

// A memo is the register of the run of a calculation usage.
type memo struct {
	usage    *model.Element
	onObject bool
	register int32
}

// memo is the register of the run of usage e, on self or on another object.
func (b *body) memo(e *model.Element, onObject bool) int32 {
	for _, m := range b.memos {
		if m.usage == e && m.onObject == onObject {
			return m.register
		}
	}
	m := &memo{usage: e, onObject: onObject}
	for _, k := range b.known {
		if k.usage == e && k.onObject == onObject {
			m.register = k.register
		}
	}
	b.memos = append(b.memos, m)
	return m.register
}

// calculation lowers the unit of a call.
func (b *body) calculation(c *calc) {
	b.calc, b.self = c, true
	b.prologue(c, nil)
	if isCondition(c.element) {
		b.returnConditions(c.element)
		return
	}
	if msg := misdeclared(c); msg != "" {
		b.fail(badCalculation, msg, "")
	}
	b.members(c)
	b.results(c)
}

// prologue binds the parameters: an argument where there is one, else the
// default. The values that given names are evaluated by the reader of a run.
func (b *body) prologue(c *calc, given map[*model.Element]bool) {
	b.enter()
	k := b.blocks[len(b.blocks)-1]
	for i, p := range c.params {
		if !given[p.element] {
			b.bind(c, i)
		}
		k.locals[p.name] = &local{kind: registerLocal, register: int32(i)}
		for _, o := range p.others {
			if k.locals[o] == nil {
				k.locals[o] = k.locals[p.name]
			}
		}
	}
	b.u.Entry = b.here()
	for _, o := range c.outputs {
		if o.inout = c.paramOf(o); o.inout >= 0 {
			continue
		}
		l := &local{kind: outputLocal, element: o.element}
		l.register = b.alloc()
		b.alloc() // the cache, behind it
		b.u.Locals = max(b.u.Locals, b.top)
		k.locals[o.name] = l
		if o.result && k.locals["result"] == nil {
			k.locals["result"] = l
		}
	}
	for _, n := range c.nested {
		b.declare(label(n), &local{kind: usageLocal, element: n})
	}
}

func (c *calc) paramOf(o *output) int {
	for i, p := range c.params {
		if p.element == o.element || p.inout && p.name == o.name {
			return i
		}
	}
	return -1
}

func (b *body) bind(c *calc, i int) {
	p := c.params[i]
	b.emit(exec.Instr{Op: exec.OpBind, A: int32(i), B: int32(i)})
	missing := b.jump()
	over := b.jump()
	b.land(missing)
	if v, has := p.element.Value(); has {
		b.move(int32(i), b.in(v.Scope, v.Expr, int32(i)))
		b.note(exec.DefaultNote, p.name, int32(i))
	} else if b.u.Params[i].Optional {
		b.emit(exec.Instr{Op: exec.OpMove, A: int32(i), B: b.konst(value.NullValue)})
	} else {
		b.emit(exec.Instr{Op: exec.OpUnbound, B: int32(i)})
	}
	b.land(over)
}

// misdeclared is what is wrong with the outputs of c as declared; "" where
// nothing is.
func misdeclared(c *calc) string {
	if c.host == nil {
		return ""
	}
	for _, o := range c.outputs {
		if _, has := o.element.Value(); has && assigns(c.host, o.name) && o.inout < 0 {
			return fmt.Sprintf("output bound more than once: output %s of calc %s is both given a value by its declaration and assigned in its body", o.name, c.name)
		}
	}
	return ""
}

// assigns reports whether a statement in e assigns name.
func assigns(e *model.Element, name string) bool {
	for _, m := range append(append([]*model.Element(nil), e.Header()...), e.Members()...) {
		d := m.Decl()
		if d == nil {
			continue
		}
		if a, ok := d.Detail.(*syntax.AssignPart); ok {
			if ref, ok := a.Target.(*syntax.FeatureReferenceExpression); ok && written(ref.Name, "") == name {
				return true
			}
		}
		if d.Value != nil && d.Value.Initial && d.Name.Text == name && d.Member == syntax.OwnedMember && d.Direction == syntax.NoDirection {
			return true
		}
		if (isBlock(m) || m.Role() != model.Member) && assigns(m, name) {
			return true
		}
	}
	return false
}

// members lowers the statements of the body, without its results.
func (b *body) members(c *calc) {
	if c.host == nil {
		return
	}
	b.scope = c.host
	for _, m := range c.host.Members() {
		if isBodyStatement(m) {
			b.statement(m)
		}
	}
}

// results lowers what a call of c gives.
func (b *body) results(c *calc) {
	if c.host != nil {
		for _, m := range c.host.Members() {
			if d := m.Decl(); d != nil && (d.Member == syntax.ResultMember || d.Member == syntax.ReturnMember) {
				if b.returned(m) {
					return
				}
			}
		}
	}
	if c.designated != nil {
		b.emit(exec.Instr{Op: exec.OpReturn, B: b.bound(c.designated)})
		return
	}
	var valued []*output
	for _, o := range c.outputs {
		_, has := o.element.Value()
		if has || c.host != nil && assigns(c.host, o.name) || o.inout >= 0 && len(c.outputs) == 1 {
			if o.result {
				valued = []*output{o}
				break
			}
			valued = append(valued, o)
		}
	}
	switch {
	case len(valued) == 1:
		b.emit(exec.Instr{Op: exec.OpReturn, B: b.outputValue(valued[0])})
	case len(valued) > 1:
		var names []string
		for _, o := range valued {
			names = append(names, o.name)
		}
		b.fail(exec.NoResult, fmt.Sprintf("calculation has no single result: calc %s computes %d output features (%s) and designates no result; read them from a calc usage instead: calc c : %s { in n = ...; } then read c.%s",
			c.name, len(names), strings.Join(names, ", "), c.element.EffectiveName(), names[0]), "")
	case c.host == nil || !returns(c.host):
		b.fail(exec.NoResult, "no result expression: calc "+c.name+" has no return expression", "")
	default:
		b.emit(exec.Instr{Op: exec.OpReturnNone})
	}
}

// bound is the value of the other end of `bind result = e`.
func (b *body) bound(m *model.Element) operand {
	end := boundResult(m)
	q := end.Target.Links[0]
	ref := &syntax.FeatureReferenceExpression{Node: syntax.Node{At: m.Span()}, Name: q}
	if len(end.Target.Links) == 1 {
		return b.expr(ref, -1)
	}
	return b.expr(&syntax.FeatureChainExpression{Node: syntax.Node{At: m.Span()}, Operand: ref, Links: end.Target.Links[1:]}, -1)
}

// returned lowers a result member; it reports whether that returns.
func (b *body) returned(m *model.Element) bool {
	d := m.Decl()
	var x syntax.Expr
	scope := b.scope
	if part, ok := d.Detail.(*syntax.ExpressionPart); ok {
		x = part.Expr
	} else if d.Value != nil {
		x, scope = d.Value.Expr, m
	} else if isBareReturn(m) {
		q := syntax.QualifiedName{Segments: []syntax.Name{d.Name}, Range: d.Name.Range}
		x = &syntax.FeatureReferenceExpression{Node: syntax.Node{At: d.Name.In(d.Span.File)}, Name: q}
	} else {
		return false
	}
	b.stmt("return", "", m)
	b.depth++
	v := b.in(scope, x, -1)
	b.depth--
	b.emit(exec.Instr{Op: exec.OpReturn, B: v})
	return true
}

// outputValue is what an output is: what its expression gives or what the
// body assigned.
func (b *body) outputValue(o *output) operand {
	if o.inout >= 0 {
		return int32(o.inout)
	}
	if v, has := o.element.Value(); has {
		return b.in(v.Scope, v.Expr, -1)
	}
	l := b.lookup(o.name)
	have := b.emit(exec.Instr{Op: exec.OpJumpPresent, B: l.register})
	b.fail(exec.NoValue, "no value: output never assigned: output "+o.name+" of calc "+b.calc.name, "")
	b.land(have)
	return l.register
}
