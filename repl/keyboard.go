package repl

import (
	"context"
	"io"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/orrery-sysml/orrery/magics"
)

// A keyboard is the bytes that a user types, shared by the line editor and by
// whatever takes single keys: the editor reads only while a line is asked for,
// so that keys typed ahead go to whom they are meant for. Its methods may be
// called from any goroutine.
type keyboard struct {
	in      io.ReadCloser
	mu      sync.Mutex
	changed *sync.Cond
	pending []byte
	err     error  // why nothing more comes
	editing bool   // a line is asked for
	stop    func() // what Ctrl-C does while the terminal is raw and no line is asked for
}

func newKeyboard(in io.ReadCloser) *keyboard {
	k := &keyboard{in: in}
	k.changed = sync.NewCond(&k.mu)
	go k.listen()
	return k
}

const ctrlC = 3

func (k *keyboard) listen() {
	chunk := make([]byte, 4096)
	for {
		n, err := k.in.Read(chunk)
		k.mu.Lock()
		for _, b := range chunk[:n] {
			if b == ctrlC && k.stop != nil {
				k.stop()
				continue
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

// edit lets the line editor read up to the end of one line.
func (k *keyboard) edit() {
	k.mu.Lock()
	k.editing = true
	k.changed.Broadcast()
	k.mu.Unlock()
}

// onInterrupt sets what Ctrl-C does outside of the line editor; nil leaves it
// to the terminal.
func (k *keyboard) onInterrupt(stop func()) {
	k.mu.Lock()
	k.stop = stop
	k.mu.Unlock()
}

// Read gives the line editor what is typed, up to the end of a line at a time.
func (k *keyboard) Read(b []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for !k.editing || len(k.pending) == 0 {
		if k.err != nil && k.editing {
			return 0, k.err
		}
		k.changed.Wait()
	}
	n := 0
	for n < len(b) && n < len(k.pending) && k.editing {
		b[n] = k.pending[n]
		k.editing = b[n] != '\r' && b[n] != '\n'
		n++
	}
	k.pending = k.pending[n:]
	return n, nil
}

// Close implements io.Closer.
func (k *keyboard) Close() error { return k.in.Close() }

// next is the next byte; ok is false where none comes within the time, and
// where ctx ends or the input does, which err then says.
func (k *keyboard) next(ctx context.Context, within time.Duration) (b byte, ok bool, err error) {
	limit, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	defer context.AfterFunc(limit, func() {
		k.mu.Lock()
		k.changed.Broadcast()
		k.mu.Unlock()
	})()
	k.mu.Lock()
	defer k.mu.Unlock()
	for len(k.pending) == 0 {
		switch {
		case ctx.Err() != nil:
			return 0, false, ctx.Err()
		case k.err != nil:
			return 0, false, io.EOF
		case limit.Err() != nil:
			return 0, false, nil
		}
		k.changed.Wait()
	}
	b, k.pending = k.pending[0], k.pending[1:]
	return b, true, nil
}

// escapeTime is how long a terminal may take between the bytes of one key.
const escapeTime = 50 * time.Millisecond

// key is the next key, as magics.Screen tells keys; ok is false where none
// comes within the time.
func (k *keyboard) key(ctx context.Context, within time.Duration) (key rune, ok bool, err error) {
	b, ok, err := k.next(ctx, within)
	switch {
	case !ok:
		return 0, false, err
	case b == 0x1b:
		return k.escape(ctx), true, nil
	case b < utf8.RuneSelf:
		return rune(b), true, nil
	}
	text := []byte{b}
	for !utf8.FullRune(text) {
		more, ok, _ := k.next(ctx, escapeTime)
		if !ok {
			break
		}
		text = append(text, more)
	}
	r, _ := utf8.DecodeRune(text)
	return r, true, nil
}

// escape reads what stands behind an escape character.
func (k *keyboard) escape(ctx context.Context) rune {
	b, ok, _ := k.next(ctx, escapeTime)
	if !ok || b != '[' && b != 'O' {
		return magics.KeyEscape
	}
	for {
		b, ok, _ := k.next(ctx, escapeTime)
		switch {
		case !ok:
			return magics.KeyEscape
		case b == 'A':
			return magics.KeyUp
		case b == 'B':
			return magics.KeyDown
		case b == 'C':
			return magics.KeyRight
		case b == 'D':
			return magics.KeyLeft
		case b >= '@':
			return 0 // a key that means nothing here
		}
	}
}
