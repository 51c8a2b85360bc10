package zmtp

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/go-zeromq/zmq4"
)

// The peers of these tests are zmq4's own sockets, written by others, or bare
// connections that do what no honest peer does.

const soon = 5 * time.Second

func listen(t *testing.T) net.Listener {
	t.Helper()
	ln, err := Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return ln
}

// upper is a Router that answers each message in capitals.
func upper(t *testing.T, ln net.Listener) *Router {
	t.Helper()
	r := NewRouter(ln, func(p *Peer, frames [][]byte) {
		out := make([][]byte, len(frames))
		for i, f := range frames {
			out[i] = []byte(strings.ToUpper(string(f)))
		}
		p.Send(Encode(out...))
	})
	t.Cleanup(func() { r.Close(0) })
	return r
}

func dealer(t *testing.T, address, id string) zmq4.Socket {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), soon)
	d := zmq4.NewDealer(ctx, zmq4.WithID(zmq4.SocketIdentity(id)))
	if err := d.Dial(address); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close(); cancel() })
	return d
}

// ask sends a message and wants its answer in capitals.
func ask(t *testing.T, d zmq4.Socket, words ...string) {
	t.Helper()
	var frames [][]byte
	for _, w := range words {
		frames = append(frames, []byte(w))
	}
	if err := d.SendMulti(zmq4.NewMsgFrom(frames...)); err != nil {
		t.Fatal(err)
	}
	got, err := d.Recv()
	if err != nil {
		t.Fatal(err)
	}
	want := strings.ToUpper(strings.Join(words, "|"))
	var parts []string
	for _, f := range got.Frames {
		parts = append(parts, string(f))
	}
	if strings.Join(parts, "|") != want {
		t.Errorf("answer %q, want %q", parts, want)
	}
}

func address(ln net.Listener) string { return "tcp://" + ln.Addr().String() }

func TestRouterAnswersDealers(t *testing.T) {
	ln := listen(t)
	r := upper(t, ln)
	a, b := dealer(t, address(ln), "anna"), dealer(t, address(ln), "bert")
	ask(t, a, "one", "", strings.Repeat("x", 100_000))
	ask(t, b, "two")
	ask(t, a, "three")
	if p := r.Peer("bert"); p == nil || p.Identity() != "bert" {
		t.Errorf("Peer(bert) = %v", p)
	}
	if p := r.Peer("carl"); p != nil {
		t.Errorf("Peer(carl) = %v, want none", p)
	}
	if p := r.Peer(""); p != nil {
		t.Errorf("the empty identity names %v", p)
	}
}

func TestLatestConnectionOwnsAnIdentity(t *testing.T) {
	ln := listen(t)
	r := upper(t, ln)
	ask(t, dealer(t, address(ln), "anna"), "first")
	first := r.Peer("anna")
	ask(t, dealer(t, address(ln), "anna"), "second")
	if p := r.Peer("anna"); p == nil || p == first {
		t.Error("the first connection still answers to the name")
	}
}

func TestIPC(t *testing.T) {
	path := filepath.Join(t.TempDir(), "k-1")
	ln, err := Listen("ipc", path)
	if err != nil {
		t.Fatal(err)
	}
	r := upper(t, ln)
	ask(t, dealer(t, "ipc://"+path, "a"), "hello")

	if _, err := Listen("ipc", path); err == nil {
		t.Error("a living socket was taken over")
	}
	r.Close(0)
	if _, err := os.Lstat(path); !os.IsNotExist(err) {
		t.Errorf("the socket file is left behind: %v", err)
	}

	// What a killed process leaves.
	dead, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	dead.SetUnlinkOnClose(false)
	dead.Close()
	ln, err = Listen("ipc", path)
	if err != nil {
		t.Fatalf("a stale socket file is in the way: %v", err)
	}
	upper(t, ln)
	ask(t, dealer(t, "ipc://"+path, "a"), "again")
}

func TestListenSaysWhy(t *testing.T) {
	taken := listen(t)
	defer taken.Close()
	file := filepath.Join(t.TempDir(), "plain")
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ transport, address, want string }{
		{"udp", "x", `"udp" is neither tcp nor ipc`},
		{"ipc", "/" + strings.Repeat("x", 120), "121 bytes"},
		{"ipc", file, "address already in use"},
		{"tcp", taken.Addr().String(), "address already in use"},
	} {
		_, err := Listen(c.transport, c.address)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Listen(%s, %.20s): %v, want %q in it", c.transport, c.address, err, c.want)
		}
	}
	if text, _ := os.ReadFile(file); string(text) != "mine" {
		t.Error("a file that is no socket was removed")
	}
}

func TestEcho(t *testing.T) {
	ln := listen(t)
	e := NewEcho(ln)
	defer e.Close(0)
	ctx, cancel := context.WithTimeout(t.Context(), soon)
	defer cancel()
	req := zmq4.NewReq(ctx)
	defer req.Close()
	if err := req.Dial(address(ln)); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := req.Send(zmq4.NewMsgString("ping")); err != nil {
			t.Fatal(err)
		}
		got, err := req.Recv()
		if err != nil || string(got.Bytes()) != "ping" {
			t.Fatalf("echo %q, %v", got.Bytes(), err)
		}
	}
}

// raw is a greeted connection whose bytes the test writes itself.
func raw(t *testing.T, ln net.Listener, typ zmq4.SocketType) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if _, err := handshake(conn, typ, false); err != nil {
		t.Fatal(err)
	}
	conn.SetDeadline(time.Now().Add(soon))
	return conn
}

func TestHostilePeersHarmNobodyElse(t *testing.T) {
	t.Parallel()
	ln := listen(t)
	upper(t, ln)
	bare := func(send []byte) func(*testing.T) net.Conn {
		return func(t *testing.T) net.Conn {
			conn, err := net.Dial("tcp", ln.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { conn.Close() })
			conn.Write(send)
			return conn
		}
	}
	greeted := func(send []byte) func(*testing.T) net.Conn {
		return func(t *testing.T) net.Conn {
			conn := raw(t, ln, zmq4.Dealer)
			conn.Write(send)
			return conn
		}
	}
	greeting := make([]byte, greetingSize)
	greeting[0], greeting[9], greeting[10] = 0xff, 0x7f, 3
	copy(greeting[12:], "NULL")
	for _, c := range []struct {
		name   string
		open   func(*testing.T) net.Conn
		closed bool // the connection must end soon
	}{
		{"silent", bare(nil), false},
		{"half a greeting", bare(greeting[:20]), false},
		{"another protocol", bare([]byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n" + strings.Repeat("x", 64))), true},
		{"giant READY", bare(append(greeting, head(flagCommand, 1<<40)...)), true},
		{"message for READY", bare(append(greeting, 0, 1, 'x')), true},
		{"giant frame", greeted(head(0, 1<<62)), true},
		{"endless frames", greeted([]byte(strings.Repeat("\x01\x00", MaxFrames+10))), true},
		{"reserved flags", greeted([]byte{0xf8, 1, 2}), true},
		{"half a message", greeted([]byte{flagMore, 3, 'a', 'b', 'c'}), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			conn := c.open(t)
			began := time.Now()
			ask(t, dealer(t, address(ln), "honest"), "hello")
			if took := time.Since(began); took > soon {
				t.Errorf("an honest peer waited %v", took)
			}
			if c.closed {
				conn.SetReadDeadline(time.Now().Add(2 * time.Second))
				if _, err := io.Copy(io.Discard, conn); err != nil && !strings.Contains(err.Error(), "reset") {
					t.Errorf("the connection was not closed: %v", err)
				}
			}
		})
	}
}

func TestSilentConnectionIsClosed(t *testing.T) {
	t.Parallel()
	ln := listen(t)
	upper(t, ln)
	conn, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetReadDeadline(time.Now().Add(handshakeTime + 2*time.Second))
	if _, err := io.Copy(io.Discard, conn); err != nil {
		t.Errorf("still open after %v: %v", handshakeTime, err)
	}
}

func TestPeerThatDoesNotReadIsCutOff(t *testing.T) {
	ln := listen(t)
	r := upper(t, ln)
	conn := raw(t, ln, zmq4.Dealer)
	conn.Write(Encode([]byte("x")))
	var p *Peer
	for p == nil {
		r.mu.Lock()
		if len(r.peers) == 1 {
			p = r.peers[0]
		}
		r.mu.Unlock()
		time.Sleep(time.Millisecond)
	}
	big := Encode(make([]byte, 1<<20))
	began, sent := time.Now(), 0
	for p.Send(big) && sent < 2*queueLimit>>20 {
		sent++
	}
	if took := time.Since(began); took > soon {
		t.Errorf("Send blocked: %v", took)
	}
	if sent > queueLimit>>20+16 { // the operating system takes some, too
		t.Errorf("%d MiB were queued for a peer that does not read", sent)
	}
	ask(t, dealer(t, address(ln), "honest"), "hello")
}

func TestPingIsAnsweredAndNoMessage(t *testing.T) {
	ln := listen(t)
	upper(t, ln)
	conn := raw(t, ln, zmq4.Dealer)
	conn.Write(encodeCommand("PING", []byte("\x00\x0acontext")))
	f, err := readFrame(conn, 100)
	if err != nil || !f.command || string(f.body) != "\x04PONGcontext" {
		t.Errorf("answer %+v, %v", f, err)
	}
}

func TestCloseSendsWhatIsQueued(t *testing.T) {
	ln := listen(t)
	queued := make(chan struct{})
	r := NewRouter(ln, func(p *Peer, frames [][]byte) {
		for i := range 200 {
			p.Send(Encode(fmt.Append(nil, i), make([]byte, 1000)))
		}
		close(queued)
	})
	d := dealer(t, address(ln), "a")
	if err := d.Send(zmq4.NewMsgString("go")); err != nil {
		t.Fatal(err)
	}
	<-queued
	go r.Close(soon)
	for i := range 200 {
		m, err := d.Recv()
		if err != nil || string(m.Frames[0]) != fmt.Sprint(i) {
			t.Fatalf("message %d: %q, %v", i, m.Frames, err)
		}
	}
}

func TestFloodingPeerIsReadNoFurtherThanItIsServed(t *testing.T) {
	t.Parallel()
	ln := listen(t)
	release := make(chan struct{})
	var mu sync.Mutex
	taken := 0
	r := NewRouter(ln, func(p *Peer, frames [][]byte) {
		if string(frames[0]) == "flood" {
			mu.Lock()
			taken++
			mu.Unlock()
			<-release
			return
		}
		p.Send(Encode(frames...))
	})
	defer r.Close(0)
	defer close(release)
	conn := raw(t, ln, zmq4.Dealer)
	conn.SetWriteDeadline(time.Now().Add(300 * time.Millisecond))
	flood := Encode([]byte("flood"), make([]byte, 1000))
	for {
		if _, err := conn.Write(flood); err != nil {
			break
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if taken != 1 {
		t.Errorf("%d messages were handled at once", taken)
	}
	ask(t, dealer(t, address(ln), "honest"), "HELLO")
}

// openFiles counts the process's file descriptors; -1 where it cannot.
func openFiles() int {
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return -1
	}
	return len(list)
}

func TestFiftyClientsLeaveNothingBehind(t *testing.T) {
	files := openFiles()
	ln := listen(t)
	r := NewRouter(ln, func(p *Peer, frames [][]byte) { p.Send(Encode(frames...)) })
	t.Run("clients", func(t *testing.T) {
		var all sync.WaitGroup
		for i := range 50 {
			d := dealer(t, address(ln), fmt.Sprint("client", i))
			all.Go(func() {
				for range 20 {
					if err := d.Send(zmq4.NewMsgString("X")); err != nil {
						t.Error(err)
						return
					}
					if _, err := d.Recv(); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		all.Wait()
	})
	r.Close(0)
	for deadline := time.Now().Add(soon); ownGoroutines() > 0 || openFiles() > files; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines are left; %d files, before %d", ownGoroutines(), openFiles(), files)
		}
	}
}

// ownGoroutines counts those that serve a socket of ours: zmq4's own sockets,
// the other side, may keep some.
func ownGoroutines() int {
	stacks := make([]byte, 8<<20)
	return strings.Count(string(stacks[:runtime.Stack(stacks, true)]), "kernel/zmtp.(*socket)")
}

func TestOutOfDescriptorsIsSurvived(t *testing.T) {
	l := &failing{listen(t), 3}
	r := NewRouter(l, func(p *Peer, frames [][]byte) { p.Send(Encode(frames...)) })
	defer r.Close(0)
	ask(t, dealer(t, address(l), "a"), "HELLO")
}

// failing is a listener whose first Accepts fail as they do without files.
type failing struct {
	net.Listener
	left int
}

func (f *failing) Accept() (net.Conn, error) {
	if f.left > 0 {
		f.left--
		return nil, syscall.EMFILE
	}
	return f.Listener.Accept()
}
