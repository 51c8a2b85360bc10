package kernel

import (
	"sync"
	"time"

	"github.com/orrery-sysml/orrery/kernel/wire"
	"github.com/orrery-sysml/orrery/kernel/zmtp"
)

// A request is a message that waits for its turn on shell or control.
type request struct {
	msg     *wire.Message
	peer    *zmtp.Peer
	aborted bool // answered without being executed; guarded by the queue
}

// peerLimit is how many requests of one peer may wait; it is then read no
// further until some have been answered.
const peerLimit = 1000

// A queue holds the requests of one channel in order of arrival. It is safe
// for any goroutine.
type queue struct {
	mu      sync.Mutex
	change  sync.Cond
	waiting []*request
	byPeer  map[*zmtp.Peer]int
	aborts  map[string]time.Time // by session: cells made no later are aborted
	closed  bool
}

func newQueue() *queue {
	q := &queue{byPeer: map[*zmtp.Peer]int{}, aborts: map[string]time.Time{}}
	q.change.L = &q.mu
	return q
}

// push adds r at the end, once its peer has room.
func (q *queue) push(r *request) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.byPeer[r.peer] >= peerLimit && !q.closed {
		q.change.Wait()
	}
	if q.closed {
		return
	}
	q.waiting = append(q.waiting, r)
	q.byPeer[r.peer]++
	q.change.Broadcast()
}

// pop waits for the next request; nil means that the queue is closed. It says
// whether the request is aborted by an earlier error.
func (q *queue) pop() (r *request, aborted bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.waiting) == 0 && !q.closed {
		q.change.Wait()
	}
	if q.closed {
		return nil, false
	}
	r = q.waiting[0]
	q.waiting[0] = nil
	q.waiting = q.waiting[1:]
	if n := q.byPeer[r.peer] - 1; n > 0 {
		q.byPeer[r.peer] = n
		if n == peerLimit-1 {
			q.change.Broadcast()
		}
	} else {
		delete(q.byPeer, r.peer)
	}
	return r, r.aborted || q.overtaken(r)
}

// await waits until there is a request and leaves it there. It is false when
// the queue is closed.
func (q *queue) await() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.waiting) == 0 && !q.closed {
		q.change.Wait()
	}
	return !q.closed
}

// overtaken reports whether r was made before its client can have seen the
// error that aborts; q.mu held.
func (q *queue) overtaken(r *request) bool {
	if r.msg.Header.MsgType != "execute_request" {
		return false
	}
	until, ok := q.aborts[r.msg.Header.Session]
	if !ok {
		return false
	}
	sent := r.msg.Header.Sent()
	if !sent.IsZero() && !sent.After(until) {
		return true
	}
	// Later requests of the session were made later still.
	delete(q.aborts, r.msg.Header.Session)
	return false
}

// abortWaiting aborts every cell that has arrived. Other requests stay.
func (q *queue) abortWaiting() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, r := range q.waiting {
		if r.msg.Header.MsgType == "execute_request" {
			r.aborted = true
		}
	}
}

// abortUntil aborts cells that arrive from now on though session made them no
// later than t.
func (q *queue) abortUntil(session string, t time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.aborts[session] = t
}

// close ends every wait.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.waiting = nil
	q.change.Broadcast()
}
