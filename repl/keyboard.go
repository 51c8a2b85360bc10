package repl

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/muesli/cancelreader"

	"github.com/orrery-sysml/orrery/magics"
	"github.com/orrery-sysml/orrery/repl/edit"
)

// A keyboard is what a user types. It listens all the time, so that Ctrl-C is
// heard while a cell runs, and keeps what is typed ahead for whoever asks next:
// the editor, a screen of single keys, a cell that wants a line. Its methods
// may be called from any goroutine.
type keyboard struct {
	in io.Reader
	// lines is true where the terminal hands over whole lines.
	lines   bool
	mu      sync.Mutex
	changed *sync.Cond
	pending []byte
	err     error  // why nothing more comes
	raw     bool   // keys come as they are pressed
	stop    func() // what Ctrl-C does while the terminal is raw and no line is asked for
	// ear is what it listens with; silent is closed when it no longer does.
	ear    cancelreader.CancelReader
	silent chan struct{}
}

func newKeyboard(in io.Reader, lines bool) *keyboard {
	k := &keyboard{in: in, lines: lines}
	k.changed = sync.NewCond(&k.mu)
	k.listen()
	return k
}

const ctrlC = 3

// listen begins to read what is typed.
func (k *keyboard) listen() {
	var in io.Reader = k.in
	if ear, err := cancelreader.NewReader(k.in); err == nil {
		k.ear, in = ear, ear
	}
	k.silent = make(chan struct{})
	go k.hear(in, k.silent)
}

func (k *keyboard) hear(in io.Reader, silent chan struct{}) {
	defer close(silent)
	chunk := make([]byte, 4096)
	for {
		n, err := in.Read(chunk)
		if errors.Is(err, cancelreader.ErrCanceled) {
			return
		}
		k.mu.Lock()
		for _, b := range chunk[:n] {
			if b == ctrlC && k.stop != nil {
				k.stop()
				continue
			}
			if b == '\n' && !k.raw && !k.lines { // Enter, typed ahead of the editor
				b = '\r'
			}
			k.pending = append(k.pending, b)
		}
		k.err = err
		k.changed.Broadcast()
		k.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// release leaves the terminal to another process until resume is called; false
// where this system cannot.
func (k *keyboard) release() (resume func(), ok bool) {
	if _, ok := k.in.(cancelreader.File); !ok || k.ear == nil || !k.ear.Cancel() {
		return nil, false
	}
	<-k.silent
	_ = k.ear.Close()
	return k.listen, true
}

// setRaw says whether keys come as they are pressed.
func (k *keyboard) setRaw(raw bool) {
	k.mu.Lock()
	k.raw = raw
	k.mu.Unlock()
}

// onInterrupt sets what Ctrl-C does while the terminal is raw and nobody edits;
// nil makes it a key like others.
func (k *keyboard) onInterrupt(stop func()) {
	k.mu.Lock()
	k.stop = stop
	k.mu.Unlock()
}

// Waiting implements edit.Keyboard.
func (k *keyboard) Waiting() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.pending) > 0
}

// The times that a terminal may take between the bytes of one key, and of one
// paste.
const (
	escapeTime = 50 * time.Millisecond
	pasteTime  = 10 * time.Second
)

// Next implements edit.Keyboard.
func (k *keyboard) Next(ctx context.Context, within time.Duration) (edit.Key, bool, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for late := false; ; {
		key, n := edit.Decode(k.pending, late)
		if n > 0 {
			k.pending = k.pending[n:]
			return key, true, nil
		}
		patience, begun := within, len(k.pending)
		if begun > 0 {
			patience = escapeTime
			if edit.Pasting(k.pending) {
				patience = pasteTime
			}
		}
		more, err := k.wait(ctx, begun, patience)
		switch {
		case err != nil && (begun == 0 || ctx.Err() != nil):
			return edit.Key{}, false, err
		case !more && begun == 0:
			return edit.Key{}, false, nil
		}
		late = !more
	}
}

// wait waits for more bytes than are pending; false where none come within the
// time, and where ctx ends or the input does, which err then says. It is called
// with mu locked.
func (k *keyboard) wait(ctx context.Context, pending int, within time.Duration) (bool, error) {
	limit, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	defer context.AfterFunc(limit, func() {
		k.mu.Lock()
		k.changed.Broadcast()
		k.mu.Unlock()
	})()
	for len(k.pending) <= pending {
		switch {
		case ctx.Err() != nil:
			return false, ctx.Err()
		case k.err != nil:
			return false, io.EOF
		case limit.Err() != nil:
			return false, nil
		}
		k.changed.Wait()
	}
	return true, nil
}

// line is the next line, as the terminal hands it over. A last one without an
// end is a line too.
func (k *keyboard) line(ctx context.Context) (string, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for seen := 0; ; {
		for i := seen; i < len(k.pending); i++ {
			if k.pending[i] == '\n' {
				text := string(k.pending[:i])
				k.pending = k.pending[i+1:]
				return text, nil
			}
		}
		seen = len(k.pending)
		if _, err := k.wait(ctx, seen, time.Hour); err != nil {
			text := string(k.pending)
			k.pending = nil
			if ctx.Err() == nil && text != "" {
				return text, nil
			}
			return "", err
		}
	}
}

// key is the next key, as magics.Screen tells keys, 0 for one that has no
// meaning there; ok is false where none comes within the time.
func (k *keyboard) key(ctx context.Context, within time.Duration) (key rune, ok bool, err error) {
	pressed, ok, err := k.Next(ctx, within)
	if !ok {
		return 0, false, err
	}
	if pressed.Name == "" {
		r, _ := utf8.DecodeRuneInString(pressed.Text)
		return r, true, nil
	}
	return screenKeys[pressed.Name], true, nil
}

var screenKeys = map[string]rune{"Up": magics.KeyUp, "Down": magics.KeyDown, "Left": magics.KeyLeft, "Right": magics.KeyRight,
	"Escape": magics.KeyEscape, "Enter": '\r', "C-j": '\n', "Tab": '\t', "Backspace": 0x7f, "C-h": '\b', "C-c": ctrlC, "C-d": 4}
