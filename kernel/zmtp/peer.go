package zmtp

import (
	"net"
	"sync"
	"time"
)

// queueLimit is how many bytes may wait for one peer. A peer that lets more
// pile up does not read; it is cut off, and may connect again.
const queueLimit = 64 << 20

// burst is how many bytes are handed to the operating system at once.
const burst = 256 << 10

// A Peer is one connection to a socket. Its methods are safe for any
// goroutine and never block.
type Peer struct {
	conn     net.Conn
	identity string

	mu       sync.Mutex
	wake     sync.Cond // the queue has grown, or the peer is closing
	queue    [][]byte  // encoded messages, first to send first
	bytes    int       // in queue and being written
	progress time.Time // when bytes last fell
	draining bool      // no more is taken; close when the queue is empty
	closed   bool

	topics map[string]bool // of an XPub's subscriber; guarded by mu
}

func newPeer(conn net.Conn, identity string) *Peer {
	p := &Peer{conn: conn, identity: identity}
	p.wake.L = &p.mu
	return p
}

// Identity is the routing identity that the peer gave itself, often "".
func (p *Peer) Identity() string { return p.identity }

// Send queues a message from Encode. It is false where the peer is gone or
// has let too much pile up, which ends the connection.
func (p *Peer) Send(wire []byte) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.send(wire)
}

// send is Send with p.mu held.
func (p *Peer) send(wire []byte) bool {
	if p.closed || p.draining {
		return false
	}
	if p.bytes+len(wire) > queueLimit && p.bytes > 0 {
		p.shut()
		return false
	}
	if p.bytes == 0 {
		p.progress = time.Now()
	}
	p.queue = append(p.queue, wire)
	p.bytes += len(wire)
	p.wake.Signal()
	return true
}

// write is the peer's writer: it sends what is queued until the connection
// fails or is drained.
func (p *Peer) write() {
	for {
		out, n := p.take()
		if out == nil {
			p.Close()
			return
		}
		if _, err := out.WriteTo(p.conn); err != nil {
			p.Close()
			return
		}
		p.mu.Lock()
		p.bytes -= n
		p.progress = time.Now()
		p.mu.Unlock()
	}
}

// take waits for messages and takes about a burst of them; nil means that
// none will come.
func (p *Peer) take() (net.Buffers, int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.queue) == 0 && !p.draining && !p.closed {
		p.wake.Wait()
	}
	if p.closed || len(p.queue) == 0 {
		return nil, 0
	}
	k, n := 0, 0
	for k < len(p.queue) && (k == 0 || n < burst) {
		n += len(p.queue[k])
		k++
	}
	out := net.Buffers(p.queue[:k:k])
	if p.queue = p.queue[k:]; len(p.queue) == 0 {
		p.queue = nil
	}
	return out, n
}

// drain lets the writer end once it has sent what is queued.
func (p *Peer) drain() {
	p.mu.Lock()
	p.draining = true
	p.wake.Broadcast()
	p.mu.Unlock()
}

// Close ends the connection at once. It may be called more than once.
func (p *Peer) Close() {
	p.mu.Lock()
	p.shut()
	p.mu.Unlock()
}

// shut is Close with p.mu held.
func (p *Peer) shut() {
	if p.closed {
		return
	}
	p.closed = true
	p.queue, p.bytes = nil, 0
	p.wake.Broadcast()
	p.conn.Close()
}
