package picture

import (
	"strings"

	"github.com/orrery-sysml/orrery/sysml/display"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file says in a few words what elements are: titles, lines of
// compartments, labels.

// name is what e is called: its name, its short name, or its metaclass.
func name(e *model.Element) string {
	if n := label(e); n != "" {
		return n
	}
	return "unnamed " + e.Metaclass().Keyword()
}

// label is the name of e, or what stands for it; "" where it has none.
func label(e *model.Element) string {
	if n := e.EffectiveName(); n != "" {
		return n
	}
	return e.ShortName()
}

// typeNames are the types written on e, as "A, B"; "" where there are none.
func typeNames(e *model.Element) string {
	d := e.Decl()
	if d == nil {
		return ""
	}
	var names []string
	for i := range d.Relationships {
		if r := &d.Relationships[i]; r.Kind == syntax.TypedBy && !(i == 0 && d.Is(syntax.ByReference)) {
			n := lastName(r.Target)
			if r.Conjugated {
				n = "~" + n
			}
			names = append(names, n)
		}
	}
	return strings.Join(names, ", ")
}

func lastName(r syntax.Reference) string {
	if len(r.Links) == 0 {
		return ""
	}
	return r.Links[len(r.Links)-1].Last().Text
}

// path is a reference as "a.b.c".
func path(r syntax.Reference) string {
	names := make([]string, len(r.Links))
	for i, l := range r.Links {
		names[i] = l.Last().Text
	}
	return strings.Join(names, ".")
}

// titled is "name : Type[multiplicity]".
func titled(e *model.Element) string {
	title := label(e)
	if t := typeNames(e); t != "" {
		title = strings.TrimLeft(title+" : "+t, " ")
	}
	if d := e.Decl(); d != nil && d.Multiplicity != nil {
		title += " " + rangeText(e, d.Multiplicity.Range)
	}
	return title
}

func rangeText(e *model.Element, r syntax.Range) string {
	return flat(r.In(e.Document().File).Text())
}

// flat is text on one line: comments and line breaks are blanks.
func flat(text string) string {
	for {
		from := strings.Index(text, "/*")
		if from < 0 {
			break
		}
		to := strings.Index(text[from:], "*/")
		if to < 0 {
			break
		}
		text = text[:from] + " " + text[from+to+2:]
	}
	var lines []string
	for line := range strings.Lines(text) {
		if at := strings.Index(line, "//"); at >= 0 {
			line = line[:at]
		}
		lines = append(lines, line)
	}
	return strings.Join(strings.Fields(strings.Join(lines, " ")), " ")
}

// written is an expression as the model has it.
func written(x syntax.Expr) string {
	if x == nil {
		return ""
	}
	return flat(x.Span().Text())
}

// featureLine is one line of a compartment: "in x : T = v".
func featureLine(e *model.Element) string {
	d := e.Decl()
	line := titled(e)
	if dir := d.Direction.String(); dir != "" {
		line = dir + " " + line
	} else if k := d.Member.String(); k != "" {
		line = k + " " + line
	}
	if d.Value != nil {
		sign := "="
		if d.Value.Initial {
			sign = ":="
		}
		line += " " + sign + " " + written(d.Value.Expr)
	}
	return clip(line, 2*lineColumns)
}

// clip shortens s to n runes.
func clip(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return strings.TrimRight(string(r[:n-1]), " ") + "…"
}

// statement is what a statement or step does, in one line.
func statement(d *syntax.Decl) string {
	switch p := d.Detail.(type) {
	case *syntax.AssignPart:
		return written(p.Target) + " := " + written(p.Value)
	case *syntax.SendPart:
		return send(p)
	case *syntax.AcceptPart:
		return "accept " + trigger(p)
	case *syntax.TerminatePart:
		return strings.TrimSpace("terminate " + written(p.Target))
	case *syntax.IfPart:
		return "if " + written(p.Condition)
	case *syntax.ForLoopPart:
		return "for " + p.Variable.Name.Text + " in " + written(p.Sequence)
	case *syntax.WhileLoopPart:
		return loop(p)
	}
	if d.Name.Text != "" {
		return d.Name.Text
	}
	for i := range d.Relationships {
		return path(d.Relationships[i].Target)
	}
	if d.Body != nil {
		var inner []string
		for _, m := range d.Body.Members {
			if !m.Metaclass.IsAnnotation() {
				inner = append(inner, statement(m))
			}
		}
		return strings.Join(inner, "; ")
	}
	return flat(d.Span.Text())
}

func send(p *syntax.SendPart) string {
	text := written(p.Payload)
	if p.Via != nil {
		text += " via " + written(p.Via)
	}
	if p.To != nil {
		text += " to " + written(p.To)
	}
	return "send " + text
}

func loop(p *syntax.WhileLoopPart) string {
	text := "loop"
	if p.While != nil {
		text = "while " + written(p.While)
	}
	if p.Until != nil {
		text += " until " + written(p.Until)
	}
	return text
}

// trigger is what an accept waits for: "x : Sig via p", "after 5 [s]".
func trigger(p *syntax.AcceptPart) string {
	var text string
	switch {
	case p.Trigger == syntax.CallTrigger:
		names := make([]string, len(p.Parameters))
		for i, n := range p.Parameters {
			names[i] = n.Name.Text
		}
		text = path(p.Operation) + "(" + strings.Join(names, ", ") + ")"
	case p.Expr != nil:
		text = p.Trigger.String() + " " + written(p.Expr)
		if p.Payload != nil && p.Payload.Name.Text != "" {
			text = p.Payload.Name.Text + " " + text
		}
	case p.Payload != nil:
		text = payload(p.Payload)
	}
	if p.Via != nil {
		text += " via " + written(p.Via)
	}
	return text
}

// payload is "x : T", or either alone.
func payload(d *syntax.Decl) string {
	var types []string
	for i := range d.Relationships {
		types = append(types, path(d.Relationships[i].Target))
	}
	text := strings.Join(types, ", ")
	switch {
	case d.Name.Text == "":
	case text == "":
		text = d.Name.Text
	default:
		text = d.Name.Text + " : " + text
	}
	if d.Value != nil {
		text += " = " + written(d.Value.Expr)
	}
	return text
}

// transition is the label of a transition: trigger [guard] / effect.
func transition(p *syntax.TransitionPart) string {
	var parts []string
	if p.Trigger != nil {
		parts = append(parts, trigger(p.Trigger))
	}
	if p.Guard != nil {
		parts = append(parts, "["+written(p.Guard)+"]")
	}
	if p.Form == syntax.DefaultTargetSuccession {
		parts = append(parts, "[else]")
	}
	if p.Effect != nil {
		if effect := statement(p.Effect); effect != "" {
			parts = append(parts, "/ "+clip(effect, 3*labelColumns))
		}
	}
	return strings.Join(parts, " ")
}

// wrap breaks text into lines of at most n columns where blanks allow; none for
// an empty text.
func wrap(text string, n int) []string {
	var lines []string
	line, used := "", 0
	for _, word := range strings.Fields(text) {
		w := display.Width(word)
		if used > 0 && used+1+w > n {
			lines, line, used = append(lines, line), "", 0
		}
		if used > 0 {
			line, used = line+" ", used+1
		}
		line, used = line+word, used+w
	}
	if used > 0 {
		lines = append(lines, line)
	}
	return lines
}
