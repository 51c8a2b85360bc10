package conform

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"sort"
	"strings"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/library"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// Judge reads the case with the library files it lists, taken from lib, and
// says in what the model is not as expected, one line each, in a fixed order;
// none means that the case passes:
//   - each error and warning is there, by class and line, and where the case
//     is exhaustive no other is;
//   - lines without errors have none;
//   - each linked name leads to the element named;
//   - each name of a scope can be said where its reference stands.
func (c *Case) Judge(lib library.Source) []string {
	m := model.New(c.library(lib), model.Options{})
	tree, list := syntax.Parse(c.File, syntax.Options{})
	d := &model.Document{File: c.File, Tree: tree, Owner: c.Name}
	m.Add(d)
	for _, f := range c.Documents {
		tree, _ := syntax.Parse(f, syntax.Options{})
		m.Add(&model.Document{File: f, Tree: tree, Owner: f.Name})
	}
	j := judgement{expected: &c.Expected, found: map[fault]string{}, wanted: map[fault]bool{}, clean: map[int]bool{}}
	j.gather(append(list, m.Check(d)...))
	links := m.Links(d)
	for i := range c.Expected.Expect {
		j.expectation(m, links, &c.Expected.Expect[i])
	}
	j.surplus()
	return j.problems
}

// library is what the case loads of lib.
func (c *Case) library(lib library.Source) model.Library {
	if !c.Expected.Libraries || lib == nil {
		return nil
	}
	if len(c.Expected.LibraryFiles) == 0 {
		return lib
	}
	wanted := map[string]bool{}
	for _, n := range c.Expected.LibraryFiles {
		wanted[n] = true
	}
	return some{lib, wanted}
}

// some is a library of which only some files can be seen.
type some struct {
	library.Source
	wanted map[string]bool
}

func (s some) Lookup(name string) (*source.File, bool) {
	f, ok := s.Source.Lookup(name)
	if !ok || !s.wanted[filepath.Base(f.Name)] {
		return nil, false
	}
	return f, true
}

// A fault is an error or warning as cases tell it from others.
type fault struct {
	severity diagnostic.Severity
	class    string
	line     int
}

func (f fault) String() string { return fmt.Sprintf("%d: %s %s", f.line, f.severity, f.class) }

type judgement struct {
	expected *Expected
	found    map[fault]string // with the message
	wanted   map[fault]bool
	clean    map[int]bool // lines without errors; 0 for all
	problems []string
}

func (j *judgement) gather(list diagnostic.List) {
	for _, d := range list {
		if d.Severity <= diagnostic.Warning {
			k := fault{d.Severity, string(d.Code), d.Span.StartPosition().Line}
			if _, ok := j.found[k]; !ok {
				j.found[k] = d.Message
			}
		}
	}
}

func (j *judgement) say(format string, args ...any) {
	j.problems = append(j.problems, fmt.Sprintf(format, args...))
}

func (j *judgement) expectation(m *model.Model, links []model.Link, x *Expectation) {
	switch x.Kind {
	case "error", "warning":
		k := fault{diagnostic.Error, x.Class, x.Line}
		if x.Kind == "warning" {
			k.severity = diagnostic.Warning
		}
		if _, ok := j.found[k]; !ok && !j.wanted[k] {
			j.say("%s is missing at %q (%s)", k, x.At, x.Message)
		}
		j.wanted[k] = true
	case "noErrors":
		j.clean[x.Line] = true
		if x.Implied {
			j.clean[0] = true
		}
	case "linkedName":
		var want string
		if json.Unmarshal(x.Value, &want) != nil {
			j.say("%d: linkedName has no name", x.Line)
			return
		}
		if got := leadsTo(links, x.Offset); got != want {
			j.say("%d: %q leads to %s, not to %s", x.Line, x.At, got, want)
		}
	case "scope":
		var names []string
		if json.Unmarshal(x.Value, &names) != nil {
			j.say("%d: scope has no list of names", x.Line)
			return
		}
		j.scope(m, links, x, names)
	case "exportedObjects": // the format leaves open how its value is written: read, and not judged
	default:
		j.say("%d: expectations of kind %q are not known", x.Line, x.Kind)
	}
}

// surplus reports faults that nobody expects where there should be none.
func (j *judgement) surplus() {
	undecided := map[int]bool{}
	for _, n := range j.expected.UndecidedLines {
		undecided[n] = true
	}
	var surplus []fault
	for k := range j.found {
		judged := j.expected.Exhaustive || k.severity == diagnostic.Error && (j.clean[k.line] || j.clean[0])
		if judged && !j.wanted[k] && !undecided[k.line] {
			surplus = append(surplus, k)
		}
	}
	sort.Slice(surplus, func(a, b int) bool { return surplus[a].before(surplus[b]) })
	for _, k := range surplus {
		j.say("%s is not expected: %s", k, j.found[k])
	}
}

func (f fault) before(g fault) bool {
	if f.line != g.line {
		return f.line < g.line
	}
	if f.severity != g.severity {
		return f.severity < g.severity
	}
	return f.class < g.class
}

// linkAt is the shortest name in the text that holds offset.
func linkAt(links []model.Link, offset int) (model.Link, bool) {
	var best model.Link
	found := false
	for _, l := range links {
		r := l.Name.Range
		if int(r.Start) <= offset && offset < int(r.End) && (!found || r.End-r.Start < best.Name.End-best.Name.Start) {
			best, found = l, true
		}
	}
	return best, found
}

func leadsTo(links []model.Link, offset int) string {
	l, ok := linkAt(links, offset)
	switch {
	case !ok:
		return "nothing, being no name"
	case l.Target == nil:
		return "nothing"
	}
	return path(l.Target)
}

// path is the qualified name of e as the cases write it, without quotes.
func path(e *model.Element) string {
	n := e.EffectiveName()
	if n == "" {
		n = e.ShortName()
	}
	if o := e.Owner(); o != nil && !o.IsRoot() {
		return path(o) + "::" + n
	}
	return n
}

func (j *judgement) scope(m *model.Model, links []model.Link, x *Expectation, names []string) {
	l, ok := linkAt(links, x.Offset)
	if !ok {
		j.say("%d: no name stands at %q", x.Line, x.At)
		return
	}
	var lost []string
	for _, n := range names {
		var q syntax.QualifiedName
		for s := range strings.SplitSeq(n, "::") {
			q.Segments = append(q.Segments, syntax.Name{Text: s})
		}
		if !m.CanSay(l, q) {
			lost = append(lost, n)
		}
	}
	if len(lost) > 0 {
		j.say("%d: %d of %d names cannot be said at %q: %s", x.Line, len(lost), len(names), x.At, strings.Join(lost[:min(len(lost), 8)], " "))
	}
}
