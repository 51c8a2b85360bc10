package conform

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"
)

// Status is what judging a part of a case gave.
type Status string

// The statuses.
const (
	Passed Status = "passed"
	Failed Status = "failed"
	// Expected failures are on the Known list.
	KnownFailure Status = "known"
	// A Surprise is on the Known list and passes.
	Surprise Status = "surprise"
)

// A Part is one judged part of a case under one policy.
type Part struct {
	Part   string `json:"part"`
	Policy string `json:"policy"`
	Status Status `json:"status"`
	// Reasons says what is wrong, one line each; for a known failure it ends
	// with why it is known.
	Reasons []string `json:"reasons,omitempty"`
}

// A CaseReport is all that was judged of a case.
type CaseReport struct {
	Name  string `json:"name"`
	Type  string `json:"type"`
	Parts []Part `json:"parts"`
	// Uncited says that the case cites an oracle that is not there.
	Uncited bool `json:"-"`
}

// OK reports whether no part failed.
func (c *CaseReport) OK() bool {
	for _, p := range c.Parts {
		if p.Status == Failed {
			return false
		}
	}
	return true
}

// A Report is what Run found, in the order of the cases.
type Report struct {
	Version int           `json:"version"`
	Cases   []*CaseReport `json:"cases"`
	Totals  []Total       `json:"totals"`
	// Uncited counts cases whose citation was not looked up, for want of an
	// oracle.
	Uncited int `json:"uncited,omitempty"`
}

// A Total counts the parts of one kind of the cases of one type. A case
// passes a part when it does so under every policy.
type Total struct {
	Type     string `json:"type"`
	Part     string `json:"part"`
	Cases    int    `json:"cases"`
	Passed   int    `json:"passed"`
	Known    int    `json:"known"`
	Failed   int    `json:"failed"`
	Surprise int    `json:"surprise"`
}

// OK reports whether no case failed.
func (r *Report) OK() bool {
	for _, c := range r.Cases {
		if !c.OK() {
			return false
		}
	}
	return true
}

// sum makes the totals.
func (r *Report) sum() {
	r.Version = 1
	totals := map[[2]string]*Total{}
	for _, c := range r.Cases {
		if c.Uncited {
			r.Uncited++
		}
		worst := map[string]Status{}
		rank := map[Status]int{Passed: 1, Surprise: 2, KnownFailure: 3, Failed: 4}
		for _, p := range c.Parts {
			if rank[p.Status] > rank[worst[p.Part]] {
				worst[p.Part] = p.Status
			}
		}
		for part, status := range worst {
			t := totals[[2]string{c.Type, part}]
			if t == nil {
				t = &Total{Type: c.Type, Part: part}
				totals[[2]string{c.Type, part}] = t
			}
			t.add(status)
		}
	}
	r.Totals = nil
	for _, t := range totals {
		r.Totals = append(r.Totals, *t)
	}
	sort.Slice(r.Totals, func(i, j int) bool {
		a, b := r.Totals[i], r.Totals[j]
		if a.Type != b.Type {
			return typeRank(a.Type) < typeRank(b.Type)
		}
		return partRank(a.Part) < partRank(b.Part)
	})
}

func (t *Total) add(s Status) {
	t.Cases++
	switch s {
	case Passed:
		t.Passed++
	case KnownFailure:
		t.Known++
	case Failed:
		t.Failed++
	case Surprise:
		t.Surprise++
	}
}

func typeRank(name string) int {
	for i, t := range caseTypes() {
		if t == name {
			return i
		}
	}
	return len(caseTypes())
}

func partRank(name string) int { return strings.Index("result golden order check", name) }

// Total is the sum over the types of the totals of one part.
func (r *Report) Total(part string, types ...string) Total {
	sum := Total{Part: part}
	for _, t := range r.Totals {
		if t.Part != part || len(types) > 0 && !strings.Contains(" "+strings.Join(types, " ")+" ", " "+t.Type+" ") {
			continue
		}
		sum.Cases += t.Cases
		sum.Passed += t.Passed
		sum.Known += t.Known
		sum.Failed += t.Failed
		sum.Surprise += t.Surprise
	}
	return sum
}

// Text is r for a reader: what failed and why, then the totals. With verbose
// every case has its line.
func (r *Report) Text(verbose bool) string {
	var b strings.Builder
	for _, c := range r.Cases {
		if verbose && c.OK() {
			fmt.Fprintf(&b, "ok    %s\n", c.Name)
		}
		for _, p := range c.Parts {
			if p.Status == Passed || p.Status == KnownFailure && !verbose {
				continue
			}
			word := map[Status]string{Failed: "FAIL ", KnownFailure: "known", Surprise: "now ok"}[p.Status]
			fmt.Fprintf(&b, "%s %s %s under %s\n", word, c.Name, p.Part, p.Policy)
			for _, reason := range p.Reasons {
				b.WriteString("      " + strings.ReplaceAll(reason, "\n", "\n      ") + "\n")
			}
		}
	}
	if b.Len() > 0 {
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "%-14s %-7s %6s %7s %6s %7s\n", "type", "part", "cases", "passed", "known", "failed")
	for _, t := range r.Totals {
		fmt.Fprintf(&b, "%-14s %-7s %6d %7d %6d %7d\n", t.Type, t.Part, t.Cases, t.Passed+t.Surprise, t.Known, t.Failed)
	}
	if r.Uncited > 0 {
		fmt.Fprintf(&b, "\n%d cases cite an oracle that is not there: what they cite was not looked up (--oracle FILE names one)\n", r.Uncited)
	}
	return b.String()
}

// JSON is r as a document with "version": 1.
func (r *Report) JSON() ([]byte, error) { return json.MarshalIndent(r, "", "  ") }
