package magics

import (
	"strings"
	"unicode/utf8"
)

// nearest is the candidate that a reader most likely meant by name, "" where
// none is near: at most one edit in three characters, letter case for free.
// Of equally near ones the first is taken.
func nearest(name string, candidates []string) string {
	best, found := utf8.RuneCountInString(name)/3+1, ""
	for _, c := range candidates {
		if d := distance(strings.ToLower(name), strings.ToLower(c), best); d < best {
			best, found = d, c
		}
	}
	if found == "" && len(name) >= 3 {
		for _, c := range candidates {
			if strings.HasPrefix(strings.ToLower(c), strings.ToLower(name)) {
				return c
			}
		}
	}
	return found
}

// distance is how many insertions, deletions, replacements and swaps of
// neighbours lead from a to b; limit or more where it reaches limit.
func distance(a, b string, limit int) int {
	x, y := []rune(a), []rune(b)
	if len(x)-len(y) >= limit || len(y)-len(x) >= limit {
		return limit
	}
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		for j := 1; j <= len(y); j++ {
			change := last[j-1]
			if x[i-1] != y[j-1] {
				change++
			}
			row[j] = min(change, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(y)]
}
