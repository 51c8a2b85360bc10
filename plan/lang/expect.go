package lang

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"go.starlark.net/starlark"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

func expectations() []Builtin {
	return []Builtin{
		{"expect", Assert, "expect(condition, message=)", "the leaf fails where the condition is false", expect},
		{"expect_equal", Assert, "expect_equal(got, want, message=)", "the leaf fails where the two differ", expectEqual},
		{"expect_close", Assert, "expect_close(got, want, tol=1e-9)", "the leaf fails where the two differ by more than tol", expectClose},
		{"expect_error", Assert, "expect_error(f, contains=)", "the leaf fails where f() does not fail; gives the error's text", expectError},
	}
}

// counted notes that the leaf judged something.
func counted(thread *starlark.Thread) {
	if l := Of(thread).leaf; l != nil {
		l.expected++
	}
}

// unmet is the error of an expectation.
func unmet(format string, a ...any) error {
	return diagnostic.New(ExpectationFailed, source.Span{}, fmt.Sprintf(format, a...))
}

func expect(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var condition, message starlark.Value
	if err := starlark.UnpackArgs("expect", args, kwargs, "condition", &condition, "message?", &message); err != nil {
		return nil, err
	}
	if p, ok := condition.(*property); ok {
		l := Of(thread).leaf
		if l == nil {
			return nil, fmt.Errorf("expect: %s needs the leaf of a plan, whose events it watches", p)
		}
		l.uphold(p)
		return starlark.None, nil
	}
	counted(thread)
	if condition.Truth() {
		return starlark.None, nil
	}
	if message != nil && message != starlark.None {
		return nil, unmet("%s", plain(message))
	}
	return nil, unheld(thread, condition)
}

// plain is v as text, without quotes where it is one.
func plain(v starlark.Value) string {
	if s, ok := starlark.AsString(v); ok {
		return s
	}
	return Printed(v)
}

// brief is v as text of at most 200 characters.
func brief(v starlark.Value) string {
	s := []rune(Printed(v))
	if len(s) > 200 {
		return string(s[:199]) + "…"
	}
	return string(s)
}

func expectEqual(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var got, want, message starlark.Value
	if err := starlark.UnpackArgs("expect_equal", args, kwargs, "got", &got, "want", &want, "message?", &message); err != nil {
		return nil, err
	}
	counted(thread)
	same, err := equal(got, want)
	if err != nil {
		return nil, err
	}
	if same {
		return starlark.None, nil
	}
	prefix := ""
	if message != nil && message != starlark.None {
		prefix = plain(message) + ": "
	}
	return nil, unmet("%sgot %s, want %s", prefix, brief(got), brief(want))
}

func expectClose(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var got, want starlark.Value
	tolerance := starlark.Float(1e-9)
	var tol starlark.Value = tolerance
	if err := starlark.UnpackArgs("expect_close", args, kwargs, "got", &got, "want", &want, "tol?", &tol); err != nil {
		return nil, err
	}
	counted(thread)
	x, ok1 := number(got)
	y, ok2 := number(want)
	t, ok3 := number(tol)
	if !ok1 || !ok2 || !ok3 {
		return nil, fmt.Errorf("expect_close compares numbers, not %s and %s within %s", got.Type(), want.Type(), tol.Type())
	}
	if math.Abs(x-y) <= t {
		return starlark.None, nil
	}
	return nil, unmet("got %s, want %s within %s", brief(got), brief(want), brief(tol))
}

// A Magnitude is a value that counts as a number where numbers are compared.
type Magnitude interface{ Magnitude() (float64, bool) }

func number(v starlark.Value) (float64, bool) {
	if m, ok := v.(Magnitude); ok {
		return m.Magnitude()
	}
	return starlark.AsFloat(v)
}

func expectError(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var f starlark.Callable
	contains := ""
	if err := starlark.UnpackArgs("expect_error", args, kwargs, "f", &f, "contains?", &contains); err != nil {
		return nil, err
	}
	counted(thread)
	v, err := starlark.Call(thread, f, nil, nil)
	if err == nil {
		return nil, unmet("expected an error, got %s", brief(v))
	}
	if ends(err) || Of(thread).Stopped() != nil {
		return nil, err
	}
	text := diagnostic.Of(Of(thread).fault(thread, err))[0].Message
	if !strings.Contains(text, contains) {
		return nil, unmet("expected an error with %q, got %q", contains, text)
	}
	return starlark.String(text), nil
}

// fault is err as a diagnostic.
func (c *Context) fault(thread *starlark.Thread, err error) error {
	t := c.texts
	if t == nil {
		t = NewTexts()
	}
	return t.Fault(thread, err)
}

// ends reports whether err is meant to end the leaf, whoever calls.
func ends(err error) bool {
	var (
		stop    *stopError
		cut     *cutError
		assumed *assumeError
		spent   *BudgetError
		broken  *monitorError
		unmet   *unmetError
		done    doneError
		d       *diagnostic.Diagnostic
	)
	return errors.As(err, &stop) || errors.As(err, &cut) || errors.As(err, &assumed) || errors.As(err, &spent) || errors.As(err, &broken) || errors.As(err, &unmet) || errors.As(err, &done) ||
		errors.As(err, &d) && (d.Code == Nondeterministic || d.Code == ExpectationFailed)
}
