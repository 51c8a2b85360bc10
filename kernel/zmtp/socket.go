package zmtp

import (
	"errors"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/go-zeromq/zmq4"
)

// maxPeers bounds the connections of one socket, those that have not greeted
// yet included. More are closed at once.
const maxPeers = 1024

// A socket is the bound side that the roles have in common: it accepts,
// greets each connection in a goroutine of its own and reads its messages.
type socket struct {
	ln      net.Listener
	typ     zmq4.SocketType
	message func(p *Peer, frames [][]byte)          // from p's reader goroutine
	control func(p *Peer, name string, data []byte) // a command other than PING; nil: ignored
	mu      sync.Mutex
	conns   map[net.Conn]*Peer // nil Peer until it has greeted
	peers   []*Peer            // in order of arrival
	closed  bool
	running sync.WaitGroup
}

func (s *socket) start() {
	s.conns = map[net.Conn]*Peer{}
	s.running.Add(1)
	go s.accept()
}

// Addr is where the socket is bound.
func (s *socket) Addr() net.Addr { return s.ln.Addr() }

func (s *socket) accept() {
	defer s.running.Done()
	pause := time.Duration(0)
	for {
		conn, err := s.ln.Accept()
		if err != nil {
			if errors.Is(err, net.ErrClosed) {
				return
			}
			// Out of descriptors, mostly: wait for some to come free.
			pause = min(max(2*pause, 5*time.Millisecond), time.Second)
			time.Sleep(pause)
			continue
		}
		pause = 0
		if !s.admit(conn) {
			conn.Close()
			continue
		}
		go s.serve(conn)
	}
}

// admit takes conn into the socket's care, if there is room for it.
func (s *socket) admit(conn net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || len(s.conns) >= maxPeers {
		return false
	}
	s.conns[conn] = nil
	s.running.Add(1)
	return true
}

// serve is the life of one connection.
func (s *socket) serve(conn net.Conn) {
	defer s.running.Done()
	defer s.forget(conn)
	identity, err := handshake(conn, s.typ, true)
	if err != nil {
		return
	}
	p := newPeer(conn, identity)
	if !s.join(p) {
		return
	}
	s.running.Go(func() {
		p.write()
	})
	defer p.Close()
	r := newReader(conn)
	for {
		frames, isCommand, err := r.message()
		if err != nil {
			return
		}
		if !isCommand {
			s.message(p, frames)
			continue
		}
		name, data, err := command(frames[0])
		switch {
		case err != nil:
			return
		case name == "PING" && len(data) >= 2:
			p.Send(encodeCommand("PONG", data[2:])) // two bytes of time-to-live, then the context
		case s.control != nil:
			s.control(p, name, data)
		}
	}
}

func (s *socket) join(p *Peer) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.conns[p.conn] = p
	s.peers = append(s.peers, p)
	return true
}

func (s *socket) forget(conn net.Conn) {
	conn.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.conns[conn]; p != nil {
		s.peers = slices.DeleteFunc(s.peers, func(q *Peer) bool { return q == p })
	}
	delete(s.conns, conn)
}

// Close stops accepting, gives what is queued for the peers up to linger to
// leave, and ends every connection. It returns when all goroutines of the
// socket have ended.
func (s *socket) Close(linger time.Duration) {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		s.running.Wait()
		return
	}
	s.closed = true
	for conn, p := range s.conns {
		if p == nil {
			conn.Close()
		} else {
			p.drain()
		}
	}
	s.mu.Unlock()
	s.ln.Close()

	done := make(chan struct{})
	go func() { s.running.Wait(); close(done) }()
	timer := time.NewTimer(linger)
	defer timer.Stop()
	select {
	case <-done:
		return
	case <-timer.C:
	}
	s.mu.Lock()
	for _, p := range s.peers {
		p.Close()
	}
	s.mu.Unlock()
	<-done
}
