package spell

import (
	"sort"
	"unicode"
)

// Nearest are up to three of names that are spelled most like name, the
// nearest first, name itself left out; names at equal distance keep their
// order. Of a name of one or two letters only the case may differ, a longer one
// may be one letter wrong in three.
func Nearest(name string, names []string) []string {
	type candidate struct {
		name     string
		distance int
	}
	limit := (len(name) + 1) / 3
	if len(name) < 3 {
		limit = 0
	}
	var near []candidate
	seen := map[string]bool{name: true}
	for _, n := range names {
		if seen[n] || max(len(n)-len(name), len(name)-len(n)) > limit {
			continue
		}
		seen[n] = true
		if d := distance(name, n); d <= limit {
			near = append(near, candidate{n, d})
		}
	}
	sort.SliceStable(near, func(i, j int) bool { return near[i].distance < near[j].distance })
	var best []string
	for i := 0; i < len(near) && i < 3 && near[i].distance <= near[0].distance+1; i++ {
		best = append(best, near[i].name)
	}
	return best
}

// First is the first of Nearest; "" where none is near.
func First(name string, names []string) string {
	if near := Nearest(name, names); len(near) > 0 {
		return near[0]
	}
	return ""
}

// distance is how many letters have to be put in, left out, changed or swapped
// with their neighbour to make b of a; a change of case alone counts nothing.
func distance(a, b string) int {
	x, y := fold(a), fold(b)
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(y)]
}

func fold(s string) []rune {
	r := []rune(s)
	for i, c := range r {
		r[i] = unicode.ToLower(c)
	}
	return r
}
