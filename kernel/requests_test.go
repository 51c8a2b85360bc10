package kernel

import (
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestReplies(t *testing.T) {
	_, c := session(t)
	for _, x := range []struct {
		request string
		content map[string]any
		reply   map[string]any // some of its content
	}{
		{"kernel_info", nil, map[string]any{"status": "ok", "protocol_version": "5.5", "implementation": "orrery",
			"debugger": false, "supported_features": []any{}, "help_links": []any{}}},
		{"complete", map[string]any{"code": "pri", "cursor_pos": 3}, map[string]any{"status": "ok",
			"matches": []any{"print"}, "cursor_start": 0.0, "cursor_end": 3.0,
			"metadata": map[string]any{"_jupyter_types_experimental": []any{map[string]any{
				"start": 0.0, "end": 3.0, "text": "print", "type": "command", "signature": "print TEXT"}}}}},
		{"complete", map[string]any{"code": "é🚀 pri", "cursor_pos": 6}, map[string]any{"matches": []any{"print"}, "cursor_start": 3.0, "cursor_end": 6.0}},
		{"complete", map[string]any{"code": "pri", "cursor_pos": 99}, map[string]any{"cursor_start": 0.0, "cursor_end": 3.0}},
		{"complete", map[string]any{"code": "pri", "cursor_pos": -4}, map[string]any{"matches": []any{}, "cursor_start": 0.0, "cursor_end": 0.0, "metadata": map[string]any{}}},
		{"complete", map[string]any{"code": "x"}, map[string]any{"matches": []any{}, "cursor_start": 1.0, "cursor_end": 1.0}},
		{"inspect", map[string]any{"code": "print", "cursor_pos": 5, "detail_level": 1}, map[string]any{"status": "ok", "found": true,
			"data": map[string]any{"text/plain": "print TEXT (detail 1)", "text/markdown": "**print** TEXT"}}},
		{"inspect", map[string]any{"code": "nothing", "cursor_pos": 3}, map[string]any{"status": "ok", "found": false, "data": map[string]any{}, "metadata": map[string]any{}}},
		{"is_complete", map[string]any{"code": "a {"}, map[string]any{"status": "incomplete", "indent": "    "}},
		{"is_complete", map[string]any{"code": "a"}, map[string]any{"status": "complete", "indent": nil}},
		{"is_complete", map[string]any{"code": "}"}, map[string]any{"status": "invalid"}},
		{"comm_info", map[string]any{"target_name": "x"}, map[string]any{"status": "ok", "comms": map[string]any{}}},
		{"debug", map[string]any{"type": "request", "command": "attach", "seq": 4}, map[string]any{"type": "response", "success": false, "command": "attach", "request_seq": 4.0, "message": "not supported"}},
		{"debug", map[string]any{}, map[string]any{"success": false, "request_seq": 0.0}},
		{"interrupt", map[string]any{}, map[string]any{"status": "ok"}},
	} {
		if x.content == nil {
			x.content = map[string]any{}
		}
		m := c.ask(x.request+"_request", x.content)
		if m.Type != x.request+"_reply" {
			t.Errorf("%s is answered by %s", x.request, m.Type)
		}
		for key, want := range x.reply {
			if !reflect.DeepEqual(m.Content[key], want) {
				t.Errorf("%s %v: %s is %v, want %v", x.request, x.content, key, m.Content[key], want)
			}
		}
	}
	info := c.ask("kernel_info_request", map[string]any{}).Content["language_info"].(map[string]any)
	for key, want := range map[string]any{"name": "sysml", "mimetype": "text/x-sysml", "file_extension": ".sysml", "pygments_lexer": "java"} {
		if info[key] != want {
			t.Errorf("language_info.%s is %v", key, info[key])
		}
	}
	if m := c.ask("connect_request", map[string]any{}); m.Content["shell_port"] != float64(c.conn.ShellPort) {
		t.Errorf("connect_reply %v", m.Content)
	}
	usage := c.ask("usage_request", map[string]any{})
	if usage.Content["pid"] == nil || usage.Content["cpu_count"] == nil {
		t.Errorf("usage_reply %v", usage.Content)
	}
}

// What no reply belongs to is busy and idle all the same.
func TestMessagesWithoutReply(t *testing.T) {
	_, c := session(t)
	for _, x := range []struct {
		msgType string
		content map[string]any
		outputs string
	}{
		{"comm_open", map[string]any{"comm_id": "c1", "target_name": "jupyter.widget", "data": map[string]any{}}, "comm_close"},
		{"comm_msg", map[string]any{"comm_id": "c1", "data": map[string]any{}}, ""},
		{"comm_close", map[string]any{"comm_id": "c1", "data": map[string]any{}}, ""},
		{"create_subshell_request", map[string]any{}, ""},
		{"unheard_of", map[string]any{}, ""},
	} {
		id := c.send(c.shell, x.msgType, x.content)
		out := inner(c.outputs(id))
		if types(out) != x.outputs {
			t.Errorf("%s publishes %q, want %q", x.msgType, types(out), x.outputs)
		}
		if x.msgType == "comm_open" && out[0].Content["comm_id"] != "c1" {
			t.Errorf("comm_close %v", out[0].Content)
		}
	}
	if m := c.ask("kernel_info_request", map[string]any{}); m.Type != "kernel_info_reply" {
		t.Errorf("the next reply is %s", m.Type)
	}
}

// Contents that no honest client sends are answered with an error.
func TestMalformedContents(t *testing.T) {
	_, c := session(t)
	for _, name := range []string{"execute", "complete", "inspect", "is_complete", "history", "shutdown"} {
		for _, content := range []map[string]any{
			{"code": 7, "hist_access_type": []int{}, "restart": "x"}, {"code": map[string]any{}, "session": "no", "restart": []int{}},
		} {
			m := c.ask(name+"_request", content)
			if m.Type != name+"_reply" || m.Content["status"] != "error" || m.Content["evalue"] == "" {
				t.Errorf("%s %v: %s %v", name, content, m.Type, m.Content)
			}
		}
	}
	if m, _ := c.execute("1"); m.Content["execution_count"] != 1.0 {
		t.Errorf("a cell afterwards: %v", m.Content)
	}
}

// Interpreting requests on control would run beside a cell; they are refused.
func TestControlExecutesNothing(t *testing.T) {
	k, c := session(t)
	id := c.send(c.control, "execute_request", code("1"))
	c.outputs(id)
	if n := len(k.interp.Cells()); n != 0 {
		t.Errorf("%d cells ran", n)
	}
}

// Whatever is wrong with a message, it is dropped, noted, and the next one is
// answered.
func TestUnsignedMessagesAreDropped(t *testing.T) {
	k, c := session(t)
	forged, err := (&connection{Key: "wrong"}).signer()
	if err != nil {
		t.Fatal(err)
	}
	forger := *c
	forger.signer = forged
	for range 25 {
		forger.send(c.shell, "execute_request", code("print evil"))
		forger.send(c.control, "shutdown_request", map[string]any{"restart": false})
	}
	if m, _ := c.execute("1"); m.Content["execution_count"] != 1.0 {
		t.Errorf("the next cell: %v", m.Content)
	}
	if log := k.log.String(); !strings.Contains(log, "wrong signature") || strings.Count(log, "\n") > 4 {
		t.Errorf("log:\n%s", log)
	}
}

func TestShutdown(t *testing.T) {
	for _, restart := range []bool{false, true} {
		k, c := session(t)
		running := c.send(c.shell, "execute_request", code("spin"))
		c.expect(c.iopubIn, "execute_input")
		id := c.send(c.control, "shutdown_request", map[string]any{"restart": restart})
		if m := c.reply(c.controlIn, id); m.Content["status"] != "ok" || m.Content["restart"] != restart {
			t.Errorf("shutdown_reply %v", m.Content)
		}
		seen := map[string]bool{}
		for m := range c.iopubIn {
			if m.Parent == id {
				seen[m.Type] = true
				if m.Content["execution_state"] == "idle" {
					seen["idle"] = true
					break
				}
			}
		}
		if !seen["shutdown_reply"] || !seen["idle"] {
			t.Errorf("published about the shutdown: %v", seen)
		}
		if m := c.reply(c.shellIn, running); m.Content["ename"] != "KeyboardInterrupt" {
			t.Errorf("the cell that ran: %v", m.Content)
		}
		began := time.Now()
		<-k.done
		if took := time.Since(began); took > prompt {
			t.Errorf("the kernel took %v to end", took)
		}
	}
}

// A cell that hears no interrupt does not keep the kernel.
func TestShutdownDoesNotWaitForADeafCell(t *testing.T) {
	k, c := session(t)
	c.send(c.shell, "execute_request", code("deaf 6000"))
	c.expect(c.iopubIn, "execute_input")
	began := time.Now()
	c.reply(c.controlIn, c.send(c.control, "shutdown_request", map[string]any{}))
	<-k.done
	if took := time.Since(began); took > 2*prompt {
		t.Errorf("the kernel took %v to end", took)
	}
}
