package repl

import (
	"strings"

	"github.com/orrery-sysml/orrery/magics"
	"github.com/orrery-sysml/orrery/repl/edit"
)

// This file is the palette of the terminal: what a cell is coloured with while
// it is typed, and what comes out of it.

// The shades, as the parameters of an SGR sequence.
const (
	shadeStrong  = "1" // headings, names, the prompt
	shadeFaint   = "2" // rules, borders, hints
	shadeRun     = "1;36"
	shadeWord    = "34"
	shadeMagic   = "1;36"
	shadeFlag    = "36"
	shadeString  = "32"
	shadeNumber  = "35"
	shadeUnit    = "36"
	shadeObject  = "36"
	shadeHolds   = "32"
	shadeFails   = "31"
	shadeOpen    = "33" // neither holds nor fails
	shadeCurrent = "1;32"
	shadeNote    = "33"
)

// shades are those of what Shell.Tints tells apart.
var shades = [...]string{magics.TintWord: shadeWord, magics.TintMagic: shadeMagic, magics.TintFlag: shadeFlag, magics.TintString: shadeString,
	magics.TintNumber: shadeNumber, magics.TintComment: shadeFaint, magics.TintWrong: shadeFails}

// tints are the colours of a cell.
func (s *session) tints(code string) []edit.Tint {
	var list []edit.Tint
	for _, t := range s.shell.Tints(code) {
		list = append(list, edit.Tint{Start: t.Start, End: t.End, Shade: shades[t.Kind]})
	}
	return list
}

// shade is text in a colour, where there are colours.
func (s *session) shade(code, text string) string {
	if !s.o.Color {
		return text
	}
	return shaded(code, text)
}

func shaded(code, text string) string {
	if text == "" || code == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// verdictShades are the words in which a judgement is given.
var verdictShades = map[string]string{
	"holds": shadeHolds, "hold": shadeHolds, "valid": shadeHolds, "satisfied": shadeHolds, "pass": shadeHolds, "passed": shadeHolds, "complete": shadeHolds,
	"violated": shadeFails, "invalid": shadeFails, "fail": shadeFails, "failed": shadeFails, "deadlock": shadeFails, "deadlocks": shadeFails,
	"undecided": shadeOpen, "inconclusive": shadeOpen, "incomplete": shadeOpen,
}

// token is one piece of an output that may have a colour. A word is matched
// whole so that its digits are no number.
var token = lazily(`"(?:[^"\\\n]|\\.)*"|#[0-9]+|●[0-9]*|┏━*┓|┗[━┯┷]*┛|┃|◀|[─-╿]+|[\pL_][\pL\pN_]*|[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|\[[^\[\]\n]*\]`)

// colouredSize is the length of an output, in bytes, from which nobody reads
// it for its colours.
const colouredSize = 1 << 20

// coloured is an output in the colours of its verdicts, names, numbers, units
// and headings. Only colours are added.
func coloured(text string) string {
	if len(text) > colouredSize {
		return text
	}
	var out strings.Builder
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		body := strings.TrimRight(line, "\n")
		switch {
		case i+1 < len(lines) && isRule(lines[i+1]) || strings.HasSuffix(body, ":") && !strings.ContainsAny(body, `"[`):
			out.WriteString(shaded(shadeStrong, body))
		case isRule(line):
			out.WriteString(shaded(shadeFaint, body))
		default:
			colourLine(&out, body)
		}
		out.WriteString(line[len(body):])
	}
	return out.String()
}

// isRule reports whether a line rules off the heading of a table.
func isRule(line string) bool {
	line = strings.TrimSpace(line)
	return line != "" && strings.Trim(line, "─ ") == ""
}

func colourLine(out *strings.Builder, line string) {
	at, number := 0, -1 // number is where the last number ended
	for _, found := range token().FindAllStringIndex(line, -1) {
		out.WriteString(line[at:found[0]])
		text := line[found[0]:found[1]]
		shade := tokenShade(text, line[found[1]:], number >= 0 && line[number:found[0]] == " ")
		if shade == shadeStrong && strings.HasSuffix(line[:found[0]], ": ") {
			shade = "" // the type of what was named before
		}
		out.WriteString(shaded(shade, text))
		if at = found[1]; shade == shadeNumber {
			number = at
		}
	}
	out.WriteString(line[at:])
}

// tokenShade is the colour of a token; behind is what follows it.
func tokenShade(text, behind string, afterNumber bool) string {
	switch first := []rune(text)[0]; {
	case first == '"':
		return shadeString
	case first == '#':
		return shadeObject
	case strings.ContainsRune("●┏┗┃◀", first):
		return shadeCurrent
	case first >= '─' && first <= '╿':
		return shadeFaint
	case first >= '0' && first <= '9':
		return shadeNumber
	case first == '[':
		if afterNumber {
			return shadeUnit
		}
		return ""
	}
	if shade := verdictShades[text]; shade != "" {
		return shade
	}
	if strings.HasPrefix(behind, " : ") || strings.HasPrefix(behind, " = ") {
		return shadeStrong
	}
	return ""
}
