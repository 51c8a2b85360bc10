package lang

import (
	"errors"
	"testing"

	"go.starlark.net/starlark"
)

// TestHaltError holds halt to the error that ends a leaf.
func TestHaltError(t *testing.T) {
	text := func(s string) starlark.Tuple { return starlark.Tuple{starlark.String(s)} }
	tests := []struct {
		row    string
		args   starlark.Tuple
		kwargs []starlark.Tuple
		reason string // of the leaf's end
		want   string // the error's text
		ends   bool
	}{
		{"T21", nil, nil, "", "halt()", true},
		{"T22", text("too heavy"), nil, "too heavy", "halt: too heavy", true},
		{"HA-8", nil, []starlark.Tuple{{starlark.String("reason"), starlark.String("why")}}, "why", "halt: why", true},
		{"T23 a number", starlark.Tuple{starlark.MakeInt(3)}, nil, "", "halt: the reason is a text, not int", false},
		{"T23 two arguments", starlark.Tuple{starlark.String("a"), starlark.String("b")}, nil, "", "halt: got 2 arguments, want at most 1", false},
		{"T23 a keyword", nil, []starlark.Tuple{{starlark.String("why"), starlark.String("x")}}, "", `halt: unexpected keyword argument "why"`, false},
	}
	for _, test := range tests {
		_, err := halt(nil, test.args, test.kwargs)
		var stop *stopError
		if errors.As(err, &stop) != test.ends || err.Error() != test.want || ends(err) != test.ends || test.ends && (stop.reason != test.reason || !stop.halted) {
			t.Errorf("%s: %v", test.row, err)
		}
	}
}
