package lower

import (
	"maps"
	"strings"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file gives the features of the states inside a machine a place in the
// data of the machine, where something assigns them: feature c of state r is
// r.c there, and c to what the state does. A feature that nothing assigns is
// what its declaration says, wherever it is read.

// declareStates gives slots to the features of states that are assigned.
func (x *machine) declareStates() {
	assigned := map[string]bool{}
	for _, v := range x.states {
		for _, m := range v.members {
			if m.Decl() != nil {
				syntax.Inspect(m.Decl(), func(node any) bool {
					d, ok := node.(*syntax.Decl)
					if !ok {
						return true
					}
					if p, ok := d.Detail.(*syntax.AssignPart); ok {
						assigned[lastName(p.Target)] = true
					}
					return true
				})
			}
		}
	}
	for _, v := range x.states {
		if v.parent == nil || v.element == nil || !isState(v.element) {
			continue
		}
		for _, m := range v.members {
			if n := label(m); n != "" && isDataMember(m) && assigned[n] {
				slot := x.frames[0].declare(v.prefix()+n, exec.AttributeData)
				s := &x.m.States[v.index]
				s.Slots = append(s.Slots, slot)
			}
		}
	}
}

// lastName is the name of the feature that a target leads to.
func lastName(target syntax.Expr) string {
	switch t := target.(type) {
	case *syntax.FeatureReferenceExpression:
		return t.Name.Last().Text
	case *syntax.FeatureChainExpression:
		return t.Links[len(t.Links)-1].Last().Text
	}
	return ""
}

// prefix leads from the machine to the features of v: "r.inner.".
func (v *vertex) prefix() string {
	if v.parent == nil {
		return ""
	}
	return v.parent.prefix() + label(v.element) + "."
}

// within are the frames of x as what is written in the body of v sees them:
// features of the states around it by their own names.
func (x *machine) within(v *vertex) []*frame {
	own := x.frames[0]
	view := &frame{data: data{slots: maps.Clone(own.slots), declared: maps.Clone(own.declared)}, id: own.id, layout: own.layout}
	var around []string
	for at := v; at.parent != nil && at.element != nil; at = at.parent {
		around = append(around, at.prefix())
	}
	found := false
	for i := len(around) - 1; i >= 0; i-- { // the innermost has the last word
		for name, slot := range own.slots {
			if short, ok := strings.CutPrefix(name, around[i]); ok {
				view.slots[short], view.declared[short], found = slot, true, true
			}
		}
	}
	if !found {
		return x.frames
	}
	return append([]*frame{view}, x.frames[1:]...)
}

// ofState is the feature of a state inside a machine that a chain leads to;
// nil for another chain.
func (b *body) ofState(base syntax.QualifiedName, links []syntax.QualifiedName) *model.Element {
	elements := b.resolveChain(base, links)
	if n := len(elements); n == len(links)+1 && n > 1 && isState(elements[n-2]) {
		return elements[n-1]
	}
	return nil
}
