package repl

import (
	"os"
	"strings"
	"time"
)

// This file keeps what was typed, one cell an entry, in a file that any number
// of processes share.
//
// An entry is one line of the file, its own line ends and backslashes written
// \n and \\. It is added with a single write at the end of the file, which is
// opened anew each time, so that entries of several processes stand side by
// side. A file that has grown long becomes the older of two generations by
// being renamed, and an entry that another process writes at that moment lands
// in one of them. What the others add is read before each prompt.

const (
	historyEntries = 2000    // that are remembered
	historySize    = 1 << 20 // bytes of a generation
)

// A history is the cells that were typed, oldest first.
type history struct {
	path    string // "" keeps none
	entries []string
	read    int64 // bytes of the file that entries has
}

// openHistory reads what was typed before.
func openHistory(path string) *history {
	h := &history{path: path}
	if path == "" {
		return h
	}
	if info, err := os.Stat(path); err == nil && info.Size() > historySize {
		h.rotate()
	}
	if old, err := os.ReadFile(path + ".old"); err == nil {
		h.take(string(old))
	}
	h.refresh()
	return h
}

// rotate makes the file the older generation. A lock keeps two processes from
// doing so one after the other; one that is left behind is ignored a minute
// later.
func (h *history) rotate() {
	lock := h.path + ".lock"
	if info, err := os.Stat(lock); err == nil && time.Since(info.ModTime()) > time.Minute {
		_ = os.Remove(lock)
	}
	f, err := os.OpenFile(lock, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	defer os.Remove(lock)
	defer f.Close()
	if info, err := os.Stat(h.path); err == nil && info.Size() > historySize {
		_ = os.Rename(h.path, h.path+".old")
	}
}

// refresh reads what was added to the file since.
func (h *history) refresh() {
	if h.path == "" {
		return
	}
	data, err := os.ReadFile(h.path)
	if err != nil {
		return
	}
	if int64(len(data)) < h.read { // another process has begun a new generation
		h.read = 0
	}
	fresh := string(data[h.read:])
	whole := strings.LastIndexByte(fresh, '\n') + 1
	h.take(fresh[:whole])
	h.read += int64(whole)
}

// take adds the entries that lines hold.
func (h *history) take(lines string) {
	for line := range strings.Lines(lines) {
		h.remember(unescaped.Replace(strings.TrimSuffix(line, "\n")))
	}
}

func (h *history) remember(code string) {
	if code == "" || len(h.entries) > 0 && h.entries[len(h.entries)-1] == code {
		return
	}
	h.entries = append(h.entries, code)
	if more := len(h.entries) - historyEntries; more > 0 {
		h.entries = h.entries[more:]
	}
}

var (
	escaped   = strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\r", "")
	unescaped = strings.NewReplacer(`\\`, `\`, `\n`, "\n")
)

// add keeps a cell. Where the file cannot be written, this process remembers
// it all the same.
func (h *history) add(code string) {
	code = strings.Trim(code, "\n")
	if strings.TrimSpace(code) == "" || len(h.entries) > 0 && h.entries[len(h.entries)-1] == code {
		return
	}
	if h.path == "" {
		h.remember(code)
		return
	}
	f, err := os.OpenFile(h.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.WriteString(escaped.Replace(code) + "\n")
		f.Close()
	}
	if err != nil {
		h.remember(code)
		return
	}
	h.refresh()
}
