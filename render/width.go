package render

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// PageWidth is how many columns of a terminal text output is made for.
const PageWidth = 80

// runeWidth is how many columns of a terminal r takes: 0, 1 or 2.
func runeWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// columns is how many columns s takes.
func columns(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

// exceeds reports whether s takes more than n columns; it reads no further.
func exceeds(s string, n int) bool {
	for _, r := range s {
		if n -= runeWidth(r); n < 0 {
			return true
		}
	}
	return false
}

// pad fills s with blanks to n columns, in front of it where right is set.
func pad(s string, n int, right bool) string {
	blank := strings.Repeat(" ", max(n-columns(s), 0))
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
	for exceeds(s, n) {
		cut, blank, used := 0, -1, 0
		for i, r := range s {
			w := runeWidth(r)
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

// Columns is how many columns of a terminal text takes.
func Columns(text string) int { return columns(text) }

// Wrapped is text in lines of at most width columns, broken at blanks where
// that is possible.
func Wrapped(text string, width int) string { return strings.Join(wrap(text, width), "\n") }
