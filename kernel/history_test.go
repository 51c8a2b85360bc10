package kernel

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/kernel/wire"
)

func newMessage(msgType string, content []byte) *wire.Message {
	return &wire.Message{Header: wire.Header{MsgType: msgType}, RawHeader: []byte("{}"), Parent: []byte("{}"),
		Metadata: []byte("{}"), Content: content}
}

// rows writes a history_reply as session:line:input in a row.
func rows(m message) string {
	var out []string
	for _, r := range m.Content["history"].([]any) {
		row := r.([]any)
		out = append(out, fmt.Sprintf("%v:%v:%v", row[0], row[1], row[2]))
	}
	return strings.Join(out, " | ")
}

func TestHistory(t *testing.T) {
	dir := t.TempDir()
	earlier := `{"session":1}` + "\n" +
		`{"session":1,"line":1,"in":"old one"}` + "\n" +
		"not an entry\n" +
		`{"session":1,"line":2,"in":"1 + 1","out":"2"}` + "\n" +
		`{"session":2}` + "\n" +
		`{"session":2,"line":1,"in":"add 4","out":"4"}` + "\n"
	if err := os.WriteFile(filepath.Join(dir, "history-sysml.jsonl"), []byte(earlier), 0o600); err != nil {
		t.Fatal(err)
	}
	k := start(t, Options{HistoryDir: dir})
	c := connect(t, k.conn.path, true)
	c.execute("1 + 1")
	c.ask("execute_request", map[string]any{"code": "9", "store_history": false})
	c.ask("execute_request", map[string]any{"code": "9", "silent": true})
	c.execute("print x\nprint y")
	c.execute("")
	c.execute("error bad")
	for _, x := range []struct {
		request map[string]any
		want    string
	}{
		{map[string]any{"hist_access_type": "tail", "n": 2}, "3:2:print x\nprint y | 3:4:error bad"},
		{map[string]any{"hist_access_type": "tail", "n": 4}, "2:1:add 4 | 3:1:1 + 1 | 3:2:print x\nprint y | 3:4:error bad"},
		{map[string]any{"hist_access_type": "tail", "n": 0}, ""},
		{map[string]any{"hist_access_type": "tail", "n": 1, "output": true}, "3:4:[error bad <nil>]"},
		{map[string]any{"hist_access_type": "range", "session": 0, "start": 1, "stop": 2}, "3:1:1 + 1"},
		{map[string]any{"hist_access_type": "range", "session": 0, "start": 2}, "3:2:print x\nprint y | 3:4:error bad"},
		{map[string]any{"hist_access_type": "range", "session": -1, "start": 0, "stop": nil}, "2:1:add 4"},
		{map[string]any{"hist_access_type": "range", "session": 1, "start": 2, "stop": 3, "output": true}, "1:2:[1 + 1 2]"},
		{map[string]any{"hist_access_type": "range", "session": 77}, ""},
		{map[string]any{"hist_access_type": "search", "pattern": "1*"}, "1:2:1 + 1 | 3:1:1 + 1"},
		{map[string]any{"hist_access_type": "search", "pattern": "1*", "unique": true}, "3:1:1 + 1"},
		{map[string]any{"hist_access_type": "search", "pattern": "*o*", "n": 1}, "3:4:error bad"},
		{map[string]any{"hist_access_type": "search", "pattern": "add ?"}, "2:1:add 4"},
		{map[string]any{"hist_access_type": "search", "pattern": "print*y"}, "3:2:print x\nprint y"},
		{map[string]any{"hist_access_type": "search", "pattern": "add"}, ""},
		{map[string]any{"hist_access_type": "search", "pattern": "*[*"}, ""},
	} {
		if got := rows(c.ask("history_request", x.request)); got != x.want {
			t.Errorf("%v: %q, want %q", x.request, got, x.want)
		}
	}
	k.end()
	<-k.done

	// The next kernel knows all of it.
	k = start(t, Options{HistoryDir: dir})
	c = connect(t, k.conn.path, true)
	c.execute("1")
	if got, want := rows(c.ask("history_request", map[string]any{"hist_access_type": "tail", "n": 2})), "3:4:error bad | 4:1:1"; got != want {
		t.Errorf("the next session: %q, want %q", got, want)
	}
}

// Two kernels that run at once share the file and not the session.
func TestHistoryOfTwoKernels(t *testing.T) {
	dir := t.TempDir()
	a, b := newHistory(dir, "sysml", ""), newHistory(dir, "sysml", "")
	for i := range 20 {
		a.add(i+1, fmt.Sprint("a", i), "")
		b.add(i+1, fmt.Sprint("b", i), "")
	}
	if a.session == b.session {
		t.Errorf("both are session %d", a.session)
	}
	text, err := os.ReadFile(a.path)
	if err != nil {
		t.Fatal(err)
	}
	if entries, next := parseHistory(text); len(entries) != 40 || next != 3 {
		t.Errorf("%d entries, next session %d", len(entries), next)
	}
	a.close()
	b.close()
}

func TestHistoryFileStaysSmall(t *testing.T) {
	dir := t.TempDir()
	h := newHistory(dir, "a/b c", "")
	if filepath.Base(h.path) != "history-a-b-c.jsonl" {
		t.Errorf("file %s", h.path)
	}
	big := strings.Repeat("x", 100_000)
	for i := range 60 {
		h.add(i+1, big, big)
	}
	h.close()
	h = newHistory(dir, "a/b c", "")
	h.add(1, "new", "")
	defer h.close()
	info, err := os.Stat(h.path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > historyMax || h.session != 2 || len(h.entries) < 10 || h.entries[len(h.entries)-1].Input != "new" {
		t.Errorf("%d bytes, session %d, %d entries", info.Size(), h.session, len(h.entries))
	}
}

func TestHistoryWithoutAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "plain")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"", filepath.Join(file, "below")} { // none, and one that cannot be
		h := newHistory(dir, "sysml", "")
		h.add(1, "x", "")
		if got := h.find(historyRequest{Access: "tail"}); len(got) != 1 || got[0].Session != 1 {
			t.Errorf("in %q: %v", dir, got)
		}
	}
}
