package report

import (
	"encoding/xml"
	"fmt"
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

// add adds c, whose leaf ended like that.
func (s *junitSuite) add(c junitCase, o leaf.Outcome, reason, detail string) {
	message := &junitMessage{Message: clean(reason), Text: clean(detail)}
	s.Tests++
	switch o {
	case leaf.Pass:
	case leaf.Fail:
		s.Failures++
		c.Failure = message
	case leaf.Error:
		s.Errors++
		c.Error = message
	default:
		s.Skipped++
		c.Skipped = &junitMessage{Message: clean(strings.TrimSuffix(o.String()+": "+reason, ": "))}
	}
	s.Cases = append(s.Cases, c)
}

// JUnit is m as JUnit XML: a test is a suite, a leaf a case. Leaves that were
// halted, are inconclusive or were not run are skipped, with the reason; those
// that a stopped walk did not come to are one such case of their test. The
// regressions are a suite of their own, the first.
func JUnit(m *bundle.Manifest) []byte {
	all := junitSuites{}
	if len(m.Regressions) > 0 {
		all.Suites = append(all.Suites, junitRegressions(m.Regressions))
	}
	at := map[string]int{}
	missing := make([]int, len(m.Tests)) // leaves not run that have no row
	for i, t := range m.Tests {
		at[t.Name] = i
		missing[i] = t.Summary.NotRun
	}
	first := len(all.Suites)
	for _, t := range m.Tests {
		all.Suites = append(all.Suites, junitSuite{Name: clean(t.Name)})
	}
	m.Each(func(_ int, r *bundle.Row) error { // an error ends the list early
		i := at[r.Test]
		if r.Outcome == leaf.NotRun {
			missing[i]--
		}
		name := r.LeafPath
		if name == "" {
			name = r.Test
		}
		all.Suites[first+i].add(junitCase{Class: clean(r.Test), Name: clean(name), Output: clean(r.Output)}, r.Outcome, r.Reason, r.Detail)
		return nil
	})
	for i, n := range missing {
		if n > 0 {
			s := &all.Suites[first+i]
			s.add(junitCase{Class: s.Name, Name: "leaves that were not run"}, leaf.NotRun, fmt.Sprintf("%d at least; the walk was stopped", n), "")
		}
	}
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
