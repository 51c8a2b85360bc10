package syntax

import "strings"

// This file reads names: simple, qualified and in chains.

// nameOf is the token t, which is a name, as a Name.
func (p *parser) nameOf(t token) Name {
	s := p.text[t.start:t.end]
	if s[0] == '\'' {
		s = unquote(s)
	}
	return Name{s, Range{t.start, t.end}}
}

// parseName reads a simple name or fails; what says whose.
func (p *parser) parseName(what string) Name {
	if !p.at(ident) && !p.admitReserved() {
		p.expectedName(what)
		return Name{}
	}
	n := p.nameOf(p.tok)
	p.advance()
	return n
}

func (p *parser) expectedName(what string) {
	d := p.expected(what)
	if p.failedAt.kind >= firstKeyword && !insideOnly[p.failedAt.kind] {
		d.Hint = "a reserved word is a name only in single quotes: '" + p.text[p.failedAt.start:p.failedAt.end] + "'"
	}
}

// parseQualifiedName reads a qualified name or fails; what says whose.
func (p *parser) parseQualifiedName(what string) QualifiedName {
	q := QualifiedName{}
	start := p.tok.start
	if p.at(dollar) {
		p.advance()
		q.Global = true
		if !p.want(colonColon) {
			return q
		}
	}
	first := p.parseName(what)
	switch {
	case first.IsZero():
	case !p.at(colonColon):
		q.Segments = p.names.one(first)
	default:
		from := p.names.open()
		p.names.push(first)
		for p.accept(colonColon) {
			if n := p.parseName("a name"); !n.IsZero() {
				p.names.push(n)
			}
		}
		q.Segments = p.names.close(from)
	}
	q.Range = p.since(start)
	return q
}

// parseReference reads a qualified name or a feature chain or fails.
func (p *parser) parseReference(what string) Reference {
	start := p.tok.start
	q := p.parseQualifiedName(what)
	if !p.at(dot) {
		return Reference{p.links.one(q), p.since(start)}
	}
	from := p.links.open()
	p.links.push(q)
	for p.accept(dot) {
		p.links.push(p.parseQualifiedName("a feature"))
	}
	return Reference{p.links.close(from), p.since(start)}
}

// typeReference reads a qualified name as a Reference.
func (p *parser) typeReference(what string) Reference {
	q := p.parseQualifiedName(what)
	return Reference{p.links.one(q), q.Range}
}

// parseQualifiedNames reads one or more, parted by commas.
func (p *parser) parseQualifiedNames(what string) []QualifiedName {
	from := p.links.open()
	p.links.push(p.parseQualifiedName(what))
	for p.accept(comma) {
		p.links.push(p.parseQualifiedName(what))
	}
	return p.links.close(from)
}

// parseIdentification reads `<short> name`, either or both or none.
func (p *parser) parseIdentification(d *Decl) {
	if p.at(less) {
		p.advance()
		d.ShortName = p.parseName("a short name")
		if p.at(greaterEqual) { // <a>= is a short name with a value behind it
			p.prev = token{greater, p.tok.start, p.tok.start + 1}
			p.tok = token{equalsSign, p.prev.end, p.tok.end}
		} else if !p.accept(greater) {
			p.expectedMark("'>'", "the short name")
		}
	}
	switch {
	case p.at(ident):
		d.Name = p.nameOf(p.tok)
		p.advance()
	case p.reservedAsName():
		p.admitReserved()
		d.Name = p.nameOf(p.tok)
		p.advance()
	}
}

// reservedAsName reports whether the token is a reserved word in a place where
// only a name can stand: the token behind it goes on as it would behind a name.
func (p *parser) reservedAsName() bool {
	if !p.opts.Extensions || !nameLike[p.tok.kind] {
		return false
	}
	switch p.peek() {
	case semicolon, lbrace, colon, subsetsSign, redefineSign, equalsSign, becomes, lbracket, kwParallel:
		return true
	}
	return false
}

// admitReserved records the token, a reserved word that stands for a name,
// as an extension; false where it may not.
func (p *parser) admitReserved() bool {
	if !p.opts.Extensions || !nameLike[p.tok.kind] {
		return false
	}
	p.extension(p.here(), "reserved word as a name", "'"+p.word()+"'")
	return true
}

// nameLike are the reserved words that Options.Extensions admits as names.
var nameLike = [tokenKinds]bool{kwDecide: true, kwAfter: true, kwFirst: true, kwMessage: true, kwDerived: true}

// nearestWord is a reserved word one letter away from s, "" where there is
// none.
func (p *parser) nearestWord(s string) string {
	if len(s) < 3 {
		return ""
	}
	for _, w := range words {
		if w.in&p.words != 0 && len(w.word) > 2 && oneEdit(strings.ToLower(s), w.word) {
			return w.word
		}
	}
	return ""
}

// oneEdit reports whether one letter added, removed or changed, or two
// neighbours swapped, makes b of a.
func oneEdit(a, b string) bool {
	if a == b {
		return true
	}
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	a, b = a[i:], b[i:]
	switch len(a) - len(b) {
	case 1:
		return a[1:] == b
	case -1:
		return a == b[1:]
	case 0:
		return a[1:] == b[1:] || len(a) > 1 && a[0] == b[1] && a[1] == b[0] && a[2:] == b[2:]
	}
	return false
}
