package kernel

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"github.com/orrery-sysml/orrery/kernel/wire"
	"github.com/orrery-sysml/orrery/kernel/zmtp"
	"github.com/orrery-sysml/orrery/magics"
)

// Options say which kernel to be.
type Options struct {
	// ConnectionFile is the path that Jupyter gave.
	ConnectionFile string
	// Language defaults to SysML.
	Language Language
	// Version is that of Orrery, Banner what a console greets with, Links the
	// front end's Help menu.
	Version, Banner string
	Links           []Link
	// Open makes the Interpreter. It is called once, from a goroutine of its
	// own, when the sockets are bound; the first cell waits for it. Its error
	// becomes the error of every cell.
	Open func() (Interpreter, error)
	// HistoryDir is the folder of the history files, one a kernel name. ""
	// keeps the history of this session alone.
	HistoryDir string
	// Log takes the server's log, a line an event; nil is standard error.
	Log io.Writer
}

const (
	// gateTime is how long the first request of all waits for somebody to
	// subscribe to iopub, so that its idle is not lost.
	gateTime = 400 * time.Millisecond
	// lastWords is how long a running cell may take to end at shutdown,
	// linger how long the last messages may take to leave.
	lastWords = 300 * time.Millisecond
	linger    = 200 * time.Millisecond
)

// A server is one running kernel.
type server struct {
	opt     Options
	conn    *connection
	signer  *wire.Signer
	session string // one per process
	serial  atomic.Int64
	log     logger

	shell, control, stdin *zmtp.Router
	iopub                 *zmtp.XPub
	heart                 *zmtp.Echo

	requests, orders *queue // of shell and of control

	opened chan struct{} // closed when Open has returned
	interp Interpreter
	fault  *magics.CellError // why there is no interp

	running   current
	condition condition
	ask       asker
	hist      *history
	usage     usage
	count     int // of executions; the executor's alone

	stop     chan struct{} // closed when the kernel shall end
	stopOnce sync.Once
}

// Serve runs a kernel until a client shuts it down, ctx ends, SIGTERM comes or
// the parent process is gone; all of these are nil. An error is a diagnostic
// and means that the kernel could not start. Serve takes over SIGINT, which
// interrupts the cell that runs, and is for a process of its own.
func Serve(ctx context.Context, opt Options) error {
	k, err := newServer(opt)
	if err != nil {
		return err
	}
	release := k.watchSignals()
	defer release()
	go k.watchParent()
	return k.serve(ctx)
}

// newServer reads the connection file and binds the sockets; nobody serves
// them yet, but a client that connects waits rather than being refused.
func newServer(opt Options) (*server, error) {
	if opt.Language.Name == "" {
		opt.Language = SysML
	}
	if opt.Log == nil {
		opt.Log = os.Stderr
	}
	conn, err := readConnection(opt.ConnectionFile)
	if err != nil {
		return nil, err
	}
	signer, err := conn.signer()
	if err != nil {
		return nil, err
	}
	chosen := conn.registration == nil && conn.anyPortChosen()
	ch, err := conn.bind()
	if err != nil {
		return nil, err
	}
	if chosen {
		if err := conn.write(conn.path); err != nil {
			return nil, connectionFileError(conn.path, "its ports were left to the kernel, and it cannot be written")
		}
	}
	k := &server{
		opt: opt, conn: conn, signer: signer, session: uuid.NewString(),
		log:      logger{w: opt.Log},
		requests: newQueue(), orders: newQueue(),
		opened: make(chan struct{}), stop: make(chan struct{}),
	}
	k.hist = newHistory(opt.HistoryDir, conn.KernelName, opt.Language.Name)
	k.heart = zmtp.NewEcho(ch.hb.ln)
	k.iopub = zmtp.NewXPub(ch.iopub.ln, k.welcome)
	k.stdin = zmtp.NewRouter(ch.stdin.ln, k.takeInput)
	k.control = zmtp.NewRouter(ch.control.ln, k.receive(k.orders))
	k.shell = zmtp.NewRouter(ch.shell.ln, k.receive(k.requests))
	return k, nil
}

// serve is Serve without what concerns the process.
func (k *server) serve(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if k.conn.registration != nil {
		if err := k.register(ctx); err != nil {
			k.close()
			return err
		}
	}
	go k.open()
	var loops sync.WaitGroup
	loops.Go(func() { k.announce(ctx) })
	loops.Go(func() { k.loop(ctx, k.orders, k.control) })
	loops.Go(func() {
		k.gate()
		k.loop(ctx, k.requests, k.shell)
	})
	select {
	case <-k.stop:
	case <-ctx.Done():
		k.end()
	}
	cancel()
	k.requests.close()
	k.orders.close()
	done := make(chan struct{})
	go func() { loops.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(lastWords):
		k.log.printf("a cell did not stop; leaving without it")
	}
	k.close()
	return nil
}

// end asks the kernel to end, from any goroutine.
func (k *server) end() { k.stopOnce.Do(func() { close(k.stop) }) }

func (k *server) close() {
	k.requests.close()
	k.orders.close()
	var all sync.WaitGroup
	for _, s := range []interface{ Close(time.Duration) }{k.shell, k.control, k.iopub, k.stdin, k.heart} {
		all.Go(func() { s.Close(linger) })
	}
	all.Wait()
	k.hist.close()
}

// gate holds the first request of all until somebody hears what is published
// about it, but not for long.
func (k *server) gate() {
	if !k.requests.await() {
		return
	}
	wait := time.NewTimer(gateTime)
	defer wait.Stop()
	select {
	case <-k.iopub.Ready():
	case <-wait.C:
	case <-k.stop:
	}
}

// open makes the interpreter behind the sockets.
func (k *server) open() {
	defer close(k.opened)
	defer func() {
		if p := recover(); p != nil {
			k.log.printf("opening the session: panic: %v\n%s", p, debug.Stack())
			k.fault = cellError(panicError(p))
		}
	}()
	interp, err := k.opt.Open()
	if err != nil {
		k.fault = cellError(err)
		k.log.printf("opening the session: %s", k.fault.Value)
		return
	}
	k.interp = interp
	k.hist.load()
}

// interpreter waits until the session is open. The error is why there is none.
func (k *server) interpreter(ctx context.Context) (Interpreter, *magics.CellError) {
	select {
	case <-k.opened:
	case <-ctx.Done():
		return nil, interrupted()
	}
	return k.interp, k.fault
}

// receive makes the handler of a request channel: verify, then queue.
func (k *server) receive(q *queue) func(*zmtp.Peer, [][]byte) {
	return func(p *zmtp.Peer, frames [][]byte) {
		msg, err := k.signer.Decode(frames)
		if err != nil {
			k.log.dropped(err)
			return
		}
		q.push(&request{msg: msg, peer: p})
	}
}

// A logger writes lines for whoever reads the server's log. It is safe for
// any goroutine.
type logger struct {
	mu    sync.Mutex
	w     io.Writer
	drops map[string]int
}

func (l *logger) printf(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	fmt.Fprintf(l.w, "orrery kernel: "+format+"\n", args...)
}

// dropped notes a message that was thrown away. Who floods us with such does
// not fill the log: the first, tenth, hundredth ... of a kind is written.
func (l *logger) dropped(err error) {
	l.mu.Lock()
	if l.drops == nil {
		l.drops = map[string]int{}
	}
	l.drops[err.Error()]++
	n := l.drops[err.Error()]
	l.mu.Unlock()
	for d := n; d%10 == 0 || d == 1; d /= 10 {
		if d == 1 {
			l.printf("dropped a message (%d of this kind): %v", n, err)
			return
		}
	}
}
