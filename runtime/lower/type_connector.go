package lower

import (
	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file lays out connectors that are objects: their ends are slots that
// read what they are connected to.

// ends gives the objects of connector e a slot for each end, which reads what
// it is connected to on the object that holds the connector.
func (l *Lowering) ends(t *exec.Type, e *model.Element) {
	if !isConnector(nature(e)) {
		return
	}
	var part *syntax.ConnectorPart
	scope := e
	for _, c := range append([]*model.Element{e}, e.RedefinitionClosure()...) {
		if p, ok := c.Decl().Detail.(*syntax.ConnectorPart); ok && len(p.Ends) > 0 {
			part, scope = p, c
			break
		}
	}
	if part == nil {
		return
	}
	var declared []string // ends of the type, by position
	for _, f := range e.Features() {
		if f.Is(syntax.End) && f.Label != "" {
			declared = append(declared, f.Label)
		}
	}
	for k, end := range part.Ends {
		u := l.unit("", exec.FillUnit)
		names := []string{end.Name.Text}
		if len(part.Ends) == 2 {
			names = append(names, [...]string{"source", "target"}[k])
		}
		if k < len(declared) {
			names = append(names, declared[k])
		}
		slot := int32(len(t.Slots))
		for _, n := range names {
			for _, f := range t.Features {
				if l.program.Names[f.Name] == n && n != "" {
					slot = f.Slot
				}
			}
		}
		if int(slot) == len(t.Slots) {
			t.Slots = append(t.Slots, exec.Slot{})
			t.Constants = append(t.Constants, value.Value{})
		}
		label := names[0]
		if label == "" && len(names) > 1 {
			label = names[1]
		}
		t.Slots[slot] = exec.Slot{Name: l.name(label), Kind: exec.ReferenceFeature, Fill: u.ID, Type: exec.NoType, Lower: 0, Upper: -1,
			Label: t.Name + "." + label, Element: t.Element.Index(), Condition: -1}
		for _, n := range names {
			if n != "" && !hasFeature(t, l.name(n)) {
				t.Features = append(t.Features, exec.Feature{Name: l.name(n), Slot: slot, Kind: exec.ReferenceFeature})
			}
		}
		target := end.Target
		l.later(func() { l.compile(u, scope, func(b *body) { b.attach(label, target, scope) }) })
	}
}

func hasFeature(t *exec.Type, n exec.NameID) bool {
	for _, f := range t.Features {
		if f.Name == n {
			return true
		}
	}
	return false
}

// attach lowers the reading of what an end of a connector is connected to.
func (b *body) attach(name string, target syntax.Reference, scope *model.Element) {
	b.self = true
	at := b.alloc()
	b.span = target.In(scope.Span().File)
	b.emit(exec.Instr{Op: exec.OpOwner, A: at})
	none := b.jump()
	over := b.jump()
	b.land(none)
	b.fail(exec.NoValue, "connector end cannot be attached: "+label(scope)+" end \""+name+"\": no object owns the connector", "")
	b.land(over)
	v := b.walk(at, target.Links, nil, -1)
	b.emit(exec.Instr{Op: exec.OpReturn, B: v})
}
