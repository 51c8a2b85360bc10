package kernel

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-zeromq/zmq4"
)

func session(t *testing.T) (*running, *client) {
	t.Helper()
	k := start(t, Options{})
	return k, connect(t, k.conn.path, true)
}

// TestCells has the sequence of outputs, and the reply, of one cell each.
func TestCells(t *testing.T) {
	_, c := session(t)
	for _, x := range []struct {
		cell, status, outputs string
	}{
		{"1 + 1", "ok", "execute_input execute_result"},
		{"print a\nprint b", "ok", "execute_input stream"},
		{"print a\neprint b\nprint c", "ok", "execute_input stream stream stream"},
		{"print before\n1", "ok", "execute_input stream execute_result"},
		{"print before\nerror bad", "error", "execute_input stream error"},
		{"print before\npanic", "error", "execute_input stream error"},
		{"nonsense", "error", "execute_input error"},
		{"display - x", "ok", "execute_input display_data"},
		{"display d x\nupdate d y", "ok", "execute_input display_data update_display_data"},
		{"print a\nclear wait\nprint b", "ok", "execute_input stream clear_output stream"},
		{"", "ok", "execute_input"},
		{"badjson", "ok", "execute_input display_data"},
		{"raw \"h\\u00e9 \\U0001F680\\n\"", "ok", "execute_input stream"},
	} {
		reply, out := c.execute(x.cell)
		if got := types(out); got != x.outputs || reply.Content["status"] != x.status {
			t.Errorf("%q: %s, %v; want %s, %s", x.cell, got, reply.Content["status"], x.outputs, x.status)
		}
		for _, m := range out {
			for field := range map[string]bool{"data": true, "metadata": true, "transient": true} {
				if v, ok := m.Content[field]; ok && v == nil {
					t.Errorf("%q: %s of %s is null", x.cell, field, m.Type)
				}
			}
		}
		for _, field := range []string{"execution_count", "payload", "user_expressions"} {
			if reply.Content[field] == nil {
				t.Errorf("%q: the reply lacks %s", x.cell, field)
			}
		}
		if reply.Metadata["started"] == nil {
			t.Errorf("%q: the reply does not say when it started", x.cell)
		}
	}
}

func TestContents(t *testing.T) {
	_, c := session(t)
	for _, x := range []struct {
		cell string
		path string // type.field.field of an output, or reply.field
		want any
	}{
		{"1 + 1", "execute_result.data.text/plain", "2"},
		{"display a b", "display_data.data.application/json", map[string]any{"x": 1.0}},
		{"display a b", "display_data.transient.display_id", "a"},
		{"display - b", "display_data.transient", map[string]any{}},
		{"badjson", "display_data.data", map[string]any{"text/plain": "kept"}},
		{"clear", "clear_output.wait", false},
		{"error bad thing", "error.ename", "syntax"},
		{"error bad thing", "error.evalue", "bad thing"},
		{"error bad thing", "reply.evalue", "bad thing"},
		{"panic oh", "reply.ename", "internal"},
		{"page text", "reply.payload", []any{map[string]any{"source": "page", "start": 0.0, "data": map[string]any{"text/plain": "text"}}}},
		{"next x = 1", "reply.payload", []any{map[string]any{"source": "set_next_input", "text": "x = 1", "replace": false}}},
		{"exit", "reply.payload", []any{map[string]any{"source": "ask_exit", "keepkernel": false}}},
		{"raw \"\\xff\\xfe\"", "stream.text", "\uFFFD\uFFFD"},
		{"raw \"\\u00e9\\U0001F680\"", "stream.text", "é🚀"},
	} {
		reply, out := c.execute(x.cell)
		kind, rest, _ := strings.Cut(x.path, ".")
		var v any
		if kind == "reply" {
			v = any(reply.Content)
		}
		for _, m := range out {
			if m.Type == kind {
				v = m.Content
			}
		}
		for _, key := range strings.SplitN(rest, ".", 2) {
			m, _ := v.(map[string]any)
			v = m[key]
		}
		if !reflect.DeepEqual(v, x.want) {
			t.Errorf("%q: %s is %v, want %v", x.cell, x.path, v, x.want)
		}
	}
}

func TestExecutionCounts(t *testing.T) {
	_, c := session(t)
	for i, x := range []struct {
		silent, store bool
		want          float64
	}{
		{true, true, 0}, {false, true, 1}, {false, false, 1}, {true, false, 1}, {false, true, 2}, {true, true, 2},
	} {
		id := c.send(c.shell, "execute_request", map[string]any{"code": "1", "silent": x.silent, "store_history": x.store})
		reply := c.reply(c.shellIn, id)
		if got := reply.Content["execution_count"]; got != x.want {
			t.Errorf("request %d: count %v, want %v", i, got, x.want)
		}
		for _, m := range inner(c.outputs(id)) {
			if x.silent {
				t.Errorf("request %d is silent and published %s", i, m.Type)
			} else if n, ok := m.Content["execution_count"]; ok && n != x.want {
				t.Errorf("request %d: %s counts %v, want %v", i, m.Type, n, x.want)
			}
		}
	}
	// What is not said: store_history is the opposite of silent.
	id := c.send(c.shell, "execute_request", map[string]any{"code": "1"})
	if got := c.reply(c.shellIn, id).Content["execution_count"]; got != 3.0 {
		t.Errorf("a request without store_history counts %v, want 3", got)
	}
}

func TestSilentCells(t *testing.T) {
	_, c := session(t)
	for _, cell := range []string{"print a", "display - x", "1", "error bad", "clear", "progress 300", "panic"} {
		id := c.send(c.shell, "execute_request", map[string]any{"code": cell, "silent": true})
		c.reply(c.shellIn, id)
		if out := inner(c.outputs(id)); len(out) > 0 {
			t.Errorf("silent %q published %s", cell, types(out))
		}
	}
}

func TestUserExpressions(t *testing.T) {
	_, c := session(t)
	request := code("1")
	request["user_expressions"] = map[string]any{"good": "1 + 2", "bad": "nope", "odd": 7}
	id := c.send(c.shell, "execute_request", request)
	reply := c.reply(c.shellIn, id)
	values := reply.Content["user_expressions"].(map[string]any)
	good, bad, odd := values["good"].(map[string]any), values["bad"].(map[string]any), values["odd"].(map[string]any)
	if reply.Content["status"] != "ok" || good["status"] != "ok" || good["data"].(map[string]any)["text/plain"] != "3" {
		t.Errorf("good expression: %v", reply.Content)
	}
	for _, v := range []map[string]any{bad, odd} {
		if v["status"] != "error" || v["ename"] == nil || v["evalue"] == nil || v["traceback"] == nil {
			t.Errorf("bad expression: %v", v)
		}
	}
	request["code"] = "error x"
	id = c.send(c.shell, "execute_request", request)
	if got := c.reply(c.shellIn, id).Content["user_expressions"]; len(got.(map[string]any)) != 0 {
		t.Errorf("evaluated after an error: %v", got)
	}
}

func TestCellsKnowTheirNotebook(t *testing.T) {
	k, c := session(t)
	id := c.sendWith(c.shell, "execute_request", code("1"),
		map[string]any{"cellId": "c-7", "deletedCells": []string{"c-1", "c-2"}, "recordTiming": true}, nil, time.Now())
	c.reply(c.shellIn, id)
	id = c.sendWith(c.shell, "execute_request", code("1"), map[string]any{"cellId": 5}, nil, time.Now())
	c.reply(c.shellIn, id)
	cells := k.interp.Cells()
	if cells[0].ID != "c-7" || fmt.Sprint(cells[0].DeletedIDs) != "[c-1 c-2]" || cells[0].Name != "cell 1" || cells[0].Count != 1 {
		t.Errorf("cell %+v", cells[0])
	}
	if cells[1].ID != "" || cells[1].Count != 2 {
		t.Errorf("cell with odd metadata %+v", cells[1])
	}
}

func TestParentHeaderIsCopiedByteForByte(t *testing.T) {
	_, c := session(t)
	header := `{"msg_id": "x1", "session":"s", "username":"u","date":"2026-01-01T00:00:00Z", "msg_type":"kernel_info_request","version":"5.4", "subshell_id":  null, "extra": [1, 2]}`
	part := []byte("{}")
	frames := c.signer.EncodeContent(fmt.Appendf(nil, "%s%s%s%s", header, part, part, part))
	frames = append(frames[:2], []byte(header), part, part, part)
	if err := c.shell.SendMulti(zmq4.NewMsgFrom(frames...)); err != nil {
		t.Fatal(err)
	}
	if m := c.reply(c.shellIn, "x1"); m.RawParent != header {
		t.Errorf("parent %s", m.RawParent)
	}
	if m := c.outputs("x1")[0]; m.RawParent != header {
		t.Errorf("parent on iopub %s", m.RawParent)
	}
}

// Twenty cells wait behind one that fails: all are aborted, other requests
// among them are answered, and a cell sent after the error reply runs.
func TestErrorAbortsWhatWasSentBefore(t *testing.T) {
	_, c := session(t)
	failing := c.send(c.shell, "execute_request", code("sleep 200\nerror bad"))
	var queued []string
	var info string
	for i := range 20 {
		queued = append(queued, c.send(c.shell, "execute_request", code("1")))
		if i == 10 {
			info = c.send(c.shell, "kernel_info_request", map[string]any{})
		}
	}
	if m := c.reply(c.shellIn, failing); m.Content["status"] != "error" {
		t.Fatalf("reply %v", m.Content)
	}
	after := c.send(c.shell, "execute_request", code("2"))
	for i, id := range queued {
		if i == 11 {
			if m := c.reply(c.shellIn, info); m.Content["status"] != "ok" {
				t.Errorf("kernel_info among aborted cells: %v", m.Content)
			}
		}
		if m := c.reply(c.shellIn, id); m.Content["status"] != "aborted" || m.Content["execution_count"] == nil {
			t.Errorf("queued cell %d: %v", i, m.Content)
		}
		if out := inner(c.outputs(id)); len(out) > 0 {
			t.Errorf("aborted cell %d published %s", i, types(out))
		}
	}
	if m := c.reply(c.shellIn, after); m.Content["status"] != "ok" {
		t.Errorf("the cell after the error: %v", m.Content)
	}
}

func TestErrorAbortsByDateOfTheSession(t *testing.T) {
	_, c := session(t)
	other := connect(t, c.conn.path, false)
	before := time.Now()
	c.execute("error bad")
	// Still under way when the error came, as its date says.
	late := c.sendWith(c.shell, "execute_request", code("1"), nil, nil, before)
	if m := c.reply(c.shellIn, late); m.Content["status"] != "aborted" {
		t.Errorf("a cell made before the error: %v", m.Content)
	}
	c.outputs(late)
	strange := other.sendWith(other.shell, "execute_request", code("1"), nil, nil, before)
	if m := other.reply(other.shellIn, strange); m.Content["status"] != "ok" {
		t.Errorf("a cell of another session: %v", m.Content)
	}
	if m, _ := c.execute("1"); m.Content["status"] != "ok" {
		t.Errorf("a cell made after the error: %v", m.Content)
	}
}

func TestStopOnErrorCanBeOff(t *testing.T) {
	_, c := session(t)
	request := code("sleep 100\nerror bad")
	request["stop_on_error"] = false
	c.send(c.shell, "execute_request", request)
	id := c.send(c.shell, "execute_request", code("1"))
	if m := c.reply(c.shellIn, id); m.Content["status"] != "ok" {
		t.Errorf("the next cell: %v", m.Content)
	}
}

func TestSessionSurvivesPanics(t *testing.T) {
	_, c := session(t)
	c.execute("add 5")
	c.execute("panic in the interpreter")
	if m := c.ask("complete_request", map[string]any{"code": "panicnow", "cursor_pos": 8}); m.Content["status"] != "error" {
		t.Errorf("a panic in completion: %v", m.Content)
	}
	if _, out := c.execute("add 2"); out[1].Content["data"].(map[string]any)["text/plain"] != "7" {
		t.Errorf("after the panics: %v", out[1].Content)
	}
}

func TestOpenFailureIsTheErrorOfEveryCell(t *testing.T) {
	for name, open := range map[string]func() (Interpreter, error){
		"error": func() (Interpreter, error) { return nil, noInputError("of a broken library") },
		"panic": func() (Interpreter, error) { panic("broken library") },
	} {
		k := start(t, Options{Open: open})
		c := connect(t, k.conn.path, true)
		if m := c.ask("kernel_info_request", map[string]any{}); m.Content["status"] != "ok" {
			t.Errorf("%s: kernel_info %v", name, m.Content)
		}
		m, out := c.execute("1")
		if m.Content["status"] != "error" || !strings.Contains(m.Content["evalue"].(string), "broken library") || types(out) != "execute_input error" {
			t.Errorf("%s: %v, %s", name, m.Content, types(out))
		}
		if m := c.ask("complete_request", map[string]any{"code": "pr", "cursor_pos": 2}); m.Content["status"] != "ok" {
			t.Errorf("%s: complete %v", name, m.Content)
		}
	}
}
