package spell_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/sysml/spell"
)

func TestNearest(t *testing.T) {
	for _, test := range []struct{ name, names, want string }{
		{"Tnak", "Tank Bank Task", "Tank"},
		{"tank", "Tank", "Tank"},
		{"Tank", "Tank", ""},
		{"ab", "AB abc ac", "AB"},
		{"x", "y", ""},
		{"", "a b", ""},
		{"levels", "level levers Level bevels", "level levers Level"},
		{"ÄRGER", "ärger", "ärger"},
		{"schedule", "shedule schedul schedules schedule scheduling", "shedule schedul schedules"},
		{"wheel", "engine", ""},
	} {
		got := spell.Nearest(test.name, strings.Fields(test.names))
		if !slices.Equal(got, strings.Fields(test.want)) {
			t.Errorf("Nearest(%q, %s) = %q, want %s", test.name, test.names, got, test.want)
		}
		if first := spell.First(test.name, strings.Fields(test.names)); first != append(got, "")[0] {
			t.Errorf("First(%q, %s) = %q, want the first of %q", test.name, test.names, first, got)
		}
	}
}
