package display_test

import (
	"testing"

	"github.com/orrery-sysml/orrery/sysml/display"
)

func TestCut(t *testing.T) {
	for _, test := range []struct {
		text string
		most int
		want string
	}{
		{"tank", 4, "tank"}, {"tank", 3, "ta…"}, {"tank", 1, "…"}, {"tank", 0, "tank"}, {"列车到", 5, "列车…"}, {"", 3, ""},
	} {
		if got := display.Cut(test.text, test.most); got != test.want {
			t.Errorf("Cut(%q, %d) = %q, want %q", test.text, test.most, got, test.want)
		}
	}
}

func TestWidth(t *testing.T) {
	for _, test := range []struct {
		text string
		want int
	}{
		{"", 0}, {"tank", 4}, {"Straße", 6}, {"列车", 4}, {"e\u0301tat", 4}, {"a → b", 5}, {"ｆ", 2}, {"a\u200bb", 2}, {"●━┓", 3},
	} {
		if got := display.Width(test.text); got != test.want {
			t.Errorf("Width(%q) = %d, want %d", test.text, got, test.want)
		}
		if display.Exceeds(test.text, test.want) || test.want > 0 && !display.Exceeds(test.text, test.want-1) {
			t.Errorf("Exceeds(%q) does not agree with the width %d", test.text, test.want)
		}
	}
}
