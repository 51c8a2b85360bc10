package render

import (
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/display"
	"github.com/orrery-sysml/orrery/sysml/source"
)

func TestObjects(t *testing.T) {
	kettle := runtime.Object{Number: 1, Name: "kettle", Type: "Kettle", Root: 1}
	heater := runtime.Object{Number: 2, Name: "kettle.heater", Type: "Heater", Root: 1}
	golden(t, "objects", Objects([]*runtime.Object{&kettle, &heater}).Bundle())
	golden(t, "objects-none", Objects(nil).Bundle())
	cup := func(n int) *runtime.ObjectTree {
		return &runtime.ObjectTree{Object: runtime.Object{Number: n, Name: "kettle.cups", Type: "Cup"}}
	}
	tree := &runtime.ObjectTree{Object: kettle, Bounded: true, Features: []runtime.FeatureValue{
		{Name: "filled", Type: "Real", Text: "2.5", Assigned: true},
		{Name: "label", Type: "String", Text: "unset", Err: &diagnostic.Diagnostic{Message: "uninitialized"}},
		{Name: "ratio", Type: "Real", Err: &diagnostic.Diagnostic{Message: "division by zero"}},
		{Name: "heater", Type: "Heater", Text: "heater", Objects: []*runtime.ObjectTree{{Object: heater,
			Features: []runtime.FeatureValue{{Name: "power", Type: "Integer", Text: "2000"}}}}},
		{Name: "cups", Type: "Cup", Text: "(...)", Objects: []*runtime.ObjectTree{cup(3), cup(4)}},
	}}
	golden(t, "object", Object(tree).Bundle())
}

func TestValidations(t *testing.T) {
	holds := runtime.Verdict{Kind: "constraint", Assertion: "assert constraint fits", Name: "fits", Status: runtime.Holds}
	violated := runtime.Verdict{Kind: "constraint", Assertion: "assert constraint strong", Object: "heater", Status: runtime.Violated,
		Condition: "power >= 1500", Operands: []runtime.Operand{{Text: "power", Value: "10"}}}
	undecided := runtime.Verdict{Kind: "requirement", Assertion: "assert requirement named", Status: runtime.Undecided,
		Condition: `label == "tea"`, Err: &diagnostic.Diagnostic{Message: "label is not set"}}
	kettle := runtime.Object{Number: 1, Name: "kettle", Type: "Kettle"}
	for _, c := range []struct {
		name string
		v    runtime.Validation
	}{
		{"validation-valid", runtime.Validation{Object: kettle, Verdicts: []runtime.Verdict{holds}}},
		{"validation-violated", runtime.Validation{Object: kettle, Verdicts: []runtime.Verdict{holds, violated, undecided}}},
		{"validation-undecided", runtime.Validation{Object: kettle, Verdicts: []runtime.Verdict{holds, undecided}}},
		{"validation-nothing", runtime.Validation{Object: kettle}},
		{"validation-unread", runtime.Validation{Object: kettle, Verdicts: []runtime.Verdict{holds},
			Unread: []*diagnostic.Diagnostic{{Message: "division by zero"}}}},
		{"validation-deep", runtime.Validation{Object: kettle, Verdicts: []runtime.Verdict{holds}, Bounded: true}},
	} {
		t.Run(c.name, func(t *testing.T) { golden(t, c.name, Validation(&c.v)) })
	}
	golden(t, "verdicts", Verdicts([]runtime.Verdict{holds, violated, undecided}).Bundle())
}

func TestRuns(t *testing.T) {
	taken := schedule.Taken{Choice: schedule.Choice{Kind: schedule.TokenOrder, Step: 2,
		Alternatives: []schedule.Alternative{{Label: "2@a"}, {Label: "3@b"}}}, Index: 1}
	outputs := []runtime.Output{{Name: "x", Text: "6"}, {Name: "leg.speed", Text: "2.5 [m/s]"}}
	for _, c := range []struct {
		name string
		r    runtime.Run
	}{
		{"run-action", runtime.Run{Behavior: "Demo::race", Kind: "action", Outputs: outputs, Choices: []schedule.Taken{taken}, Steps: 5,
			Trace: "step 1: tokens 1@start\n  eval literal 2 -> 2\n"}},
		{"run-state", runtime.Run{Behavior: "Demo::lamp", Kind: "state", FinalState: "on", Visits: []string{"off", "on"}, Time: 2.5,
			Object: &runtime.Object{Number: 3, Name: "lamp", Type: "Lamp"}}},
		{"run-state-done", runtime.Run{Behavior: "Demo::lamp", Kind: "state", FinalState: "done", Ended: true}},
		{"run-failed", runtime.Run{Behavior: "Demo::race", Kind: "action", Outputs: outputs, Steps: 1,
			Err: diagnostic.New("division-by-zero", source.Span{}, "division by zero")}},
	} {
		t.Run(c.name, func(t *testing.T) { golden(t, c.name, Run(&c.r)) })
	}
	golden(t, "case-pass", Case(&runtime.CaseRun{Name: "Demo::checkMass", Verdict: "pass", Outputs: outputs,
		Subcases: []runtime.Subcase{{Name: "inner", Verdict: "fail", Detail: "too heavy"}}}))
	golden(t, "case-inconclusive", Case(&runtime.CaseRun{Name: "Demo::checkMass", Verdict: "inconclusive", Detail: "mass is not set"}))
}

func TestDerivation(t *testing.T) {
	file := source.NewFile("cell 1", "attribute area = w * 2;")
	at := func(from, to int32) source.Span { return source.Span{File: file, Start: from, End: to} }
	golden(t, "derivation", Derivation(&runtime.Derivation{Label: "box.area", Kind: "binding", Text: "8", Span: at(17, 22),
		Parts: []*runtime.Derivation{
			{Label: "w", Kind: "assignment", Text: "4", Span: at(17, 18)},
			{Label: "2", Kind: "literal", Text: "2", Span: at(21, 22)},
			{Label: "x", Kind: "expression", Err: &diagnostic.Diagnostic{Message: "division by zero"}},
		}}).Bundle())
}

func TestClip(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		want string
	}{
		{"a\nb\n", 2, "a\nb\n"},
		{"a\nb\nc\n", 2, "a\n… 1 lines are left out …\nc\n"},
		{"a\nb\nc\nd\ne\nf\n", 4, "a\nb\n… 2 lines are left out …\ne\nf\n"},
		{"", 2, ""},
	} {
		if got := Clip(c.text, c.most); got != c.want {
			t.Errorf("Clip(%q, %d) = %q, want %q", c.text, c.most, got, c.want)
		}
	}
}

// TestOutputsFitTheirTerminal: a terminal gets lines of its own width, and
// everything else those of a page.
func TestOutputsFitTheirTerminal(t *testing.T) {
	p := &runtime.Position{Behavior: "Demo::Race", Steps: 3}
	for i := range 12 {
		p.Tokens = append(p.Tokens, runtime.TokenPosition{ID: int64(i), Node: "somewhere", Path: "inside.another"})
	}
	table := &Table{Columns: []Column{{Title: "name"}, {Title: "meaning"}}}
	table.Row("a", strings.Repeat("words that go on ", 12))
	for name, b := range map[string]Bundle{"position": Position(p), "table": table.Bundle()} {
		for _, width := range []int{40, 80, 200} {
			text, widest := b.TextFor(width), 0
			for line := range strings.Lines(text) {
				widest = max(widest, display.Width(strings.TrimSuffix(line, "\n")))
			}
			if widest > width || width > 80 && widest <= 80 {
				t.Errorf("%s for %d columns has lines of %d", name, width, widest)
			}
		}
		if b.TextFor(PageWidth) != b.PlainText() {
			t.Errorf("%s is not made for a page where nobody asks", name)
		}
	}
}
