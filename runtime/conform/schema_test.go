package conform

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/runtime/value"
)

func TestDecodeRefuses(t *testing.T) {
	for _, c := range []struct{ json, want string }{
		{`{"type": "action", "outputs": {}}`, ""},
		{`{"type": "state", "events": [{"signal": "Go"}, {"call": "f", "results": {}}], "finalState": "a"}`, ""},
		{`{"type": "dance"}`, `type "dance" is none of`},
		{`{"type": "action", "colour": 1}`, "colour"},
		{`{"type": "action", "finalState": "a"}`, `a case of type action states no "finalState"`},
		{`{"type": "calc", "result": {"type": "Integer", "value": 1.5}}`, "1.5"},
		{`{"type": "calc", "result": {"type": "Integer"}}`, `a Integer states "value"`},
		{`{"type": "calc", "result": {"type": "Number", "value": 1}}`, `no value type "Number"`},
		{`{"type": "calc", "result": {"type": "Integer", "value": 1, "error": "x"}}`, "stands alone"},
		{`{"type": "action", "schedule": "sometimes"}`, "invalid scheduling policy"},
		{`{"type": "action", "draws": "most"}`, "invalid draw policy"},
		{`{"type": "action", "clockStep": -1}`, "clockStep is negative"},
		{`{"type": "action", "outcomes": [{"outputs": {}}], "admissible": "x"}`, "at least two"},
		{`{"type": "action", "outcomes": [{"outputs": {}}, {"outputs": {}}]}`, "admissible"},
		{`{"type": "action", "outcomes": [{"outputs": {}}, {}], "admissible": "x"}`, "outcome 2 states nothing"},
		{`{"type": "action", "outputs": {}, "outcomes": [{"outputs": {}}, {"outputs": {}}], "admissible": "x"}`, "not both"},
		{`{"type": "action", "exploreBudget": {"runs": 1}}`, "beside outcomes"},
		{`{"type": "action", "exploreBudget": {"runs": 0}, "outcomes": [{"outputs": {}}, {"outputs": {}}], "admissible": "x"}`, "at least 1"},
		{`{"type": "state", "events": [{}]}`, "a signal or a call"},
		{`{"type": "state", "events": [{"signal": "a", "results": {}}]}`, "belong to a call"},
		{`{"type": "action"} {}`, "invalid"},
		{`[]`, "array"},
	} {
		_, err := Decode([]byte(c.json))
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.json, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: got %v, want %q", c.json, err, c.want)
		}
	}
}

func TestExpectedMatches(t *testing.T) {
	third, _ := value.Fraction(1, 3)
	half, _ := value.Fraction(1, 2)
	metre := value.NewUnit("m", 1, 1, 0, []value.BaseUnit{})
	length, _ := value.QuantityOf(value.Float(1.5), metre)
	red := value.Literal(value.NewNamed("P::Color::red", "red", "Color", 0))
	for _, c := range []struct {
		json string
		v    value.Value
		want bool
	}{
		{`{"type": "Integer", "value": 3}`, value.Int(3), true},
		{`{"type": "Integer", "value": 3}`, value.Float(3), false},
		{`{"type": "Real", "value": 3.0}`, value.Int(3), false},
		{`{"type": "Real", "value": 0.5}`, half, true},
		{`{"type": "Rational", "value": "1/3"}`, third, true},
		{`{"type": "Rational", "value": "1/3"}`, value.Float(1.0 / 3), false},
		{`{"type": "Boolean", "value": true}`, value.True, true},
		{`{"type": "Boolean", "value": false}`, value.True, false},
		{`{"type": "String", "value": "go"}`, value.Text("go"), true},
		{`{"type": "Null"}`, value.NullValue, true},
		{`{"type": "Null"}`, value.EmptySequence, false},
		{`{"type": "Infinity"}`, value.UnboundedValue, true},
		{`{"type": "Unset"}`, value.Value{}, true},
		{`{"type": "Instance"}`, value.ObjectRef(0), true},
		{`{"type": "Instance", "value": "P::a"}`, value.ObjectRef(0), true},
		{`{"type": "Instance", "value": "P::b"}`, value.ObjectRef(0), false},
		{`{"type": "EnumLiteral", "value": "Color::red"}`, red, true},
		{`{"type": "EnumLiteral", "value": "Color::blue"}`, red, false},
		{`{"type": "Quantity", "value": 1.5000000001, "unit": "m"}`, length, true},
		{`{"type": "Quantity", "value": 1.5, "unit": "SI::m"}`, length, false},
		{`{"type": "Complex", "value": 0, "im": 1}`, value.ComplexNumber(0, 1), true},
		{`{"type": "Sequence", "elements": [{"type": "Integer", "value": 1}, {"type": "Real", "value": 2}]}`,
			value.SequenceOf(value.Int(1), value.Float(2)), true},
		{`{"type": "Sequence", "elements": []}`, value.NullValue, false},
		{`{"type": "Sequence", "elements": [{"type": "Integer", "value": 1}]}`, value.SetOf(value.Int(1)), false},
		{`{"type": "Set", "elements": [{"type": "Integer", "value": 1}]}`, value.SetOf(value.Int(1)), true},
	} {
		var e Expected
		if err := e.UnmarshalJSON([]byte(c.json)); err != nil {
			t.Errorf("%s: %v", c.json, err)
			continue
		}
		why := e.Mismatch(c.v, func(value.ObjectID) string { return "P::a" })
		if (why == "") != c.want {
			t.Errorf("%s against %s: %q", c.json, value.Trace(c.v), why)
		}
	}
}

func TestParseKnown(t *testing.T) {
	known, err := ParseKnown("# list\na golden  # older edition\nb # not built\n\nc\tresult\tsome reason, with # in it\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, part, want string }{
		{"a", PartGolden, "older edition"}, {"a", PartResult, ""}, {"b", PartCheck, "not built"},
		{"c", PartResult, "some reason, with # in it"}, {"d", PartResult, ""},
	} {
		if got := known.Reason(c.name, c.part); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.name, c.part, got, c.want)
		}
	}
	for _, bad := range []string{"a b c # x", "a sound # x", "a golden"} {
		if _, err := ParseKnown(bad); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}

// TestSharedCorpusDecodes reads every case of the shared corpus where ORRERY_SHARED
// names the folder that has it.
func TestSharedCorpusDecodes(t *testing.T) {
	shared := os.Getenv("ORRERY_SHARED")
	if shared == "" {
		return
	}
	cases, err := Load(filepath.Join(shared, "corpus/execution"))
	if err != nil || len(cases) < 300 {
		t.Fatalf("%d cases: %v", len(cases), err)
	}
	for _, c := range cases {
		if c.Err != nil {
			t.Errorf("%s: %v", c.Name, c.Err)
		}
	}
}
