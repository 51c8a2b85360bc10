package kernel

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/orrery-sysml/orrery/kernel/wire"
	"github.com/orrery-sysml/orrery/kernel/zmtp"
)

// This file makes the messages that leave the kernel.

// object is the content of a message.
type object = map[string]any

func (k *server) header(msgType string) *wire.Header {
	return &wire.Header{
		MsgID:   fmt.Sprintf("%s_%d_%d", k.session, os.Getpid(), k.serial.Add(1)),
		Session: k.session, Username: "kernel", Date: wire.Date(time.Now()),
		MsgType: msgType, Version: wire.ProtocolVersion,
	}
}

// publish sends content to all iopub subscribers with the raw header parent.
func (k *server) publish(parent json.RawMessage, msgType string, content any) {
	k.publishAs(zmtp.Prompt, nil, parent, msgType, content)
}

// publishAs is publish of another class, whose wait for slow readers stop ends.
func (k *server) publishAs(class zmtp.Class, stop <-chan struct{}, parent json.RawMessage, msgType string, content any) {
	topic := k.topic(msgType)
	if wire := k.iopubMessage(topic, parent, msgType, content); wire != nil {
		k.iopub.Publish(topic, wire, class, stop)
	}
}

// topic is the first frame of an iopub message.
func (k *server) topic(msgType string) string { return "kernel." + k.session + "." + msgType }

// iopubMessage is a message on the wire, nil where it cannot be written.
func (k *server) iopubMessage(topic string, parent json.RawMessage, msgType string, content any) []byte {
	frames, err := k.signer.Encode([][]byte{[]byte(topic)}, k.header(msgType), parent, nil, content, nil)
	if err != nil {
		k.log.printf("a %s could not be written: %v", msgType, err)
		return nil
	}
	return zmtp.Encode(frames...)
}

// status publishes "busy" or "idle" about the request with header parent.
func (k *server) status(parent json.RawMessage, state string) {
	k.publish(parent, "status", object{"execution_state": state})
}

// welcome is what a subscriber of iopub hears first. One that comes when the
// kernel has been at work learns whether it is: a front end that connects
// again after a restart asks nothing that would tell it.
func (k *server) welcome(topic string) [][]byte {
	if !utf8.ValidString(topic) {
		return nil
	}
	list := [][]byte{k.iopubMessage(topic, nil, "iopub_welcome", object{"subscription": topic})}
	state := k.condition.get()
	if status := k.topic("status"); state != "" && strings.HasPrefix(status, topic) {
		list = append(list, k.iopubMessage(status, nil, "status", object{"execution_state": state}))
	}
	return list
}

// A condition is whether the kernel is at work on shell. Safe for any
// goroutine; the zero condition is that of a kernel that has not been asked
// anything yet.
type condition struct {
	mu    sync.Mutex   // held while a change is published, so that all see one order
	state atomic.Value // "busy" or "idle"; unset at first
}

// get is the state, "" at first.
func (c *condition) get() string {
	state, _ := c.state.Load().(string)
	return state
}

// set changes the state and publishes that.
func (c *condition) set(state string, publish func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.state.Store(state)
	publish()
}

// announce publishes "starting", once, when there is somebody to hear it, and
// "idle" when the session is open and nothing runs in it: front ends that pass
// over the status of their own first questions would wait for that.
func (k *server) announce(ctx context.Context) {
	select {
	case <-k.iopub.Ready():
		k.status(nil, "starting")
	case <-ctx.Done():
		return
	}
	select {
	case <-k.opened:
	case <-ctx.Done():
		return
	}
	k.condition.mu.Lock()
	defer k.condition.mu.Unlock()
	if k.condition.get() != "busy" {
		k.condition.state.Store("idle")
		k.status(nil, "idle")
	}
}

// A reply is the answer to a request.
type reply struct {
	msgType  string
	content  any
	metadata any
	then     func() // run when the reply has been sent, before idle; may be nil
}

// answer sends r to who asked.
func (k *server) answer(req *request, r *reply) {
	frames, err := k.signer.Encode(req.msg.Route, k.header(r.msgType), req.msg.RawHeader, r.metadata, r.content, nil)
	if err != nil {
		k.log.printf("a %s could not be written: %v", r.msgType, err)
		frames, err = k.signer.Encode(req.msg.Route, k.header(r.msgType), req.msg.RawHeader, nil, failed(cellError(err)), nil)
		if err != nil {
			return
		}
	}
	req.peer.Send(zmtp.Encode(frames...))
}
