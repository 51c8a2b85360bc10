package runtime

import (
	"context"
	"fmt"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/lower"
	"github.com/orrery-sysml/orrery/runtime/trace"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// Verification runs a verification case on an object, "" for the subject that
// the case binds itself.
func (s *Session) Verification(ctx context.Context, name, on string) (*CaseRun, error) {
	return s.Case(ctx, name, on, nil)
}

// Analysis runs an analysis case as Verification does.
func (s *Session) Analysis(ctx context.Context, name, on string) (*CaseRun, error) {
	return s.Case(ctx, name, on, nil)
}

// Case runs a case with values for its parameters by name.
func (s *Session) Case(ctx context.Context, name, on string, bindings []Argument) (*CaseRun, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var run *CaseRun
	err := s.commit(ctx, func(t *turn) error {
		e, err := s.find(name)
		if err != nil {
			return err
		}
		subject := value.NoObject
		if on != "" {
			if subject, err = t.lookup(on); err != nil {
				return err
			}
		}
		run, err = t.runCase(e, subject, bindings)
		return err
	})
	return run, err
}

// RunUsage runs a calculation usage once and reads all its outputs, in the
// order declared.
func (s *Session) RunUsage(ctx context.Context, name string) ([]Output, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Output
	err := s.commit(ctx, func(t *turn) error {
		e, err := s.find(name)
		if err != nil {
			return err
		}
		u, names := t.lowering.UsageRun(e)
		v, err := t.perform(u, value.NoObject)
		if err != nil {
			return err
		}
		for i, n := range names {
			all = append(all, Output{n, v.At(i), t.text(t.world, v.At(i))})
		}
		return nil
	})
	return all, err
}

// Origin is the qualified name of what an object was made from.
func (s *Session) Origin(id value.ObjectID) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if id < 0 || int(id) >= s.world.Objects.Len() {
		return ""
	}
	return s.world.Program.Types[s.world.Object(id).Type].Qualified
}

// runCase runs a case: its body, its outputs, its objective and assertions.
func (t *turn) runCase(e *model.Element, subject value.ObjectID, bindings []Argument) (*CaseRun, error) {
	k, err := t.lowering.Case(e)
	if err != nil {
		return nil, err
	}
	verifies := e.Metaclass() == syntax.VerificationCaseUsage || e.Metaclass() == syntax.VerificationCaseDefinition
	run := &CaseRun{Name: e.QualifiedName()}
	args, unbound := caseArguments(k, subject, bindings)
	if unbound != nil {
		word := "analysis"
		if verifies {
			word = "verification"
		}
		d := diagnostic.New(noSubject, e.NameSpan(), fmt.Sprintf("%s %s: subject %s is unbound: bind it (subject %s = ...) or run it on an object",
			word, run.Name, unbound.Name, unbound.Name))
		if !verifies {
			return nil, d
		}
		run.Verdict, run.Detail = "error", d.Message
		return run, nil
	}
	record := &evaluations{}
	t.runner.Calls = record
	result, err := t.perform(k.Run, value.NoObject, args...)
	if err == nil {
		t.unobserved(func() { t.caseOutputs(k, run, result) })
	}
	t.runner.Calls = nil
	run.Evaluations = record.distinct()
	markSelected(run)
	if err != nil {
		d := diagnostic.Of(err)[0]
		if verifies {
			run.Verdict, run.Detail = "error", d.Message
			return run, nil
		}
		run.Err = d
	}
	t.caseVerdicts(k, run, result)
	if verifies {
		t.verified(k, run)
	}
	return run, nil
}

// caseArguments are the values of the parameters of a case: the object that it
// runs on for its subject, and what the bindings give by name. A subject that
// has none of these and no value of its own is unbound.
func caseArguments(k *lower.Case, subject value.ObjectID, bindings []Argument) (args []value.Value, unbound *lower.Subject) {
	args = bound(k.Params, bindings)
	for i := range k.Params {
		p := &k.Params[i]
		if !p.Subject {
			continue
		}
		_, valued := p.Element.Value()
		switch {
		case subject != value.NoObject:
			args[i] = value.ObjectRef(subject)
		case args[i].IsAbsent() && !valued:
			return nil, p
		}
	}
	return args, nil
}

// bound are the values that bindings give to parameters by name; the last of
// several counts.
func bound(params []lower.Subject, bindings []Argument) []value.Value {
	args := make([]value.Value, len(params))
	for i, p := range params {
		for _, a := range bindings {
			if a.Name == p.Name {
				args[i] = a.Value
			}
		}
	}
	return args
}

// observedBy does what o hears of in place of the observer of the turn.
func (t *turn) observedBy(o trace.Observer, do func()) {
	observer := t.runner.Observer
	t.runner.Observer = o
	defer func() { t.runner.Observer = observer }()
	do()
}

// unobserved does what no observer hears of.
func (t *turn) unobserved(do func()) { t.observedBy(nil, do) }

// caseOutputs reads the outputs of a run, up to the first that cannot be
// read. A result need not be there.
func (t *turn) caseOutputs(k *lower.Case, run *CaseRun, result value.Value) {
	for _, o := range k.Outputs {
		v, bad := t.perform(o.Unit, value.NoObject, result)
		if bad != nil {
			d := *diagnostic.Of(bad)[0]
			if o.Result && d.Code == exec.NoValue {
				continue
			}
			d.Message = "output " + o.Name + ": " + d.Message
			run.Err = &d
			return
		}
		run.Outputs = append(run.Outputs, Output{o.Name, v, t.text(t.world, v)})
	}
}

// markSelected marks, of a trade study, the evaluation of the alternative that
// was chosen.
func markSelected(run *CaseRun) {
	for _, o := range run.Outputs {
		if _, isObject := o.Value.AsObject(); !isObject {
			continue
		}
		for i := range run.Evaluations {
			if e := &run.Evaluations[i]; len(e.Arguments) == 1 && value.Same(e.Arguments[0], o.Value) {
				e.Selected = true
			}
		}
	}
}

// caseVerdicts judges the objective and the assertions of a run.
func (t *turn) caseVerdicts(k *lower.Case, run *CaseRun, result value.Value) {
	var registers []value.Value
	if run.Err == nil && result.Kind() == value.Sequence {
		for i := exec.RunHead; i < result.Len(); i++ {
			registers = append(registers, result.At(i))
		}
		for _, o := range t.world.Program.Units[t.lowering.RunOf(k)].Outputs {
			for _, known := range run.Outputs {
				if o.Result && known.Name == o.Name && int(o.Cache) < len(registers) {
					registers[o.Cache] = known.Value
				}
			}
		}
	}
	for _, c := range k.Verdicts {
		v := Verdict{Kind: "constraint", Name: c.Name, Assertion: c.Name, Span: c.Element.Span()}
		if c.Objective {
			v.Kind = "requirement"
		}
		if run.Err != nil {
			v.Status, v.Err = Undecided, run.Err
			run.Verdicts = append(run.Verdicts, v)
			continue
		}
		var read operands
		var r value.Value
		var err error
		t.observedBy(trace.Tee(t.runner.Observer, &read), func() { r, err = t.perform(c.Unit, value.NoObject, registers...) })
		n, _ := r.AsInt()
		switch {
		case err != nil:
			v.Status, v.Err = Undecided, diagnostic.Of(err)[0]
		case n >= 0:
			v.Status, v.Condition, v.Operands = Violated, c.Conditions[n].Text, read.list
			v.Err = diagnostic.New(violated, c.Conditions[n].Span, c.Name+": "+c.Conditions[n].Word+" evaluated to false: "+c.Conditions[n].Text)
		}
		run.Verdicts = append(run.Verdicts, v)
	}
}

// verified says how a verification case came out, and its subcases.
func (t *turn) verified(k *lower.Case, run *CaseRun) {
	run.Verdict, run.Detail = "inconclusive", "no VerdictKind value"
	for _, o := range run.Outputs {
		if n, ok := o.Value.AsNamed(); ok && n.Owner() == "VerdictKind" {
			run.Verdict, run.Detail = n.Name(), ""
		}
	}
	if k.Flow != exec.NoGraph {
		t.unobserved(func() { t.subcaseFlow(k, run) })
		return
	}
	t.unobserved(func() { t.subcases(k, run) })
}

// subcases runs the subcases of a case one after another, and says how they
// came out.
func (t *turn) subcases(k *lower.Case, run *CaseRun) {
	for _, sub := range k.Subcases {
		r, err := t.runCase(sub, value.NoObject, nil)
		if err != nil {
			run.Subcases = append(run.Subcases, Subcase{t.lowering.QualifiedName(sub), "error", err.Error()})
			continue
		}
		run.Subcases = append(run.Subcases, Subcase{t.lowering.QualifiedName(sub), r.Verdict, r.Detail})
	}
}

// subcaseFlow performs the flow of a case and says how those of its subcases
// came out that it led to.
func (t *turn) subcaseFlow(k *lower.Case, run *CaseRun) {
	t.world.Program = t.lowering.Program()
	r, _, err := resolver(t.settings)
	if err != nil {
		run.Verdict, run.Detail = "error", err.Error()
		return
	}
	b := &behaviour{turn: t, element: k.Element, engine: t.engine(t.settings)}
	b.engine.Resolver = r
	b.seed(t.settings)
	if b.id, err = b.engine.StartAction(k.Flow, value.NoObject); err == nil {
		err = b.engine.Complete(b.id)
	}
	done := b.result(err)
	for _, sub := range k.Subcases {
		for _, o := range done.Outputs {
			if o.Name == label(sub)+".result" {
				one := Subcase{t.lowering.QualifiedName(sub), "inconclusive", "no VerdictKind value"}
				if n, ok := o.Value.AsNamed(); ok && n.Owner() == "VerdictKind" {
					one.Verdict, one.Detail = n.Name(), ""
				}
				run.Subcases = append(run.Subcases, one)
			}
		}
	}
	if err != nil {
		run.Verdict, run.Detail = "error", diagnostic.Of(err)[0].Message
	}
}

// evaluations hears the calls of function values that a run makes.
type evaluations struct{ calls []exec.FunctionCall }

// Called keeps a call.
func (e *evaluations) Called(c exec.FunctionCall) { e.calls = append(e.calls, c) }

// distinct are the calls, one for each binding of arguments.
func (e *evaluations) distinct() []Evaluation {
	var all []Evaluation
	for _, c := range e.calls {
		args := c.Arguments
		for len(args) > 0 && (args[len(args)-1].IsAbsent() || args[len(args)-1].IsNull()) {
			args = args[:len(args)-1]
		}
		one := Evaluation{Function: c.Function, Result: c.Result}
		for _, a := range args {
			if a.IsAbsent() {
				a = value.NullValue
			}
			one.Arguments = append(one.Arguments, a)
		}
		known := false
		for _, o := range all {
			known = known || o.Function == one.Function && value.Same(value.SequenceOf(o.Arguments...), value.SequenceOf(one.Arguments...))
		}
		if !known {
			all = append(all, one)
		}
	}
	return all
}
