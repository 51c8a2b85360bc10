package display

import (
	"unicode"

	"golang.org/x/text/width"
)

// RuneWidth is how many columns r takes: 0, 1 or 2. Control characters are
// taken for one, as what is shown in their place.
func RuneWidth(r rune) int {
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

// Width is how many columns s takes.
func Width(s string) int {
	n := 0
	for _, r := range s {
		n += RuneWidth(r)
	}
	return n
}

// Cut is s in at most n columns; "…" stands for what is left out. Of n below 1
// nothing is cut.
func Cut(s string, n int) string {
	if n < 1 || !Exceeds(s, n) {
		return s
	}
	for i, r := range s {
		if n -= RuneWidth(r); n <= 0 {
			return s[:i] + "…"
		}
	}
	return s
}

// Exceeds reports whether s takes more than n columns; it reads no further.
func Exceeds(s string, n int) bool {
	for _, r := range s {
		if n -= RuneWidth(r); n < 0 {
			return true
		}
	}
	return false
}
