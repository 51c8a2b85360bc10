package kernel

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
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
	topic := "kernel." + k.session + "." + msgType
	frames, err := k.signer.Encode([][]byte{[]byte(topic)}, k.header(msgType), parent, nil, content, nil)
	if err != nil {
		k.log.printf("a %s could not be written: %v", msgType, err)
		return
	}
	k.iopub.Publish(topic, zmtp.Encode(frames...), class, stop)
}

// status publishes "busy" or "idle" about the request with header parent.
func (k *server) status(parent json.RawMessage, state string) {
	k.publish(parent, "status", object{"execution_state": state})
}

// welcome is what a subscriber of iopub hears first.
func (k *server) welcome(topic string) []byte {
	if !utf8.ValidString(topic) {
		return nil
	}
	frames, err := k.signer.Encode([][]byte{[]byte(topic)}, k.header("iopub_welcome"), nil, nil, object{"subscription": topic}, nil)
	if err != nil {
		return nil
	}
	return zmtp.Encode(frames...)
}

// announce publishes "starting", once, when there is somebody to hear it.
func (k *server) announce(ctx context.Context) {
	select {
	case <-k.iopub.Ready():
		k.status(nil, "starting")
	case <-ctx.Done():
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
