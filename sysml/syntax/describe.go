package syntax

import "strings"

// This file finds words for what a reader wrote: what a member is called, and
// what a word that begins none was meant to be.

// unknownWord fails behind a name that begins a member and is neither ended
// nor declared further; it is a keyword of an older edition, a misspelled
// keyword, or a name whose end is missing.
func (p *parser) unknownWord(d *Decl) {
	word := p.text[d.Name.Start:d.Name.End]
	standard := olderWord(word)
	foreign := wordKind(word, inBoth&^p.words) != ident
	switch {
	case foreign && p.kerml:
		p.fail(d.Name.Range, "'"+word+"' is a word of SysML, and this text is KerML")
	case foreign:
		p.fail(d.Name.Range, "'"+word+"' is a word of KerML, and this text is SysML")
	case word == "done" && p.at(kwEnd):
		p.fail(p.here(), "the final node needs no 'end'").Hint = "write 'then done;'"
	case standard != "":
		p.fail(d.Name.Range, "'"+word+"' is no word of the notation").Hint = standard
	case p.at(ident) || p.at(kwDef) || p.at(equalsSign):
		if near := p.nearestWord(word); near != "" {
			p.fail(d.Name.Range, "'"+word+"' is no word of the notation").Hint = "did you mean '" + near + "'?"
			return
		}
		if p.at(kwDef) {
			p.fail(d.Name.Range, "'"+word+"' is no kind of definition").Hint =
				"a keyword of your own is written with '#': #" + word + " def"
			return
		}
		p.expectedMark("';' or '{'", "'"+word+"'")
	default:
		p.expectedMark("';' or '{'", "'"+word+"'")
	}
}

// olderWord is what to write for a word of an older edition or of a tool.
func olderWord(word string) string {
	switch word {
	case "initial":
		return "the initial state is the target of 'entry; then s;'"
	case "region":
		return "regions are the states of a state marked 'parallel': state s parallel { state r { ... } }"
	case "choice", "junction":
		return "the standard has no such state: write one transition a branch, with its guard"
	case "history", "deep":
		return "the standard has no history states"
	case "defer":
		return "the standard has no deferred events"
	case "readonly":
		return "write 'constant'"
	case "usecase":
		return "write 'use case'"
	case "decision":
		return "write 'decide'"
	case "receive":
		return "write 'accept'"
	case "block":
		return "write 'part def'"
	case "value":
		return "write 'attribute'"
	}
	return ""
}

// describe is a metaclass as a reader says it: "part definition", "state".
func describe(m Metaclass) string {
	words := strings.TrimSuffix(strings.TrimSuffix(m.String(), "AsUsage"), "Usage")
	var b strings.Builder
	for i, r := range words {
		if r >= 'A' && r <= 'Z' {
			if i > 0 {
				b.WriteByte(' ')
			}
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	switch m {
	case NoMetaclass:
		return "member"
	case MembershipImport, NamespaceImport:
		return "import"
	case MembershipExpose, NamespaceExpose:
		return "expose"
	case Membership:
		return "alias"
	case FeatureMembership:
		return "initial node"
	case ElementFilterMembership:
		return "filter"
	case Usage:
		return "usage"
	}
	return b.String()
}

func article(noun string) string {
	if noun != "" && strings.IndexByte("aeiou", noun[0]) >= 0 {
		return "an " + noun
	}
	return "a " + noun
}

// expectedEnd fails where neither a semicolon nor a body ends d.
func (p *parser) expectedEnd(d *Decl) {
	after := "the " + describe(d.Metaclass)
	if (p.tok.kind >= firstKeyword || p.tok.kind <= stringValue && p.tok.kind >= decimalValue) && p.prev.kind >= firstKeyword &&
		d.Name.IsZero() && !p.newLine() {
		p.expectedName("a name")
		return
	}
	switch {
	case !d.Name.IsZero():
		after += " '" + d.Name.Text + "'"
	case d.Metaclass == ReferenceUsage && d.Member == OwnedMember:
		after = "the feature"
	}
	failure := p.expectedMark("';' or '{'", after)
	switch {
	case p.failedAt.kind == kwSpecializes && d.Metaclass.IsUsage():
		failure.Hint = "a usage subsets: write ':>' or 'subsets'"
	case p.failedAt.kind == ident && !d.Name.IsZero() && d.Name.End == p.prev.end:
		failure.Hint = "a name with blanks stands in single quotes"
	case p.failedAt.kind == rbrace && d.Metaclass == ReferenceUsage && d.Value != nil:
		failure.Hint = comparison // as in { level = 3 }
	}
}
