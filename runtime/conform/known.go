package conform

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The parts of a case that are judged.
const (
	PartResult = "result" // what came of the run
	PartGolden = "golden" // its trace
	PartOrder  = "order"  // the partial order of its trace
	PartCheck  = "check"  // what checking every schedule finds
)

// Known lists parts of cases that may fail, with the reason why.
type Known map[string]map[string]string

// ParseKnown reads a list: "case [part]  # reason" a line, or tab-separated
// rows "case, part, reason". A line without part is about all parts. Blank
// lines and lines that start with # are skipped.
func ParseKnown(text string) (Known, error) {
	known := Known{}
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimRight(line, " \r")
		if line == "" || line[0] == '#' {
			continue
		}
		name, part, reason := "", "", ""
		if fields := strings.SplitN(line, "\t", 3); len(fields) == 3 {
			name, part, reason = fields[0], fields[1], fields[2]
		} else {
			head, tail, _ := strings.Cut(line, "#")
			words := strings.Fields(head)
			if len(words) < 1 || len(words) > 2 {
				return nil, fmt.Errorf("line %d: expected 'case [part]  # reason'", i+1)
			}
			name, reason = words[0], strings.TrimSpace(tail)
			if len(words) == 2 {
				part = words[1]
			}
		}
		if part != "" && !slices.Contains([]string{PartResult, PartGolden, PartOrder, PartCheck}, part) {
			return nil, fmt.Errorf("line %d: %q is no part of a case", i+1, part)
		}
		if reason == "" {
			return nil, fmt.Errorf("line %d: %s has no reason", i+1, name)
		}
		if known[name] == nil {
			known[name] = map[string]string{}
		}
		known[name][part] = reason
	}
	return known, nil
}

// Reason is why a part of a case may fail; "" where it may not.
func (k Known) Reason(name, part string) string {
	if reason := k[name][part]; reason != "" {
		return reason
	}
	return k[name][""]
}

// Join is the entries of all lists; a later list wins.
func Join(lists ...Known) Known {
	all := Known{}
	for _, list := range lists {
		for name, parts := range list {
			if all[name] == nil {
				all[name] = map[string]string{}
			}
			maps.Copy(all[name], parts)
		}
	}
	return all
}
