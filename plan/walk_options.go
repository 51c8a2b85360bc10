package plan

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/orrery-sysml/orrery/plan/axis"
	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/plan/suite"
	"github.com/orrery-sysml/orrery/plan/walk"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// This file reads the options of a walk, and writes them for who repeats it.

// suite are the options of the walk itself.
func (o WalkOptions) suite(f *File, name string) (suite.Options, error) {
	s := suite.Options{Tests: o.Tests, Jobs: o.Jobs, Prune: o.Prune, Cover: o.Cover, Sample: o.Sample, Likely: o.Order == "likely", Seed: o.Seed,
		MaxLeaves: o.MaxLeaves, MaxFailures: o.MaxFailures, MaxTime: o.MaxTime, MaxSteps: o.MaxSteps, MaxRuns: o.MaxRuns,
		Trace: o.Trace, NoShrink: o.NoShrink, VerifyReplay: o.VerifyReplay, Engine: strings.TrimSpace(Engine + " " + f.options.Version),
		Replay: o.replayCommand(name)}
	if err := o.selection(&s); err != nil {
		return s, err
	}
	for _, a := range f.axes() {
		if _, flagged := f.options.Settings[strings.ReplaceAll(a, "_", "-")]; flagged {
			return s, misuse("the setting %s is an axis of the plan and a flag", a).WithHint("leave one of the two out")
		}
	}
	if o.walked != nil {
		s.Recorded = func(id string) (test string, p axis.Path) { return recorded(o.walked, id) }
	}
	if o.took != nil {
		s.Took = o.took.add
	}
	s.Models = f.measured()
	s.Measured = f.measuredBy
	s.Keep, s.Uses = f.models.Keep, f.models.Use
	s.Texts = o.texts()
	s.Digest = f.Digest(s.Texts)
	if o.Progress != nil {
		done := 0
		s.Row = func(r *bundle.Row) {
			done++
			o.Progress(done, r)
		}
	}
	return s, nil
}

// misuse is a walk that was asked for what cannot be.
func misuse(format string, a ...any) *diagnostic.Diagnostic {
	return diagnostic.New(suite.WalkUsage, source.Span{}, fmt.Sprintf(format, a...))
}

// selection reads which leaves are walked, and in which order.
func (o WalkOptions) selection(s *suite.Options) error {
	for _, text := range o.Leaves {
		sel, err := axis.ParseSelector(text)
		if err != nil {
			return misuse("--leaf: %v", err)
		}
		s.Leaves = append(s.Leaves, sel)
	}
	for _, text := range o.Set {
		pin, err := axis.ParsePin(text)
		if err != nil {
			return misuse("--set: %v", err)
		}
		s.Pins = append(s.Pins, pin)
	}
	switch o.Prune {
	case "", "record", "drop", "entry":
	default:
		return misuse("--prune is record, drop or entry, not %s", o.Prune)
	}
	switch o.Order {
	case "", "leaf", "likely":
	default:
		return misuse("--order is leaf or likely, not %s", o.Order)
	}
	if o.Cover < 0 || o.Cover > 6 || o.Sample < 0 || o.Cover > 0 && o.Sample > 0 {
		return misuse("--cover is a strength from 1 to 6, --sample a number of leaves, and one of the two is given")
	}
	var ok bool
	if s.Shard, ok = parseShard(o.Shard); !ok {
		return misuse("--shard is i/n with i from 1 to n, not %s", o.Shard)
	}
	return nil
}

// parseShard reads i/n; "" is the whole.
func parseShard(text string) (s walk.Shard, ok bool) {
	if text == "" {
		return s, true
	}
	index, count, ok := strings.Cut(text, "/")
	i, err1 := strconv.Atoi(index)
	n, err2 := strconv.Atoi(count)
	return walk.Shard{Index: i, Count: n}, ok && err1 == nil && err2 == nil && i >= 1 && n >= i && n <= 1000
}

// recorded is the test and the path of the leaf of m whose id begins with id.
func recorded(m *bundle.Manifest, id string) (test string, p axis.Path) {
	m.Each(func(_ int, r *bundle.Row) error { // the function gives no error
		if test == "" && strings.HasPrefix(r.LeafID, id) {
			test, p = r.Test, bundle.Path(r.Choices)
		}
		return nil
	})
	return test, p
}

// replayCommand is the command that walks the plan called name as o does; which
// leaf of it, each row adds.
func (o WalkOptions) replayCommand(name string) string {
	words := []string{"orrery walk", filepath.Base(name)}
	flag := func(name, text string) {
		if strings.ContainsAny(text, " '\"$&;|()<>*?\\") {
			text = "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
		}
		words = append(words, "--"+name+" "+text)
	}
	for _, n := range schedule.Names() {
		if text, ok := o.File.Settings[n]; ok {
			flag(n, text)
		}
	}
	if o.File.Anonymous {
		flag("anonymous", "fan_out")
	}
	for _, n := range []struct {
		flag string
		n    int64
	}{{"max-options", int64(o.File.MaxOptions)}, {"max-depth", int64(o.File.MaxDepth)}, {"max-steps", o.MaxSteps}, {"max-runs", o.MaxRuns}} {
		if n.n > 0 {
			flag(n.flag, strconv.FormatInt(n.n, 10))
		}
	}
	return strings.Join(words, " ")
}

// texts are the options that decide which leaves a bundle has and how they
// run. Workers and outputs are none of them.
func (o WalkOptions) texts() map[string]string {
	t := map[string]string{}
	add := func(name, text, without string) {
		if text != without {
			t[name] = text
		}
	}
	add("test", strings.Join(o.Tests, " "), "")
	add("leaf", strings.Join(o.Leaves, " "), "")
	add("set", strings.Join(o.Set, " "), "")
	add("prune", o.Prune, "")
	add("cover", strconv.Itoa(o.Cover), "0")
	add("sample", strconv.Itoa(o.Sample), "0")
	add("order", o.Order, "")
	add("seed", strconv.FormatInt(o.Seed, 10), "0")
	add("max-leaves", strconv.Itoa(o.MaxLeaves), "0")
	add("max-failures", strconv.Itoa(o.MaxFailures), "0")
	add("max-steps", strconv.FormatInt(o.MaxSteps, 10), "0")
	add("max-runs", strconv.FormatInt(o.MaxRuns, 10), "0")
	add("trace", strconv.FormatBool(o.Trace), "false")
	add("anonymous", strconv.FormatBool(o.File.Anonymous), "false")
	add("max-options", strconv.Itoa(o.File.MaxOptions), "0")
	add("max-depth", strconv.Itoa(o.File.MaxDepth), "0")
	for _, n := range schedule.Names() {
		if text, given := o.File.Settings[n]; given {
			t[n] = text
		}
	}
	return t
}

// bounds are the options that decide how far a walk goes, and not what comes
// of a leaf: a walk may be resumed with others.
var bounds = []string{"max-leaves", "max-failures", "test"}
