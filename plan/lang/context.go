package lang

import (
	"context"
	"fmt"
	"sync/atomic"

	"go.starlark.net/starlark"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// Limits bound one thread. A zero field stands for its default.
type Limits struct {
	Steps int64 // of the interpreter; 50 million
	Depth int   // calls nested in each other; 2,000
	Bytes int64 // growth of the process's heap while the thread runs; 256 MiB
}

// The defaults of Limits.
const (
	DefaultSteps = 50_000_000
	DefaultDepth = 2_000
	DefaultBytes = 256 << 20
)

func (l Limits) orDefault() Limits {
	if l.Steps <= 0 {
		l.Steps = DefaultSteps
	}
	if l.Depth <= 0 {
		l.Depth = DefaultDepth
	}
	if l.Bytes <= 0 {
		l.Bytes = DefaultBytes
	}
	return l
}

// StarlarkLimit is the code of a limit of Limits that was reached.
var StarlarkLimit = diagnostic.Register("starlark-limit",
	"A Starlark text took more steps, nested more calls or held more memory than its limit admits. An endless loop or recursion is the usual reason. --max-steps of a walk raises the number of steps.")

// A Context is what a thread carries beside Starlark's own state. One
// goroutine at a time uses it.
type Context struct {
	Ctx   context.Context
	Phase Phase
	// Print takes each line that print makes, with its line ending; nil drops it.
	Print func(text string)
	// Environment is what the builtins of a package above find their state in.
	Environment any

	texts   *Texts        // of the plan
	globals *Globals      // of cells
	module  *module       // at the top level of a plan
	leaf    *running      // in a leaf
	met     map[place]int // calls of each place in the leaf
	limits  Limits
	made    int64                    // bytes of large values since the heap was looked at
	away    atomic.Int32             // see leave
	stop    atomic.Pointer[stopping] // why the thread was cancelled
}

// A stopping is why a thread was cancelled.
type stopping struct {
	reason *diagnostic.Diagnostic
	memory bool // for what it holds, which depends on the machine
}

const contextKey = "orrery"

// Of is the Context of thread; a thread that NewThread did not make has an
// empty one.
func Of(thread *starlark.Thread) *Context {
	if c, ok := thread.Local(contextKey).(*Context); ok {
		return c
	}
	return &Context{Ctx: context.Background()}
}

// pulse is how many interpreter steps pass between two looks at the limits.
const pulse = 2_000

// NewThread makes a thread that carries c and ends when c.Ctx does or a limit
// is reached. release must be called when the thread is done.
func NewThread(name string, c *Context, l Limits) (thread *starlark.Thread, release func()) {
	if c.Ctx == nil {
		c.Ctx = context.Background()
	}
	c.limits = l.orDefault()
	thread = &starlark.Thread{
		Name: name,
		Print: func(_ *starlark.Thread, msg string) {
			if c.Print != nil {
				c.Print(msg + "\n")
			}
		},
		OnMaxSteps: c.look,
	}
	thread.SetLocal(contextKey, c)
	thread.SetMaxExecutionSteps(pulse)
	c.look(thread)
	if c.Ctx.Done() == nil {
		return thread, watch(thread, c)
	}
	unwatch := watch(thread, c)
	stop := context.AfterFunc(c.Ctx, func() { c.end(thread, stopping{reason: interrupted()}) })
	return thread, func() { stop(); unwatch() }
}

// look is called by the interpreter every pulse steps.
func (c *Context) look(thread *starlark.Thread) {
	switch steps := int64(thread.ExecutionSteps()); {
	case c.Ctx.Err() != nil:
		c.end(thread, stopping{reason: interrupted()})
	case steps >= c.limits.Steps:
		c.end(thread, stopping{reason: c.tooManySteps()})
	case thread.CallStackDepth() > c.limits.Depth:
		c.end(thread, stopping{reason: limit(fmt.Sprintf("calls are nested deeper than %d", c.limits.Depth), "a recursion without an end?")})
	}
	thread.SetMaxExecutionSteps(thread.ExecutionSteps() + pulse)
}

// end cancels thread for the reason d; the first reason stands.
func (c *Context) end(thread *starlark.Thread, why stopping) {
	c.stop.CompareAndSwap(nil, &why)
	thread.Cancel(why.reason.Message)
}

// Stopped is why the thread was cancelled; nil where it was not.
func (c *Context) Stopped() *diagnostic.Diagnostic {
	if s := c.stop.Load(); s != nil {
		return s.reason
	}
	return nil
}

// tooManySteps is the end of a loop that takes too long. Only of a leaf can the
// user raise the limit.
func (c *Context) tooManySteps() *diagnostic.Diagnostic {
	hint := "a loop without an end?"
	if c.leaf != nil {
		hint += " --max-steps raises the limit"
	}
	return limit(fmt.Sprintf("the Starlark text took more than %d steps", c.limits.Steps), hint)
}

func interrupted() *diagnostic.Diagnostic {
	return diagnostic.New(diagnostic.Interrupted, source.Span{}, "stopped before the end")
}

func limit(message, hint string) *diagnostic.Diagnostic {
	return diagnostic.New(StarlarkLimit, source.Span{}, message).WithHint(hint)
}
