package magics

import (
	"strings"

	"github.com/orrery-sysml/orrery/plan"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// IsComplete says whether code can be executed as it stands, for a prompt that
// reads line by line. A %% cell is complete once a blank line ends it. It may
// be called while a cell runs.
func (s *Shell) IsComplete(code string) Completeness {
	if start, ok := cellMagicAt(code); ok {
		if language, below := inner(code, s.options.Language); language == Starlark && below > 0 && code[below-1] == '\n' {
			return starlarkComplete(code[below-1:])
		}
		if end := lineEnd(code, start); question(strings.TrimSpace(code[start:end])) == "" && !strings.HasSuffix(code[end:], "\n") {
			return Completeness{Status: "incomplete"}
		}
		return Completeness{Status: "complete"}
	}
	if s.options.Language == Starlark {
		return programComplete(code)
	}
	e := &execution{shell: s, file: source.NewFile("", code)}
	for pos := 0; ; {
		part := e.part(pos)
		switch {
		case part.Kind == syntax.PartEnd:
			return Completeness{Status: "complete"}
		case part.Diagnostics.Incomplete():
			return Completeness{Status: "incomplete", Indent: nextIndent(code), Missing: missing(code, pos, part.Diagnostics)}
		case part.Diagnostics.HasErrors():
			return Completeness{Status: "invalid"}
		}
		pos = part.End
	}
}

// starlarkComplete judges the body of a Starlark cell, line end before it
// included.
func starlarkComplete(body string) Completeness {
	if strings.TrimSpace(body) == "" {
		return Completeness{Status: "incomplete"}
	}
	c := plan.IsComplete(body[1:])
	if c.Status == "complete" && !strings.HasSuffix(body, "\n") {
		return Completeness{Status: "incomplete"}
	}
	return Completeness{Status: c.Status, Indent: c.Indent}
}

// programComplete judges a cell that is a program without saying so.
func programComplete(code string) Completeness {
	body := code[programAt(code):]
	if strings.TrimSpace(body) == "" {
		return Completeness{Status: "complete"}
	}
	c := plan.IsComplete(strings.TrimPrefix(body, "\n"))
	return Completeness{Status: c.Status, Indent: c.Indent}
}

// nextIndent is the white space that the line behind code should begin with:
// that of its last line, one step deeper where that line opens a bracket.
func nextIndent(code string) string {
	lines := strings.Split(strings.TrimRight(code, " \t\n"), "\n")
	last := lines[len(lines)-1]
	indent := last[:len(last)-len(strings.TrimLeft(last, " \t"))]
	if strings.HasSuffix(last, "{") || strings.HasSuffix(last, "(") {
		indent += "    "
	}
	return indent
}

// missing is what the incomplete part of code at pos lacks: the innermost
// bracket that is open, else what the parser expected.
func missing(code string, pos int, list diagnostic.List) string {
	closing := map[string]string{"{": "}", "(": ")", "[": "]"}
	var open []string
	for _, token := range syntax.Tokens(source.NewFile("", code[pos:])) {
		switch text := code[pos+int(token.Start) : pos+int(token.End)]; {
		case token.Kind == syntax.MalformedToken && strings.HasPrefix(text, "/*"):
			return "*/"
		case token.Kind == syntax.MalformedToken:
			return text[:1]
		case closing[text] != "":
			open = append(open, closing[text])
		case len(open) > 0 && text == open[len(open)-1]:
			open = open[:len(open)-1]
		}
	}
	if n := len(open); n > 0 && endsStatement(code) {
		return open[n-1]
	}
	for _, d := range list {
		if d.Incomplete && d.Expected != "" {
			return strings.ReplaceAll(d.Expected, "'", "")
		}
	}
	return ""
}

// endsStatement reports whether nothing is half said at the end of code, so
// that only brackets may be open.
func endsStatement(code string) bool {
	code = strings.TrimRight(code, " \t\n")
	return strings.HasSuffix(code, "{") || strings.HasSuffix(code, "}") || strings.HasSuffix(code, ";") || strings.HasSuffix(code, "*/")
}
