package conform

import (
	"context"
	"fmt"
	"strings"

	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/runtime/trace"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file judges the cases that run no behaviour: each judge executes the
// case in session s, which has its documents, and gives what differs from the
// expectation.

// A judge judges the cases of one type.
type judge func(ctx context.Context, s *runtime.Session, c *Case) (problems []string)

func init() {
	for name, j := range declarative {
		judges[name] = j.on
	}
}

// on judges the case of b and leaves its trace there.
func (j judge) on(b *bench) []string {
	var recorder trace.Recorder
	b.session.SetObserver(&recorder)
	problems := j(b.ctx, b.session, b.c)
	b.trace = recorder.Text()
	return problems
}

// declarative are the judges of the types without behaviours.
var declarative = map[string]judge{
	"calc": judgeCalc, "calcUsage": judgeCalcUsage, "constraint": judgeCondition, "requirement": judgeCondition,
	"satisfy": judgeSatisfy, "verification": judgeRun, "analysis": judgeRun, "instance": judgeInstance,
}

// entry is the element that case c is about: the one it names, or the first of
// the metaclasses that the documents declare: packages in order, the direct
// members of each, then root members.
func entry(s *runtime.Session, c *Case, kinds ...syntax.Metaclass) (*model.Element, error) {
	if c.Expect.Evaluate != "" {
		e := s.Model().Find(c.Expect.Evaluate)
		if e == nil {
			return nil, fmt.Errorf("no element %s", c.Expect.Evaluate)
		}
		return e, nil
	}
	is := func(e *model.Element) bool {
		for _, k := range kinds {
			if e.Metaclass() == k {
				return true
			}
		}
		return false
	}
	roots := s.Model().Roots()
	for _, p := range roots {
		if p.Metaclass() == syntax.Package || p.Metaclass() == syntax.LibraryPackage {
			for _, m := range p.Members() {
				if is(m) {
					return m, nil
				}
			}
		}
	}
	for _, e := range roots {
		if is(e) {
			return e, nil
		}
	}
	return nil, fmt.Errorf("the documents declare no %s", c.Expect.Type)
}

// failing compares an error with the text that the case wants, "" for none.
func failing(err error, want string) (problem string, done bool) {
	switch {
	case want == "" && err == nil:
		return "", false
	case err == nil:
		return fmt.Sprintf("no error, want %q", want), true
	case want == "":
		return "error: " + err.Error(), true
	case !strings.Contains(err.Error(), want):
		return fmt.Sprintf("error %q, want %q", err, want), true
	}
	return "", true
}

func list(problem string) []string {
	if problem == "" {
		return nil
	}
	return []string{problem}
}

func givenValues(list []Expected) ([]value.Value, error) {
	var values []value.Value
	for i := range list {
		v, ok := list[i].Given()
		if !ok {
			return nil, fmt.Errorf("input %d cannot be passed in: %s", i+1, &list[i])
		}
		values = append(values, v)
	}
	return values, nil
}

func judgeCalc(ctx context.Context, s *runtime.Session, c *Case) []string {
	e, err := entry(s, c, syntax.CalculationDefinition, syntax.CalculationUsage)
	if err != nil {
		return list(err.Error())
	}
	args, err := givenValues(c.Expect.Inputs)
	if err != nil {
		return list(err.Error())
	}
	v, err := s.Call(ctx, e.QualifiedName(), args, nil)
	if problem, done := failing(err, c.Expect.Error); done {
		return list(problem)
	}
	if c.Expect.Result == nil {
		return nil
	}
	return list(c.Expect.Result.Mismatch(v, s.Origin))
}

func judgeCalcUsage(ctx context.Context, s *runtime.Session, c *Case) []string {
	e, err := entry(s, c, syntax.CalculationUsage)
	if err != nil {
		return list(err.Error())
	}
	run, err := s.RunUsage(ctx, e.QualifiedName())
	if problem, done := failing(err, c.Expect.Error); done {
		return list(problem)
	}
	problems := outputs(s, c, run)
	if c.Expect.Result != nil {
		args, err := givenValues(c.Expect.Inputs)
		if err != nil {
			return append(problems, err.Error())
		}
		v, err := s.Call(ctx, e.QualifiedName(), args, nil)
		if err != nil {
			return append(problems, "error: "+err.Error())
		}
		problems = append(problems, list(c.Expect.Result.Mismatch(v, s.Origin))...)
	}
	return append(problems, reads(ctx, s, c)...)
}

// outputs compares named outputs with those that the case states.
func outputs(s *runtime.Session, c *Case, got []runtime.Output) (problems []string) {
	for i := range c.Expect.Outputs {
		want := &c.Expect.Outputs[i]
		found := false
		for _, o := range got {
			if o.Name == want.Name {
				found = true
				if m := want.Mismatch(o.Value, s.Origin); m != "" {
					problems = append(problems, want.Name+": "+m)
				}
			}
		}
		if !found {
			problems = append(problems, "no output "+want.Name)
		}
	}
	return problems
}

// reads compares features by qualified name.
func reads(ctx context.Context, s *runtime.Session, c *Case) (problems []string) {
	s.SetObserver(nil)
	return c.Expect.Reads.compared(s, func(name string) (value.Value, error) { return s.EvaluateText(ctx, quoted(name), "") })
}

// compared reads what each of the values is of, and says how it differs.
func (want Values) compared(s *runtime.Session, read func(name string) (value.Value, error)) (problems []string) {
	for i := range want {
		w := &want[i]
		v, err := read(w.Name)
		if problem, done := failing(err, w.Error); done {
			if problem != "" {
				problems = append(problems, w.Name+": "+problem)
			}
			continue
		}
		if m := w.Mismatch(v, s.Origin); m != "" {
			problems = append(problems, w.Name+": "+m)
		}
	}
	return problems
}

// quoted is a qualified name with quotes where they are needed.
func quoted(name string) string {
	parts := strings.Split(name, "::")
	for i, p := range parts {
		parts[i] = model.Quote(strings.Trim(p, "'"))
	}
	return strings.Join(parts, "::")
}
