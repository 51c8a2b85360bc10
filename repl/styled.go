package repl

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/orrery-sysml/orrery/sysml/display"
)

// This file measures and breaks text that holds colours.

var sgr = regexp.MustCompile("\x1b\\[[0-9;]*m")

// plain is text without its colours.
func plain(text string) string {
	if !strings.Contains(text, "\x1b") {
		return text
	}
	return sgr.ReplaceAllString(text, "")
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
			if code := sgr.FindString(line); code != "" && strings.HasPrefix(line, code) {
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
