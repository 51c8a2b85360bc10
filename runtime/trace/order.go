package trace

import (
	"fmt"
	"strings"
)

// An OrderConstraint says that the first line that mentions Before comes
// strictly before the first line that mentions After.
type OrderConstraint struct {
	Before, After string
	Line          int // where it is written, one-based
}

// ParseOrder reads constraints of the form "a < b", one a line. Blank lines
// and lines that start with # are skipped. A text without a constraint, or
// with a line of another shape, is refused.
func ParseOrder(text string) ([]OrderConstraint, error) {
	var all []OrderConstraint
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		before, after, ok := strings.Cut(line, " < ")
		before, after = strings.TrimSpace(before), strings.TrimSpace(after)
		if !ok || before == "" || after == "" || strings.Contains(after, " < ") {
			return nil, fmt.Errorf("line %d: expected 'a < b', got %q", i+1, line)
		}
		all = append(all, OrderConstraint{before, after, i + 1})
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no order constraint")
	}
	return all, nil
}

// CheckOrder lists what a trace breaks of the constraints, one sentence
// each, in order; nothing when it respects them all.
func CheckOrder(lines []string, constraints []OrderConstraint) []string {
	first := map[string]int{}
	for i, line := range lines {
		for _, label := range mentions(line) {
			if _, ok := first[label]; !ok {
				first[label] = i
			}
		}
	}
	var broken []string
	for _, c := range constraints {
		a, okA := first[c.Before]
		b, okB := first[c.After]
		switch {
		case !okA:
			broken = append(broken, fmt.Sprintf("%s < %s: no line mentions %s", c.Before, c.After, c.Before))
		case !okB:
			broken = append(broken, fmt.Sprintf("%s < %s: no line mentions %s", c.Before, c.After, c.After))
		case a == b:
			broken = append(broken, fmt.Sprintf("%s < %s: line %d mentions both first: %s", c.Before, c.After, a+1, lines[a]))
		case a > b:
			broken = append(broken, fmt.Sprintf("%s < %s: %s is first mentioned by line %d (%s), %s by line %d (%s)",
				c.Before, c.After, c.Before, a+1, lines[a], c.After, b+1, lines[b]))
		}
	}
	return broken
}

// mentions is the labels that a line of a trace names a performance or a
// statement by.
func mentions(line string) []string {
	text := strings.TrimLeft(line, " ")
	if label, ok := strings.CutPrefix(text, "stmt "); ok {
		return []string{label}
	}
	if label, ok := strings.CutPrefix(line, "enter action node: "); ok {
		return []string{label}
	}
	if label, ok := strings.CutPrefix(line, "enter: "); ok {
		return []string{strings.TrimSuffix(label, " (entry action)")}
	}
	if !strings.HasPrefix(line, "step ") {
		return nil
	}
	_, places, _ := strings.Cut(line, ": ")
	var labels []string
	for place := range strings.SplitSeq(places, ", ") {
		if _, node, ok := strings.Cut(place, "@"); ok {
			labels = append(labels, node)
		}
	}
	return labels
}
