package lang

import (
	"context"
	"errors"
	"fmt"

	"go.starlark.net/starlark"

	"github.com/orrery-sysml/orrery/plan/leaf"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
)

// A ModelError is an error of a model that a builtin ran: it makes a leaf
// fail, where another error of the plan makes it an error.
type ModelError struct {
	Element string // qualified name of what was run
	Err     error
}

func (e *ModelError) Error() string { return e.Err.Error() }

// Unwrap is the error itself.
func (e *ModelError) Unwrap() error { return e.Err }

// BudgetError is a bound of the walk that a leaf reached.
type BudgetError struct{ Message string }

func (e *BudgetError) Error() string { return e.Message }

// execute runs setup and body of the leaf and judges it.
func (l *running) execute() *leaf.Run {
	ctx := l.ctx
	if l.def.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, l.def.timeout)
		defer cancel()
	}
	c := &Context{Ctx: ctx, Phase: AtSetup, Print: l.print, texts: l.plan.texts, leaf: l}
	var subject Subject
	if l.plan.options.Subject != nil {
		subject = l.plan.options.Subject(l.request)
		defer subject.Close()
		if ended := l.request.Ended; ended != nil {
			defer func() { ended(subject) }()
		}
		c.Environment = subject
	}
	limits := l.plan.options.Limits
	if l.request.Steps > 0 {
		limits.Steps = l.request.Steps
	}
	thread, release := NewThread(l.test.Name(), c, limits)
	defer release()
	defer func() {
		if !c.outOfMemory() { // where that happens depends on the machine
			l.result.Steps += int64(thread.ExecutionSteps())
		}
	}()
	var err error
	if l.def.setup != nil {
		_, err = starlark.Call(thread, l.def.setup, nil, nil)
		if d := (*diagnostic.Diagnostic)(nil); errors.As(err, &d) && d.Code == OutsideBody {
			l.end(leaf.Fail, d.Message, l.plan.texts.Fault(thread, err))
			return l.finish(subject)
		}
	}
	if err == nil {
		c.Phase = AtBody
		l.result.BodyRan = true
		_, err = starlark.Call(thread, l.def.body, nil, nil)
	}
	l.judge(thread, c, err)
	return l.finish(subject)
}

// maxOutput bounds what a leaf may print; the rest is dropped.
const maxOutput = 64 << 10

func (l *running) print(text string) {
	if room := maxOutput - l.output.Len(); room > 0 {
		l.output.WriteString(text[:min(room, len(text))])
	}
}

// judge decides the outcome of a leaf whose body ended with err, by the first
// of the rules that applies.
func (l *running) judge(thread *starlark.Thread, c *Context, err error) {
	var (
		cut      *cutError
		stop     *stopError
		assumed  *assumeError
		model    *ModelError
		violated *monitorError
		unmet    *unmetError
		done     doneError
		spent    *BudgetError
		d        *diagnostic.Diagnostic
	)
	fault := func() error { return l.plan.texts.Fault(thread, err) }
	switch stopped := c.Stopped(); {
	case errors.As(err, &cut):
		l.result.Removed = cut.cut
		return
	case stopped != nil && stopped.Code == diagnostic.Interrupted:
		l.end(leaf.NotRun, l.stopReason(), nil)
		return
	case errors.As(err, &d) && d.Code == Nondeterministic:
		l.end(leaf.Error, d.Message, fault())
		return
	}
	if l.judgeChoices() {
		return
	}
	switch {
	case c.Stopped() != nil:
		l.end(leaf.Inconclusive, c.Stopped().Message, fault())
	case errors.As(err, &violated):
		l.end(leaf.Fail, violated.Error(), fault())
	case errors.As(err, &unmet):
		l.end(leaf.Fail, unmet.Error(), fault())
	case errors.As(err, &done):
		l.end(leaf.Pass, "", nil)
		l.settle()
	case errors.As(err, &assumed):
		if assumed.raised != nil {
			l.end(leaf.Error, assumed.reason, assumed.raised)
			return
		}
		l.result.PrunedBy = assumed.name
		l.end(leaf.Halted, assumed.reason, nil)
	case errors.As(err, &stop):
		l.result.Site = l.siteOf(err)
		if stop.halted {
			l.end(leaf.Halted, stop.Error(), nil)
			return
		}
		l.end(leaf.Inconclusive, stop.reason, nil)
	case errors.As(err, &spent):
		l.end(leaf.Inconclusive, spent.Message, nil)
	case errors.As(err, &d) && d.Code == ExpectationFailed:
		l.result.Site = l.siteOf(err)
		l.end(leaf.Fail, d.Message, fault())
		if claim := (*claimError)(nil); errors.As(err, &claim) {
			l.result.Claim = claim.claim
		}
	case errors.As(err, &model):
		l.result.Model = model.Element
		l.result.Site = l.siteOf(err)
		l.end(leaf.Fail, diagnostic.Of(model.Err)[0].Message, fault())
	case err != nil:
		l.result.Site = l.siteOf(err)
		e := fault()
		l.end(leaf.Error, diagnostic.Of(e)[0].Message, e)
	default:
		l.end(leaf.Pass, "", nil)
		l.settle()
	}
}

// stopReason says who stopped the leaf.
func (l *running) stopReason() string {
	if l.ctx.Err() != nil {
		return "stopped before its end"
	}
	return fmt.Sprintf("stopped after %v", l.def.timeout)
}

// judgeChoices evaluates the predicates that are still open on the whole
// assignment, and reports whether one of them decided the leaf.
func (l *running) judgeChoices() bool {
	for i, p := range l.predicates {
		if l.judged[i] == holds {
			continue
		}
		j, _, err := l.plan.judge(l.ctx, p, l.choices(false, nil, nil))
		switch j {
		case raised:
			l.end(leaf.Error, p.raisedReason(err), err)
			return true
		case fails:
			l.result.PrunedBy = p.Name
			l.end(leaf.Halted, p.falseReason(), nil)
			return true
		}
	}
	return false
}

// end notes how the leaf ended.
func (l *running) end(o leaf.Outcome, reason string, err error) {
	l.result.Outcome, l.result.Reason = o, reason
	if list := diagnostic.Of(err); len(list) > 0 {
		l.result.Diagnostic = list[0]
		l.result.Detail = diagnostic.Text(list[0], diagnostic.Style{})
	}
}

// siteOf names where in the plan err came from without its line: body#2 is
// the second call of its kind in body.
func (l *running) siteOf(err error) string {
	var e *starlark.EvalError
	if !errors.As(err, &e) {
		return ""
	}
	for i := len(e.CallStack) - 1; i >= 0; i-- {
		pos := e.CallStack[i].Pos
		text := l.plan.texts.find(pos.Filename())
		if text == nil {
			continue
		}
		if s, ok := text.calls()[at(pos)]; ok {
			return fmt.Sprintf("%s.%s#%d", orModule(s.function), s.callee, s.index)
		}
		return e.CallStack[i].Name
	}
	return ""
}

// finish completes the result.
func (l *running) finish(s Subject) *leaf.Run {
	r := l.result
	r.Path = l.path
	r.Expectations = l.expected
	r.Output = l.output.String()
	if s != nil {
		a := s.Account()
		r.Steps += a.Steps
		r.Runs, r.Witness, r.Touched, r.Covered = a.Runs, a.Witness, a.Touched, a.Covered
		r.Sources = append(l.test.sources(), a.Sources...)
		if l.request.Trace {
			r.Trace = a.Trace
		}
	}
	for _, x := range r.Path {
		if x.Axis.Duplicate {
			r.Warnings = append(r.Warnings, leaf.Warning{Code: "DUPLICATE_OPTION", Message: "two options of " + x.Axis.ID + " are equal"})
		}
		if x.Axis.Unstable {
			r.Warnings = append(r.Warnings, leaf.Warning{Code: "UNSTABLE_OPTION_KEY",
				Message: "an option of " + x.Axis.ID + " has no text of its own; give labels= to keep its leaves' ids"})
		}
	}
	return r
}
