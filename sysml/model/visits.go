package model

// This file remembers where a search has been.

// visits are the namespaces where a search has been, with the most that it saw
// of each.
type visits struct {
	few  []visit
	many map[way]access
}

// A way is a namespace and why a search went there: a namespace whose members
// were looked at may still have imports to follow.
type way struct {
	ns  *Element
	how reason
}

type reason uint8

const (
	forMembers    reason = iota // for all that it has
	forImports                  // for what it imports, as a general
	forNamespaces               // for the namespaces in it, by a recursive import
)

type visit struct {
	way
	access access
}

// add reports whether the place was seen with the access or more, and enters
// it.
func (v *visits) add(ns *Element, a access, how reason) bool {
	at := way{ns, how}
	if v.many != nil {
		if before, ok := v.many[at]; ok && before <= a {
			return true
		}
		v.many[at] = a
		return false
	}
	for _, f := range v.few {
		if f.way == at && f.access <= a {
			return true
		}
	}
	v.few = append(v.few, visit{at, a})
	if len(v.few) > 16 {
		v.many = make(map[way]access, 64)
		for _, f := range v.few {
			if before, ok := v.many[f.way]; !ok || f.access < before {
				v.many[f.way] = f.access
			}
		}
	}
	return false
}

func (v *visits) reset() { v.few, v.many = v.few[:0], nil }
