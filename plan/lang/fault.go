package lang

import (
	"context"
	"errors"
	"regexp"
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// The codes of Starlark's own errors.
var (
	StarlarkSyntax = diagnostic.Register("starlark-syntax",
		"The text is not Starlark. Starlark is written like Python, without classes, exceptions and import.")
	StarlarkName = diagnostic.Register("starlark-name",
		"The Starlark text uses a name that nothing before it defines: no assignment, function, parameter or builtin.")
	StarlarkError = diagnostic.Register("starlark-error",
		"The Starlark text failed while it ran: an operation on values it has not, a wrong argument, a missing key, or a call of fail().")
)

// guess is how Starlark ends a message about a name it does not know.
var guess = regexp.MustCompile(` \(did you mean \.?(\S+)\?\)`)

// unordered is what Starlark says of two values that it cannot put in order:
// their types with the operator between them, behind the name of a builtin.
var unordered = regexp.MustCompile(`^(.*\S+ [<>]=? \S+) \w+ implemented$`)

// message splits what Starlark says into a sentence and a hint.
func message(text string) (sentence, hint string) {
	if m := unordered.FindStringSubmatch(text); m != nil {
		return m[1] + ": values of these types have no order", ""
	}
	if m := guess.FindStringSubmatch(text); m != nil {
		return strings.Replace(text, m[0], "", 1), "did you mean " + m[1] + "?"
	}
	if strings.HasSuffix(text, "does not support item assignment") {
		return text, "an object of the model is changed by x.set(path, value)"
	}
	return text, ""
}

// habits are words of Python that Starlark stops at, and what does their work.
var habits = []struct{ says, hint string }{
	{"got import,", "the modules math and json are there without it"},
	{"got try,", "there are no exceptions: what fails ends the program, and fail(text) does so"},
	{"got raise,", "there are no exceptions: what fails ends the program, and fail(text) does so"},
	{"got class,", "there are no classes: struct(x = 1) makes a value with fields"},
}

// formatted is the end of a line that holds an f-string.
var formatted = regexp.MustCompile(`\bf["'].*$`)

// habit is the hint for a syntax error that is good Python; "" where it is none.
func habit(e syntax.Error, before string) string {
	for _, h := range habits {
		if strings.HasPrefix(e.Msg, h.says) {
			return h.hint
		}
	}
	if strings.HasPrefix(e.Msg, "got string literal") && formatted.MatchString(before) {
		return `there are no f-strings: "x is {}".format(x)`
	}
	return ""
}

func syntaxError(t *Text, err error) error {
	var e syntax.Error
	if !errors.As(err, &e) {
		return diagnostic.New(StarlarkSyntax, source.Span{File: t.File}, err.Error())
	}
	d := diagnostic.New(StarlarkSyntax, t.word(e.Pos), e.Msg)
	d.Hint = habit(e, t.File.Text[:d.Span.Start])
	d.Incomplete = strings.Contains(e.Msg, "end of file") || strings.Contains(e.Msg, "unexpected EOF") ||
		strings.Contains(e.Msg, "unexpected newline in string") && strings.Count(t.File.Text[d.Span.Start:], "\n") == 0
	return d
}

// resolved turns the errors of the resolver into diagnostics. nearest, where
// it is not nil, knows a name that Starlark's own spelling check does not see.
func resolved(t *Text, err error, nearest func(name string) string) error {
	var list resolve.ErrorList
	if !errors.As(err, &list) {
		return diagnostic.New(StarlarkName, source.Span{File: t.File}, err.Error())
	}
	var out diagnostic.List
	for _, e := range list {
		code := StarlarkSyntax
		sentence, hint := message(e.Msg)
		span, ok := t.places()[at(e.Pos)]
		if !ok {
			span = t.point(e.Pos)
		}
		if name, undefined := strings.CutPrefix(sentence, "undefined: "); undefined {
			code = StarlarkName
			sentence = "nothing is called " + name
			if hint == "" && nearest != nil {
				if n := nearest(name); n != "" {
					hint = "did you mean " + n + "?"
				}
			}
		}
		out = append(out, diagnostic.New(code, span, sentence).WithHint(hint))
	}
	return out
}

// Fault turns an error of running Starlark into a diagnostic at the place
// where it happened, with the calls that led there as related places. A
// diagnostic of a builtin keeps its own place, if it has one in a model, and
// tells which call met it.
func (t *Texts) Fault(thread *starlark.Thread, err error) error {
	if err == nil {
		return nil
	}
	var eval *starlark.EvalError
	errors.As(err, &eval)
	var stack starlark.CallStack
	if eval != nil {
		stack = eval.CallStack
	}
	stop := Of(thread).Stopped()
	if stop == nil && errors.Is(err, context.Canceled) {
		stop = interrupted() // a builtin that waited heard of it before the thread
	}
	if stop != nil {
		return t.located(stop, stack)
	}
	var d *diagnostic.Diagnostic
	if list := (diagnostic.List)(nil); errors.As(err, &list) && len(list) > 0 {
		return append(diagnostic.List{t.located(list[0], stack)}, list[1:]...)
	}
	if errors.As(err, &d) {
		return t.located(d, stack)
	}
	text := err.Error()
	if eval != nil {
		text = eval.Msg
	}
	sentence, hint := message(text)
	return t.located(diagnostic.New(StarlarkError, source.Span{}, sentence).WithHint(hint), stack)
}

// located is a copy of d with the places of stack.
func (t *Texts) located(d *diagnostic.Diagnostic, stack starlark.CallStack) *diagnostic.Diagnostic {
	c := *d
	c.Related = append([]diagnostic.Related(nil), d.Related...)
	own := !d.Span.IsZero()
	for i := len(stack) - 1; i >= 0; i-- {
		span := t.Span(stack[i].Pos)
		if span.IsZero() {
			continue
		}
		if c.Span.IsZero() {
			c.Span = span
			continue
		}
		if len(c.Related) >= maxRelated {
			break
		}
		c.Related = append(c.Related, diagnostic.Related{Span: span, Message: calledFrom(stack, i, own)})
		own = false
	}
	return &c
}

// maxRelated bounds the calls that one error lists.
const maxRelated = 8

// calledFrom says what frame i of stack did at its place.
func calledFrom(stack starlark.CallStack, i int, own bool) string {
	if i+1 < len(stack) && !own {
		return stack[i+1].Name + " was called here"
	}
	return "asked for here"
}
