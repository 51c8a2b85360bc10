package suite

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"go.starlark.net/starlark"

	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/plan/lang"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// The files testdata/*.plans hold plans and the rows that a walk of each
// writes. A case begins with "== name", its plan ends with "--", and behind it
// stands a line for every row: outcome, path, and the reason behind a colon;
// "error:" and part of the message where the plan is refused; "warning:" and a
// code for each warning. A line that ends in "..." is compared up to there.

type planCase struct{ name, plan, want string }

func readCases(t *testing.T, name string) []planCase {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var out []planCase
	for _, part := range strings.Split("\n"+string(text), "\n== ")[1:] {
		head, rest, _ := strings.Cut(part, "\n")
		plan, want, ok := strings.Cut("\n"+rest, "\n--")
		if !ok {
			t.Fatalf("%s: case %q has no --", name, head)
		}
		out = append(out, planCase{head, strings.TrimPrefix(plan, "\n") + "\n", strings.TrimSpace(want)})
	}
	return out
}

// thing is a handle as a model's would be.
type thing struct {
	name     string
	exempted *bool
}

func (h thing) String() string          { return "thing(" + h.name + ")" }
func (h thing) Type() string            { return "thing" }
func (h thing) Freeze()                 {}
func (h thing) Truth() starlark.Bool    { return true }
func (h thing) Hash() (uint32, error)   { return starlark.String(h.name).Hash() }
func (h thing) OptionKey() string       { return h.String() }
func (h thing) Exempt(*starlark.Thread) { *h.exempted = true }
func (h thing) AttrNames() []string     { return []string{"run"} }

// Attr is a method that does something to a World.
func (h thing) Attr(name string) (starlark.Value, error) {
	if name != "run" {
		return nil, nil
	}
	return lang.Method("run", lang.Run, func(*starlark.Thread, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
		return starlark.MakeInt(7), nil
	}), nil
}

// builtins stand in for those that drive models: touch() runs one, broken()
// one that fails, event(x) tells the monitors.
func builtins() []lang.Builtin {
	effect := func(name string, f func(*starlark.Thread, starlark.Tuple) (starlark.Value, error)) lang.Builtin {
		return lang.Builtin{Name: name, Class: lang.Run, Call: func(t *starlark.Thread, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			return f(t, args)
		}}
	}
	return []lang.Builtin{
		effect("touch", func(*starlark.Thread, starlark.Tuple) (starlark.Value, error) { return starlark.MakeInt(1), nil }),
		effect("broken", func(*starlark.Thread, starlark.Tuple) (starlark.Value, error) {
			return nil, &lang.ModelError{Element: "A::b", Err: diagnostic.New(lang.PlanLoad, source.Span{}, "the model failed")}
		}),
		effect("crash", func(*starlark.Thread, starlark.Tuple) (starlark.Value, error) { panic("boom") }),
		effect("event", func(t *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
			return starlark.None, lang.Observe(t, args[0])
		}),
	}
}

func load(text string) (*lang.Plan, error) {
	return loadWith(text, lang.Limits{Steps: 200_000, Bytes: 16 << 20})
}

func loadWith(text string, l lang.Limits) (*lang.Plan, error) {
	values := lang.Values()
	values["car"] = thing{"car", new(bool)}
	return lang.Load(context.Background(), source.NewFile("t.plan.star", text), lang.Options{
		Builtins: builtins(),
		Values:   values,
		Limits:   l,
	})
}

// result is what the walk of a plan came to, as a case states it.
func result(t *testing.T, text string, o Options) string {
	p, err := load(text)
	if err != nil {
		return "error: " + diagnostic.Of(err)[0].Message
	}
	m, err := Walk(context.Background(), p, o)
	if err != nil {
		return "error: " + diagnostic.Of(err)[0].Message
	}
	return rowsText(m)
}

func rowsText(m *bundle.Manifest) string {
	var out strings.Builder
	for _, r := range m.Rows {
		if len(m.Tests) > 1 {
			out.WriteString(r.Test + " ")
		}
		out.WriteString(r.Outcome.String())
		if r.LeafPath != "" {
			out.WriteString(" " + r.LeafPath)
		}
		if r.Reason != "" {
			out.WriteString(" : " + r.Reason)
		}
		out.WriteByte('\n')
	}
	for _, s := range m.Tests {
		for _, w := range s.Warnings {
			if w.Code != "NO_EXPECTATION" && w.Code != "PREDICATE_NEVER_FALSE" {
				fmt.Fprintf(&out, "warning: %s\n", w.Code)
			}
		}
	}
	return strings.TrimSpace(out.String())
}

func TestRows(t *testing.T) {
	files, err := filepath.Glob("testdata/*.plans")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	for _, name := range files {
		for _, c := range readCases(t, name) {
			t.Run(c.name, func(t *testing.T) {
				for _, o := range []Options{{}, {Jobs: 4}, {VerifyReplay: true}} {
					o.NoShrink = true
					if got := result(t, c.plan, o); !matches(got, c.want) {
						t.Errorf("jobs %d, twice %v: got\n%s\nwant\n%s", o.Jobs, o.VerifyReplay, got, c.want)
					}
				}
			})
		}
	}
}

// TestMemory runs the plans that would take all memory, once each: they take
// long. The heap stays within the limit and what one operation may make.
func TestMemory(t *testing.T) {
	const limit = 200 << 20
	for _, c := range readCases(t, "testdata/memory.once") {
		t.Run(c.name, func(t *testing.T) {
			p, err := loadWith(c.plan, lang.Limits{Bytes: limit})
			if err != nil {
				t.Fatal(err)
			}
			peak := watchPeak()
			m, err := Walk(context.Background(), p, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if most := peak(); most > 2*limit {
				t.Errorf("the heap grew by %d MiB", most>>20)
			}
			if got := rowsText(m); !matches(got, c.want) {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// watchPeak looks at the heap until peak is called, which gives the most that
// it had grown.
func watchPeak() (peak func() int64) {
	objects := func() int64 {
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		metrics.Read(sample)
		return int64(sample[0].Value.Uint64())
	}
	runtime.GC()
	begin := objects()
	done, result := make(chan struct{}), make(chan int64)
	go func() {
		most := begin
		for {
			select {
			case <-done:
				result <- most - begin
				return
			case <-time.After(time.Millisecond):
				most = max(most, objects())
			}
		}
	}()
	return func() int64 {
		close(done)
		return <-result
	}
}

func matches(got, want string) bool {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	if len(g) != len(w) {
		return false
	}
	for i := range w {
		if head, open := strings.CutSuffix(w[i], "..."); open && strings.HasPrefix(g[i], head) || g[i] == w[i] {
			continue
		}
		return false
	}
	return true
}

// TestPruneAgrees compares the leaves that run when predicates are asked
// early with those of predicates that are asked at the end.
func TestPruneAgrees(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.plans")
	for _, name := range files {
		for _, c := range readCases(t, name) {
			if strings.HasPrefix(c.want, "error") || strings.Contains(c.plan, "prune") {
				continue
			}
			ran := func(prune string) string {
				p, err := load(c.plan)
				if err != nil {
					t.Fatal(err)
				}
				m, err := Walk(context.Background(), p, Options{Prune: prune, NoShrink: true})
				if err != nil {
					t.Fatal(err)
				}
				var out strings.Builder
				for _, r := range m.Rows {
					if r.PrunedBy == "" {
						fmt.Fprintln(&out, r.Test, r.Outcome, r.LeafPath, r.Reason, r.LeafID)
					}
				}
				return out.String()
			}
			record := ran("record")
			for _, prune := range []string{"drop", "entry"} {
				if got := ran(prune); got != record {
					t.Errorf("%s, prune %s:\n%s\nrecord:\n%s", c.name, prune, got, record)
				}
			}
		}
	}
}
