package kernel

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-zeromq/zmq4"

	"github.com/orrery-sysml/orrery/kernel/internal/mock"
	"github.com/orrery-sysml/orrery/kernel/wire"
)

// This file is the other side: a client made of zmq4's own sockets.

const (
	soon = 5 * time.Second
	// prompt is what 200 ms may become on a machine that is busy with other
	// tests, the race detector too. The 200 ms themselves are held by
	// test_protocol.py, which has the machine to itself.
	prompt  = 2 * time.Second
	testKey = "secret-key"
)

// A message as the client sees it.
type message struct {
	Type, Parent string // msg_type; msg_id of the parent
	Session      string
	RawParent    string
	Content      map[string]any
	Metadata     map[string]any
	Topic        string
}

// A client is connected to one kernel.
type client struct {
	t                     *testing.T
	conn                  *connection
	signer                *wire.Signer
	session               string
	n                     int
	shell, control, stdin zmq4.Socket
	shellIn, controlIn    chan message
	stdinIn, iopubIn      chan message
	ctx                   context.Context // of the connections
	cancel                context.CancelFunc
}

// lockedBuffer collects a log.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// connectionFile writes a connection file whose ports the kernel chooses.
func connectionFile(t testing.TB, change map[string]any) string {
	t.Helper()
	c := map[string]any{"transport": "tcp", "ip": "127.0.0.1", "shell_port": 0, "iopub_port": 0, "stdin_port": 0,
		"control_port": 0, "hb_port": 0, "key": testKey, "signature_scheme": "hmac-sha256", "kernel_name": "sysml"}
	maps.Copy(c, change)
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "kernel ö.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A running kernel of a test.
type running struct {
	*server
	interp *mock.Interpreter
	log    *lockedBuffer
	done   chan struct{}
}

// start runs a kernel around a mock in this process.
func start(t *testing.T, opt Options) *running {
	t.Helper()
	r := &running{interp: &mock.Interpreter{}, log: &lockedBuffer{}, done: make(chan struct{})}
	if opt.ConnectionFile == "" {
		opt.ConnectionFile = connectionFile(t, nil)
	}
	if opt.Open == nil {
		opt.Open = func() (Interpreter, error) { return r.interp, nil }
	}
	opt.Log = r.log
	k, err := newServer(opt)
	if err != nil {
		t.Fatal(err)
	}
	r.server = k
	go func() {
		defer close(r.done)
		if err := k.serve(context.Background()); err != nil {
			t.Error(err)
		}
	}()
	t.Cleanup(func() { k.end(); <-r.done })
	return r
}

// connect makes a client of the kernel; listen says whether it subscribes to
// iopub at once.
func connect(t *testing.T, file string, listen bool) *client {
	t.Helper()
	conn, err := readConnection(file)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := conn.signer()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	c := &client{t: t, conn: conn, signer: signer, session: fmt.Sprintf("session-%p", conn), ctx: ctx, cancel: cancel}
	id := zmq4.WithID(zmq4.SocketIdentity(c.session))
	c.shell, c.shellIn = c.dial(zmq4.NewDealer(ctx, id), conn.ShellPort)
	c.control, c.controlIn = c.dial(zmq4.NewDealer(ctx, id), conn.ControlPort)
	c.stdin, c.stdinIn = c.dial(zmq4.NewDealer(ctx, id), conn.StdinPort)
	if listen {
		c.listen()
		c.expect(c.iopubIn, "iopub_welcome")
	}
	t.Cleanup(c.close)
	return c
}

func (c *client) listen() {
	c.t.Helper()
	sub := zmq4.NewSub(c.ctx)
	_, c.iopubIn = c.dial(sub, c.conn.IOPubPort)
	if err := sub.SetOption(zmq4.OptionSubscribe, ""); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) close() { c.cancel() }

// dial connects s and reads its messages into a channel.
func (c *client) dial(s zmq4.Socket, p port) (zmq4.Socket, chan message) {
	c.t.Helper()
	address := fmt.Sprintf("tcp://%s:%d", c.conn.IP, p)
	if c.conn.Transport == "ipc" {
		address = fmt.Sprintf("ipc://%s-%d", c.conn.IP, p)
	}
	if err := s.Dial(address); err != nil {
		c.t.Fatal(err)
	}
	in := make(chan message, 100_000)
	go func() {
		for {
			m, err := s.Recv()
			if err != nil {
				close(in)
				return
			}
			in <- c.decode(m.Frames)
		}
	}()
	go func() { <-c.ctx.Done(); s.Close() }()
	return s, in
}

func (c *client) decode(frames [][]byte) (out message) {
	m, err := c.signer.Decode(frames)
	if err != nil {
		return message{Type: "undecodable: " + err.Error()}
	}
	out = message{Type: m.Header.MsgType, Parent: m.ParentID(), RawParent: string(m.Parent), Session: m.Header.Session}
	if len(m.Route) > 0 {
		out.Topic = string(m.Route[0])
	}
	json.Unmarshal(m.Content, &out.Content)
	json.Unmarshal(m.Metadata, &out.Metadata)
	return out
}

// send sends a request and returns its msg_id.
func (c *client) send(s zmq4.Socket, msgType string, content any) string {
	c.t.Helper()
	return c.sendWith(s, msgType, content, nil, nil, time.Now())
}

func (c *client) sendWith(s zmq4.Socket, msgType string, content, metadata any, parent json.RawMessage, date time.Time) string {
	c.t.Helper()
	c.n++
	h := &wire.Header{MsgID: fmt.Sprint(c.session, "-", c.n), Session: c.session, Username: "test",
		Date: wire.Date(date), MsgType: msgType, Version: "5.4"}
	frames, err := c.signer.Encode(nil, h, parent, metadata, content, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	if err := s.SendMulti(zmq4.NewMsgFrom(frames...)); err != nil {
		c.t.Fatal(err)
	}
	return h.MsgID
}

// receive waits for one message.
func (c *client) receive(in chan message) message {
	c.t.Helper()
	select {
	case m, ok := <-in:
		if !ok {
			c.t.Fatal("the connection was closed")
		}
		return m
	case <-time.After(soon):
		c.t.Fatal("no message came")
	}
	panic("unreachable")
}

// expect waits for a message of msgType, passing over others.
func (c *client) expect(in chan message, msgType string) message {
	c.t.Helper()
	for {
		if m := c.receive(in); m.Type == msgType {
			return m
		}
	}
}

// outputs are the iopub messages about request id, from its busy to its idle.
func (c *client) outputs(id string) (list []message) {
	c.t.Helper()
	for {
		m := c.receive(c.iopubIn)
		if m.Parent != id {
			continue
		}
		list = append(list, m)
		if len(list) == 1 && (m.Type != "status" || m.Content["execution_state"] != "busy") {
			c.t.Errorf("the first message about a request is %s %v", m.Type, m.Content)
		}
		if m.Type == "status" && m.Content["execution_state"] == "idle" {
			return list
		}
	}
}

// reply waits for the reply to request id.
func (c *client) reply(in chan message, id string) message {
	c.t.Helper()
	for {
		if m := c.receive(in); m.Parent == id {
			return m
		}
	}
}

// code is an execute_request as most tests send it.
func code(text string) map[string]any {
	return map[string]any{"code": text, "silent": false, "store_history": true, "user_expressions": map[string]any{},
		"allow_stdin": true, "stop_on_error": true}
}

// execute runs a cell and gives its reply and what was published between busy
// and idle.
func (c *client) execute(text string) (message, []message) {
	c.t.Helper()
	id := c.send(c.shell, "execute_request", code(text))
	return c.reply(c.shellIn, id), inner(c.outputs(id))
}

// ask sends a request on shell and gives its reply.
func (c *client) ask(msgType string, content any) message {
	c.t.Helper()
	id := c.send(c.shell, msgType, content)
	m := c.reply(c.shellIn, id)
	c.outputs(id)
	return m
}

// inner leaves out busy and idle.
func inner(list []message) []message { return list[1 : len(list)-1] }

// types are the message types of list in a row.
func types(list []message) string {
	var names []string
	for _, m := range list {
		names = append(names, m.Type)
	}
	return strings.Join(names, " ")
}

// text joins what list writes to a stream.
func text(list []message, name string) string {
	var b strings.Builder
	for _, m := range list {
		if m.Type == "stream" && m.Content["name"] == name {
			b.WriteString(m.Content["text"].(string))
		}
	}
	return b.String()
}
