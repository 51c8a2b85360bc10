package kernel

import (
	"context"
	"encoding/json"
)

// This file answers the requests that steer the kernel. They come on control,
// whose goroutine is free while a cell runs.

func (k *server) interruptRequest(_ context.Context, _ *request) (*reply, error) {
	k.running.interrupt()
	return &reply{msgType: "interrupt_reply", content: object{"status": "ok"}}, nil
}

func (k *server) shutdown(_ context.Context, r *request) (*reply, error) {
	var c struct {
		Restart bool `json:"restart"`
	}
	if err := read(r, &c); err != nil {
		return nil, err
	}
	content := object{"status": "ok", "restart": c.Restart}
	k.running.interrupt()
	return &reply{msgType: "shutdown_reply", content: content, then: func() {
		k.publish(r.msg.RawHeader, "shutdown_reply", content)
		// The idle that is still to come leaves before the sockets close.
		k.end()
	}}, nil
}

// debugRequest refuses in the words of the Debug Adapter Protocol.
func (k *server) debugRequest(_ context.Context, r *request) (*reply, error) {
	var c struct {
		Seq     json.RawMessage `json:"seq"`
		Command string          `json:"command"`
	}
	_ = json.Unmarshal(r.msg.Content, &c) // whatever it is, the answer is no
	if len(c.Seq) == 0 {
		c.Seq = json.RawMessage("0")
	}
	return &reply{msgType: "debug_reply", content: object{"type": "response", "success": false,
		"command": c.Command, "request_seq": c.Seq, "seq": 0, "message": "not supported"}}, nil
}

func (k *server) usageRequest(_ context.Context, _ *request) (*reply, error) {
	return &reply{msgType: "usage_reply", content: k.usage.read()}, nil
}
