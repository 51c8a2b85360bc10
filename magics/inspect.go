package magics

import (
	"context"
	_ "embed"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// This file answers questions: NAME?, %NAME? and a front end's inspection.

// Inspect describes the name at cursor, in code points, of the cell code; with
// detail 1, its notation too. The answer is false where nothing is known.
func (s *Shell) Inspect(ctx context.Context, code string, cursor, detail int) (render.Bundle, bool) {
	at := source.Offset(code, cursor)
	if m := s.magicAt(code, at); m != nil {
		return manual(m), true
	}
	start, end := identifierAt(code, at)
	if start == end {
		return render.Bundle{}, false
	}
	switch language, below := inner(code, s.options.Language); {
	case start < below || language == verbatim:
		return render.Bundle{}, false
	case language == Starlark:
		return s.inspectStarlark(code[:end])
	}
	p := s.scratch(code, start)
	name := code[start:end]
	e := p.resolve(pathBefore(code[:end]))
	if e == nil {
		e = p.name(name)
	}
	if e == nil {
		e = s.libraryFunction(name)
	}
	if e == nil {
		return s.inspectWord(code, start, name)
	}
	return description(e, detail > 0), true
}

// libraryFunction is the function that an expression finds by its name alone,
// whatever is imported; nil for none.
func (s *Shell) libraryFunction(name string) *model.Element {
	if f, ok := value.UnqualifiedFunction(name); ok {
		return s.model().Find(f.Name)
	}
	return nil
}

//go:embed keywords.txt
var keywordText string

// keywords is what every reserved word of the notation means.
var keywords = func() map[string]string {
	meanings := map[string]string{}
	for line := range strings.Lines(keywordText) {
		word, meaning, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		meanings[word] = meaning
	}
	return meanings
}()

// inspectWord describes a name that is no element: a keyword, or in the line
// of a magic an argument of it.
func (s *Shell) inspectWord(code string, start int, name string) (render.Bundle, bool) {
	line := strings.LastIndexByte(code[:start], '\n') + 1
	if text := strings.TrimLeft(code[line:start], " \t"); strings.HasPrefix(text, "%") {
		if m := s.magicAt(code, line+strings.IndexByte(code[line:], '%')); m != nil {
			return manual(m), true
		}
	}
	meaning, ok := keywords[name]
	return described(name, meaning), ok
}

// described is a name or signature with what it means.
func described(head, meaning string) render.Bundle {
	return render.Text(head+"\n  "+meaning+"\n").With(render.HTML, render.Strong(head)+render.Paragraph(meaning))
}

// inspectStarlark describes the builtin or word of the language that code ends
// with, or shows the variable of Starlark cells.
func (s *Shell) inspectStarlark(code string) (render.Bundle, bool) {
	if signature, summary, ok := s.starlark().Describe(code, len(code)); ok {
		return described(signature, summary), true
	}
	name := code[identifierStart(code, len(code)):]
	text, ok := s.starlark().Text(name)
	return render.Text(name+" = "+text+"\n").With(render.HTML, render.Strong(name+" = "+text)), ok
}

// magicAt is the magic whose line offset at stands in, nil for none.
func (s *Shell) magicAt(code string, at int) *magic {
	line := strings.LastIndexByte(code[:at], '\n') + 1
	text := strings.TrimLeft(code[line:lineEnd(code, at)], " \t")
	name := strings.TrimLeft(text, "%")
	if name == text {
		return nil
	}
	if i := strings.IndexFunc(name, func(r rune) bool {
		return r != '_' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}); i >= 0 {
		if at > lineEnd(code, at)-len(name)+i {
			return nil // the cursor is in the arguments
		}
		name = name[:i]
	}
	return s.registry.find(name, strings.HasPrefix(text, "%%"))
}

// identifierAt is the range of the name that offset at touches.
func identifierAt(code string, at int) (start, end int) {
	end = at
	for end < len(code) {
		r, n := utf8.DecodeRuneInString(code[end:])
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		end += n
	}
	return identifierStart(code, end), end
}

// ask answers a line that ends in a question mark.
func (s *Shell) ask(e *execution, name string, detailed bool, span source.Span) error {
	if strings.HasPrefix(name, "%") {
		m := s.registry.either(name)
		if m == nil {
			return unknownMagic(s.registry, span, strings.TrimLeft(name, "%"), strings.HasPrefix(name, "%%"))
		}
		e.sink.Page(manual(m))
		return nil
	}
	if t, ok := s.objectCalled(e.ctx, name); ok {
		e.sink.Page(render.Object(t).Bundle())
		return nil
	}
	if e.language == Starlark {
		if b, ok := s.inspectStarlark(name); ok {
			e.sink.Page(b)
			return nil
		}
	}
	el := place{s.model(), s.top()}.resolve(name)
	if el == nil {
		return s.unknownElement(name, source.Span{File: span.File, Start: span.Start, End: span.Start + int32(len(name))})
	}
	e.sink.Page(description(el, detailed))
	return nil
}

// objectCalled is the object that a path from an existing object names.
func (s *Shell) objectCalled(ctx context.Context, path string) (*runtime.ObjectTree, bool) {
	first, _, _ := strings.Cut(path, ".")
	first, _, _ = strings.Cut(first, "[")
	if !strings.HasPrefix(first, "#") && !slices.Contains(s.objectNames(), first) {
		return nil, false
	}
	t, err := s.session.Features(ctx, path, 1)
	return t, err == nil
}

// top is the root namespace that names of a new line are looked up in; nil
// where nothing is declared yet.
func (s *Shell) top() *model.Element {
	docs := s.model().Documents()
	if len(docs) == 0 {
		return nil
	}
	return s.model().Root(docs[len(docs)-1].File)
}
