package magics

import (
	"errors"
	"strings"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// Language is what a cell is where it does not say so.
type Language uint8

// The languages. Every cell can say %%sysml or %%starlark on its first line.
const (
	// SysML cells hold declarations, expressions and magics in any order.
	SysML Language = iota
	// Starlark cells are programs; magics may stand before the program.
	Starlark
	// verbatim is text that no language of ours reads, as of %%html.
	verbatim
)

// inner is the language of what stands below the %% lines of a cell, and where
// it begins; outer is what it is without such lines. A question (%%NAME?) is
// no such line.
func inner(code string, outer Language) (in Language, begin int) {
	start, ok := cellMagicAt(code)
	if !ok {
		return outer, 0
	}
	end := lineEnd(code, start)
	line := strings.TrimSpace(code[start:end])
	if question(line) != "" {
		return outer, 0
	}
	below := min(end+1, len(code))
	switch name, _, _ := strings.Cut(line[2:], " "); name {
	case "starlark", "star", "plan":
		return Starlark, below
	case "sysml", "kerml":
		outer = SysML
	case "time", "capture":
	default:
		return verbatim, below
	}
	in, begin = inner(code[below:], outer)
	return in, below + begin
}

// as executes a piece whose language is l where it does not say so.
func (e *execution) as(l Language, piece func() error) error {
	outer := e.language
	e.language = l
	defer func() { e.language = outer }()
	return piece()
}

// program executes what stands behind offset start as a Starlark program,
// behind the lines of ours before it.
func (e *execution) program(start int) error {
	text := e.file.Text
	for {
		line, ok := leadingCommand(e.file, start, e.start)
		if !ok {
			break
		}
		start = line.End
		last := strings.TrimSpace(text[start:]) == ""
		if err := e.guard(line.Span, func() error { return e.command(line.Span, last) }); err != nil {
			return err
		}
	}
	if strings.TrimSpace(text[start:]) == "" {
		return nil
	}
	body := source.Span{File: e.file, Start: int32(start), End: int32(len(text))}
	return e.guard(body, func() error { return notSysML(placed(e.starlark(body, true), body), body) })
}

// notSysML is err, of a program; one that is a declaration of SysML is told
// how to be one.
func notSysML(err error, program source.Span) error {
	var d *diagnostic.Diagnostic
	if !errors.As(err, &d) || d.Hint != "" {
		return err
	}
	part := syntax.ParsePart(cut(program), int(program.Start), notationOptions)
	if part.Kind != syntax.PartDeclaration || part.Diagnostics.HasErrors() {
		return err
	}
	return d.WithHint("if this is SysML, write %%sysml on the first line of the cell")
}

// leadingCommand is commandAt for what stands before a program: a comment is
// not taken for a question about an object.
func leadingCommand(file *source.File, pos, start int) (syntax.Part, bool) {
	part, ok := commandAt(file, pos, start)
	return part, ok && !strings.HasPrefix(part.Span.Text(), "#")
}

// programAt is where the program of a Starlark cell begins, behind the lines
// of ours before it.
func programAt(code string) int {
	file := source.NewFile("", code)
	for pos := 0; ; {
		line, ok := leadingCommand(file, pos, 0)
		if !ok {
			return pos
		}
		pos = line.End
	}
}
