package repl

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/orrery-sysml/orrery/sysml/display"
)

// This file measures and breaks text that holds colours.

// lazily is a regular expression that is compiled when it is first used: most
// processes run one cell and print a line.
func lazily(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

var sgr = lazily("\x1b\\[[0-9;]*m")

// plain is text without its colours.
func plain(text string) string {
	if !strings.Contains(text, "\x1b") {
		return text
	}
	return sgr().ReplaceAllString(text, "")
}

// brokenRows is a line as a terminal of so many columns breaks it, each row
// with the colours that reach into it.
func brokenRows(line string, columns int) []string {
	if display.Width(plain(line)) <= columns {
		return []string{line}
	}
	var rows []string
	var row strings.Builder
	used, shade := 0, ""
	for line != "" {
		if strings.HasPrefix(line, "\x1b") {
			if code := sgr().FindString(line); code != "" && strings.HasPrefix(line, code) {
				row.WriteString(code)
				if shade += code; code == "\x1b[0m" || code == "\x1b[m" {
					shade = ""
				}
				line = line[len(code):]
				continue
			}
		}
		r, n := utf8.DecodeRuneInString(line)
		if w := display.RuneWidth(r); used+w > columns && used > 0 {
			if shade != "" {
				row.WriteString("\x1b[0m")
			}
			rows = append(rows, row.String())
			row.Reset()
			row.WriteString(shade)
			used = 0
		}
		used += display.RuneWidth(r)
		row.WriteString(line[:n])
		line = line[n:]
	}
	return append(rows, row.String())
}

// folded is text with every line that is wider than columns broken between
// words, what is broken off standing deeper. Lines of drawings and of code
// that is quoted stay as they are, since their columns mean something.
func folded(text string, columns int) string {
	if !exceeds(text, columns) {
		return text
	}
	var out strings.Builder
	for line := range strings.Lines(text) {
		body := strings.TrimSuffix(line, "\n")
		if display.Width(plain(body)) <= columns || rigid().MatchString(plain(body)) {
			out.WriteString(line)
			continue
		}
		out.WriteString(foldedLine(body, columns) + line[len(body):])
	}
	return out.String()
}

func exceeds(text string, columns int) bool {
	for line := range strings.Lines(text) {
		if len(line) > columns && display.Width(plain(line)) > columns {
			return true
		}
	}
	return false
}

// rigid lines hold a drawing behind their first letter, or the cells of a
// table, or quoted code with its line number or the carets below it.
var rigid = lazily(`[^\s─-╿].*[─-▟]|[^\s─-╿] {2,}\S|^ *[0-9]* \|`)

func foldedLine(line string, columns int) string {
	lead := branches().FindString(plain(line))
	deeper := strings.Map(func(r rune) rune {
		switch r {
		case '├', '│':
			return '│'
		}
		return ' '
	}, lead) + "  "
	if display.Width(deeper) > columns/2 {
		deeper = "  "
	}
	var out strings.Builder
	used, begun := 0, false
	for word := range strings.SplitAfterSeq(line, " ") {
		w := display.Width(plain(word))
		if begun && used+display.Width(strings.TrimRight(plain(word), " ")) > columns {
			text := strings.TrimRight(out.String(), " ")
			out.Reset()
			out.WriteString(text + "\n" + deeper)
			used = display.Width(deeper)
		}
		out.WriteString(word)
		used += w
		begun = begun || strings.Trim(plain(word), " ─├└│") != ""
	}
	return out.String()
}

// branches are the lines of a tree, and the blanks, that a line begins with.
var branches = lazily(`^[ │├└─]*`)
