package syntax

import (
	"strconv"
	"strings"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// This file reports errors and finds the place to go on behind them.
//
// After an error the parser is failing: the token is endOfText, so that every
// production that is open ends at once and says nothing more. The body of the
// declaration, or the loop over members, then looks for a place to go on:
// a semicolon, a brace, or a line that starts with the first word of a member.

// fail reports an error at the current token and begins to fail. It returns
// the diagnostic so that a hint can be added; it is never nil.
func (p *parser) fail(at Range, message string) *diagnostic.Diagnostic {
	d := diagnostic.New(diagnostic.Syntax, p.span(at), message)
	if p.failing || p.stopped {
		return d // said nowhere
	}
	d.Incomplete = p.tok.kind == endOfText
	p.add(d)
	p.stopped = p.stopped || d.Incomplete
	p.failing, p.failedAt = true, p.tok
	p.tok = token{endOfText, p.tok.start, p.tok.start}
	return d
}

// report adds an error that reading is not stopped by.
func (p *parser) report(at Range, message string) *diagnostic.Diagnostic {
	d := diagnostic.New(diagnostic.Syntax, p.span(at), message)
	if !p.failing && !p.stopped {
		p.add(d)
	}
	return d
}

func (p *parser) add(d *diagnostic.Diagnostic) {
	p.diagnostics = append(p.diagnostics, d)
	if len(p.diagnostics) == maxErrors {
		p.diagnostics = append(p.diagnostics, diagnostic.New(diagnostic.Syntax, d.Span,
			"more than "+strconv.Itoa(maxErrors-1)+" errors in this text; the rest of it is not read"))
		p.stop()
	}
}

// stop makes the rest of the text unread and further errors unsaid.
func (p *parser) stop() {
	p.stopped = true
	p.tok = token{endOfText, p.tok.start, p.tok.start}
	p.failedAt = p.tok
}

// here is the range of the current token, or the end of the text.
func (p *parser) here() Range { return Range{p.tok.start, p.tok.end} }

// expected fails for want of something: "a name", "';'".
func (p *parser) expected(what string) *diagnostic.Diagnostic {
	at := p.here()
	if p.at(endOfText) {
		at = Range{p.prev.end, p.prev.end}
	}
	return p.lacks(at, what, p.behind())
}

// behind says, of the things that stand in many places, behind what one was
// expected.
func (p *parser) behind() string {
	if p.prev.end <= p.prev.start || p.lineEnds(p.prev.end, p.tok.start) && p.at(rbrace) {
		return ""
	}
	switch k := p.prev.kind; {
	case k == ident || k == regularComment || k == stringValue || k == semicolon || k == lbrace || k == rbrace || k == endOfText:
		return ""
	}
	return " after '" + p.text[p.prev.start:p.prev.end] + "'"
}

// expectedMark fails for want of an end mark, which belongs behind the token
// before, even where the next one is lines away.
func (p *parser) expectedMark(what, after string) *diagnostic.Diagnostic {
	at := p.here()
	if p.at(endOfText) || p.newLine() {
		at = Range{p.prev.end, p.prev.end}
	}
	return p.lacks(at, what, " after "+after)
}

// lacks fails for want of what, behind what stands before.
func (p *parser) lacks(at Range, what, behind string) *diagnostic.Diagnostic {
	equals := p.at(equalsSign)
	d := p.fail(at, "expected "+what+behind+p.found())
	d.Expected = what
	if equals {
		d.Hint = comparison
	}
	return d
}

// comparison is what to do where a single '=' was meant to compare.
const comparison = "to compare, write '=='"

// found says what stands where something else was expected.
func (p *parser) found() string {
	switch p.tok.kind {
	case endOfText:
		return ", but the text ends"
	case regularComment:
		return ", found a comment"
	case stringValue:
		return ", found a string"
	}
	word := p.word()
	if len(word) > 40 {
		word = word[:40] + "..."
	}
	if p.tok.kind >= firstKeyword {
		return ", found the reserved word '" + word + "'"
	}
	if p.tok.kind == ident && strings.HasPrefix(word, "'") {
		return ", found " + word
	}
	return ", found '" + word + "'"
}

// newLine reports whether the current token starts a line.
func (p *parser) newLine() bool { return p.lineEnds(p.prev.end, p.tok.start) }

// lineEnds reports whether a line ends between two offsets.
func (p *parser) lineEnds(from, to int32) bool {
	return strings.IndexByte(p.text[from:to], '\n') >= 0
}

// recover finds, after an error in a member, where the next member can begin.
// It does not read a closing brace that is not its own.
func (p *parser) recover() {
	if !p.failing {
		return
	}
	p.resume()
	for !p.stopped && !p.at(endOfText) && !p.at(rbrace) {
		switch {
		case p.accept(semicolon):
			return
		case p.at(lbrace):
			p.skipBraces()
			return
		case p.newLine() && p.startsMember():
			return
		}
		p.advance()
	}
}

// recoverHeader finds, after an error before the body of a declaration, the
// body or the end of the declaration.
func (p *parser) recoverHeader() {
	p.resume()
	for !p.stopped && !p.at(endOfText) && !p.at(rbrace) && !p.at(semicolon) && !p.at(lbrace) {
		if p.newLine() && p.startsMember() {
			return
		}
		p.advance()
	}
}

// resume ends failing at the token where it began.
func (p *parser) resume() {
	p.failing = false
	if !p.stopped {
		p.tok = p.failedAt
	}
}

// skipBraces passes a body.
func (p *parser) skipBraces() {
	for depth := 0; !p.at(endOfText); {
		switch p.tok.kind {
		case lbrace:
			depth++
		case rbrace:
			depth--
		}
		p.advance()
		if depth == 0 {
			return
		}
	}
}

// startsMember reports whether the token is a word that members begin with
// and that hardly stands anywhere else.
func (p *parser) startsMember() bool {
	switch p.tok.kind {
	case hash, atSign, regularComment, percent:
		return true
	}
	return p.tok.kind >= firstKeyword && !insideOnly[p.tok.kind]
}

// insideOnly are the reserved words that a member cannot begin with.
var insideOnly = func() (is [tokenKinds]bool) {
	for _, k := range [...]tokenKind{kwAbout, kwAfter, kwAll, kwAnd, kwAs, kwAt, kwBy, kwChains, kwConjugates, kwCrosses, kwDef,
		kwDefault, kwDefined, kwDifferences, kwElse, kwFalse, kwFeatured, kwFrom, kwHastype, kwImplies, kwIntersects, kwIstype,
		kwLocale, kwMeta, kwNew, kwNonunique, kwNot, kwNull, kwOf, kwOr, kwOrdered, kwParallel, kwRedefines, kwReferences,
		kwSpecializes, kwSubsets, kwTo, kwTrue, kwTyped, kwUnions, kwUntil, kwVia, kwWhen, kwXor} {
		is[k] = true
	}
	return is
}()

// tooDeep reports that the limit of nesting is passed and stops.
func (p *parser) tooDeep() {
	p.fail(p.here(), "nested deeper than "+strconv.Itoa(p.opts.MaxDepth)+" levels").Hint =
		"divide the model into parts that refer to each other by name"
	p.stop()
}

// isText reports what makes the file none that can be read: its size, or that
// it holds something else than text. A text that is read part by part is
// looked through at its start only.
func (p *parser) isText(start int) bool {
	if start > 0 {
		return true
	}
	var message, hint string
	switch zero := strings.IndexByte(p.text, 0); {
	case len(p.text) > p.opts.MaxSize:
		message = "the text has " + strconv.Itoa(len(p.text)) + " bytes, more than the " + strconv.Itoa(p.opts.MaxSize) + " that are read"
	case strings.HasPrefix(p.text, "\xff\xfe"), strings.HasPrefix(p.text, "\xfe\xff"):
		message, hint = "the text is in UTF-16", "save it as UTF-8"
	case zero >= 0:
		message, hint = "this is no text: a zero byte stands at offset "+strconv.Itoa(zero), "models are text in UTF-8"
	default:
		return true
	}
	d := diagnostic.New(diagnostic.Syntax, source.Span{File: p.file}, message)
	d.Hint = hint
	p.diagnostics = append(p.diagnostics, d)
	return false
}

// reportFault reports what the scanner has against t, once.
func (p *parser) reportFault(t token, f fault) {
	if t.start < p.faultEnd || p.stopped {
		return
	}
	p.faultEnd = t.start + 1
	r := Range{t.start, t.end}
	word := p.text[t.start:t.end]
	switch f {
	case notUTF8:
		if !p.foreign {
			p.foreign = true
			p.report(r, "the text is not UTF-8: byte 0x"+strconv.FormatUint(uint64(word[0]), 16)+" stands at offset "+
				strconv.Itoa(int(t.start))).Hint = "save it as UTF-8"
		}
	case badCharacter:
		p.report(r, "the character '"+word+"' has no meaning here").Hint = characterHint(word)
	case openComment, openNote:
		start := "/*"
		if f == openNote {
			start = "//*"
		}
		p.report(Range{r.Start, r.Start + int32(len(start))}, "the "+map[fault]string{openComment: "comment", openNote: "note"}[f]+
			" is not closed: expected '*/', but the text ends").Incomplete = true
		p.stopped = true
	case openText:
		p.report(r, "the string is not closed: expected '\"' before the end of the line")
	case openName:
		p.report(r, "the quoted name is not closed: expected ' before the end of the line")
	case badEscape:
		p.report(r, "unknown escape sequence").Hint = `the escape sequences are \b \f \n \r \t \v \" \' \\`
	case digitFirst:
		p.report(r, "a name does not start with a digit").Hint = "write '" + word + "' in single quotes"
	case openFraction:
		p.report(r, "expected digits after the decimal point").Hint = "write " + word + "0"
	case notASCIIName:
		p.report(r, "only a quoted name can hold letters other than A to Z").Hint = "write '" + word + "' in single quotes"
	}
}

func characterHint(word string) string {
	switch word {
	case "!":
		return "negation is written 'not'"
	case "“", "”", "„", "«", "»":
		return "strings stand in straight double quotes"
	case "‘", "’", "`":
		return "names are quoted with straight single quotes"
	case "–", "—", "−":
		return "minus is written '-'"
	case "≤":
		return "write <="
	case "≥":
		return "write >="
	case "≠":
		return "write !="
	}
	return ""
}

// extension admits notation beyond the standard where Options say so, and
// reports it as an error, once, where they do not. name says what it is.
func (p *parser) extension(at Range, name, standard string) {
	e := Extension{p.span(at), name, standard}
	switch {
	case p.failing || p.stopped:
	case p.opts.Extensions:
		p.extensions = append(p.extensions, e)
	default:
		d := e.Diagnostic()
		d.Code, d.Severity = diagnostic.Syntax, diagnostic.Error
		p.add(d)
	}
}
