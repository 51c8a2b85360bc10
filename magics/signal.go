package magics

import (
	"strings"

	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// This file reads signals and calls, NAME or NAME(p=EXPR, ...), as %send and
// %run take them.

// event is the signal that w names, its arguments evaluated, and the port that
// it arrives at: "Go via left".
func (c *call) event(w word) (runtime.Event, error) {
	signal, port, _ := strings.Cut(w.text, " via ")
	w.text, w.span.End = signal, w.span.Start+int32(len(signal))
	expr, err := c.expression(w)
	if err != nil {
		return runtime.Event{}, err
	}
	e, err := c.shell.session.Event(c.ctx, expr)
	if err != nil {
		return e, c.shell.explained(placed(err, w.span), expr)
	}
	if strings.Contains(e.Name, "::") && c.shell.model().Find(e.Name) == nil {
		return e, c.shell.unknownElement(e.Name, w.span)
	}
	e.Via = strings.TrimSpace(port)
	return e, nil
}

// events are the signals of a list with commas between them.
func (c *call) events(w word) ([]runtime.Event, error) {
	var list []runtime.Event
	for _, piece := range splitList(w) {
		e, err := c.event(piece)
		if err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	return list, nil
}

// splitList cuts w at its commas outside of brackets and quotes.
func splitList(w word) []word {
	var list []word
	depth, quote, from := 0, byte(0), 0
	add := func(to int) {
		text := strings.TrimSpace(w.text[from:to])
		if text == "" {
			return
		}
		start := int(w.span.Start) + from + strings.Index(w.text[from:to], text)
		list = append(list, word{text, source.Span{File: w.span.File, Start: int32(start), End: int32(start + len(text))}})
	}
	for i := range len(w.text) {
		switch ch := w.text[i]; {
		case quote != 0:
			if ch == quote {
				quote = 0
			}
		case ch == '"' || ch == '\'':
			quote = ch
		case ch == '(' || ch == '[':
			depth++
		case ch == ')' || ch == ']':
			depth--
		case ch == ',' && depth == 0:
			add(i)
			from = i + 1
		}
	}
	add(len(w.text))
	return list
}
