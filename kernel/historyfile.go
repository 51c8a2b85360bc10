package kernel

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// This file keeps the history on disk: a file of JSON lines for each kernel
// name, private to the user, to which every kernel of that name appends. The
// first line of a session claims its number.

const (
	// When a history file has outgrown historyMax bytes, a starting kernel
	// cuts it to its last historyKeep bytes.
	historyMax  = 4 << 20
	historyKeep = 2 << 20
	// outputKeep is how much of a result the history remembers.
	outputKeep = 2000
)

// An entry is one line of the file: a cell, or without input the beginning of
// a session.
type entry struct {
	Session int    `json:"session"`
	Line    int    `json:"line,omitempty"` // the execution count
	Input   string `json:"in,omitempty"`
	Output  string `json:"out,omitempty"`
}

// A history is what was executed. Safe for any goroutine.
type history struct {
	path string // "" keeps it in memory

	once    sync.Once
	mu      sync.Mutex
	entries []entry // cells alone, the oldest first
	session int     // number of this session, from 1
	file    *os.File
}

// newHistory names the file of a kernel; nothing is read yet.
func newHistory(dir, kernelName, language string) *history {
	h := &history{session: 1}
	if dir == "" {
		return h
	}
	name := strings.Map(func(r rune) rune {
		if r == '.' || r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, kernelName)
	if name == "" {
		name = language
	}
	h.path = filepath.Join(dir, "history-"+name+".jsonl")
	return h
}

// load reads the file and claims a session number, once. A file that cannot be
// used leaves the history of this session alone.
func (h *history) load() {
	h.once.Do(func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.path == "" || os.MkdirAll(filepath.Dir(h.path), 0o700) != nil {
			return
		}
		f, err := os.OpenFile(h.path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
		if err != nil {
			return
		}
		unlock := lockFile(f)
		defer unlock()
		text, err := io.ReadAll(f)
		if err != nil {
			f.Close()
			return
		}
		if len(text) > historyMax {
			text = text[len(text)-historyKeep:]
			text = text[bytes.IndexByte(text, '\n')+1:]
			if f.Truncate(0) == nil {
				f.Write(text)
			}
		}
		h.entries, h.session = parseHistory(text)
		h.file = f
		h.append(entry{Session: h.session})
	})
}

// parseHistory reads JSON lines; what is no entry is passed over. next is the
// number that the next session has.
func parseHistory(text []byte) (entries []entry, next int) {
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, len(text)+1)
	for lines.Scan() {
		var e entry
		if json.Unmarshal(lines.Bytes(), &e) != nil || e.Session < 1 {
			continue
		}
		next = max(next, e.Session)
		if e.Line > 0 {
			entries = append(entries, e)
		}
	}
	return entries, next + 1
}

// add notes an executed cell.
func (h *history) add(line int, input, output string) {
	if strings.TrimSpace(input) == "" {
		return
	}
	h.load()
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(output) > outputKeep {
		output = strings.ToValidUTF8(output[:outputKeep], "")
	}
	e := entry{Session: h.session, Line: line, Input: input, Output: output}
	h.entries = append(h.entries, e)
	h.append(e)
}

// append writes e in one piece, so that lines of several kernels do not mix;
// h.mu held.
func (h *history) append(e entry) {
	if h.file == nil {
		return
	}
	if text, err := json.Marshal(e); err == nil {
		h.file.Write(append(text, '\n'))
	}
}

func (h *history) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.file != nil {
		h.file.Close()
		h.file = nil
	}
}

// DefaultHistoryDir is where the history of this user's kernels lies: below
// XDG_STATE_HOME, or the state or configuration folder of the system; "" where
// there is none.
func DefaultHistoryDir() string {
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "orrery")
	}
	return stateDir()
}
