package zmtp

import (
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/go-zeromq/zmq4"
	"github.com/go-zeromq/zmq4/security/null"
)

// handshakeTime is how long a peer may take to greet. A connection that stays
// silent is closed then.
const handshakeTime = 5 * time.Second

// maxReady bounds the READY command of a peer: socket type, identity and a
// few properties.
const maxReady = 8 << 10

// greetingSize is fixed by ZMTP 3.
const greetingSize = 64

// handshake greets the peer behind conn and answers its identity, "" where it
// gave none. It leaves conn without a deadline and reads no byte beyond the
// handshake.
func handshake(conn net.Conn, typ zmq4.SocketType, server bool) (identity string, err error) {
	// zmq4 parses what an unknown peer sent; whatever it makes of that must
	// not take the process with it.
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("zmtp: handshake: %v", r)
		}
	}()
	if err := conn.SetDeadline(time.Now().Add(handshakeTime)); err != nil {
		return "", err
	}
	c, err := zmq4.Open(&greeter{Conn: conn}, null.Security(), typ, nil, server, nil)
	if err != nil {
		return "", err
	}
	return c.Peer.Meta["Identity"], conn.SetDeadline(time.Time{})
}

// A greeter stands between a connection and zmq4 while they shake hands. zmq4
// makes room for whatever length a frame claims, so the greeter reads the one
// frame of the handshake itself, with a cap, and hands it on.
type greeter struct {
	net.Conn
	taken int    // bytes of the greeting handed on
	ready []byte // rest of the READY frame
	done  bool   // READY has been read
}

var errHandshakeOver = errors.New("zmtp: more than one frame in the handshake")

// Read hands on the greeting, then one frame, then fails.
func (g *greeter) Read(p []byte) (int, error) {
	if g.taken < greetingSize {
		if rest := greetingSize - g.taken; len(p) > rest {
			p = p[:rest]
		}
		n, err := g.Conn.Read(p)
		g.taken += n
		return n, err
	}
	if !g.done {
		g.done = true
		f, err := readFrame(g.Conn, maxReady)
		if err != nil {
			return 0, err
		}
		if !f.command {
			return 0, ErrFrame
		}
		g.ready = appendFrame(nil, flagCommand, f.body)
	}
	if len(g.ready) == 0 {
		return 0, errHandshakeOver
	}
	n := copy(p, g.ready)
	g.ready = g.ready[n:]
	return n, nil
}

var _ io.Reader = (*greeter)(nil)
