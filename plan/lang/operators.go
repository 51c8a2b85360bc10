package lang

import (
	"fmt"
	"math"
	"strings"

	"go.starlark.net/starlark"

	"github.com/orrery-sysml/orrery/plan/axis"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// Operators are the builtins of the plan language itself, which need no model.
func Operators() []Builtin {
	list := []Builtin{
		{"choose", Choose, "choose([name,] options, labels=, weights=, doc=)", "one option of an axis; a walk runs every option of a named one", choose},
		{"nondet", Choose, "nondet(name=)", "a boolean axis; nondet(x, ...) exempts x from exploration", nondet},
		{"halt", Prune, "halt(reason=)", "end this leaf without a verdict: it is of no interest", halt},
		{"inconclusive", Prune, "inconclusive(reason)", "end this leaf: nothing can be decided", giveUp},
		{"assume", Declare, "assume(predicate)", "keep the leaves whose choices satisfy the predicate", assume},
		{"test", Declare, "test(name, body=, setup=, assume=[], expect=[], terminate_when=, timeout=, axes=, anonymous=, prune=, cover=, sample=, doc=, tags=)", "register a test", register},
		{"monitor", Declare, "monitor(name, on=, state=, update=, check=)", "watch the events of every leaf", monitor},
	}
	list = append(append(list, expectations()...), temporals()...)
	return append(list, optionLists()...)
}

// choose is choose(options) and choose(name, options).
func choose(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	q, err := parseChoose(args, kwargs)
	if err != nil {
		return nil, err
	}
	return take(thread, q)
}

// A question is the arguments of one choose.
type question struct {
	name    string
	named   bool
	values  []starlark.Value
	labels  []string
	weights []float64
	doc     string
}

func parseChoose(args starlark.Tuple, kwargs []starlark.Tuple) (*question, error) {
	q := &question{}
	var name, options starlark.Value
	switch len(args) {
	case 1:
		options = args[0]
		if s, ok := options.(starlark.String); ok {
			return nil, fmt.Errorf("choose(name, options): a name %s without options", s)
		}
	case 2:
		name, options = args[0], args[1]
	default:
		return nil, fmt.Errorf("choose takes (options) or (name, options), not %d positional arguments", len(args))
	}
	for _, kw := range kwargs {
		var err error
		switch key := string(kw[0].(starlark.String)); key {
		case "name":
			if name != nil {
				return nil, fmt.Errorf("choose(name, options): the name is given twice")
			}
			name = kw[1]
		case "labels":
			if q.labels, err = texts(kw[1]); err != nil {
				return nil, fmt.Errorf("choose: labels: %v", err)
			}
		case "weights":
			if q.weights, err = numbers(kw[1]); err != nil {
				return nil, fmt.Errorf("choose: weights: %v", err)
			}
		case "doc":
			doc, ok := starlark.AsString(kw[1])
			if !ok {
				return nil, fmt.Errorf("choose: doc is a text, not %s", kw[1].Type())
			}
			q.doc = doc
		default:
			return nil, fmt.Errorf("choose: unexpected keyword argument %s", key)
		}
	}
	if name != nil {
		if err := q.setName("choose(name, options)", name); err != nil {
			return nil, err
		}
	}
	return q, q.setOptions(options)
}

// setName takes the name of an axis in the form that is written as form.
func (q *question) setName(form string, v starlark.Value) error {
	s, ok := starlark.AsString(v)
	switch {
	case !ok:
		return fmt.Errorf("%s: the name is a text, not %s", form, v.Type())
	case s == "":
		return fmt.Errorf("%s: the name is empty; leave it out for an anonymous choice", form)
	case s[0] == '@':
		return fmt.Errorf("%s: names that begin with @ are kept for anonymous choices", form)
	case strings.Contains(s, "\n"): // the id of a leaf and the summary have a line for each axis
		return fmt.Errorf("%s: the name is more than one line", form)
	}
	q.name, q.named = s, true
	return nil
}

func (q *question) setOptions(v starlark.Value) error {
	switch v := v.(type) {
	case *starlark.List, starlark.Tuple, *starlark.Set:
	case starlark.Sequence:
		if v.Type() != "range" && v.Type() != "options" {
			return fmt.Errorf("choose: options is a list, not %s", v.Type())
		}
	default:
		if x, ok := v.(interface{ Refusal() string }); ok {
			return fmt.Errorf("choose: %s", x.Refusal())
		}
		return fmt.Errorf("choose: options is a list, not %s", v.Type())
	}
	list := v.(starlark.Sequence)
	n := list.Len()
	if n == 0 {
		return fmt.Errorf("choose(): the options list is empty")
	}
	if n > math.MaxInt32 {
		return fmt.Errorf("choose: %d options are too many", n)
	}
	if q.labels != nil && len(q.labels) != n {
		return fmt.Errorf("choose: %d labels for %d options", len(q.labels), n)
	}
	if q.weights != nil && len(q.weights) != n {
		return fmt.Errorf("choose: %d weights for %d options", len(q.weights), n)
	}
	if n > maxOptionsEver {
		return tooMany(n, maxOptionsEver)
	}
	it := list.Iterate()
	defer it.Done()
	q.values = make([]starlark.Value, 0, n)
	var x starlark.Value
	for it.Next(&x) {
		q.values = append(q.values, x)
	}
	if err := freeze(q.values...); err != nil {
		return fmt.Errorf("choose: %v", err)
	}
	return nil
}

// maxOptionsEver bounds the options of an axis however large --max-options is.
const maxOptionsEver = 1_000_000

func tooMany(n, limit int) error {
	return fmt.Errorf("choose: %d options are more than %d; --max-options raises the limit", n, limit)
}

func numbers(v starlark.Value) ([]float64, error) {
	list, ok := v.(starlark.Iterable)
	if !ok {
		return nil, fmt.Errorf("expected a list of numbers, not %s", v.Type())
	}
	var out []float64
	it := list.Iterate()
	defer it.Done()
	for x := starlark.Value(nil); it.Next(&x); {
		f, ok := starlark.AsFloat(x)
		if !ok || !(f > 0) || math.IsInf(f, 0) {
			return nil, fmt.Errorf("each is a positive number, not %s", brief(x))
		}
		out = append(out, f)
	}
	return out, nil
}

// nondet is nondet(), nondet(name=) and nondet(x, ...).
func nondet(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	q := &question{values: []starlark.Value{starlark.True, starlark.False}}
	for _, kw := range kwargs {
		if kw[0] != starlark.Value(starlark.String("name")) || len(args) > 0 {
			return nil, fmt.Errorf("nondet: unexpected keyword argument %s", string(kw[0].(starlark.String)))
		}
		if err := q.setName("nondet(name=)", kw[1]); err != nil {
			return nil, err
		}
	}
	if len(args) == 0 {
		return take(thread, q)
	}
	for i, a := range args {
		if _, ok := a.(Exempt); !ok {
			return nil, fmt.Errorf("nondet: argument %d is an object or a behaviour to exempt, not %s", i+1, a.Type())
		}
	}
	for _, a := range args {
		a.(Exempt).Exempt(thread)
	}
	return starlark.None, nil
}

// An Exempt value can be taken out of exploration: its choice points are
// resolved by the default policy for the rest of the leaf.
type Exempt interface{ Exempt(thread *starlark.Thread) }

// take answers a question where thread stands.
func take(thread *starlark.Thread, q *question) (starlark.Value, error) {
	c := Of(thread)
	if c.leaf == nil && c.module == nil {
		return q.values[0], nil // a cell or a prompt
	}
	a, err := q.axis(thread, c)
	if err != nil {
		return nil, err
	}
	if c.leaf != nil {
		return c.leaf.choose(a, q.values)
	}
	return c.module.choose(a, q.values)
}

// axis makes the axis that q asks at.
func (q *question) axis(thread *starlark.Thread, c *Context) (*axis.Axis, error) {
	plan := c.plan()
	if limit := plan.options.MaxOptions; len(q.values) > limit {
		return nil, tooMany(len(q.values), limit)
	}
	frame := thread.CallFrame(1)
	n := c.occurrence(at(frame.Pos))
	scope, fans := c.scope(), c.fansAnonymous()
	key := memoKey{frame.Pos.Filename(), at(frame.Pos), q.name, n, scope, fans}
	plain := q.labels == nil && q.weights == nil && q.doc == ""
	if plain {
		if a := plan.memo.get(key, q.values); a != nil {
			return a, nil
		}
	}
	call, site := c.texts.callerSite(thread)
	a := &axis.Axis{ID: q.name, Named: q.named, Doc: q.doc, Scope: scope, Site: site}
	if !q.named {
		a.ID = call.name()
		if n > 0 {
			a.ID += fmt.Sprintf("[%d]", n)
		}
		a.Site.Occurrence = n
	}
	a.Fans = len(q.values) > 1 && (q.named || fans)
	var keys []string
	keys, a.Unstable, a.Duplicate = optionKeys(q.values, q.labels)
	a.Options = make([]axis.Option, len(keys))
	for i, k := range keys {
		a.Options[i] = axis.Option{Key: k, Label: k}
		if q.weights != nil {
			a.Options[i].Weight = q.weights[i]
		}
	}
	a = plan.intern(a)
	if plain {
		plan.memo.put(key, q.values, a)
	}
	return a, nil
}

func (c *Context) plan() *Plan {
	if c.leaf != nil {
		return c.leaf.plan
	}
	return c.module.plan
}

func (c *Context) scope() axis.Scope {
	switch {
	case c.leaf == nil:
		return axis.Module
	case c.Phase == AtSetup:
		return axis.Setup
	}
	return axis.Body
}

func (c *Context) fansAnonymous() bool {
	return c.plan().options.FanAnonymous || c.leaf != nil && c.leaf.test.def.fan
}

// occurrence counts the calls at a place.
func (c *Context) occurrence(p place) int {
	met := &c.met
	if c.leaf == nil {
		met = &c.module.met
	}
	if *met == nil {
		*met = map[place]int{}
	}
	n := (*met)[p]
	(*met)[p] = n + 1
	return n
}

// choose takes an option at the top level.
func (m *module) choose(a *axis.Axis, values []starlark.Value) (starlark.Value, error) {
	for i, x := range m.path {
		if x.Axis.ID == a.ID {
			if err := sameAxis(x.Axis, a); err != nil {
				return nil, err
			}
			return m.values[i], nil
		}
	}
	k, err := m.pick(a)
	if err != nil {
		return nil, err
	}
	if k >= len(values) {
		return nil, fmt.Errorf("axis %s has %d options now and had more before", a.ID, len(values))
	}
	m.path = append(m.path, axis.Pick{Axis: a, Index: k})
	m.values = append(m.values, values[k])
	return values[k], nil
}

// sameAxis refuses one name for two lists of options.
func sameAxis(a, b *axis.Axis) error {
	if a == b || a.Same(b) {
		return nil
	}
	return fmt.Errorf("the axis %s has other options at %s:%d:%d than at %s:%d:%d", a.ID,
		b.Site.File, b.Site.Line, b.Site.Column, a.Site.File, a.Site.Line, a.Site.Column)
}

// stopError ends a leaf from inside: halt and inconclusive.
type stopError struct {
	halted bool
	reason string
}

func (e *stopError) Error() string {
	switch {
	case e.halted && e.reason == "":
		return "halt()"
	case e.halted:
		return "halt: " + e.reason
	}
	return "inconclusive: " + e.reason
}

func halt(_ *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var reason starlark.Value = starlark.String("")
	if err := starlark.UnpackArgs("halt", args, kwargs, "reason?", &reason); err != nil {
		return nil, err
	}
	text, ok := starlark.AsString(reason)
	if !ok {
		return nil, fmt.Errorf("halt: the reason is a text, not %s", reason.Type())
	}
	return nil, &stopError{halted: true, reason: text}
}

func giveUp(_ *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var reason string
	if err := starlark.UnpackArgs("inconclusive", args, kwargs, "reason", &reason); err != nil {
		return nil, err
	}
	return nil, &stopError{reason: reason}
}

// assume registers a predicate at the top level, and evaluates it in a body.
func assume(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(kwargs) > 0 {
		return nil, fmt.Errorf("assume: unexpected keyword argument %s", string(kwargs[0][0].(starlark.String)))
	}
	if len(args) != 1 {
		return nil, fmt.Errorf("assume takes one predicate, not %d arguments", len(args))
	}
	c := Of(thread)
	if c.leaf == nil && c.module == nil {
		return nil, fmt.Errorf("assume: there are no leaves to constrain here")
	}
	name := "assume"
	if c.leaf == nil {
		name = fmt.Sprintf("assume[%d]", len(c.module.assumes))
	}
	p, err := newPredicate(args[0], name, placeOf(c.texts, args[0], c.texts.Span(thread.CallFrame(1).Pos)))
	if err != nil {
		return nil, fmt.Errorf("assume: %v", err)
	}
	if c.leaf != nil {
		return starlark.None, c.leaf.assume(p)
	}
	c.module.assumes = append(c.module.assumes, p)
	return starlark.None, nil
}

// invalid is a diagnostic of the plan at a place.
func invalid(span source.Span, format string, a ...any) *diagnostic.Diagnostic {
	return diagnostic.New(PlanLoad, span, fmt.Sprintf(format, a...))
}

// Picked is what the leaf of thread chose on the axis called id so far, and
// whether it did.
func Picked(thread *starlark.Thread, id string) (starlark.Value, bool) {
	l := Of(thread).leaf
	if l == nil {
		return nil, false
	}
	for i, x := range l.path {
		if x.Axis.ID == id {
			return l.values[i], true
		}
	}
	return nil, false
}
