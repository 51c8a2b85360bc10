package magics

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// A call is one magic at work: what its line says and where its outputs go.
// It lives while the magic runs, on the goroutine of the cell.
type call struct {
	ctx   context.Context
	shell *Shell
	cell  *execution // the cell that the magic stands in
	line  *parsed
	body  source.Span // of a %% magic: the text below its first line
	last  bool        // nothing stands behind the magic in its cell
}

// has reports whether the argument or flag of that name was given.
func (c *call) has(name string) bool {
	_, flag := c.line.flags[name]
	return flag || len(c.line.args[name]) > 0
}

// word is the argument or flag of that name as written; the zero word where
// it was not given.
func (c *call) word(name string) word {
	if w, ok := c.line.flags[name]; ok {
		return w
	}
	if words := c.line.args[name]; len(words) > 0 {
		return words[0]
	}
	return word{}
}

// words are all words of a repeated argument.
func (c *call) words(name string) []word { return c.line.args[name] }

// text is the argument or flag of that name without quotes.
func (c *call) text(name string) string { return c.word(name).plain() }

// choice is the argument or flag of that name, which takes one of several
// words, in lower case.
func (c *call) choice(name string) string { return strings.ToLower(c.text(name)) }

// integer is the number given under name, which the declaration has checked,
// or fallback where it is absent.
func (c *call) integer(name string, fallback int64) int64 {
	if n, err := strconv.ParseInt(c.text(name), 10, 64); err == nil {
		return n
	}
	return fallback
}

// seconds is the time given under name, whose number the declaration has
// checked. A unit without a package is one of SI, unless only the session has it.
func (c *call) seconds(name string) (float64, error) {
	w := c.word(name)
	number, unit := cutUnit(w.plain())
	if unit == "" {
		return strconv.ParseFloat(number, 64)
	}
	v, err := c.shell.session.EvaluateText(c.ctx, number+" [SI::"+unit[1:], "")
	if err != nil {
		if v, err = c.evaluate(w, ""); err != nil {
			return 0, err
		}
	}
	seconds, err := exec.Seconds(v)
	return seconds, placed(err, w.span)
}

// span is where the line of the magic names it.
func (c *call) span() source.Span { return c.line.name }

// printf writes to the standard output of the cell: see visible.
func (c *call) printf(format string, args ...any) {
	c.cell.sink.Stream(Stdout, diagnostic.Visible(fmt.Sprintf(format, args...)))
}

// display shows b among the outputs of the cell.
func (c *call) display(b render.Bundle) { c.cell.sink.Display(b, "") }

// result shows b as the value of the cell where the magic stands at its end.
func (c *call) result(b render.Bundle) { c.cell.value(b, c.last) }
