package kernel

import (
	"context"
	"encoding/json"

	"github.com/orrery-sysml/orrery/kernel/wire"
)

// This file answers the requests that read and do not run.

func (k *server) kernelInfo(_ context.Context, _ *request) (*reply, error) {
	links := k.opt.Links
	if links == nil {
		links = []Link{}
	}
	return &reply{msgType: "kernel_info_reply", content: object{
		"status": "ok", "protocol_version": wire.ProtocolVersion,
		"implementation": "orrery", "implementation_version": k.opt.Version,
		"language_info": k.opt.Language.info(), "banner": k.opt.Banner, "help_links": links,
		"debugger": false, "supported_features": []string{},
	}}, nil
}

// A cursor is a place in a cell, as complete and inspect ask about one.
type cursor struct {
	Code   string `json:"code"`
	Pos    *int   `json:"cursor_pos"`   // absent: the end
	Detail int    `json:"detail_level"` // inspect alone
}

// readCursor reads the content of r; Pos lies within the code afterwards.
func readCursor(r *request) (c cursor, pos int, err error) {
	if err := read(r, &c); err != nil {
		return c, 0, err
	}
	end := len([]rune(c.Code))
	if c.Pos == nil {
		return c, end, nil
	}
	return c, min(max(*c.Pos, 0), end), nil
}

func (k *server) complete(ctx context.Context, r *request) (*reply, error) {
	c, pos, err := readCursor(r)
	if err != nil {
		return nil, err
	}
	content := object{"status": "ok", "matches": []string{}, "cursor_start": pos, "cursor_end": pos, "metadata": object{}}
	interp, fault := k.interpreter(ctx)
	if fault != nil {
		return &reply{msgType: "complete_reply", content: content}, nil
	}
	found := interp.Complete(ctx, c.Code, pos)
	if len(found.Matches) > 0 {
		texts, types := []string{}, []object{}
		for _, m := range found.Matches {
			texts = append(texts, m.Text)
			types = append(types, object{"start": found.Start, "end": found.End, "text": m.Text, "type": m.Type, "signature": m.Signature})
		}
		content["matches"], content["cursor_start"], content["cursor_end"] = texts, found.Start, found.End
		content["metadata"] = object{"_jupyter_types_experimental": types}
	}
	return &reply{msgType: "complete_reply", content: content}, nil
}

func (k *server) inspect(ctx context.Context, r *request) (*reply, error) {
	c, pos, err := readCursor(r)
	if err != nil {
		return nil, err
	}
	content := object{"status": "ok", "found": false, "data": object{}, "metadata": object{}}
	if interp, fault := k.interpreter(ctx); fault == nil {
		if b, ok := interp.Inspect(ctx, c.Code, pos, min(max(c.Detail, 0), 1)); ok && !b.IsEmpty() {
			content = bundle(b)
			content["status"], content["found"] = "ok", true
		}
	}
	return &reply{msgType: "inspect_reply", content: content}, nil
}

func (k *server) isComplete(ctx context.Context, r *request) (*reply, error) {
	var c cursor
	if err := read(r, &c); err != nil {
		return nil, err
	}
	content := object{"status": "unknown"}
	if interp, fault := k.interpreter(ctx); fault == nil {
		is := interp.IsComplete(c.Code)
		content["status"] = is.Status
		if is.Status == "incomplete" {
			content["indent"] = is.Indent
		}
	}
	return &reply{msgType: "is_complete_reply", content: content}, nil
}

func (k *server) connect(_ context.Context, _ *request) (*reply, error) {
	c := k.conn
	return &reply{msgType: "connect_reply", content: object{"status": "ok",
		"shell_port": c.ShellPort, "iopub_port": c.IOPubPort, "stdin_port": c.StdinPort,
		"control_port": c.ControlPort, "hb_port": c.HBPort}}, nil
}

// There are no comm targets: a widget's kernel half would be another program.

func (k *server) commInfo(_ context.Context, _ *request) (*reply, error) {
	return &reply{msgType: "comm_info_reply", content: object{"status": "ok", "comms": object{}}}, nil
}

// commOpen refuses: the front end learns at once that nobody is there.
func (k *server) commOpen(_ context.Context, r *request) (*reply, error) {
	var c struct {
		ID string `json:"comm_id"`
	}
	if json.Unmarshal(r.msg.Content, &c) == nil && c.ID != "" {
		k.publish(r.msg.RawHeader, "comm_close", object{"comm_id": c.ID, "data": object{}})
	}
	return nil, nil
}

func (k *server) commIgnored(_ context.Context, _ *request) (*reply, error) { return nil, nil }
