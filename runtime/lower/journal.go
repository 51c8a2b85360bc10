package lower

import (
	"slices"
	"strconv"
	"strings"

	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file remembers what a Lowering was asked for, so that another process
// can ask for the same: the numbers in a Program follow from the model and
// from the order of the questions, and what is saved refers to those numbers.

// A Request is one question that a Lowering was asked and that made its
// Program grow.
type Request struct {
	// Kind is the method that was called.
	Kind string `json:"kind"`
	// Of is the element that it was about: see Address.
	Of string `json:"of,omitempty"`
	// Text is a name or the text of an expression, File what the text was part
	// of, and Names the names that it may use beside those around it.
	Text  string   `json:"text,omitempty"`
	File  string   `json:"file,omitempty"`
	Names []string `json:"names,omitempty"`
}

// asked notes a question that is about to be answered; what it gives is to be
// called with the answer. Questions that an answer asks itself are part of it.
func (l *Lowering) asked(kind string, of *model.Element, text string) func() {
	l.asking++
	before := l.size()
	return func() {
		l.asking--
		if l.asking == 0 && l.size() != before {
			l.journal = append(l.journal, Request{Kind: kind, Of: l.Address(of), Text: text})
		}
	}
}

// askedFor is asked for an expression.
func (l *Lowering) askedFor(kind string, x syntax.Expr, of *model.Element, names []string) func() {
	done, n := l.asked(kind, of, x.Span().Text()), len(l.journal)
	return func() {
		if done(); len(l.journal) > n {
			r := &l.journal[n]
			r.Names = names
			if f := x.Span().File; f != nil {
				r.File = f.Name
			}
		}
	}
}

// size grows with whatever is added to the Program or is waiting to be.
func (l *Lowering) size() int {
	p := &l.program
	return len(p.Units) + len(p.Types) + len(p.Names) + len(p.Globals) + len(p.Elements) + len(p.Functions) + len(p.Graphs) +
		len(p.Machines) + len(p.Layouts) + len(p.Accepts) + len(p.Sends) + len(p.Performs) + len(p.Subflows) + len(p.Orders) + len(l.queue)
}

// Journal lists what made the Program grow since l was made, in order. It is
// not to be written.
func (l *Lowering) Journal() []Request { return l.journal }

// Replay makes a Lowering of m that was asked what journal says, under the
// Base that its Program had. It reports false where m has not what the journal
// is about.
func Replay(m *model.Model, base [32]byte, journal []Request) (*Lowering, bool) {
	l := New(m)
	l.program.Base = base
	for _, r := range journal {
		if !l.ask(r) {
			return nil, false
		}
	}
	return l, true
}

// ask asks what r says.
func (l *Lowering) ask(r Request) bool {
	var e *model.Element
	if r.Of != "" {
		if e = l.At(r.Of); e == nil {
			return false
		}
	}
	switch r.Kind {
	case "program":
		l.Program()
		return true
	case "name":
		l.NameID(r.Text)
		return true
	case "reading":
		l.Reading(r.Text)
		return true
	}
	if e == nil {
		return false
	}
	switch r.Kind {
	case "action":
		l.Action(e)
	case "machine":
		l.Machine(e)
	case "type":
		l.Type(e)
	case "global":
		l.Global(e)
	case "instance":
		l.Instance(e, r.Text)
	case "element":
		kind, err := strconv.Atoi(r.Text)
		if err != nil {
			return false
		}
		l.Element(value.Kind(kind), e)
	case "denotation":
		l.Denotation(e)
	case "calculation":
		_, err := l.Calculation(e)
		return err == nil
	case "usage":
		l.UsageRun(e)
	case "judgement":
		l.Judgement(e)
	case "case":
		_, err := l.Case(e)
		return err == nil
	case "expression", "watched":
		x, list := syntax.ParseExpression(source.NewFile(r.File, r.Text), 0, syntax.Options{Extensions: true})
		if list.HasErrors() {
			return false
		}
		if r.Kind == "watched" {
			l.Watched(x, e)
		} else {
			l.Expression(x, e, r.Names...)
		}
	default:
		return false
	}
	return true
}

// Address says where e is in the documents of the model: the number of the
// document among those that are not empty, "-" for one that is, then that of
// each member on the way, of the header with h. What is no member of its owner,
// and what the library declares, has its qualified name behind a "=".
func (l *Lowering) Address(e *model.Element) string {
	if e == nil {
		return ""
	}
	path := ""
	for at := e; ; at = at.Owner() {
		if at.Owner() == nil {
			for n, f := range Texts(l.model) {
				if l.model.Root(f) == at {
					return strconv.Itoa(n) + path
				}
			}
			if !at.IsLibrary() {
				return "-"
			}
			break
		}
		if i := slices.Index(at.Owner().Members(), at); i >= 0 {
			path = "/" + strconv.Itoa(i) + path
		} else if i := slices.Index(at.Owner().Header(), at); i >= 0 {
			path = "/h" + strconv.Itoa(i) + path
		} else {
			break
		}
	}
	return "=" + e.QualifiedName()
}

// Texts are the documents of m that are not empty, in order.
func Texts(m *model.Model) []*source.File {
	var files []*source.File
	for _, d := range m.Documents() {
		if strings.TrimSpace(d.File.Text) != "" {
			files = append(files, d.File)
		}
	}
	return files
}

// At is the element of an Address; nil where there is none.
func (l *Lowering) At(address string) *model.Element {
	if name, ok := strings.CutPrefix(address, "="); ok {
		return l.model.Find(name)
	}
	parts := strings.Split(address, "/")
	files := Texts(l.model)
	if parts[0] == "-" {
		docs := l.model.Documents()
		if len(docs) == 0 {
			return nil
		}
		return l.model.Root(docs[0].File)
	}
	n, err := strconv.Atoi(parts[0])
	if err != nil || n < 0 || n >= len(files) {
		return nil
	}
	e := l.model.Root(files[n])
	for _, part := range parts[1:] {
		digits, header := strings.CutPrefix(part, "h")
		list := e.Members()
		if header {
			list = e.Header()
		}
		if n, err = strconv.Atoi(digits); err != nil || n < 0 || n >= len(list) {
			return nil
		}
		e = list[n]
	}
	return e
}
