package zmtp

import (
	"net"

	"github.com/go-zeromq/zmq4"
)

// A Router is a bound ROUTER socket: shell, control or stdin.
type Router struct{ socket }

// NewRouter serves ln. handle is called for each message, from the goroutine
// that reads its peer: messages of one peer come in order, those of two may
// come at once. While handle does not return, that peer alone is read no
// further.
func NewRouter(ln net.Listener, handle func(p *Peer, frames [][]byte)) *Router {
	r := &Router{socket{ln: ln, typ: zmq4.Router, message: handle}}
	r.start()
	return r
}

// Peer is the latest connection whose peer calls itself identity; nil where
// there is none. The empty identity names nobody.
func (r *Router) Peer(identity string) *Peer {
	if identity == "" {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := len(r.peers) - 1; i >= 0; i-- {
		if r.peers[i].identity == identity {
			return r.peers[i]
		}
	}
	return nil
}

// An Echo is the heartbeat: a ROUTER that sends each message back as it came.
// It is no REP, which a malformed request would block.
type Echo struct{ socket }

// NewEcho serves ln.
func NewEcho(ln net.Listener) *Echo {
	e := &Echo{socket{ln: ln, typ: zmq4.Router}}
	e.message = func(p *Peer, frames [][]byte) { p.Send(Encode(frames...)) }
	e.start()
	return e
}
