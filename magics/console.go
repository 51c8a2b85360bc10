package magics

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/orrery-sysml/orrery/sysml/display"
)

// A Console prints what cells put out, as text on two streams, for a [Sink]
// that has a terminal or files to write to. Texts of the two never share a
// line, and a line of progress, which is drawn over itself, stands below them.
// It belongs to one goroutine. Errors of writing are dropped: whoever reads
// has gone.
type Console struct {
	Out, Err io.Writer
	// Columns is the width of the terminal behind Err, at most 1 where nobody
	// knows it. Nil stands for no terminal: nothing is drawn over.
	Columns func() int

	open    io.Writer // the stream whose last text did not end its line, nil for none
	live    bool      // a progress line stands on the terminal
	painted time.Time // when it was last drawn; never part of a result
}

// Print writes text to Out or Err.
func (c *Console) Print(w io.Writer, text string) {
	if text == "" {
		return
	}
	c.Hide()
	if c.open != nil && c.open != w {
		_, _ = io.WriteString(c.open, "\n")
	}
	_, _ = io.WriteString(w, text)
	if c.open = w; strings.HasSuffix(text, "\n") {
		c.open = nil
	}
}

// EndLine takes the progress away and ends an unfinished line.
func (c *Console) EndLine() {
	c.Hide()
	if c.open != nil {
		c.Print(c.open, "\n")
	}
}

// Progress shows how far an operation has come, ten times a second at most,
// and takes that away where it has ended.
func (c *Console) Progress(p Progress) {
	now := time.Now()
	switch {
	case p.Ended:
		c.Hide()
		return
	case now.Sub(c.painted) < 100*time.Millisecond:
		return
	}
	c.painted = now
	text := fmt.Sprintf("%s: %d", p.Label, p.Done)
	if p.Total > 0 {
		text += fmt.Sprintf("/%d", p.Total)
	}
	c.Show(strings.TrimRight(text+" "+p.Unit+" "+p.Note, " "))
}

// Show draws text as the progress line, unless an unfinished line is in its
// place.
func (c *Console) Show(text string) {
	if c.Columns == nil || c.open != nil {
		return
	}
	if n := c.Columns(); n > 1 {
		text = display.Cut(text, n-1)
	}
	_, _ = io.WriteString(c.Err, "\r\x1b[K"+text)
	c.live = true
}

// Hide takes the progress line away.
func (c *Console) Hide() {
	if c.live {
		_, _ = io.WriteString(c.Err, "\r\x1b[K")
		c.live = false
	}
}
