package stub

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/syntax"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/lower"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
	sysml "github.com/orrery-sysml/orrery/sysml/syntax"
)

// A Writer writes stubs for the sites of one model. It never changes.
type Writer struct {
	variable string
	sites    []lower.Coverable
	of       map[*model.Element]*lower.Coverable // of states and transitions
	at       map[source.Span]*model.Element      // of transitions
	names    []string
}

// NewWriter makes a Writer for sites, whose stubs call the model by the name of
// a variable.
func NewWriter(variable string, sites []lower.Coverable) *Writer {
	w := &Writer{variable: variable, sites: sites, of: map[*model.Element]*lower.Coverable{},
		at: map[source.Span]*model.Element{}}
	used := map[string]bool{}
	for i := range sites {
		c := &sites[i]
		if c.Machine != nil && (c.Kind == exec.StateSite || c.Kind == exec.TransitionSite) {
			w.of[c.Element] = c
		}
		if c.Machine != nil && c.Kind != exec.StateSite {
			w.at[c.Span] = c.Element
		}
		name := "test_covers_" + strings.Trim(notWord.ReplaceAllString(c.Name, "_"), "_")
		for n, base := 2, name; used[name]; n++ {
			name = base + "_" + strconv.Itoa(n)
		}
		used[name] = true
		w.names = append(w.names, name)
	}
	return w
}

var notWord = regexp.MustCompile(`[^A-Za-z0-9]+`)

// Stub is a test for site i: the text of a function with an end of line.
func (w *Writer) Stub(i int) string {
	c := &w.sites[i]
	t := &test{writer: w, values: values{}}
	switch c.Kind {
	case exec.ConstraintSite, exec.RequirementSite:
		t.condition(c)
	default:
		t.behaviour(c)
	}
	var out strings.Builder
	fmt.Fprintf(&out, "def %s():\n", w.names[i])
	fmt.Fprintf(&out, "    # %s\n", oneLine(c.Name))
	for _, line := range t.lines {
		out.WriteString("    " + line + "\n")
	}
	return out.String()
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// A test is the body of a stub in the making.
type test struct {
	writer *Writer
	// values are what features should have.
	values values
	lines  []string
}

func (t *test) line(format string, a ...any) { t.lines = append(t.lines, fmt.Sprintf(format, a...)) }

// note leaves something to the reader.
func (t *test) note(format string, a ...any) {
	t.lines = append(t.lines, "# "+oneLine(fmt.Sprintf(format, a...)))
}

func quote(s string) string { return syntax.Quote(s, false) }

// behaviour runs the behaviour that c is in.
func (t *test) behaviour(c *lower.Coverable) {
	at := c
	if c.Machine == nil { // what a state or a transition of a machine does
		for e := c.Element.Owner(); e != nil && at == c; e = e.Owner() {
			if found := t.writer.of[e]; found != nil {
				at = found
			}
		}
	}
	if at.Machine != nil {
		t.machine(at)
		return
	}
	root := outermost(c.Element)
	if part, ok := c.Element.Decl().Detail.(*sysml.TransitionPart); ok && part.Guard != nil {
		t.make(part.Guard, c.Kind != exec.FailingSite)
	}
	inputs := t.take(root)
	owner := t.performer(root)
	t.unsettable(root)
	t.line("result = action(%s, %s%s).run(%s)", t.writer.variable, quote(root.QualifiedName()), owner, inputs)
	t.line("expect(result.ok)")
}

// outermost is the behaviour around e that is part of no other.
func outermost(e *model.Element) *model.Element {
	root := e
	for at := e; at != nil; at = at.Owner() {
		if isAction(at) || isState(at) {
			root = at
		}
	}
	return root
}

func isAction(e *model.Element) bool {
	switch e.Metaclass() {
	case sysml.ActionDefinition, sysml.ActionUsage, sysml.PerformActionUsage:
		return true
	}
	return false
}

func isState(e *model.Element) bool {
	switch e.Metaclass() {
	case sysml.StateDefinition, sysml.StateUsage, sysml.ExhibitStateUsage:
		return true
	}
	return false
}

// machine moves the machine of c to what c is.
func (t *test) machine(c *lower.Coverable) {
	m := c.Machine
	goal := c.State
	if c.Kind != exec.StateSite {
		goal = m.Transitions[c.Transition].Source
	}
	path, ok := way(m, goal)
	if !ok {
		t.note("nothing leads to %s", m.States[goal].Name)
	}
	if c.Kind != exec.StateSite && (len(path) == 0 || path[len(path)-1] != c.Transition) {
		path = append(path, c.Transition)
	}
	for _, x := range path {
		if e := t.element(m, x); e != nil {
			if part, ok := e.Decl().Detail.(*sysml.TransitionPart); ok && part.Guard != nil {
				t.make(part.Guard, c.Kind != exec.FailingSite || x != c.Transition)
			}
		}
	}
	sent := make([][]string, len(path))
	for i, x := range path {
		sent[i] = t.stimulus(m, x)
	}
	t.start(c.Behaviour)
	for _, lines := range sent {
		t.lines = append(t.lines, lines...)
	}
	t.unsettable(c.Behaviour)
	target := goal
	switch c.Kind {
	case exec.FailingSite:
		return
	case exec.TransitionSite, exec.HoldingSite:
		target = m.Transitions[c.Transition].Target
	}
	if s := &m.States[target]; target != 0 && s.Kind <= exec.RegionState {
		t.line("expect(%s in machine.visits)", quote(s.Name))
	}
}

// element is the declaration of a transition of m; nil where it has none of its
// own.
func (t *test) element(m *exec.Machine, transition int32) *model.Element {
	return t.writer.at[m.Transitions[transition].Span]
}

// make asks for values with which x is want.
func (t *test) make(x sysml.Expr, want bool) {
	if !t.values.guess(x, want) {
		t.note("%s has to be %v here", x.Span().Text(), want)
	}
}

// start starts the machine of e, which an object has or which stands by itself.
func (t *test) start(e *model.Element) {
	if e.Metaclass() == sysml.ExhibitStateUsage && isObject(e.Owner()) {
		t.object(e.Owner())
		t.line("machine = obj.machine(%s)", quote(e.EffectiveName()))
		return
	}
	inputs := t.take(e)
	t.line("machine = state(%s, %s%s).start(%s)", t.writer.variable, quote(e.QualifiedName()), t.performer(e), inputs)
}

// isObject reports whether e is something that objects are made of.
func isObject(e *model.Element) bool {
	return e != nil && e.Owner() != nil && e.Metaclass().IsType() && !isAction(e) && !isState(e)
}

// performer makes the object that has e, and is the argument that names it; ""
// where none has.
func (t *test) performer(e *model.Element) string {
	if !isObject(e.Owner()) {
		return ""
	}
	t.object(e.Owner())
	return ", performer=obj"
}

// object makes an object of e with the values that are asked for its features.
func (t *test) object(e *model.Element) {
	var features []string
	for _, f := range e.AllFeatures() {
		if text, ok := t.values[f.EffectiveName()]; ok {
			features = append(features, quote(f.EffectiveName())+": "+text)
			delete(t.values, f.EffectiveName())
		}
	}
	with := ""
	if len(features) > 0 {
		slices.Sort(features)
		with = ", features={" + strings.Join(features, ", ") + "}"
	}
	t.line("obj = instantiate(%s, %s%s)", t.writer.variable, quote(e.QualifiedName()), with)
}

// take is the arguments for the inputs of e: those that are asked for, and a
// place to fill in for the others without a value.
func (t *test) take(e *model.Element) string {
	var args arguments
	for _, m := range parameters(e) {
		name := m.EffectiveName()
		if d := m.Direction(); name == "" || d != sysml.In && d != sysml.InOut {
			continue
		}
		text, asked := t.values[name]
		delete(t.values, name)
		if _, has := m.Value(); !asked && has {
			continue
		}
		if !asked {
			text = t.known(sample(m), name)
		}
		args.add(name, text)
	}
	return args.String()
}

// known is text; where that is None, what it stands for is left to the reader.
func (t *test) known(text, what string) string {
	if text == none {
		t.note("fill in %s", what)
	}
	return text
}

var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// parameters are the features of e that could be its parameters, with those
// that it inherits.
func parameters(e *model.Element) []*model.Element {
	var all []*model.Element
	for _, f := range e.AllFeatures() {
		if f.Redefiner == nil && !f.IsLibrary() {
			all = append(all, f.Element)
		}
	}
	return all
}

// arguments are those of a call: by name, and those whose names are no names of
// arguments in Starlark in a dict.
type arguments struct{ named, others []string }

func (a *arguments) add(name, text string) {
	if !identifier.MatchString(name) || reserved[name] {
		a.others = append(a.others, quote(name)+": "+text)
		return
	}
	a.named = append(a.named, name+"="+text)
}

// String is a between the parentheses of a call.
func (a *arguments) String() string {
	if len(a.others) > 0 {
		return strings.Join(append(slices.Clone(a.named), "args={"+strings.Join(a.others, ", ")+"}"), ", ")
	}
	return strings.Join(a.named, ", ")
}

// reserved are words of Starlark that name no argument, and names that the calls
// of a stub use themselves.
var reserved = map[string]bool{"and": true, "as": true, "assert": true, "async": true, "await": true, "break": true, "class": true, "continue": true,
	"def": true, "del": true, "elif": true, "else": true, "except": true, "finally": true, "for": true, "from": true, "global": true, "if": true,
	"import": true, "in": true, "is": true, "lambda": true, "load": true, "nonlocal": true, "not": true, "or": true, "pass": true, "raise": true,
	"return": true, "try": true, "while": true, "with": true, "yield": true,
	"args": true, "schedule": true, "seed": true, "draws": true, "clock_step": true, "max_steps": true, "must": true}

// samples are values of scalar types.
var samples = map[string]string{"Integer": "1", "Natural": "1", "Positive": "1", "Real": "1.0", "Rational": "1.0", "Number": "1", "NumericalValue": "1",
	"Boolean": "True", "String": `"text"`}

// none stands where a stub knows no value.
const none = "None"

// sample is a value of the type of e; none where that is no scalar.
func sample(e *model.Element) string {
	for _, s := range e.Supertypes() {
		if text, ok := samples[s.EffectiveName()]; ok {
			return text
		}
	}
	return none
}

// stimulus is what makes a transition of m fire.
func (t *test) stimulus(m *exec.Machine, transition int32) []string {
	x := &m.Transitions[transition]
	switch x.Trigger {
	case exec.SignalTrigger:
		signal := x.Signal
		if x.Port != "" {
			signal += " via " + x.Port
		}
		args := arguments{named: []string{quote(signal)}}
		if x.Payload >= 0 {
			text, asked := t.values[x.PayloadName]
			delete(t.values, x.PayloadName)
			if !asked {
				text = t.known(cmp.Or(samples[x.Signal], none), "what "+x.Signal+" carries")
			}
			args.add("value", text)
		}
		return []string{"machine.send(" + args.String() + ")"}
	case exec.CallTrigger:
		args := arguments{named: []string{quote(x.Signal)}}
		for _, p := range x.Params {
			text, asked := t.values[p]
			delete(t.values, p)
			if !asked {
				text = t.known(none, p+" of "+x.Signal)
			}
			args.add(p, text)
		}
		return []string{"machine.call(" + args.String() + ")"}
	case exec.AfterTrigger, exec.AtTrigger, exec.ChangeTrigger:
		return t.timed(m, transition)
	}
	return nil
}

// timed waits for a time or a change.
func (t *test) timed(m *exec.Machine, transition int32) []string {
	e := t.element(m, transition)
	if e == nil {
		return nil
	}
	part, ok := e.Decl().Detail.(*sysml.TransitionPart)
	if !ok || part.Trigger == nil || part.Trigger.Expr == nil {
		return nil
	}
	expr := part.Trigger.Expr
	if m.Transitions[transition].Trigger == exec.ChangeTrigger {
		t.make(expr, true)
		return nil
	}
	if s, ok := seconds(expr); ok {
		return []string{"machine.advance(" + s + ")"}
	}
	t.note("the time is %s", expr.Span().Text())
	return []string{"machine.advance(1)"}
}

// units are those of time that stubs know, in seconds.
var units = map[string]float64{"s": 1, "second": 1, "ms": 0.001, "min": 60, "minute": 60, "h": 3600, "hour": 3600, "d": 86400, "day": 86400}

// seconds is a constant duration.
func seconds(x sysml.Expr) (string, bool) {
	scale := 1.0
	if b, ok := x.(*sysml.BracketExpression); ok {
		unit := b.Bracket.Span().Text()
		if scale, ok = units[unit[strings.LastIndex(unit, ":")+1:]]; !ok {
			return "", false
		}
		x = b.Operand
	}
	l, ok := x.(*sysml.LiteralExpression)
	if !ok {
		return "", false
	}
	n, err := strconv.ParseFloat(l.Text, 64)
	return strconv.FormatFloat(n*scale, 'f', -1, 64), err == nil
}

// unsettable says of the values that nothing so far could be given.
func (t *test) unsettable(e *model.Element) {
	for _, n := range slices.Sorted(maps.Keys(t.values)) {
		t.note("%s has to be %s in %s for this", n, t.values[n], e.QualifiedName())
	}
}

// condition judges a constraint or a requirement.
func (t *test) condition(c *lower.Coverable) {
	e := c.Element
	if e.EffectiveName() == "" {
		t.object(e.Owner())
		t.line("expect(obj.validate())")
		return
	}
	kind := "constraint"
	if c.Kind == exec.RequirementSite {
		kind = "requirement"
	}
	var args arguments
	if isObject(e.Owner()) && e.Owner().Metaclass() != sysml.RequirementDefinition && e.Owner().Metaclass() != sysml.RequirementUsage {
		t.object(e.Owner())
		args.add("on", "obj")
	}
	for _, m := range parameters(e) {
		d := m.Decl()
		if _, has := m.Value(); d == nil || has || m.EffectiveName() == "" {
			continue
		}
		switch {
		case d.Member == sysml.SubjectMember || d.Member == sysml.ActorMember:
			text := none
			for _, s := range m.Supertypes() {
				if !s.IsLibrary() {
					text = fmt.Sprintf("instantiate(%s, %s)", t.writer.variable, quote(s.QualifiedName()))
					break
				}
			}
			args.add(m.EffectiveName(), t.known(text, m.EffectiveName()))
		case m.Direction() == sysml.In || m.Direction() == sysml.InOut:
			args.add(m.EffectiveName(), t.known(sample(m), m.EffectiveName()))
		}
	}
	t.line("verdict = %s(%s, %s)(%s)", kind, t.writer.variable, quote(e.QualifiedName()), args.String())
	t.line("expect(not verdict.undecided)")
}
