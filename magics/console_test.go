package magics_test

import (
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/magics"
)

func TestConsole(t *testing.T) {
	running := magics.Progress{Label: "exploring P::a", Done: 3, Total: 10, Unit: "worlds", Note: "2 wait"}
	for _, test := range []struct {
		name    string
		columns int // 0 for no terminal
		do      func(*magics.Console)
		want    string
	}{
		{"streams do not share a line", 0, func(c *magics.Console) {
			c.Print(c.Out, "out")
			c.Print(c.Out, " and on")
			c.Print(c.Err, "err\n")
			c.Print(c.Out, "")
			c.EndLine()
		}, "out and on\nerr\n"},
		{"an open line is ended once", 0, func(c *magics.Console) {
			c.Print(c.Err, "err")
			c.EndLine()
			c.EndLine()
		}, "err\n"},
		{"no progress without a terminal", 0, func(c *magics.Console) { c.Progress(running) }, ""},
		{"no progress on an open line", 80, func(c *magics.Console) { c.Print(c.Out, "out"); c.Progress(running) }, "out"},
		{"progress gives way to text", 80, func(c *magics.Console) {
			c.Progress(running)
			c.Print(c.Out, "out\n")
			c.EndLine()
		}, "\r\x1b[Kexploring P::a: 3/10 worlds 2 wait\r\x1b[Kout\n"},
		{"progress ends, and is not drawn twice at once", 80, func(c *magics.Console) {
			c.Progress(running)
			c.Progress(running)
			c.Progress(magics.Progress{Ended: true})
		}, "\r\x1b[Kexploring P::a: 3/10 worlds 2 wait\r\x1b[K"},
		{"progress is cut to the terminal", 16, func(c *magics.Console) { c.Progress(running) }, "\r\x1b[Kexploring P::a…"},
	} {
		var out strings.Builder // one terminal behind two streams
		c := &magics.Console{Out: stream{&out}, Err: &stream{&out}}
		if test.columns > 0 {
			c.Columns = func() int { return test.columns }
		}
		test.do(c)
		if out.String() != test.want {
			t.Errorf("%s: got %q, want %q", test.name, out.String(), test.want)
		}
	}
}

// A stream is one of several ways to one text.
type stream struct{ *strings.Builder }
