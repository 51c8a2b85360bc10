package report

import (
	"encoding/xml"
	"strings"

	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/plan/leaf"
)

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *junitMessage `xml:"failure"`
	Error   *junitMessage `xml:"error"`
	Skipped *junitMessage `xml:"skipped"`
	Output  string        `xml:"system-out,omitempty"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// JUnit is m as JUnit XML: a test is a suite, a leaf a case. Leaves that were
// halted, are inconclusive or were not run are skipped, with the reason.
func JUnit(m *bundle.Manifest) []byte {
	all := junitSuites{}
	at := map[string]int{}
	for _, t := range m.Tests {
		at[t.Name] = len(all.Suites)
		all.Suites = append(all.Suites, junitSuite{Name: clean(t.Name)})
	}
	m.Each(func(_ int, r *bundle.Row) error { // an error ends the list early
		s := &all.Suites[at[r.Test]]
		c := junitCase{Class: clean(r.Test), Name: clean(r.LeafPath), Output: clean(r.Output)}
		if c.Name == "" {
			c.Name = clean(r.Test)
		}
		message := &junitMessage{Message: clean(r.Reason), Text: clean(r.Detail)}
		s.Tests++
		switch r.Outcome {
		case leaf.Pass:
		case leaf.Fail:
			s.Failures++
			c.Failure = message
		case leaf.Error:
			s.Errors++
			c.Error = message
		default:
			s.Skipped++
			c.Skipped = &junitMessage{Message: clean(r.Outcome.String() + ": " + r.Reason)}
		}
		s.Cases = append(s.Cases, c)
		return nil
	})
	for _, s := range all.Suites {
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Errors += s.Errors
		all.Skipped += s.Skipped
	}
	data, err := xml.MarshalIndent(all, "", " ")
	if err != nil {
		return nil // every field is text or a number
	}
	return append([]byte(xml.Header), append(data, '\n')...)
}

// clean is s without the characters that XML cannot hold.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r == '\r' || r >= 0x20 && r <= 0xD7FF || r >= 0xE000 && r <= 0xFFFD || r >= 0x10000 {
			return r
		}
		return '\uFFFD'
	}, s)
}
