package magics

import (
	"context"
	"strings"

	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// This file executes a piece of a cell as a cell of its own, and holds the
// sinks that such a piece may write to.

// blanked is a file in which the text of span stands at its own offsets and
// all before it is blank, so that places in it are places in the cell.
func blanked(span source.Span) *source.File {
	text := span.File.Text
	before := strings.Map(func(r rune) rune {
		if r == '\n' {
			return r
		}
		return ' '
	}, asciiOnly(text[:span.Start]))
	return &source.File{Name: span.File.Name, Text: before + text[span.Start:span.End], Language: span.File.Language}
}

// asciiOnly is s with every byte that is not ASCII made a blank, so that its
// length stays when runes are replaced.
func asciiOnly(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 0x80 {
			b[i] = ' '
		}
	}
	return string(b)
}

// cut is the file of span as far as the end of span, so that a piece of it can
// be read in its place.
func cut(span source.Span) *source.File {
	if int(span.End) == len(span.File.Text) {
		return span.File
	}
	return &source.File{Name: span.File.Name, Text: span.File.Text[:span.End], Language: span.File.Language}
}

// nested executes the text of span as a cell that writes to sink. With result
// its value is the value of the whole cell.
func (e *execution) nested(span source.Span, sink Sink, result bool) error {
	return e.within(cut(span), int(span.Start), sink, result)
}

func (e *execution) within(file *source.File, start int, sink Sink, result bool) error {
	outer := e.sink
	if e.sink = sink; !result {
		e.sink = noResult{sink}
	}
	defer func() { e.sink = outer }()
	return e.run(file, start)
}

// noResult makes the value of a piece an ordinary output.
type noResult struct{ Sink }

func (s noResult) Result(b render.Bundle) { s.Display(b, "") }

// dropped shows nothing but what asks for an answer.
type dropped struct{ Sink }

func (dropped) Stream(Stream, string)         {}
func (dropped) Display(render.Bundle, string) {}
func (dropped) Update(string, render.Bundle)  {}
func (dropped) Clear(bool)                    {}
func (dropped) Result(render.Bundle)          {}
func (dropped) Page(render.Bundle)            {}
func (dropped) NextInput(string, bool)        {}
func (dropped) Progress(Progress)             {}

// recording keeps outputs instead of showing them. Neighbouring texts of a
// stream are one output.
type recording struct {
	Sink
	outputs []render.Bundle
	ids     []string
	stream  bool // the last output is text of a stream
}

func (s *recording) add(b render.Bundle, id string, stream bool) {
	s.outputs, s.ids, s.stream = append(s.outputs, b), append(s.ids, id), stream
}

func (s *recording) Stream(_ Stream, text string) {
	if n := len(s.outputs); s.stream && n > 0 {
		s.outputs[n-1] = render.Text(s.outputs[n-1].PlainText() + text)
		return
	}
	s.add(render.Text(text), "", true)
}

func (s *recording) Display(b render.Bundle, id string) { s.add(b, id, false) }
func (s *recording) Result(b render.Bundle)             { s.add(b, "", false) }
func (s *recording) Page(b render.Bundle)               { s.add(b, "", false) }
func (s *recording) Update(id string, b render.Bundle) {
	for i := range s.ids {
		if s.ids[i] == id {
			s.outputs[i] = b
		}
	}
}

func (s *recording) Clear(bool) { s.outputs, s.ids, s.stream = nil, nil, false }

// Ask passes on; a question cannot be kept for later.
func (s *recording) Ask(ctx context.Context, prompt string, password bool) (string, error) {
	return s.Sink.Ask(ctx, prompt, password)
}
