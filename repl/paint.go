package repl

import (
	"github.com/orrery-sysml/orrery/magics"
	"github.com/orrery-sysml/orrery/repl/edit"
)

// This file colours a cell while it is typed.

// shades are the colours of what Shell.Tints tells apart, as ANSI has them.
var shades = [...]string{magics.TintWord: "34", magics.TintMagic: "1;36", magics.TintFlag: "36", magics.TintString: "32",
	magics.TintNumber: "35", magics.TintComment: "2", magics.TintWrong: "31"}

// tints are the colours of a cell.
func (s *session) tints(code string) []edit.Tint {
	var list []edit.Tint
	for _, t := range s.shell.Tints(code) {
		list = append(list, edit.Tint{Start: t.Start, End: t.End, Shade: shades[t.Kind]})
	}
	return list
}
