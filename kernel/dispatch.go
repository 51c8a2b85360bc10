package kernel

import (
	"context"
	"encoding/json"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/orrery-sysml/orrery/kernel/zmtp"
	"github.com/orrery-sysml/orrery/magics"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
)

// This file takes requests off their queue and sees to the rule that holds
// for every one of them: busy first, then what the request does, its reply,
// and idle last, whatever happens in between.

// loop answers the requests of q, which came in on channel, one at a time.
func (k *server) loop(ctx context.Context, q *queue, channel *zmtp.Router) {
	for {
		r, aborted := q.pop()
		if r == nil {
			return
		}
		k.dispatch(ctx, r, aborted, channel == k.shell)
	}
}

// dispatch answers one request. Shell requests are what an interrupt stops.
func (k *server) dispatch(ctx context.Context, r *request, aborted, shell bool) {
	k.enter(r, shell, "busy")
	defer k.enter(r, shell, "idle")
	if shell {
		var release func()
		ctx, release = k.running.begin(ctx)
		defer release()
	}
	var out *reply
	if aborted {
		out = k.abort()
	} else {
		out = k.handle(ctx, r)
	}
	if out != nil {
		k.answer(r, out)
		if out.then != nil {
			out.then()
		}
	}
}

// enter publishes that the kernel is busy or idle with r. Idle after a
// question about the kernel is said once more, about no request: JupyterLab
// passes over the status of what it does not track, kernel_info_request among
// it, and asks nothing else when it connects again after a restart.
func (k *server) enter(r *request, shell bool, state string) {
	if !shell {
		k.status(r.msg.RawHeader, state)
		return
	}
	k.condition.set(state, func() {
		k.status(r.msg.RawHeader, state)
		if state == "idle" && r.msg.Header.MsgType == "kernel_info_request" {
			k.status(nil, state)
		}
	})
}

// A handler answers one type of request; nil is no reply. The error says what
// is wrong with the request.
type handler func(k *server, ctx context.Context, r *request) (*reply, error)

// handlers are those of both channels: clients send most types on either.
var handlers = map[string]handler{
	"kernel_info_request": (*server).kernelInfo,
	"execute_request":     (*server).execute,
	"complete_request":    (*server).complete,
	"inspect_request":     (*server).inspect,
	"is_complete_request": (*server).isComplete,
	"history_request":     (*server).history,
	"comm_info_request":   (*server).commInfo,
	"comm_open":           (*server).commOpen,
	"comm_msg":            (*server).commIgnored,
	"comm_close":          (*server).commIgnored,
	"connect_request":     (*server).connect,
	"interrupt_request":   (*server).interruptRequest,
	"shutdown_request":    (*server).shutdown,
	"debug_request":       (*server).debugRequest,
	"usage_request":       (*server).usageRequest,
}

// interpreted are the types that call the Interpreter, so that shell alone,
// with its one goroutine, may serve them.
var interpreted = map[string]bool{"execute_request": true, "complete_request": true,
	"inspect_request": true, "is_complete_request": true}

// handle finds and runs the handler of r. A panic or a malformed request is an
// error reply.
func (k *server) handle(ctx context.Context, r *request) (out *reply) {
	msgType := r.msg.Header.MsgType
	replyType := strings.TrimSuffix(msgType, "_request") + "_reply"
	h := handlers[msgType]
	if h == nil || interpreted[msgType] && !k.running.holds(ctx) {
		k.log.printf("no answer to a message of type %q", msgType)
		return nil
	}
	defer func() {
		if p := recover(); p != nil {
			k.log.printf("%s: panic: %v\n%s", msgType, p, debug.Stack())
			out = &reply{msgType: replyType, content: k.counted(msgType, failed(cellError(panicError(p))))}
		}
	}()
	out, err := h(k, ctx, r)
	if err != nil {
		out = &reply{msgType: replyType, content: k.counted(msgType, failed(cellError(err)))}
	}
	return out
}

// counted adds what a front end expects in every execute_reply.
func (k *server) counted(msgType string, content object) object {
	if msgType == "execute_request" {
		content["execution_count"] = k.count
	}
	return content
}

// read fills v from the content of r.
func read(r *request, v any) error {
	if err := json.Unmarshal(r.msg.Content, v); err != nil {
		return badRequestError(r.msg.Header.MsgType, err.Error())
	}
	return nil
}

// failed is the content of an error, as reply and as iopub message.
func failed(err *magics.CellError) object {
	return object{"status": "error", "ename": err.Name, "evalue": err.Value, "traceback": err.Traceback()}
}

// cellError is err as the error of a cell.
func cellError(err error) *magics.CellError {
	l := diagnostic.Of(err)
	return &magics.CellError{Name: string(l[0].Code), Value: l[0].Message, Diagnostics: l}
}

// interrupted is the error of a cell that an interrupt has ended.
func interrupted() *magics.CellError {
	return &magics.CellError{Name: "KeyboardInterrupt", Value: "interrupted"}
}

// current is the shell request that runs, as far as it can be stopped. It is
// safe for any goroutine; the zero current runs nothing.
type current struct {
	mu     sync.Mutex
	cancel context.CancelFunc
}

type runningKey struct{}

// begin makes the context of a request. What it returns ends the request.
func (c *current) begin(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(context.WithValue(ctx, runningKey{}, c))
	c.mu.Lock()
	c.cancel = cancel
	c.mu.Unlock()
	return ctx, func() {
		c.mu.Lock()
		c.cancel = nil
		c.mu.Unlock()
		cancel()
	}
}

// holds reports whether ctx comes from begin.
func (c *current) holds(ctx context.Context) bool { return ctx.Value(runningKey{}) == c }

// interrupt stops the request that runs; where none does, nothing happens,
// now or later.
func (c *current) interrupt() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cancel != nil {
		c.cancel()
	}
}
