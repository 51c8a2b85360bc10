package conform

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A rule is a row of rules.tsv: one thing that the semantics say, and the
// cases that show it.
type rule struct {
	id, text string
	cases    []string
}

// ruleID is the section that a rule belongs to and its name in it.
var ruleID = regexp.MustCompile(`^\d+(\.\d+)?-[a-z0-9-]+$`)

// readRules reads the table of rules: tab-separated identity, text and the
// names of cases with blanks between. Lines that start with # are skipped.
func readRules(t *testing.T) []rule {
	t.Helper()
	text, err := os.ReadFile("../testdata/rules.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var rules []rule
	for i, line := range strings.Split(strings.TrimRight(string(text), "\n"), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(line, "\t")
		if len(fields) != 3 {
			t.Errorf("line %d: %d fields, want identity, text and cases", i+1, len(fields))
			continue
		}
		rules = append(rules, rule{fields[0], fields[1], strings.Fields(fields[2])})
	}
	return rules
}

// TestEveryRuleHasACase keeps the table of rules and the folder of cases
// complete: each rule has a case, each case shows a rule.
func TestEveryRuleHasACase(t *testing.T) {
	exists := map[string]bool{}
	for _, c := range ownCases(t) {
		exists[c.Name] = true
	}
	seen, named := map[string]bool{}, map[string]bool{}
	for _, r := range readRules(t) {
		switch {
		case !ruleID.MatchString(r.id):
			t.Errorf("%q is no identity of a rule: section-name", r.id)
		case seen[r.id]:
			t.Errorf("%s stands twice", r.id)
		case r.text == "":
			t.Errorf("%s says nothing", r.id)
		case len(r.cases) == 0:
			t.Errorf("%s has no case", r.id)
		case !slices.IsSorted(r.cases) || len(slices.Compact(slices.Clone(r.cases))) != len(r.cases):
			t.Errorf("%s: its cases are not sorted, or one stands twice", r.id)
		}
		seen[r.id] = true
		for _, name := range r.cases {
			if !exists[name] {
				t.Errorf("%s names %s, which is no case", r.id, name)
			}
			named[name] = true
		}
	}
	for name := range exists {
		if !named[name] {
			t.Errorf("%s shows no rule", name)
		}
	}
}

// TestAdmissibleCitesTheOracle holds every set of outcomes to a section of
// docs/semantic-oracle.md that leaves them open, and every section to a case.
func TestAdmissibleCitesTheOracle(t *testing.T) {
	oracle, err := ReadOracle("../../" + oracleName)
	if err != nil {
		t.Fatal(err)
	}
	cited := map[string]bool{}
	for _, c := range ownCases(t) {
		if c.Err != nil || c.Expect.Admissible == "" {
			continue
		}
		cited[c.Expect.Admissible] = true
		if reasons, _ := oracle.citation(c); len(reasons) > 0 {
			t.Errorf("%s: %v", c.Name, reasons)
		}
	}
	for title := range oracle {
		if !cited[title] {
			t.Errorf("no case cites %q", title)
		}
	}
}

// TestFilesBelongToCases finds models, goldens and known failures that no case
// owns any more, and goldens that hold nothing.
func TestFilesBelongToCases(t *testing.T) {
	owned := map[string]bool{}
	exists := map[string]bool{}
	for _, c := range ownCases(t) {
		exists[c.Name] = true
		for _, f := range c.Files {
			owned[f.Name] = true
		}
		for _, suffix := range []string{expectedSuffix, checkSuffix, orderSuffix} {
			owned[c.Name+suffix] = true
		}
		for policy, text := range c.Goldens {
			owned[filepath.Base(c.goldenFile(policy))] = true
			if strings.TrimSpace(text) == "" {
				t.Errorf("%s: its golden of %s is empty", c.Name, policy)
			}
		}
	}
	entries, err := os.ReadDir("../testdata/conformance")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !owned[e.Name()] {
			t.Errorf("%s belongs to no case", e.Name())
		}
	}
	text, err := os.ReadFile("../testdata/known_failures.txt")
	if err != nil {
		t.Fatal(err)
	}
	known, err := ParseKnown(string(text))
	if err != nil {
		t.Fatal(err)
	}
	for name := range known {
		if !exists[name] {
			t.Errorf("known_failures.txt lists %s, which is no case", name)
		}
	}
}
