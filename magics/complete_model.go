package magics

import (
	"cmp"
	"slices"
	"strings"

	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file completes names of the model.
//
// The cell as it stands, errors and all, is read into a scratch model beside
// the session's documents, so that what it declares itself is in scope and the
// session stays as it is. The trees are shared, and names are resolved only
// where the cursor stands.

// A place is a cursor in a text that was read into a scratch model.
type place struct {
	model *model.Model
	scope *model.Element // the innermost element whose body the cursor is in
}

// A scratchpad is the model that cells are read into for completion. It is
// kept between requests, for what it has found out about the library.
type scratchpad struct {
	model *model.Model
	docs  []*model.Document // of the session, as it was made from
}

// scratchOwner owns the one document that the session does not have.
const scratchOwner = "\x00scratch"

// scratch reads code beside the documents of the session. What the cell itself
// declared when it ran before is shadowed by what it declares now.
func (s *Shell) scratch(code string, at int) place {
	docs := s.model().Documents()
	if s.pad.model == nil || !slices.Equal(s.pad.docs, docs) {
		s.pad = scratchpad{model.New(s.library, s.model().Options()), docs}
		for _, d := range docs {
			s.pad.model.Add(&model.Document{File: d.File, Tree: d.Tree, Owner: d.Owner})
		}
	}
	file := source.NewFile("", code)
	s.pad.model.Replace(scratchOwner, &model.Document{File: file, Tree: declarations(file)})
	return place{s.pad.model, innermost(s.pad.model.Root(file), int32(at))}
}

// quantity reports whether text ends with a number and an open bracket, which
// only a unit can follow.
func quantity(text string) bool {
	number, ok := strings.CutSuffix(text, "[")
	number = strings.TrimRight(number, " \t")
	return ok && number != "" && (number[len(number)-1] == ')' || number[len(number)-1] >= '0' && number[len(number)-1] <= '9')
}

// declarations is what a cell declares, errors and all; its expressions and
// magics are left out.
func declarations(file *source.File) *syntax.Tree {
	e := &execution{file: file}
	tree := &syntax.Tree{File: file}
	for pos := 0; ; {
		part := e.part(pos)
		if part.Kind == syntax.PartEnd || part.End <= pos {
			return tree
		}
		if part.Decl != nil {
			tree.Members = append(tree.Members, part.Decl)
		}
		pos = part.End
	}
}

// innermost is the element at or below e in whose body offset at stands.
func innermost(e *model.Element, at int32) *model.Element {
	for _, m := range e.Members() {
		if d := m.Decl(); d != nil && d.Body != nil && d.Body.Start < at && (at < d.Body.End || !closed(d)) {
			return innermost(m, at)
		}
	}
	return e
}

// closed reports whether the body of d has its closing brace.
func closed(d *syntax.Decl) bool {
	return d.Body.End > 0 && d.Span.File.Text[d.Body.End-1] == '}'
}

// completeModel completes at offset at of a text in SysML.
func (s *Shell) completeModel(code string, at int) (int, []Match) {
	start := identifierStart(code, at)
	prefix := code[start:at]
	if inComment(code, start) {
		return at, nil
	}
	p := s.scratch(code, start)
	before := strings.TrimRight(code[:start], " \t")
	c := &candidates{prefix: prefix, seen: map[string]bool{}, at: int32(start), file: p.file()}
	switch {
	case strings.HasSuffix(before, "::"):
		if e := p.resolve(pathBefore(before)); e != nil {
			c.members(p.model, e)
		}
	case strings.HasSuffix(before, ".") && !strings.HasSuffix(before, ".."):
		if e := p.resolve(pathBefore(before)); e != nil {
			c.features(e)
		}
	case quantity(before):
		c.units(p.model)
	case prefix == "":
		return at, nil // everything is possible; nobody reads such a list
	default:
		c.scope(p)
		c.keywords()
	}
	return start, c.sorted()
}

// inComment reports whether offset at stands in a comment or a string.
func inComment(code string, at int) bool {
	for i := 0; i < at; {
		rest := code[i:at]
		switch {
		case strings.HasPrefix(rest, "//*"), strings.HasPrefix(rest, "/*"):
			n := strings.Index(rest[2:], "*/")
			if n < 0 {
				return true
			}
			i += n + 4
		case strings.HasPrefix(rest, "//"):
			n := strings.IndexByte(rest, '\n')
			if n < 0 {
				return true
			}
			i += n
		case rest[0] == '"':
			n := 1
			for n < len(rest) && rest[n] != '"' {
				if rest[n] == '\\' {
					n++
				}
				n++
			}
			if n >= len(rest) {
				return true
			}
			i += n + 1
		default:
			i++
		}
	}
	return false
}

// pathBefore is the path that ends text, with the dots and colons in it:
// "a::b.c" of "x = a::b.c.".
func pathBefore(text string) string {
	text = strings.TrimRight(text, ".:")
	end := len(text)
	for {
		start := identifierStart(text, end)
		if start == end && end > 0 && text[end-1] == '\'' { // a closed quoted name
			if start = strings.LastIndexByte(text[:end-1], '\''); start < 0 {
				return text[end:]
			}
		}
		if start == end {
			return text[end:]
		}
		if head := text[:start]; strings.HasSuffix(head, "::") {
			end = start - 2
		} else if strings.HasSuffix(head, ".") {
			end = start - 1
		} else {
			return text[start:]
		}
	}
}

// resolve is the element that a path names from the place of the cursor.
func (p place) resolve(path string) *model.Element {
	links := splitPath(path)
	if len(links) == 0 {
		return nil
	}
	e := p.name(links[0])
	for _, link := range links[1:] {
		if e == nil {
			return nil
		}
		e, _ = e.LookupMember(link)
	}
	return e
}

// name is the element that a qualified name means in scope.
func (p place) name(qualified string) *model.Element {
	segments := strings.Split(qualified, "::")
	var e *model.Element
	for scope := p.scope; scope != nil && e == nil; scope = scope.Owner() {
		e, _ = scope.LookupInside(unquoted(segments[0]))
	}
	if e == nil {
		e = p.model.Find(segments[0])
	}
	for _, s := range segments[1:] {
		if e == nil {
			return nil
		}
		e, _ = e.LookupInside(unquoted(s))
	}
	return e
}

// splitPath cuts a path at its dots, quotes kept.
func splitPath(path string) []string {
	var links []string
	quoted, from := false, 0
	for i := range len(path) {
		switch {
		case path[i] == '\'':
			quoted = !quoted
		case path[i] == '.' && !quoted:
			links, from = append(links, path[from:i]), i+1
		}
	}
	if path == "" {
		return nil
	}
	return append(links, path[from:])
}

func unquoted(name string) string { return strings.Trim(name, "'") }

// file is the text that the cursor stands in.
func (p place) file() *source.File { return p.scope.Document().File }

// candidates gathers matches of one prefix, the first of a name only.
type candidates struct {
	prefix  string
	file    *source.File // what is declared at this place of it is left out:
	at      int32        // the unfinished name itself
	seen    map[string]bool
	matches []Match // of the user's own elements
	library []Match
	words   []Match // keywords
}

func (c *candidates) add(name, kind, signature string) {
	text := model.Quote(name)
	if name == "" || c.seen[text] || !strings.HasPrefix(text, c.prefix) && !strings.HasPrefix(text, "'"+c.prefix) {
		return
	}
	c.seen[text] = true
	c.matches = append(c.matches, Match{Text: text, Type: kind, Signature: signature})
}

func (c *candidates) element(name string, e *model.Element) {
	if text := model.Quote(name); c.seen[text] || !strings.HasPrefix(text, c.prefix) && !strings.HasPrefix(text, "'"+c.prefix) {
		return
	}
	if span := e.Span(); c.file != nil && span.File == c.file && name == c.prefix && span.Start <= c.at && c.at < span.End {
		return
	}
	c.add(name, kindOf(e), strings.TrimSpace(relations(e)))
	if e.IsLibrary() && len(c.matches) > 0 && c.matches[len(c.matches)-1].Text == model.Quote(name) {
		c.library = append(c.library, c.matches[len(c.matches)-1])
		c.matches = c.matches[:len(c.matches)-1]
	}
}

// members adds what can follow "e::".
func (c *candidates) members(m *model.Model, e *model.Element) {
	for name, member := range m.NamesOf(e) {
		c.element(name, member)
	}
}

// features adds what can follow "e.".
func (c *candidates) features(e *model.Element) {
	for _, f := range e.Features() {
		if !f.IsLibrary() || e.IsLibrary() {
			c.element(f.Label, f.Element)
		}
	}
}

// scope adds every name that is visible where the cursor stands.
func (c *candidates) scope(p place) {
	for name, e := range p.model.InScope(p.scope) {
		c.element(name, e)
	}
}

// units adds the units that the library declares, by their symbols.
func (c *candidates) units(m *model.Model) {
	for _, library := range []string{"SI", "USCustomaryUnits"} {
		e := m.Find(library)
		if e == nil {
			continue
		}
		for _, u := range e.Members() {
			if u.Metaclass().IsFeature() && u.ShortName() != "" {
				c.add(u.ShortName(), "unit", u.Name())
			}
		}
	}
}

func (c *candidates) keywords() {
	for _, k := range syntax.Keywords() {
		if k.SysML && strings.HasPrefix(k.Word, c.prefix) {
			c.words = append(c.words, Match{Text: k.Word, Type: "keyword"})
		}
	}
}

// sorted is the matches: the user's names, the library's, keywords; in each
// those without quotes come first, and else the alphabet rules.
func (c *candidates) sorted() []Match {
	all := make([]Match, 0, len(c.matches)+len(c.library)+len(c.words))
	for _, list := range [][]Match{c.matches, c.library, c.words} {
		slices.SortFunc(list, func(a, b Match) int {
			return cmp.Or(cmp.Compare(quoted(a.Text), quoted(b.Text)), cmp.Compare(a.Text, b.Text))
		})
		all = append(all, list...)
	}
	return all
}

// completeNames completes a name or expression in the line of a magic. What
// fits the kind of argument comes alone where anything does.
func (s *Shell) completeNames(k kind, code string, start, at int) (int, []Match) {
	text := code[start:at]
	from := identifierStart(text, len(text))
	before := text[:from]
	p := place{s.model(), nil}
	if docs := p.model.Documents(); len(docs) > 0 {
		p.scope = p.model.Root(docs[len(docs)-1].File)
	}
	c := &candidates{prefix: text[from:], seen: map[string]bool{}}
	switch {
	case strings.HasSuffix(before, "::"):
		if e := p.resolve(pathBefore(before)); e != nil {
			c.members(p.model, e)
		}
	case strings.HasSuffix(before, ".") && !strings.HasSuffix(before, ".."):
		if e := s.typeOf(pathBefore(before), p); e != nil {
			c.features(e)
		}
	default:
		for _, o := range s.objectNames() {
			c.add(o, "object", "")
		}
		for _, e := range s.roots() {
			c.element(e.EffectiveName(), e)
		}
		if k != kindExpression {
			break
		}
		if p.scope != nil && c.prefix != "" {
			c.scope(p)
		}
	}
	return start + from, c.narrow(k)
}

// narrow is the matches that can be, or lead to, an argument of kind k.
func (c *candidates) narrow(k kind) []Match {
	all := c.sorted()
	if k != kindBehavior {
		return all
	}
	fit := slices.DeleteFunc(slices.Clone(all), func(m Match) bool {
		return !slices.ContainsFunc([]string{"action", "state", "calc", "case", "analysis", "verification", "package", "part", "function", "behavior"},
			func(word string) bool { return strings.Contains(m.Type, word) })
	})
	if len(fit) > 0 {
		return fit
	}
	return all
}

// quoted is 1 for a name in quotes, else 0.
func quoted(text string) int {
	if strings.HasPrefix(text, "'") {
		return 1
	}
	return 0
}

// objectNames are the names of the objects that %instantiate made.
func (s *Shell) objectNames() []string {
	var names []string
	for _, o := range s.session.Objects() {
		if o.Root == o.Number && o.Name != "" {
			names = append(names, o.Name)
		}
	}
	return names
}

// typeOf is the element whose features can follow path and a dot: the type of
// the object that path names, or what it names in the model.
func (s *Shell) typeOf(path string, p place) *model.Element {
	root, rest, _ := strings.Cut(path, ".")
	for _, o := range s.session.Objects() {
		if o.Name != root {
			continue
		}
		e := s.elementOf(o)
		for _, link := range splitPath(rest) {
			if e == nil {
				return nil
			}
			link, _, _ = strings.Cut(link, "[")
			e, _ = e.LookupInside(unquoted(link))
		}
		return e
	}
	return p.resolve(path)
}

// elementOf is the definition or usage that an object was made of.
func (s *Shell) elementOf(o *runtime.Object) *model.Element {
	w := s.session.World()
	return s.model().Find(w.Program.Types[w.Object(o.ID).Type].Qualified)
}
