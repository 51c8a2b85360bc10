package render

import (
	"strings"
	"unicode/utf8"

	"github.com/orrery-sysml/orrery/sysml/display"
)

// PageWidth is how many columns of a terminal text output is made for.
const PageWidth = 80

// pad fills s with blanks to n columns, in front of it where right is set.
func pad(s string, n int, right bool) string {
	blank := strings.Repeat(" ", max(n-display.Width(s), 0))
	if right {
		return blank + s
	}
	return s + blank
}

// wrap breaks s into lines of at most n columns, at blanks where it can.
func wrap(s string, n int) []string {
	var lines []string
	for _, paragraph := range strings.Split(s, "\n") {
		lines = append(lines, wrapLine(paragraph, max(n, 1))...)
	}
	return lines
}

func wrapLine(s string, n int) []string {
	var lines []string
	for display.Exceeds(s, n) {
		cut, blank, used := 0, -1, 0
		for i, r := range s {
			w := display.RuneWidth(r)
			if used+w > n {
				if r == ' ' {
					blank = i
				}
				break
			}
			used += w
			if r == ' ' && i > 0 {
				blank = i
			}
			cut = i + len(string(r))
		}
		if cut == 0 { // one wide rune in a narrow column
			_, cut = utf8.DecodeRuneInString(s)
		}
		if blank > 0 {
			lines = append(lines, strings.TrimRight(s[:blank], " "))
			s = strings.TrimLeft(s[blank:], " ")
			continue
		}
		lines = append(lines, s[:cut])
		if s = s[cut:]; s == "" {
			return lines
		}
	}
	return append(lines, s)
}

// Wrapped is text in lines of at most width columns, broken at blanks where
// that is possible.
func Wrapped(text string, width int) string { return strings.Join(wrap(text, width), "\n") }
