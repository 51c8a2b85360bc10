package lang

import (
	"errors"

	"go.starlark.net/starlark"
)

// Ask calls f, which a builtin was given to look at something, on a thread of
// its own: what f calls may only look, its steps are bounded as those of a
// predicate, and what it prints is dropped. The error is ErrUndecided where f
// met one, else a diagnostic.
func Ask(thread *starlark.Thread, name string, f starlark.Callable, args starlark.Tuple) (starlark.Value, error) {
	c := Of(thread)
	at := &Context{Ctx: c.Ctx, Phase: AtPredicate, Environment: c.Environment, texts: c.texts}
	asked, release := NewThread(name, at, Limits{Steps: predicateSteps})
	defer release()
	v, err := starlark.Call(asked, f, args, nil)
	if errors.Is(err, ErrUndecided) {
		return nil, ErrUndecided
	}
	if err != nil {
		return nil, c.fault(asked, err)
	}
	return v, nil
}
