package notebooks

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/orrery-sysml/orrery/magics"
	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

var askCode = diagnostic.Register("cannot-ask",
	"A cell asks for input where nobody can answer: the notebook runs without a person before it.")

// A sink stores the outputs of one cell in the notebook, in the form Jupyter
// stores them, and prints them as they come.
type sink struct {
	r     *runner
	cell  object
	clear bool // the next output replaces those so far
	magics.Console
}

func (s *sink) outputs() []any { list, _ := s.cell["outputs"].([]any); return list }

func (s *sink) add(output object) {
	if s.clear {
		s.cell["outputs"], s.clear = []any{}, false
	}
	s.cell["outputs"] = append(s.outputs(), output)
}

// Stream implements magics.Sink; neighbouring texts of one stream are one
// output, as Jupyter has it.
func (s *sink) Stream(name magics.Stream, text string) {
	if text == "" {
		return
	}
	w := s.Out
	if name == magics.Stderr {
		w = s.Err
	}
	s.Print(w, text)
	if list := s.outputs(); len(list) > 0 && !s.clear {
		last, _ := list[len(list)-1].(object)
		if last["output_type"] == "stream" && last["name"] == string(name) {
			stored, _ := last["text"].([]any)
			if n := len(stored); n > 0 {
				// The last line may have been unfinished.
				tail, _ := stored[n-1].(string)
				stored, text = stored[:n-1], tail+text
			}
			last["text"] = append(stored, lines(text)...)
			return
		}
	}
	s.add(object{"output_type": "stream", "name": string(name), "text": lines(text)})
}

// Display implements magics.Sink.
func (s *sink) Display(b render.Bundle, displayID string) {
	output := object{"output_type": "display_data", "data": stored(b), "metadata": metadata(b)}
	if displayID != "" {
		s.r.shown[displayID] = append(s.r.shown[displayID], output)
	}
	s.add(output)
	s.line(b)
}

// Update implements magics.Sink.
func (s *sink) Update(displayID string, b render.Bundle) {
	for _, output := range s.r.shown[displayID] {
		output["data"], output["metadata"] = stored(b), metadata(b)
	}
	if len(s.r.shown[displayID]) > 0 {
		s.line(b)
	}
}

// Clear implements magics.Sink. What is printed stays printed.
func (s *sink) Clear(wait bool) {
	if s.clear = wait; !wait {
		s.cell["outputs"] = []any{}
	}
}

// Result implements magics.Sink.
func (s *sink) Result(b render.Bundle) {
	s.add(object{"output_type": "execute_result", "execution_count": s.cell["execution_count"],
		"data": stored(b), "metadata": metadata(b)})
	s.line(b)
}

// Page implements magics.Sink: a notebook does not store what a pager shows.
func (s *sink) Page(b render.Bundle) { s.line(b) }

// NextInput implements magics.Sink: the cells of a notebook stay as they are.
func (s *sink) NextInput(string, bool) {}

// Ask implements magics.Sink.
func (s *sink) Ask(ctx context.Context, prompt string, password bool) (string, error) {
	if s.r.o.Ask == nil {
		return "", diagnostic.New(askCode, source.Span{}, "the cell asks for input, and nobody is there to answer").
			WithHint("give the value as a parameter (-p name=value), or run the notebook in Jupyter")
	}
	s.Hide()
	return s.r.o.Ask(ctx, prompt, password)
}

// heading names the cell: on a terminal as progress, else as a line of text.
func (s *sink) heading(text, label string) {
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if runes := []rune(first); len(runes) > 60 {
		first = string(runes[:57]) + "..."
	}
	line := fmt.Sprintf("[%s] %s", label, first)
	if s.r.o.Color {
		line = "\x1b[2m" + line + "\x1b[0m"
	}
	s.Print(s.Out, line+"\n")
	s.Show("cell " + label)
}

// fail stores and prints how the cell ended.
func (s *sink) fail(e *magics.CellError) {
	trace := []any{}
	for _, t := range e.Traceback() {
		trace = append(trace, t)
	}
	s.add(object{"output_type": "error", "ename": e.Name, "evalue": e.Value, "traceback": trace})
	for _, t := range e.Texts(diagnostic.Style{Color: s.r.o.Color}) {
		s.Print(s.Err, ended(t))
	}
}

// line prints the text of b on lines of its own.
func (s *sink) line(b render.Bundle) {
	s.EndLine()
	s.Print(s.Out, ended(diagnostic.Visible(b.PlainText())))
}

// stored is the data of b in the form of a notebook file.
func stored(b render.Bundle) object {
	data := object{}
	for mime, content := range b.Data {
		switch content := content.(type) {
		case string:
			if mime == render.JSON || strings.HasSuffix(mime, "+json") {
				data[mime] = content
			} else {
				data[mime] = lines(content)
			}
		case json.RawMessage:
			data[mime] = unpacked(content)
		default:
			data[mime] = content
		}
	}
	return data
}

// unpacked decodes JSON content so that its keys are sorted like all others.
func unpacked(raw json.RawMessage) any {
	decoder := json.NewDecoder(strings.NewReader(string(raw)))
	decoder.UseNumber()
	var v any
	if decoder.Decode(&v) != nil {
		return string(raw)
	}
	return v
}

func metadata(b render.Bundle) object {
	m := object{}
	for k, v := range b.Metadata {
		m[k] = v
	}
	return m
}

// ended is text with the end of its last line, "" for nothing.
func ended(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}
