package zmtp

import (
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-zeromq/zmq4"
)

const (
	// slackLimit is how many bytes may wait for a subscriber before messages
	// that can be missed are held back from it.
	slackLimit = 8 << 20
	// patience is how long a subscriber over the limit may take no byte
	// before it counts as stalled and is waited for no more.
	patience = time.Second
)

// A Class says what becomes of a message when a subscriber reads slowly.
type Class uint8

const (
	// Prompt messages are queued at once and never dropped: status, replies.
	Prompt Class = iota
	// Steady messages wait while a subscriber has much to read and is
	// reading, and are never dropped: displays, results.
	Steady
	// Missable messages wait likewise and are dropped for a subscriber that
	// has stopped reading: streams.
	Missable
)

// An XPub is a bound XPUB socket: iopub.
type XPub struct {
	socket
	welcome func(topic string) [][]byte
	order   sync.Mutex // held while a message is queued to all: every subscriber sees one order
	first   sync.Once
	ready   chan struct{}
}

// NewXPub serves ln. welcome makes the messages, from Encode, that a new
// subscriber of topic is sent before all others; nil sends none. What welcome
// reports of the state of things is in order with what is published.
func NewXPub(ln net.Listener, welcome func(topic string) [][]byte) *XPub {
	x := &XPub{welcome: welcome, ready: make(chan struct{})}
	x.socket = socket{ln: ln, typ: zmq4.XPub}
	x.message = func(p *Peer, frames [][]byte) {
		if len(frames) != 1 || len(frames[0]) == 0 {
			return
		}
		switch topic := string(frames[0][1:]); frames[0][0] {
		case 1:
			x.subscribe(p, topic)
		case 0:
			x.cancel(p, topic)
		}
	}
	// ZMTP 3.1 says the same with commands.
	x.control = func(p *Peer, name string, data []byte) {
		switch name {
		case "SUBSCRIBE":
			x.subscribe(p, string(data))
		case "CANCEL":
			x.cancel(p, string(data))
		}
	}
	x.start()
	return x
}

// Ready is closed at the first subscription of all.
func (x *XPub) Ready() <-chan struct{} { return x.ready }

// maxTopics bounds the subscriptions of one peer.
const maxTopics = 256

func (x *XPub) subscribe(p *Peer, topic string) {
	x.order.Lock()
	p.mu.Lock()
	if p.topics == nil {
		p.topics = map[string]bool{}
	}
	if len(p.topics) < maxTopics {
		p.topics[topic] = true
		if x.welcome != nil {
			for _, wire := range x.welcome(topic) {
				p.send(wire)
			}
		}
	}
	p.mu.Unlock()
	x.order.Unlock()
	x.first.Do(func() { close(x.ready) })
}

func (x *XPub) cancel(p *Peer, topic string) {
	p.mu.Lock()
	delete(p.topics, topic)
	p.mu.Unlock()
}

// wants reports whether a subscription of p is a prefix of topic; p.mu held.
func (p *Peer) wants(topic string) bool {
	for t := range p.topics {
		if strings.HasPrefix(topic, t) {
			return true
		}
	}
	return false
}

// Publish queues a message from Encode, whose first frame is topic, for every
// subscriber that wants it. What is not Prompt waits for slow readers, so that
// a flood of output neither fills the memory nor loses a line; the wait ends
// when stop is closed.
func (x *XPub) Publish(topic string, wire []byte, class Class, stop <-chan struct{}) {
	if class != Prompt {
		x.await(topic, stop)
	}
	x.order.Lock()
	defer x.order.Unlock()
	for _, p := range x.subscribers() {
		p.mu.Lock()
		if p.wants(topic) && !(class == Missable && p.bytes > slackLimit && time.Since(p.progress) >= patience) {
			p.send(wire)
		}
		p.mu.Unlock()
	}
}

// await returns when no subscriber is crowded, or stop is closed.
func (x *XPub) await(topic string, stop <-chan struct{}) {
	for x.crowded(topic) {
		select {
		case <-stop:
			return
		case <-time.After(2 * time.Millisecond):
		}
	}
}

// crowded reports whether some subscriber has much to read and is reading.
func (x *XPub) crowded(topic string) bool {
	now := time.Now()
	for _, p := range x.subscribers() {
		p.mu.Lock()
		crowded := p.wants(topic) && p.bytes > slackLimit && now.Sub(p.progress) < patience
		p.mu.Unlock()
		if crowded {
			return true
		}
	}
	return false
}

func (x *XPub) subscribers() []*Peer {
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.Clone(x.peers)
}
