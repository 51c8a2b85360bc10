package axis

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A Selector names leaves: by an id or the beginning of one, or by options
// that some of their axes take.
type Selector struct {
	ID   string // "" where options select
	Pins []Pin
}

// A Pin fixes one axis by the key or label of an option.
type Pin struct{ Axis, Key string }

// idShape is what the beginning of an id looks like.
var idShape = regexp.MustCompile(`^[a-z2-7]{4,52}$`)

// ParseSelector reads "k3hq7rtx2m", a beginning of it of at least four
// characters, or 'retries=3,fault="timeout"'. The error is a sentence.
func ParseSelector(text string) (Selector, error) {
	if idShape.MatchString(text) {
		return Selector{ID: text}, nil
	}
	var s Selector
	for _, part := range splitPins(text) {
		p, err := ParsePin(part)
		if err != nil {
			return Selector{}, fmt.Errorf("a leaf is named by at least four characters of its id or by axis=option pairs, not by %q", text)
		}
		s.Pins = append(s.Pins, p)
	}
	return s, nil
}

// ParsePin reads axis=option; a name with blanks stands in quotes.
func ParsePin(text string) (Pin, error) {
	text = strings.TrimSpace(text)
	if quoted, err := strconv.QuotedPrefix(text); err == nil {
		if rest := text[len(quoted):]; strings.HasPrefix(rest, "=") {
			name, _ := strconv.Unquote(quoted) // it is quoted
			return Pin{Axis: name, Key: strings.TrimSpace(rest[1:])}, nil
		}
	}
	name, key, ok := strings.Cut(text, "=")
	name = strings.TrimSpace(name)
	if !ok || name == "" {
		return Pin{}, fmt.Errorf("expected axis=option, not %q", text)
	}
	return Pin{Axis: name, Key: strings.TrimSpace(key)}, nil
}

// splitPins splits text at commas and blanks outside quotes and brackets.
func splitPins(text string) []string {
	var out []string
	var quote byte
	depth, start := 0, 0
	flush := func(end int) {
		if part := strings.TrimSpace(text[start:end]); part != "" {
			out = append(out, part)
		}
		start = end + 1
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		case depth == 0 && (c == ',' || c == ' '):
			flush(i)
		}
	}
	flush(len(text))
	return out
}

// Matches reports whether p, of a leaf whose whole id is id, is selected. A
// pin of an axis that p does not have does not match.
func (s Selector) Matches(id string, p Path) bool {
	if s.ID != "" {
		return strings.HasPrefix(id, s.ID)
	}
	for _, pin := range s.Pins {
		x, ok := p.Get(pin.Axis)
		if !ok || x.Axis.Index(pin.Key) != x.Index {
			return false
		}
	}
	return true
}

// Admits reports whether a path that takes option i of a can still match.
func (s Selector) Admits(a *Axis, i int) bool {
	for _, pin := range s.Pins {
		if pin.Axis == a.ID && a.Index(pin.Key) != i {
			return false
		}
	}
	return true
}
