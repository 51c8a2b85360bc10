package edit

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"
)

// The ways a block is not typed to its end.
var (
	ErrDropped = errors.New("the block was given up")
	ErrEnded   = errors.New("the input has ended")
)

// A Keyboard tells keys as they are pressed.
type Keyboard interface {
	// Next waits for a key; ok is false where none comes within the time. An
	// error is ctx.Err() or says that the input has ended.
	Next(ctx context.Context, within time.Duration) (key Key, ok bool, err error)
	// Waiting reports whether a key has been pressed already.
	Waiting() bool
}

// A Terminal reads blocks, below what stands on the screen.
type Terminal struct {
	Out io.Writer
	// Keys is the keyboard.
	Keys Keyboard
	// Raw lets keys come as they are pressed, until restore is called.
	Raw func() (restore func(), err error)
	// Size is that of the screen.
	Size func() (columns, rows int)
	// Suspend stops the process until it is told to go on; nil where the
	// system cannot.
	Suspend func()

	restore       func()
	last          Picture
	columns, rows int // that last was made for
	top           int
	row           int // of the cursor in last
}

// ResizeTime is how soon a terminal is seen to have another size.
const ResizeTime = 200 * time.Millisecond

// Read lets the user edit the block that e has begun. The error is ErrDropped,
// ErrEnded, that of ctx, or that of a terminal that cannot be used.
func (t *Terminal) Read(ctx context.Context, e *Editor) (string, error) {
	if err := t.begin(); err != nil {
		return "", err
	}
	defer func() { t.leave() }()
	t.draw(e)
	for {
		key, ok, err := t.Keys.Next(ctx, ResizeTime)
		if err != nil {
			t.finish(e)
			return e.Text(), ended(ctx, err)
		}
		if !ok {
			if columns, rows := t.size(); columns != t.columns || rows != t.rows {
				t.resized(columns)
				t.draw(e)
			}
			continue
		}
		switch e.Press(key) {
		case Accepted:
			t.finish(e)
			return e.Text(), nil
		case Dropped:
			t.finish(e)
			return e.Text(), ErrDropped
		case Ended:
			t.finish(e)
			return "", ErrEnded
		case Clear:
			t.write("\x1b[H\x1b[2J")
			t.forget()
		case Suspend:
			t.suspend(e)
		case TakeItAway:
			t.takeAway(e)
		}
		if !t.Keys.Waiting() {
			t.draw(e)
		}
	}
}

func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return err
	}
	return ErrEnded
}

// begin takes the terminal; leave gives it back. Pastes come marked as such
// in between.
func (t *Terminal) begin() error {
	restore, err := t.Raw()
	if err != nil {
		return err
	}
	t.restore = restore
	t.forget()
	t.write("\x1b[?2004h")
	return nil
}

func (t *Terminal) leave() {
	t.write("\x1b[?2004l")
	t.restore()
}

// forget begins a picture in the line of the cursor.
func (t *Terminal) forget() { t.last, t.top, t.row = Picture{}, 0, 0 }

func (t *Terminal) write(text string) { _, _ = io.WriteString(t.Out, text) }

// size is what the pictures are made for: a terminal that says it has no
// columns has some.
func (t *Terminal) size() (columns, rows int) {
	columns, rows = t.Size()
	return max(columns, leastColumns), max(rows, 1)
}

// draw brings the screen from the picture before to that of e as it is.
func (t *Terminal) draw(e *Editor) {
	t.columns, t.rows = t.size()
	t.show(e.Picture(t.columns, t.rows, &t.top))
}

// finish leaves the whole block on the screen and the cursor below it.
func (t *Terminal) finish(e *Editor) {
	if !t.last.whole {
		t.write(upRows(t.row) + "\r\x1b[J")
		t.last, t.row = Picture{}, 0
	}
	t.show(e.Whole(t.columns))
	t.write("\r\n")
}

// show writes the rows of p that differ from the last picture's.
func (t *Terminal) show(p Picture) {
	var out strings.Builder
	at := t.row
	for i, r := range p.rows {
		if i < len(t.last.rows) && t.last.rows[i] == r {
			continue
		}
		if i < len(t.last.rows) || i == 0 {
			out.WriteString(moveRows(at, i) + "\r")
		} else {
			out.WriteString(moveRows(at, i-1) + "\r\n")
		}
		out.WriteString(r.text)
		if r.width < t.columns {
			out.WriteString("\x1b[K")
		}
		at = i
	}
	if len(p.rows) < len(t.last.rows) {
		out.WriteString(moveRows(at, len(p.rows)) + "\r\x1b[J")
		at = len(p.rows)
	}
	out.WriteString(moveRows(at, p.row) + "\r")
	if p.column > 0 {
		out.WriteString("\x1b[" + strconv.Itoa(p.column) + "C")
	}
	t.last, t.row = p, p.row
	t.write("\x1b[?25l" + out.String() + "\x1b[?25h")
}

func moveRows(from, to int) string {
	if to < from {
		return upRows(from - to)
	}
	if to > from {
		return "\x1b[" + strconv.Itoa(to-from) + "B"
	}
	return ""
}

func upRows(n int) string {
	if n <= 0 {
		return ""
	}
	return "\x1b[" + strconv.Itoa(n) + "A"
}

// resized clears the last picture from a screen that has become so wide: a
// terminal breaks rows that no longer fit, which moves the cursor down.
func (t *Terminal) resized(columns int) {
	above := 0
	for i, r := range t.last.rows {
		if i == t.last.row {
			above += t.last.column / columns
			break
		}
		above += max((r.width+columns-1)/columns, 1)
	}
	t.write(upRows(above) + "\r\x1b[J")
	t.forget()
}

func (t *Terminal) suspend(e *Editor) {
	if t.Suspend == nil {
		return
	}
	t.write(moveRows(t.row, len(t.last.rows)-1) + "\r\n")
	t.leave()
	t.Suspend()
	if err := t.begin(); err != nil {
		e.message = "the terminal is gone"
	}
}

// takeAway has the block edited elsewhere, which may use the terminal.
func (t *Terminal) takeAway(e *Editor) {
	if e.Guide.Outside == nil {
		e.message = "there is no other editor here"
		return
	}
	t.write(moveRows(t.row, 0) + "\r\x1b[J")
	t.leave()
	changed, ok := e.Guide.Outside(e.Text())
	if err := t.begin(); err != nil {
		return
	}
	if !ok {
		e.message = "the editor cannot be run, or gave up"
		return
	}
	e.Replace(strings.TrimRight(changed, "\n"))
}
