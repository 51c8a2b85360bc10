package diagnostic

import (
	"bytes"
	"encoding/json"

	"github.com/orrery-sysml/orrery/sysml/source"
)

// place is a Span in JSON: lines and columns count from 1, columns in code
// points, and the end is behind the last one.
type place struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`
}

func placeOf(s source.Span) *place {
	if s.IsZero() {
		return nil
	}
	from, to := s.StartPosition(), s.EndPosition()
	return &place{s.File.Name, from.Line, from.Column, to.Line, to.Column}
}

// MarshalJSON gives d as docs/schemas/diagnostics.schema.json has it.
func (d *Diagnostic) MarshalJSON() ([]byte, error) {
	type related struct {
		Message string `json:"message"`
		Place   *place `json:"place,omitempty"`
	}
	out := struct {
		Code       Code      `json:"code"`
		Severity   string    `json:"severity"`
		Message    string    `json:"message"`
		Place      *place    `json:"place,omitempty"`
		Hint       string    `json:"hint,omitempty"`
		Related    []related `json:"related,omitempty"`
		Incomplete bool      `json:"incomplete,omitempty"`
	}{d.Code, d.Severity.String(), d.Message, placeOf(d.Span), d.Hint, nil, d.Incomplete}
	for _, r := range d.Related {
		out.Related = append(out.Related, related{r.Message, placeOf(r.Span)})
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false) // who embeds it escapes where that is needed
	err := encoder.Encode(out)
	return b.Bytes(), err
}
