package lang

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"go.starlark.net/starlark"

	"github.com/orrery-sysml/orrery/plan/axis"
	"github.com/orrery-sysml/orrery/plan/leaf"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// The codes of what a leaf ends with.
var (
	Nondeterministic = diagnostic.Register("nondeterministic-body",
		"A leaf was run again along choices that were met before, and met other axes or options. A body must depend on its choices alone.")
	ExpectationFailed = diagnostic.Register("expectation-failed",
		"An expect call of a plan did not hold.")
	MonitorViolation = diagnostic.Register("monitor-violation",
		"A monitor of the plan was false for an event of the leaf.")
)

// running is one run of a test along a prefix.
type running struct {
	test    *Test
	plan    *Plan
	request leaf.Request
	ctx     context.Context
	module  *module
	def     *testDef

	path       axis.Path // every axis met
	values     []starlark.Value
	fanned     int // of path
	predicates []*Predicate
	judged     []judgement
	monitors   []*watching
	claims     []*claimed // temporal properties
	now        float64    // model time of the last event
	expected   int
	result     *leaf.Run
	output     strings.Builder
}

// cutError ends a run whose last axis kept no option.
type cutError struct{ cut *leaf.Cut }

func (e *cutError) Error() string { return "removed by " + e.cut.Predicate }

// run carries the request out.
func (l *running) run() (result *leaf.Run) {
	l.result = &leaf.Run{}
	defer func() {
		if r := recover(); r != nil {
			l.end(leaf.Error, fmt.Sprintf("panic: %v", r), nil)
			result = l.finish(nil)
		}
	}()
	module, err := l.plan.moduleFor(l.ctx, l.pickModule)
	if err == nil {
		l.module = module
		err = l.begin()
	}
	if err != nil {
		if cut := (*cutError)(nil); !errors.As(err, &cut) {
			l.failToBegin(err)
		} else if l.result.Removed == nil {
			l.result.Removed = cut.cut
		}
		return l.finish(nil)
	}
	if cut := l.judgeModule(); cut != nil {
		l.result.Removed = cut
		return l.finish(nil)
	}
	return l.execute()
}

// failToBegin ends a leaf whose module cannot be executed.
func (l *running) failToBegin(err error) {
	if l.ctx.Err() != nil {
		l.result.Outcome = leaf.NotRun
		return
	}
	l.end(leaf.Error, diagnostic.Of(err)[0].Message, err)
}

// pickModule is the option of an axis of the top level.
func (l *running) pickModule(a *axis.Axis) (int, error) {
	a = l.test.own(a)
	return l.pick(a)
}

// begin takes over what the module chose.
func (l *running) begin() error {
	m := l.module
	l.def = m.find(l.test.def.name)
	if l.def == nil {
		return invalid(source.Span{File: l.plan.File}, "the plan registers no %s for %s", l.test.def.name, m.path)
	}
	l.values = append(l.values, m.values...)
	for k, p := range m.assumes {
		if !l.test.ignored[k] {
			l.predicates = append(l.predicates, p)
		}
	}
	l.predicates = append(l.predicates, l.def.assumes...)
	l.judged = make([]judgement, len(l.predicates))
	for _, m := range m.monitor {
		l.monitors = append(l.monitors, &watching{def: m, state: m.state})
	}
	for _, p := range l.def.expect {
		l.uphold(p)
	}
	return nil
}

// judgeModule removes the subtree of the module's axes where a predicate is
// false for all of it.
func (l *running) judgeModule() *leaf.Cut {
	if l.request.Late {
		return nil
	}
	for i, p := range l.predicates {
		j, reads, _ := l.plan.judge(l.ctx, p, l.choices(true, nil, nil))
		switch j {
		case holds:
			l.judged[i] = holds
		case fails:
			return &leaf.Cut{Index: -1, Predicate: p.Name, Reads: reads}
		}
	}
	return nil
}

// choices is the path so far, and a with value v where a is not nil.
func (l *running) choices(partial bool, a *axis.Axis, v starlark.Value) *choices {
	c := &choices{values: make(map[string]starlark.Value, len(l.path)+1), partial: partial, reads: map[string]bool{}}
	add := func(a *axis.Axis, v starlark.Value) {
		if a.Named || a.Fans {
			c.names = append(c.names, a.ID)
			c.values[a.ID] = v
		}
	}
	for i, x := range l.path {
		add(x.Axis, l.values[i])
	}
	if a != nil {
		add(a, v)
	}
	return c
}

// maxAxes bounds the axes of one leaf, those that do not fan out among them.
const maxAxes = 1_000

// choose takes an option in setup or body.
func (l *running) choose(a *axis.Axis, values []starlark.Value) (starlark.Value, error) {
	for i, x := range l.path {
		if x.Axis.ID == a.ID {
			if err := sameAxis(x.Axis, a); err != nil {
				return nil, err
			}
			return l.values[i], nil
		}
	}
	switch depth := l.plan.options.MaxDepth; {
	case a.Fans && l.fanned >= depth:
		return nil, &BudgetError{fmt.Sprintf("the leaf met more than %d axes; --max-depth raises the limit", depth)}
	case len(l.path) >= max(maxAxes, depth):
		return nil, &BudgetError{fmt.Sprintf("the leaf made more than %d choices", len(l.path))}
	}
	var k int
	var err error
	if a.Fans && l.fanned >= len(l.request.Prefix) {
		k, err = l.branch(a, values)
	} else {
		k, err = l.pick(a)
	}
	if err != nil {
		return nil, err
	}
	l.values = append(l.values, values[k])
	return values[k], nil
}

// pick takes the option of a that the prefix says, or the first one that is
// admitted, without asking predicates.
func (l *running) pick(a *axis.Axis) (int, error) {
	if !a.Fans {
		l.path = append(l.path, axis.Pick{Axis: a, Index: 0})
		return 0, nil
	}
	if l.fanned < len(l.request.Prefix) {
		p := l.request.Prefix[l.fanned]
		if !p.Axis.Same(a) {
			return 0, diverged(l.fanned, p.Axis, a)
		}
		l.take(a, p.Index)
		return p.Index, nil
	}
	return l.branch(a, nil)
}

func diverged(n int, was, is *axis.Axis) error {
	what := "the axis " + is.ID
	if was.ID == is.ID {
		what = "other options of " + is.ID
	}
	return diagnostic.New(Nondeterministic, source.Span{}, fmt.Sprintf("choice %d met %s where an earlier run met the axis %s", n+1, what, was.ID)).
		WithHint("a body must not depend on anything but its choices")
}

func (l *running) take(a *axis.Axis, k int) {
	l.path = append(l.path, axis.Pick{Axis: a, Index: k})
	l.fanned++
}

// branch is an axis behind the prefix: it removes what a predicate excludes,
// when the options' values are known, and takes an option of the rest.
func (l *running) branch(a *axis.Axis, values []starlark.Value) (int, error) {
	b := leaf.Branch{At: l.fanned, Axis: a, Taken: -1}
	judged := make([][]judgement, 0, len(a.Options))
	for i := range a.Options {
		if l.request.Admit != nil && !l.request.Admit(a, i) {
			continue
		}
		j, cut := l.judgeOption(a, i, values)
		if cut != nil {
			b.Cuts = append(b.Cuts, *cut)
			continue
		}
		b.Survivors = append(b.Survivors, i)
		judged = append(judged, j)
	}
	if len(b.Survivors) == 0 {
		l.result.Branches = append(l.result.Branches, b)
		if len(b.Cuts) == 0 {
			return 0, &cutError{&leaf.Cut{Index: -1}}
		}
		return 0, &cutError{&b.Cuts[0]}
	}
	guide := l.request.Guide
	if guide == nil {
		guide = leaf.First{}
	}
	b.Taken = guide.Pick(a, b.Survivors, l.path)
	l.result.Branches = append(l.result.Branches, b)
	for k, i := range b.Survivors {
		if i == b.Taken && judged[k] != nil {
			l.judged = judged[k]
		}
	}
	l.take(a, b.Taken)
	return b.Taken, nil
}

// judgeOption asks the predicates that are still open about option i of a.
func (l *running) judgeOption(a *axis.Axis, i int, values []starlark.Value) ([]judgement, *leaf.Cut) {
	if values == nil || l.request.Late || len(l.predicates) == 0 {
		return nil, nil
	}
	j := append([]judgement(nil), l.judged...)
	for k, p := range l.predicates {
		if j[k] != undecided {
			continue
		}
		verdict, reads, _ := l.plan.judge(l.ctx, p, l.choices(true, a, values[i]))
		switch verdict {
		case fails:
			return nil, &leaf.Cut{Index: i, Predicate: p.Name, Reads: reads}
		case holds:
			j[k] = holds
		}
	}
	return j, nil
}

// assume is assume() in a body.
func (l *running) assume(p *Predicate) error {
	if err := l.plan.checkPredicate(p); err != nil {
		return err
	}
	j, _, err := l.plan.judge(l.ctx, p, l.choices(false, nil, nil))
	switch j {
	case raised:
		return &assumeError{p.raisedReason(err), p.Name, err}
	case fails:
		return &assumeError{p.falseReason(), p.Name, nil}
	}
	return nil
}

// assumeError ends a leaf whose body assumed what does not hold.
type assumeError struct {
	reason, name string
	raised       error
}

func (e *assumeError) Error() string { return e.reason }
