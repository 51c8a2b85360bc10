package plan

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/orrery-sysml/orrery/plan/axis"
	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/plan/lang"
	"github.com/orrery-sysml/orrery/plan/suite"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// This file keeps the leaves that failed once, in a file beside the plan that
// is checked in with it: P.regressions for P.plan.star. A line is the name of a
// test and, where it has axes, options that they take; # begins a comment. The
// leaves run before the walk, whatever part of the tree that walks, and are
// reported apart.

// A regression is one line of such a file.
type regression struct {
	test  string
	leaf  string // options, as a selector; "" for a test without axes
	where axis.Selector
	span  source.Span
}

// regressionsFile is the file beside the plan called name.
func regressionsFile(name string) string {
	return strings.TrimSuffix(strings.TrimSuffix(name, ".star"), ".plan") + ".regressions"
}

// readRegressions reads the regressions of the plan called name; none where it
// has no file of them.
func readRegressions(name string) ([]regression, error) {
	at := regressionsFile(name)
	text, err := source.Read(at)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, diagnostic.New(PlanUnreadable, source.Span{}, at+" cannot be read")
	}
	file := source.NewFile(filepath.Base(at), string(text))
	var list []regression
	start := 0
	for _, line := range strings.SplitAfter(file.Text, "\n") {
		words := strings.TrimSpace(line)
		if words != "" && words[0] != '#' {
			r := regression{span: source.Span{File: file, Start: int32(start), End: int32(start + len(strings.TrimRight(line, "\r\n")))}}
			r.test, r.leaf, _ = strings.Cut(words, " ")
			if r.leaf = strings.TrimSpace(r.leaf); r.leaf != "" {
				if r.where, err = axis.ParseSelector(r.leaf); err != nil {
					return nil, diagnostic.New(PlanUnreadable, r.span, err.Error()).WithHint("a line is the name of a test and axis=option pairs")
				}
			}
			list = append(list, r)
		}
		start += len(line)
	}
	return list, nil
}

// again runs the regressions of the plan called name in the tests that o walks.
// A walk of single leaves, or of another shard than the first, runs none.
func (o WalkOptions) again(ctx context.Context, f *File, name string) ([]bundle.Regression, error) {
	if o.walked != nil || len(o.Leaves)+len(o.Set) > 0 || o.Shard != "" && !strings.HasPrefix(o.Shard, "1/") {
		return nil, nil
	}
	list, err := readRegressions(name)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	wanted, err := suite.Select(f.plan, o.Tests)
	if err != nil {
		return nil, err
	}
	var out []bundle.Regression
	for _, r := range list {
		if len(o.Tests) == 0 || hasTest(wanted, r.test) {
			if ctx.Err() != nil {
				break
			}
			result, err := o.rerun(ctx, f, name, r)
			if err != nil {
				return nil, err
			}
			out = append(out, *result)
		}
	}
	return out, nil
}

func hasTest(tests []*lang.Test, name string) bool {
	for _, t := range tests {
		if t.Name() == name {
			return true
		}
	}
	return false
}

// rerun runs the leaves of one regression, and gives the first that fails.
func (o WalkOptions) rerun(ctx context.Context, f *File, name string, r regression) (*bundle.Regression, error) {
	one := WalkOptions{File: o.File, Tests: []string{r.test}, Prune: o.Prune, Seed: o.Seed, MaxTime: o.MaxTime, MaxSteps: o.MaxSteps, MaxRuns: o.MaxRuns, NoShrink: true}
	out := &bundle.Regression{Test: r.test, Leaf: r.leaf, Reason: "the plan has no such leaf"}
	if !hasTest(f.plan.Tests(), r.test) {
		out.Reason = "the plan has no such test"
		return out, nil
	}
	s, err := one.suite(f, name)
	if err != nil {
		return nil, err
	}
	if r.leaf != "" {
		s.Leaves = []axis.Selector{r.where}
	}
	m, err := suite.Walk(ctx, f.plan, s)
	if err != nil {
		if list := diagnostic.Of(err); list[0].Code == suite.WalkUsage {
			return out, nil // it names a leaf that the test has no longer
		}
		return nil, err
	}
	defer m.Close()
	err = m.Each(func(i int, row *bundle.Row) error {
		if i == 0 || !out.Outcome.Fails() && row.Outcome.Fails() {
			out.Outcome, out.Reason, out.LeafID, out.Replay = row.Outcome, row.Reason, row.LeafID, row.Replay
		}
		return nil
	})
	return out, err
}

// saveRegressions adds to the regressions of the plan called name the leaves of
// m that fail: of each kind of failure of a test the least. It gives their
// number.
func saveRegressions(name string, m *bundle.Manifest) (added int, err error) {
	known, err := readRegressions(name)
	if err != nil {
		return 0, err
	}
	have := map[string]bool{}
	for _, r := range known {
		have[r.test+" "+r.leaf] = true
	}
	var lines strings.Builder
	seen := map[string]bool{}
	err = m.Each(func(_ int, r *bundle.Row) error {
		kind := r.Test + "\x00" + r.Fingerprint
		if !r.Outcome.Fails() || seen[kind] {
			return nil
		}
		seen[kind] = true
		selector := selectorOf(bundle.Path(r.Choices))
		if !have[r.Test+" "+selector] {
			added++
			fmt.Fprintf(&lines, "%s\n", strings.TrimSpace(r.Test+" "+selector))
		}
		return nil
	})
	if err != nil || added == 0 {
		return 0, err
	}
	at := regressionsFile(name)
	text, err := os.ReadFile(at)
	if os.IsNotExist(err) {
		text, err = []byte("# Leaves that failed once; orrery walk runs them first.\n"), nil
	}
	if err == nil {
		if n := len(text); n > 0 && text[n-1] != '\n' {
			text = append(text, '\n')
		}
		err = os.WriteFile(at, append(text, lines.String()...), 0o666)
	}
	if err != nil {
		return 0, cannotWrite(at)
	}
	return added, nil
}

// selectorOf is the options of p as a selector that names no other leaf.
func selectorOf(p axis.Path) string {
	var words []string
	for _, pin := range p.Pins() {
		words = append(words, word(pin.Axis)+"="+word(pin.Key))
	}
	return strings.Join(words, " ")
}

// word is text in quotes where a selector would split it.
func word(text string) string {
	if strings.HasPrefix(text, `"`) || !strings.ContainsAny(text, " ,=#'\n") {
		return text
	}
	if sel, err := axis.ParseSelector("x=" + text); err == nil && len(sel.Pins) == 1 && sel.Pins[0].Key == text {
		return text // brackets hold it together
	}
	return strconv.Quote(text)
}
