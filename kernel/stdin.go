package kernel

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/orrery-sysml/orrery/kernel/wire"
	"github.com/orrery-sysml/orrery/kernel/zmtp"
)

// An asker is the one question that may be open. Safe for any goroutine.
type asker struct {
	mu     sync.Mutex
	peer   *zmtp.Peer  // who was asked; nil: nobody
	id     string      // of the input_request
	answer chan string // takes one
}

func (a *asker) open(peer *zmtp.Peer, id string) <-chan string {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.peer, a.id, a.answer = peer, id, make(chan string, 1)
	return a.answer
}

func (a *asker) close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.peer = nil
}

// take hands on an answer, unless it is one to an earlier question. Many
// clients do not say what they answer.
func (a *asker) take(peer *zmtp.Peer, parent, value string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.peer != peer || parent != "" && parent != a.id {
		return
	}
	a.peer = nil
	a.answer <- value
}

// takeInput handles the stdin channel.
func (k *server) takeInput(p *zmtp.Peer, frames [][]byte) {
	msg, err := k.signer.Decode(frames)
	if err != nil {
		k.log.dropped(err)
		return
	}
	var c struct {
		Value string `json:"value"`
	}
	if msg.Header.MsgType == "input_reply" && json.Unmarshal(msg.Content, &c) == nil {
		k.ask.take(p, msg.ParentID(), c.Value)
	}
}

// stdinWait is how long a client's stdin connection may lag behind its shell.
const stdinWait = 200 * time.Millisecond

// stdinPeer is the stdin connection of the client that sent r, nil where it
// has none.
func (k *server) stdinPeer(ctx context.Context, r *request) *zmtp.Peer {
	identity := r.peer.Identity()
	for deadline := time.Now().Add(stdinWait); ; {
		if p := k.stdin.Peer(identity); p != nil || identity == "" || time.Now().After(deadline) {
			return p
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// eof is what a client answers where the user closed the input.
const eof = "\x04"

// Ask sends an input_request to the client that sent the cell and waits for
// its answer or for an interrupt.
func (o *output) Ask(ctx context.Context, prompt string, password bool) (string, error) {
	o.mu.Lock()
	closed := o.closed
	o.flush(true)
	o.mu.Unlock()
	switch {
	case closed:
		return "", noInputError("the cell has ended")
	case !o.req.AllowStdin:
		return "", noInputError("the client does not take questions from this cell")
	}
	peer := o.k.stdinPeer(ctx, o.r)
	if err := ctx.Err(); err != nil {
		return "", err
	}
	if peer == nil {
		return "", noInputError("the client that sent the cell is not connected to the stdin channel")
	}
	h := o.k.header("input_request")
	answer := o.k.ask.open(peer, h.MsgID)
	defer o.k.ask.close()
	if !o.k.sendTo(peer, o.r, h, object{"prompt": prompt, "password": password}) {
		return "", noInputError("the client has gone")
	}
	select {
	case value := <-answer:
		if value == eof {
			return "", endOfInputError()
		}
		return value, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// sendTo sends a message that is no reply to one peer of the stdin channel.
func (k *server) sendTo(peer *zmtp.Peer, r *request, h *wire.Header, content any) bool {
	frames, err := k.signer.Encode(r.msg.Route, h, r.msg.RawHeader, nil, content, nil)
	return err == nil && peer.Send(zmtp.Encode(frames...))
}
