package kernel

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// A million lines: few messages, nothing lost, idle comes.
func TestFloodOfLines(t *testing.T) {
	_, c := session(t)
	const n = 1_000_000
	began := time.Now()
	id := c.send(c.shell, "execute_request", code(fmt.Sprint("lines ", n)))
	out := inner(c.outputs(id))
	took := time.Since(began)
	if len(out) > 200 {
		t.Errorf("%d messages", len(out))
	}
	got := text(out, "stdout")
	if !strings.HasPrefix(got, "line 0\nline 1\n") || !strings.HasSuffix(got, fmt.Sprintf("line %d\n", n-1)) || strings.Count(got, "\n") != n {
		t.Errorf("%d lines arrived", strings.Count(got, "\n"))
	}
	for _, m := range out[1:] {
		if s := m.Content["text"].(string); len(s) > streamCap || !strings.HasSuffix(s, "\n") {
			t.Errorf("a piece of %d bytes ends with %q", len(s), s[max(0, len(s)-10):])
		}
	}
	t.Logf("%d lines in %v, %d messages", n, took, len(out))
}

func TestLongTextIsCutBetweenCharacters(t *testing.T) {
	_, c := session(t)
	_, out := c.execute("print x\nbytes 400000") // x puts é at odd places
	for _, m := range out[1:] {
		if s := m.Content["text"].(string); strings.Contains(s, "\uFFFD") || len(s) > streamCap {
			t.Errorf("a piece of %d bytes is torn", len(s))
		}
	}
	if got := text(out, "stdout"); got != "x\n"+strings.Repeat("é", 200000) {
		t.Errorf("%d bytes arrived", len(got))
	}
}

// Text comes while the cell runs, the first of it at once.
func TestStreamIsLive(t *testing.T) {
	_, c := session(t)
	began := time.Now()
	id := c.send(c.shell, "execute_request", code("print first\nsleep 2500\nprint second"))
	c.expect(c.iopubIn, "stream")
	if took := time.Since(began); took > prompt {
		t.Errorf("the first line came after %v", took)
	}
	c.reply(c.shellIn, id)
}

func TestProgressIsOneDisplay(t *testing.T) {
	_, c := session(t)
	if _, out := c.execute("progress 50"); len(out) != 1 {
		t.Errorf("a short operation shows %s", types(out))
	}
	began := time.Now()
	_, out := c.execute("progress 1100")
	took := time.Since(began)
	ids := map[any]bool{}
	for i, m := range out[1:] {
		want := "update_display_data"
		if i == 0 {
			want = "display_data"
		}
		if m.Type != want {
			t.Errorf("message %d is %s", i, m.Type)
			continue
		}
		ids[m.Content["transient"].(map[string]any)["display_id"]] = true
	}
	if len(ids) != 1 {
		t.Errorf("displays %v", ids)
	}
	if most := int(took/progressPause) + 2; len(out)-1 > most || len(out)-1 < 4 {
		t.Errorf("%d updates in %v", len(out)-1, took)
	}
	last := out[len(out)-1].Content["data"].(map[string]any)
	if last["text/plain"] != "counting: 1100 of 1100 ticks, done" || strings.Contains(last["text/html"].(string), "<progress") {
		t.Errorf("the last update is %v", last)
	}
}

func TestProgressOfWhatIsInterrupted(t *testing.T) {
	_, c := session(t)
	id := c.send(c.shell, "execute_request", code("progress 100000"))
	c.expect(c.iopubIn, "display_data")
	c.send(c.control, "interrupt_request", map[string]any{})
	out := c.outputsAfter(id)
	data, _ := out[len(out)-3].Content["data"].(map[string]any) // before error and idle
	if plain, _ := data["text/plain"].(string); !strings.HasSuffix(plain, ", stopped") || strings.Contains(data["text/html"].(string), "<progress") {
		t.Errorf("the last display: %s %v", types(out), data)
	}
}

func TestInterrupt(t *testing.T) {
	_, c := session(t)
	for _, cell := range []string{"spin", "sleep 100000", "lines -1", "progress 100000", "ask name?"} {
		id := c.send(c.shell, "execute_request", code(cell))
		queued := c.send(c.shell, "execute_request", code("1"))
		time.Sleep(100 * time.Millisecond)
		began := time.Now()
		stop := c.send(c.control, "interrupt_request", map[string]any{})
		if m := c.reply(c.controlIn, stop); m.Content["status"] != "ok" {
			t.Errorf("%q: interrupt_reply %v", cell, m.Content)
		}
		m := c.reply(c.shellIn, id)
		if took := time.Since(began); took > prompt {
			t.Errorf("%q ended %v after the interrupt", cell, took)
		}
		if m.Content["ename"] != "KeyboardInterrupt" {
			t.Errorf("%q: %v", cell, m.Content)
		}
		c.outputs(id)
		if m := c.reply(c.shellIn, queued); m.Content["status"] != "aborted" {
			t.Errorf("the cell behind %q: %v", cell, m.Content)
		}
		// Nothing of the old cell comes behind its idle, or under the new one.
		next := c.send(c.shell, "execute_request", code("print x"))
		c.reply(c.shellIn, next)
		for {
			m := c.receive(c.iopubIn)
			if m.Parent == id {
				t.Errorf("%q: %s after its idle", cell, m.Type)
			}
			if m.Parent == next && m.Content["execution_state"] == "idle" {
				break
			}
			if m.Parent == next && m.Type == "stream" && m.Content["text"] != "x\n" {
				t.Errorf("%q: the next cell prints %.20q", cell, m.Content["text"])
			}
		}
	}
}

func TestInterruptOfNothingStopsNothing(t *testing.T) {
	_, c := session(t)
	c.execute("1")
	c.reply(c.controlIn, c.send(c.control, "interrupt_request", map[string]any{}))
	if m, _ := c.execute("sleep 50\n1"); m.Content["status"] != "ok" {
		t.Errorf("the next cell: %v", m.Content)
	}
}

func TestControlAnswersWhileACellRuns(t *testing.T) {
	_, c := session(t)
	id := c.send(c.shell, "execute_request", code("spin"))
	c.expect(c.iopubIn, "execute_input")
	began := time.Now()
	for _, x := range []string{"kernel_info", "usage", "debug"} {
		req := c.send(c.control, x+"_request", map[string]any{"command": "initialize", "seq": 3})
		if m := c.reply(c.controlIn, req); m.Type != x+"_reply" {
			t.Errorf("%s: %s", x, m.Type)
		}
		if out := c.outputs(req); len(out) != 2 {
			t.Errorf("%s: %s", x, types(out))
		}
	}
	if took := time.Since(began); took > prompt {
		t.Errorf("control took %v", took)
	}
	c.send(c.control, "interrupt_request", map[string]any{})
	c.reply(c.shellIn, id)
}

func TestAsk(t *testing.T) {
	_, c := session(t)
	answer := func(value string) { c.send(c.stdin, "input_reply", map[string]any{"value": value}) }

	id := c.send(c.shell, "execute_request", code("password name?"))
	m := c.receive(c.stdinIn)
	if m.Type != "input_request" || m.Parent != id || m.Content["prompt"] != "name?" || m.Content["password"] != true {
		t.Errorf("question %+v", m)
	}
	if m := c.expect(c.iopubIn, "stream"); m.Content["text"] != "asking\n" {
		t.Errorf("before the question: %v", m.Content) // streams are flushed first
	}
	// An answer to another question is none to this one.
	c.sendWith(c.stdin, "input_reply", map[string]any{"value": "stale"}, nil, []byte(`{"msg_id":"other"}`), time.Now())
	answer("bob")
	c.reply(c.shellIn, id)
	if got := text(c.outputsAfter(id), "stdout"); got != "got bob\n" {
		t.Errorf("the cell %q", got)
	}

	// Interrupted while it asks; an answer that comes too late goes nowhere.
	id = c.send(c.shell, "execute_request", code("ask one?"))
	c.receive(c.stdinIn)
	c.send(c.control, "interrupt_request", map[string]any{})
	if m := c.reply(c.shellIn, id); m.Content["ename"] != "KeyboardInterrupt" {
		t.Errorf("interrupted question: %v", m.Content)
	}
	answer("too late")
	time.Sleep(50 * time.Millisecond)
	id = c.send(c.shell, "execute_request", code("ask two?"))
	c.receive(c.stdinIn)
	answer("second")
	c.reply(c.shellIn, id)
	if got := text(c.outputs(id), "stdout"); got != "asking\ngot second\n" {
		t.Errorf("the next question: %q", got)
	}

	id = c.send(c.shell, "execute_request", code("ask three?"))
	c.receive(c.stdinIn)
	answer(eof)
	if m := c.reply(c.shellIn, id); m.Content["ename"] != string(endOfInput) {
		t.Errorf("closed input: %v", m.Content)
	}
}

// outputsAfter is outputs for a test that has taken some of them already.
func (c *client) outputsAfter(id string) (list []message) {
	for {
		m := c.receive(c.iopubIn)
		if m.Parent == id {
			list = append(list, m)
		}
		if m.Parent == id && m.Content["execution_state"] == "idle" {
			return list
		}
	}
}

func TestAskWhereNobodyCanAnswer(t *testing.T) {
	k, c := session(t)
	request := code("ask x?")
	request["allow_stdin"] = false
	began := time.Now()
	id := c.send(c.shell, "execute_request", request)
	if m := c.reply(c.shellIn, id); m.Content["ename"] != string(noInput) {
		t.Errorf("a question that is not allowed: %v", m.Content)
	}
	// A client without a stdin connection.
	k.stdin.Close(0)
	id = c.send(c.shell, "execute_request", code("ask x?"))
	if m := c.reply(c.shellIn, id); m.Content["ename"] != string(noInput) {
		t.Errorf("a question without stdin: %v", m.Content)
	}
	if took := time.Since(began); took > prompt {
		t.Errorf("the refusals took %v", took)
	}
}
