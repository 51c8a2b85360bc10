package conform

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// judgeCondition judges constraint and requirement cases.
func judgeCondition(ctx context.Context, s *runtime.Session, c *Case) []string {
	kinds := []syntax.Metaclass{syntax.ConstraintDefinition, syntax.ConstraintUsage, syntax.AssertConstraintUsage}
	if c.Expect.Type == "requirement" {
		kinds = []syntax.Metaclass{syntax.RequirementDefinition, syntax.RequirementUsage, syntax.ConcernDefinition, syntax.ConcernUsage}
	}
	e, err := entry(s, c, kinds...)
	if err != nil {
		return list(err.Error())
	}
	on := ""
	if c.Expect.Instantiate != "" {
		o, err := s.Instantiate(ctx, c.Expect.Instantiate, "")
		if err != nil {
			return list("error: " + err.Error())
		}
		on = fmt.Sprintf("#%d", o.Number)
	}
	bindings, err := arguments(c.Expect.Bindings)
	if err != nil {
		return list(err.Error())
	}
	v, err := s.Judge(ctx, quoted(e.QualifiedName()), on, bindings)
	if err == nil && v.Status == runtime.Undecided {
		err = v.Err
	}
	if problem, done := failing(err, c.Expect.Error); done {
		return list(problem)
	}
	if c.Expect.Satisfied != nil && *c.Expect.Satisfied != (v.Status == runtime.Holds) {
		return list(fmt.Sprintf("%s: got %s, want satisfied %v", v.Assertion, v.Status, *c.Expect.Satisfied))
	}
	return nil
}

func arguments(values Values) ([]runtime.Argument, error) {
	var all []runtime.Argument
	for i := range values {
		v, ok := values[i].Given()
		if !ok {
			return nil, fmt.Errorf("%s cannot be passed in: %s", values[i].Name, &values[i].Expected)
		}
		all = append(all, runtime.Argument{Name: values[i].Name, Value: v})
	}
	return all, nil
}

func judgeSatisfy(ctx context.Context, s *runtime.Session, c *Case) (problems []string) {
	verdicts, err := s.Satisfactions(ctx, quoted(c.Expect.Evaluate))
	for i := range verdicts {
		if err == nil && verdicts[i].Status == runtime.Undecided {
			err = verdicts[i].Err
		}
	}
	if problem, done := failing(err, c.Expect.Error); done {
		return list(problem)
	}
	if c.Expect.Satisfied != nil {
		if len(verdicts) != 1 {
			return list(fmt.Sprintf("%d assertions, want one", len(verdicts)))
		}
		if got := verdicts[0].Status == runtime.Holds; got != *c.Expect.Satisfied {
			return list(fmt.Sprintf("%s: got %v", verdicts[0].Assertion, got))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Expect.Assertions)) {
		found := false
		for _, v := range verdicts {
			if v.Assertion != name && "assert "+v.Assertion != name {
				continue
			}
			found = true
			if got := v.Status == runtime.Holds; got != c.Expect.Assertions[name] {
				problems = append(problems, fmt.Sprintf("%s: got %v", name, got))
			}
		}
		if !found {
			problems = append(problems, "no assertion "+name)
		}
	}
	return problems
}

// judgeRun judges verification and analysis cases.
func judgeRun(ctx context.Context, s *runtime.Session, c *Case) (problems []string) {
	kinds := []syntax.Metaclass{syntax.VerificationCaseDefinition, syntax.VerificationCaseUsage}
	if c.Expect.Type == "analysis" {
		kinds = []syntax.Metaclass{syntax.AnalysisCaseDefinition, syntax.AnalysisCaseUsage}
	}
	e, err := entry(s, c, kinds...)
	if err != nil {
		return list(err.Error())
	}
	bindings, err := arguments(c.Expect.Bindings)
	if err != nil {
		return list(err.Error())
	}
	on := ""
	if c.Expect.Subject != "" {
		on = quoted(c.Expect.Subject)
	}
	run, err := s.Case(ctx, quoted(e.QualifiedName()), on, bindings)
	if err == nil && run.Err != nil {
		err = run.Err
	}
	if problem, done := failing(err, c.Expect.Error); done && problem != "" || run == nil {
		return list(problem)
	}
	if c.Expect.Verdict != "" && run.Verdict != c.Expect.Verdict {
		problems = append(problems, fmt.Sprintf("verdict %s (%s), want %s", run.Verdict, run.Detail, c.Expect.Verdict))
	}
	if !strings.Contains(run.Detail, c.Expect.VerdictDetail) {
		problems = append(problems, fmt.Sprintf("verdict detail %q, want %q", run.Detail, c.Expect.VerdictDetail))
	}
	problems = append(problems, outputs(s, c, run.Outputs)...)
	problems = append(problems, verdicts(c.Expect.Verdicts, run.Verdicts)...)
	problems = append(problems, subcases(c.Expect.Subcases, run.Subcases)...)
	problems = append(problems, evaluations(s, c, run.Evaluations)...)
	return append(problems, reads(ctx, s, c)...)
}

var statuses = map[runtime.Status]string{runtime.Holds: "satisfied", runtime.Violated: "not satisfied", runtime.Undecided: "undecided"}

func verdicts(want map[string]string, got []runtime.Verdict) (problems []string) {
	for _, name := range slices.Sorted(maps.Keys(want)) {
		found := "none"
		for _, v := range got {
			if v.Name == name {
				found = statuses[v.Status]
				if v.Err != nil && found != want[name] {
					found += " (" + v.Err.Message + ")"
				}
			}
		}
		if found != want[name] {
			problems = append(problems, fmt.Sprintf("verdict of %s: got %s, want %s", name, found, want[name]))
		}
	}
	return problems
}

func subcases(want map[string]string, got []runtime.Subcase) (problems []string) {
	if want == nil {
		return nil
	}
	for _, s := range got {
		if want[s.Name] != s.Verdict {
			problems = append(problems, fmt.Sprintf("subcase %s: got %s (%s), want %q", s.Name, s.Verdict, s.Detail, want[s.Name]))
		}
	}
	if len(got) < len(want) {
		problems = append(problems, fmt.Sprintf("%d subcases, want %d", len(got), len(want)))
	}
	return problems
}

func evaluations(s *runtime.Session, c *Case, got []runtime.Evaluation) (problems []string) {
	want := c.Expect.Calls
	if want == nil {
		return nil
	}
	if len(got) != len(want) {
		return list(fmt.Sprintf("%d evaluations, want %d", len(got), len(want)))
	}
	for i := range want {
		w, g := &want[i], got[i]
		if w.Function != g.Function || len(w.Arguments) != len(g.Arguments) || w.Selected != g.Selected {
			problems = append(problems, fmt.Sprintf("evaluation %d: got %s of %d arguments, selected %v", i+1, g.Function, len(g.Arguments), g.Selected))
			continue
		}
		for k := range w.Arguments {
			if m := w.Arguments[k].Mismatch(g.Arguments[k], s.Origin); m != "" {
				problems = append(problems, fmt.Sprintf("evaluation %d, argument %d: %s", i+1, k+1, m))
			}
		}
		if w.Result != nil {
			if m := w.Result.Mismatch(g.Result, s.Origin); m != "" {
				problems = append(problems, fmt.Sprintf("evaluation %d: %s", i+1, m))
			}
		}
	}
	return problems
}
