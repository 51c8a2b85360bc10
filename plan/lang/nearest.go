package lang

// Nearest is the name among names that looks most like name: at most a third
// of its letters differ. "" where none does. Of several the first one counts.
func Nearest(name string, names []string) string {
	best, least := "", len(name)/3+1
	for _, n := range names {
		if d := distance(name, n, least); d < least {
			best, least = n, d
		}
	}
	return best
}

// distance is the edit distance of a and b, or bound where it is not smaller.
func distance(a, b string, bound int) int {
	if abs(len(a)-len(b)) >= bound {
		return bound
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost++
			}
			diagonal = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return min(row[len(b)], bound)
}

func abs(n int) int { return max(n, -n) }
