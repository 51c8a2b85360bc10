package conform

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
)

// judgeObjects judges what the objects of an instance case perform, as its key
// `objects` says, from the reference of the root; it belongs to who judges
// behaviours.
var judgeObjects func(ctx context.Context, s *runtime.Session, c *Case, root string) []string

// judgeInstance judges instance cases. What their objects perform is judged
// where behaviours are.
func judgeInstance(ctx context.Context, s *runtime.Session, c *Case) (problems []string) {
	o, err := s.Instantiate(ctx, quoted(c.Expect.Instantiate), "")
	if problem, done := failing(err, c.Expect.Error); done {
		return list(problem)
	}
	root := fmt.Sprintf("#%d", o.Number)
	if judgeObjects != nil {
		problems = append(problems, judgeObjects(ctx, s, c, root)...)
	}
	problems = append(problems, slots(ctx, s, root, c.Expect.Slots)...)
	for _, name := range slices.Sorted(maps.Keys(c.Expect.Constraints)) {
		v, err := s.Condition(ctx, root, name)
		switch {
		case err != nil:
			problems = append(problems, name+": error: "+err.Error())
		case v.Status == runtime.Undecided:
			problems = append(problems, name+": undecided: "+v.Err.Error())
		case (v.Status == runtime.Holds) != c.Expect.Constraints[name]:
			problems = append(problems, fmt.Sprintf("%s: got %s, want %v", name, v.Status, c.Expect.Constraints[name]))
		}
	}
	for _, same := range []bool{true, false} {
		pairs := c.Expect.Identical
		if !same {
			pairs = c.Expect.Distinct
		}
		for _, p := range pairs {
			a, err1 := s.Read(ctx, root, p[0])
			b, err2 := s.Read(ctx, root, p[1])
			x, ok1 := a.AsObject()
			y, ok2 := b.AsObject()
			switch {
			case err1 != nil:
				problems = append(problems, p[0]+": error: "+err1.Error())
			case err2 != nil:
				problems = append(problems, p[1]+": error: "+err2.Error())
			case !ok1 || !ok2:
				problems = append(problems, fmt.Sprintf("%s is %s and %s is %s: no two objects", p[0], value.Trace(a), p[1], value.Trace(b)))
			case (x == y) != same:
				problems = append(problems, fmt.Sprintf("%s and %s: identical is %v", p[0], p[1], !same))
			}
		}
	}
	if m := c.Expect.Materialization; m != nil {
		problems = append(problems, materialization(ctx, s, root, m)...)
	}
	if v := c.Expect.Validation; v != nil {
		problems = append(problems, validation(ctx, s, root, v)...)
	}
	return problems
}

func slots(ctx context.Context, s *runtime.Session, root string, want Values) []string {
	return want.compared(s, func(name string) (value.Value, error) { return s.Read(ctx, root, name) })
}

func materialization(ctx context.Context, s *runtime.Session, root string, want *Materialization) (problems []string) {
	m, err := s.Materialize(ctx, root)
	if err != nil {
		return list("error: " + err.Error())
	}
	if len(m.Errors) != len(want.Errors) {
		problems = append(problems, fmt.Sprintf("%d features cannot be read, want %d", len(m.Errors), len(want.Errors)))
	}
	for i, text := range want.Errors {
		if i < len(m.Errors) && !strings.Contains(m.Errors[i].Message, text) {
			problems = append(problems, fmt.Sprintf("got %q, want %q", m.Errors[i].Message, text))
		}
	}
	if m.Bounded != want.Bounded {
		problems = append(problems, fmt.Sprintf("bounded is %v", m.Bounded))
	}
	return problems
}

func validation(ctx context.Context, s *runtime.Session, root string, want *Validation) (problems []string) {
	v, err := s.Validate(ctx, root)
	if err != nil {
		return list("error: " + err.Error())
	}
	if len(v.Verdicts) != len(want.Verdicts) {
		problems = append(problems, fmt.Sprintf("%d verdicts, want %d", len(v.Verdicts), len(want.Verdicts)))
	}
	for i, w := range want.Verdicts {
		if i >= len(v.Verdicts) {
			break
		}
		g := v.Verdicts[i]
		text := ""
		if g.Err != nil {
			text = g.Err.Message
		}
		if g.Kind != w.Kind || g.Assertion != w.Assertion || g.Object != w.Object || g.Status.String() != w.Status || !strings.Contains(text, w.Error) {
			problems = append(problems, fmt.Sprintf("verdict %d: got %s %q of %q %s %q", i+1, g.Kind, g.Assertion, g.Object, g.Status, text))
		}
	}
	if want.Valid != nil && *want.Valid != v.Valid() {
		problems = append(problems, fmt.Sprintf("valid is %v", v.Valid()))
	}
	if want.Bounded != v.Bounded {
		problems = append(problems, fmt.Sprintf("bounded is %v", v.Bounded))
	}
	return append(problems, unread(want.Unread, v.Unread)...)
}

// unread compares the texts of the values that a validation could not read,
// in order and as parts.
func unread(want []string, got []*diagnostic.Diagnostic) (problems []string) {
	for i, d := range got {
		if i >= len(want) || !strings.Contains(d.Message, want[i]) {
			problems = append(problems, "unread: "+d.Message)
		}
	}
	for _, w := range want[min(len(got), len(want)):] {
		problems = append(problems, "nothing unread says: "+w)
	}
	return problems
}
