package repl

import (
	"strings"

	"github.com/orrery-sysml/orrery/magics"
)

// This file colours a line while it is typed.

// lineEnd stands for the end of a line in a cell that is edited as one line.
const lineEnd = '↵'

// shades are the colours of what Shell.Tints tells apart, as ANSI has them.
var shades = [...]string{magics.TintWord: "34", magics.TintMagic: "1;36", magics.TintFlag: "36", magics.TintString: "32",
	magics.TintNumber: "35", magics.TintComment: "2", magics.TintWrong: "31"}

// painter is a session as readline asks it for colours.
type painter session

// Paint implements readline.Painter. Colours take no columns.
func (p *painter) Paint(line []rune, _ int) []rune {
	if !p.o.Color || len(line) == 0 {
		return line
	}
	text := strings.ReplaceAll(string(line), string(lineEnd), "\n")
	code := p.pending + text
	shade := make([]string, len(code)+1)
	for _, tint := range p.shell.Tints(code) {
		for i := tint.Start; i < tint.End; i++ {
			shade[i] = shades[tint.Kind]
		}
	}
	var painted []rune
	now, at := "", len(p.pending)
	turn := func(to string) {
		if now == to {
			return
		}
		if now != "" {
			painted = append(painted, []rune("\x1b[0m")...)
		}
		if now = to; now != "" {
			painted = append(painted, []rune("\x1b["+now+"m")...)
		}
	}
	for _, r := range line {
		if r == lineEnd {
			turn("2")
			at++
		} else {
			turn(shade[min(at, len(code))])
			at += len(string(r))
		}
		painted = append(painted, r)
	}
	turn("")
	return painted
}
