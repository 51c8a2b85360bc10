package render

import (
	"encoding/json"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
)

// MIME types that Orrery writes.
const (
	Plain    = "text/plain"
	HTML     = "text/html"
	Markdown = "text/markdown"
	SVG      = "image/svg+xml"
	PNG      = "image/png"        // data is base64
	JSON     = "application/json" // data is an unpacked JSON value; never beside a picture
	Mermaid  = "text/vnd.mermaid"
	VegaLite = "application/vnd.vegalite.v5+json" // data is an unpacked JSON value
)

// A Bundle is one output in several forms, as Jupyter's display_data and
// execute_result carry it. The zero Bundle shows nothing.
type Bundle struct {
	// Data maps a MIME type to its content: a string, or a json.RawMessage
	// where the type is JSON. It always has text/plain unless it is empty.
	Data map[string]any
	// Metadata maps a MIME type to hints for showing it; mostly nil.
	Metadata map[string]any
	// fit writes the plain text for another width; nil where it has one form.
	fit func(width int) string
}

// Text is a Bundle of plain text alone.
func Text(s string) Bundle { return Bundle{Data: map[string]any{Plain: s}} }

// Fitted is a Bundle of plain text that a terminal can have made for its own
// width in columns. The text is that for PageWidth wherever nobody asks. What
// fit reads must not change afterwards.
func Fitted(fit func(width int) string) Bundle {
	b := Text(fit(PageWidth))
	b.fit = fit
	return b
}

// TextFor is the text/plain form of b for a terminal of that many columns.
func (b Bundle) TextFor(width int) string {
	if b.fit == nil || width <= 0 {
		return b.PlainText()
	}
	return b.fit(width)
}

// With adds content of another MIME type to b and returns b.
func (b Bundle) With(mime string, content string) Bundle {
	if b.Data == nil {
		b.Data = map[string]any{}
	}
	if mime == JSON || mime == VegaLite {
		b.Data[mime] = json.RawMessage(content)
	} else {
		b.Data[mime] = content
	}
	return b
}

// Visible is b with signs in the place of characters that would steer a
// terminal or turn letters round, in all of its texts: see diagnostic.Visible.
func (b Bundle) Visible() Bundle {
	same := b.fit == nil
	for _, content := range b.Data {
		if text, ok := content.(string); ok {
			same = same && diagnostic.Visible(text) == text
		}
	}
	if same {
		return b
	}
	shown := Bundle{Data: make(map[string]any, len(b.Data)), Metadata: b.Metadata}
	for mime, content := range b.Data {
		if text, ok := content.(string); ok {
			content = diagnostic.Visible(text)
		}
		shown.Data[mime] = content
	}
	if fit := b.fit; fit != nil {
		shown.fit = func(width int) string { return diagnostic.Visible(fit(width)) }
	}
	return shown
}

// PlainText is the text/plain form of b, "" where b shows nothing.
func (b Bundle) PlainText() string {
	s, _ := b.Data[Plain].(string)
	return s
}

// IsEmpty reports whether b shows nothing.
func (b Bundle) IsEmpty() bool { return len(b.Data) == 0 }
