package lang

import (
	"fmt"

	"go.starlark.net/starlark"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// A Class says what calling a builtin does, and so where it may be called.
type Class uint8

// The classes. The zero Class may be called anywhere.
const (
	Pure    Class = iota // computes, or looks at what was declared
	Choose               // takes an option of an axis
	Run                  // makes or moves something in the leaf's World
	Declare              // registers a test, a constraint or a model
	Assert               // judges the leaf
	Block                // waits for somebody
	Prune                // ends the leaf without a verdict
)

// String is the word for c in a message.
func (c Class) String() string {
	return [...]string{"pure", "choose", "run", "declare", "assert", "block", "prune"}[c]
}

// A Phase is what a thread is at: it decides which classes it may call.
type Phase uint8

// The phases. The zero Phase is a module being loaded.
const (
	AtModule    Phase = iota // the top level of a plan file
	AtCell                   // a cell or a prompt: a body without axes
	AtSetup                  // setup= of a test
	AtBody                   // the body of a test
	AtPredicate              // a predicate of assume
	AtMonitor                // check= or update= of a monitor
)

// The codes of what lang reports.
var (
	ForbiddenInPredicate = diagnostic.Register("forbidden-in-predicate",
		"A predicate of assume is a function of the choices alone, a monitor of an event and its state: they may not run a model, choose, judge, declare or, in a predicate, end a leaf. Move the call into the body, or compute its result before.")
	OutsideBody = diagnostic.Register("outside-body",
		"The builtin needs a leaf that is running. The top level of a plan is executed to learn its tests and axes; put the call into the body of a test.")
)

// A Func carries a builtin out.
type Func func(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error)

// A Builtin is one name that plans can use. Every builtin of ours is made
// from one, so that the guard of its class stands before all of them.
type Builtin struct {
	Name      string
	Class     Class
	Signature string // "choose([name,] options)": what completion shows
	Summary   string // one line
	Call      Func
}

// guarded is the Starlark value of a Builtin: the guard is inside, and the
// sandbox reads the class.
type guarded struct {
	*starlark.Builtin
	class Class
}

// Value makes the Starlark value of b.
func (b Builtin) Value() starlark.Value {
	return guarded{starlark.NewBuiltin(b.Name, guard(b.Name, b.Class, b.Call)), b.Class}
}

// Method makes the method called name of a value.
func Method(name string, class Class, call Func) starlark.Value {
	return Builtin{Name: name, Class: class, Call: call}.Value()
}

// An Effectful value is called like a builtin: a handle of a calculation.
type Effectful interface{ Effect() Class }

// classOf is the class of a builtin or a callable handle of ours, and whether
// v is one.
func classOf(v starlark.Value) (Class, bool) {
	if h, ok := v.(Effectful); ok {
		return h.Effect(), true
	}
	g, ok := v.(guarded)
	return g.class, ok
}

// guard refuses a call that the phase of its thread does not admit.
func guard(name string, class Class, call Func) func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
	return func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if err := admit(Of(thread).Phase, name, class); err != nil {
			return nil, err
		}
		if class == Run {
			defer Of(thread).leave()()
		}
		return call(thread, args, kwargs)
	}
}

func admit(phase Phase, name string, class Class) error {
	switch {
	case class == Pure:
		return nil
	case phase == AtPredicate:
		return diagnostic.New(ForbiddenInPredicate, source.Span{},
			fmt.Sprintf("%s() is not allowed in a predicate: its effect is %s, and a predicate or a monitor only looks", name, class))
	case phase == AtMonitor && class == Prune:
		return nil
	case phase == AtMonitor:
		return diagnostic.New(ForbiddenInPredicate, source.Span{},
			fmt.Sprintf("%s() is not allowed in a monitor: its effect is %s, and a predicate or a monitor only looks", name, class))
	case phase == AtSetup && (name == "halt" || name == "inconclusive"):
	case phase == AtBody || phase == AtCell || phase == AtSetup:
		return nil
	case class == Choose || class == Declare:
		return nil
	}
	return diagnostic.New(OutsideBody, source.Span{}, name+"() may only be called inside a test body")
}
