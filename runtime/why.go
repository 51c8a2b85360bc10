package runtime

import (
	"context"
	"strings"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// Why says where the value of an expression comes from: the expressions,
// defaults, redefinitions, bindings, assignments and calculations behind it,
// recursively. It works on a copy of the World, where everything that the
// model gives is computed anew. An expression that fails has a derivation
// too, as far as it went, with Err.
func (s *Session) Why(ctx context.Context, x syntax.Expr, scope string) (*Derivation, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var d *Derivation
	err := s.look(ctx, func(t *turn) error {
		t.world.Forget()
		w := &why{turn: t}
		t.watch = w
		v, err := t.evaluate(x, scope)
		d = w.whole(x, v)
		if err != nil {
			if len(d.Parts) == 0 {
				return err
			}
			d.Err = diagnostic.Of(err)[0]
		}
		return nil
	})
	return d, err
}

// WhyText is Why of an expression as text.
func (s *Session) WhyText(ctx context.Context, text, scope string) (*Derivation, error) {
	x, list := syntax.ParseExpression(source.NewFile("expression", text), 0, syntax.Options{Extensions: true})
	if list.HasErrors() {
		return nil, list
	}
	return s.Why(ctx, x, scope)
}

// why builds a Derivation of what a Runner tells: expressions come after
// their parts, one level less deep.
type why struct {
	*turn
	known []known // not yet part of another, in the order told
	open  []opened
}

type known struct {
	depth int
	d     *Derivation
}

// opened is a unit that runs: what was known before it, and what it makes.
type opened struct {
	from, depth int
	d           *Derivation // nil for a unit that is no step of its own
}

// take makes what is known and deeper than depth the parts of a Derivation.
func (w *why) take(from, depth int) []*Derivation {
	i := len(w.known)
	for i > from && w.known[i-1].depth > depth {
		i--
	}
	var parts []*Derivation
	for _, k := range w.known[i:] {
		parts = append(parts, k.d)
	}
	w.known = w.known[:i]
	return parts
}

func (w *why) add(depth int, d *Derivation) { w.known = append(w.known, known{depth, d}) }

// Begun opens a step for a default, binding connectors or a calculation.
func (w *why) Begun(u *exec.Unit, object value.ObjectID, slot int, joined bool, depth int) {
	o := opened{from: len(w.known), depth: depth}
	switch {
	case joined:
		o.d = &Derivation{Kind: "binding", Label: w.slotName(object, slot)}
	case slot >= 0:
		o.d = &Derivation{Kind: "default", Label: w.slotName(object, slot), Span: w.slotSpan(object, slot)}
		if w.world.Program.Types[w.world.Object(object).Type].Slots[slot].Redefined {
			o.d.Kind = "redefinition"
		}
	case u.Kind == exec.CalcUnit || u.Kind == exec.RunUnit:
		o.d = &Derivation{Kind: "calculation", Label: u.Name}
		if len(u.Spans) > 0 {
			o.d.Span = u.Spans[0]
		}
	}
	w.open = append(w.open, o)
}

// Ended closes the step.
func (w *why) Ended(u *exec.Unit, v value.Value) {
	o := w.open[len(w.open)-1]
	w.open = w.open[:len(w.open)-1]
	if o.d == nil {
		return
	}
	o.d.Parts = w.take(o.from, -2)
	o.d.Value, o.d.Text = v, w.text(w.world, v)
	if o.d.Kind == "binding" && v.IsAbsent() {
		return
	}
	if n := len(o.d.Parts); n == 1 && o.d.Parts[0].Kind == "object" {
		o.d.Kind = "object"
	}
	w.add(o.depth, o.d)
}

// Evaluated adds an expression over its parts.
func (w *why) Evaluated(n *exec.Node, depth int, v value.Value) {
	d := &Derivation{Kind: "expression", Label: strings.Join(strings.Fields(n.Span.Text()), " "), Span: n.Span, Value: v, Text: w.text(w.world, v)}
	switch n.Word {
	case "literal":
		d.Kind = "literal"
	case "feature", "chain":
		d.Kind = "feature"
		if d.Label == "" {
			d.Label = n.Name
		}
	case "invoke":
		d.Kind = "calculation"
	}
	from := 0
	if len(w.open) > 0 {
		from = w.open[len(w.open)-1].from
	}
	d.Parts = w.take(from, depth)
	w.add(depth, d)
}

// Read adds a value that a slot had: assigned, or a constant default.
func (w *why) Read(object value.ObjectID, slot int, s exec.SlotState, v value.Value, depth int) {
	typ := w.world.Program.Types[w.world.Object(object).Type]
	d := &Derivation{Kind: "default", Label: w.slotName(object, slot), Value: v, Text: w.text(w.world, v), Span: w.slotSpan(object, slot)}
	switch {
	case s == exec.Written:
		d.Kind = "assignment"
	case typ.Slots[slot].Composite || v.HoldsObjects():
		return
	case typ.Slots[slot].Redefined:
		d.Kind = "redefinition"
	}
	w.add(depth, d)
}

func (w *why) slotName(object value.ObjectID, slot int) string {
	typ := w.world.Program.Types[w.world.Object(object).Type]
	return w.object(w.world, object).Name + "." + w.world.Program.Name(typ.Slots[slot].Name)
}

// slotSpan is where the value of a slot is declared, or the slot.
func (w *why) slotSpan(object value.ObjectID, slot int) source.Span {
	e := w.elementOf(object)
	typ := w.world.Program.Types[w.world.Object(object).Type]
	name := w.world.Program.Name(typ.Slots[slot].Name)
	var first *model.Element
	for _, f := range e.AllFeatures() {
		if f.Label != name {
			continue
		}
		if v, has := f.Value(); has {
			return v.Expr.Span()
		}
		if first == nil {
			first = f.Element
		}
	}
	if first == nil {
		return source.Span{}
	}
	return first.NameSpan()
}

// whole is the derivation of the expression itself.
func (w *why) whole(x syntax.Expr, v value.Value) *Derivation {
	w.open = nil
	if n := len(w.known); n == 1 && !v.IsAbsent() {
		return w.known[0].d
	}
	d := &Derivation{Kind: "expression", Label: strings.TrimSpace(x.Span().Text()), Span: x.Span(), Value: v, Parts: w.take(0, -2)}
	if !v.IsAbsent() {
		d.Text = w.text(w.world, v)
	}
	return d
}
