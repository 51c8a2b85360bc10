package exec

import (
	"crypto/sha256"
	"encoding/binary"
	"sync"

	"github.com/orrery-sysml/orrery/runtime/value"
)

// Numbers of what a Program holds.
type (
	UnitID   int32 // code
	TypeID   int32 // layout of objects
	NameID   int32 // simple name
	GlobalID int32 // package-level occurrence
)

// NoUnit, NoType, NoName and NoGlobal stand where there is none.
const (
	NoUnit   UnitID   = -1
	NoType   TypeID   = -1
	NoName   NameID   = -1
	NoGlobal GlobalID = -1
)

// A Program is what lowering made of (a part of) a model. It never changes;
// when more of the same model is lowered a new Program has all of the old one
// under the same numbers. Safe for use by many goroutines.
type Program struct {
	Units   []*Unit
	Types   []*Type
	Names   []string
	Globals []*Global
	// Elements are the declarations that values and checks refer to.
	Elements []*value.Named
	// Denotes has, for each of Elements, the occurrence that stands for it.
	Denotes []GlobalID
	// Callables are the calculations that function values name.
	Callables map[string]UnitID
	// Functions are the library functions that code calls.
	Functions []*value.LibraryFunction
	// Graphs and Machines are the behaviours.
	Graphs   []*Graph
	Machines []*Machine
	// Accepts, Sends, Performs, Subflows and Orders are what requests refer to.
	Accepts  []*Accept
	Sends    []*Send
	Performs []*Perform
	Subflows []*SubflowBody
	Orders   []*StatementOrder
	// TypeLinks are the connections that objects of a type have, by TypeID.
	TypeLinks [][]Link
	Layouts   []*Layout
	// Far is how many owners at most lie above a slot that a binding connector
	// ends at, the one that owns the connector among them.
	Far int
	// Base tells apart Programs of different models.
	Base [32]byte

	digest func() [32]byte
	sealed int // types whose Active is settled
}

// Seal makes the Program ready for use; call it once, when its fields are set.
func (p *Program) Seal() *Program {
	for changed := true; changed; {
		changed = false
		for _, t := range p.Types[p.sealed:] {
			for _, i := range t.Parts {
				if of := t.Slots[i].Type; !t.Active && of != NoType && p.Types[of].Active {
					t.Active, changed = true, true
				}
			}
		}
	}
	p.sealed = len(p.Types)
	p.digest = sync.OnceValue(func() [32]byte {
		h := sha256.New()
		h.Write(p.Base[:])
		var word [8]byte
		for _, n := range []int{len(p.Units), len(p.Types), len(p.Names), len(p.Globals), len(p.Graphs), len(p.Machines)} {
			binary.LittleEndian.PutUint64(word[:], uint64(n))
			h.Write(word[:])
		}
		for _, u := range p.Units {
			u.digest(h)
		}
		for _, t := range p.Types {
			h.Write([]byte(t.Qualified))
			for i := range t.Slots {
				binary.LittleEndian.PutUint64(word[:], uint64(uint32(t.Slots[i].Name))<<32|uint64(uint32(t.Slots[i].Fill)))
				h.Write(word[:])
			}
		}
		for _, n := range p.Names {
			h.Write([]byte(n))
			h.Write([]byte{0})
		}
		return [32]byte(h.Sum(nil))
	})
	return p
}

// Sealed tells p, which is being added to, that sealed holds what p did.
func (p *Program) Sealed(sealed *Program) { p.sealed = sealed.sealed }

// Digest identifies what p holds. Worlds are saved with it.
func (p *Program) Digest() [32]byte { return p.digest() }

// Name is the text of n.
func (p *Program) Name(n NameID) string {
	if n < 0 || int(n) >= len(p.Names) {
		return ""
	}
	return p.Names[n]
}

// named finds the element of a qualified name, for the decoding of values.
func (p *Program) named(_ value.Kind, qualified string) *value.Named {
	for _, e := range p.Elements {
		if e.Qualified() == qualified {
			return e
		}
	}
	return nil
}

// Decode reads a value that value.AppendEncoding wrote, and gives what follows
// it.
func (p *Program) Decode(data []byte) (value.Value, []byte, error) {
	return value.Decode(data, p.named)
}

// A Type is the layout of the objects of one definition, or of one usage
// that has features of its own.
type Type struct {
	ID TypeID
	// Name is the simple name, as `materialize:` prints it; Qualified the
	// qualified one; Element the element that it was made of.
	Name, Qualified string
	Element         *value.Named
	// Declared is the qualified name of the type that an object answers as.
	Declared string
	// Supers are the qualified names of all that the type conforms to, itself
	// included, sorted.
	Supers []string
	Slots  []Slot
	// Constants has what each slot of a new object holds: its constant
	// default, Absent where there is none.
	Constants []value.Value
	// Features are the features in their order, redefined ones included; two
	// of them may have one slot.
	Features []Feature
	// Nets are the binding connectors that objects of this type own.
	Nets []Net
	// Reach are the paths below the type, from a feature of it, that a net
	// of the type ends at.
	Reach map[NameID]bool
	// Behaviours are what objects of the type perform, in member order.
	Behaviours []OwnBehaviour
	// Performance says that objects of the type stand for performances, whose
	// data are their features.
	Performance bool
	// ValueType says that objects of the type are attribute values.
	ValueType bool
	// Parts are the slots whose objects belong to the object.
	Parts []int32
	// Active says that objects of the type, or those made with them, have
	// behaviours.
	Active bool

	slotOf []int32 // by NameID: slot+1; 0 where there is none
}

// OwnBehaviour is one `exhibit state` or `perform action` of a type.
type OwnBehaviour struct {
	Name    string
	Machine bool // an exhibited state machine; else a performed action
	Slot    int32
	// Type is that of the object that stands for the performance.
	Type TypeID
	// Entry is the number of the machine or graph in the Program; negative
	// where the declaration names no body.
	Entry int32
}

// A Feature is one name of a type.
type Feature struct {
	Name NameID
	Slot int32
	Kind FeatureKind
	// Redefined says that a nearer feature redefines it.
	Redefined bool
}

// FeatureKind is what a feature is, as far as reading it goes.
type FeatureKind uint8

// The kinds of feature.
const (
	AttributeFeature FeatureKind = iota
	ObjectFeature                // a part, an item, a port, an occurrence
	ReferenceFeature             // a reference, which makes nothing
	ConnectorFeature
	BehaviourFeature // an action or a state
	ConditionFeature // a constraint or a requirement
	CalculationFeature
)

// A Slot is one place of an object.
type Slot struct {
	Name NameID
	Kind FeatureKind
	// Fill makes the value at the first read; NoUnit where there is none.
	Fill UnitID
	// Lower and Upper are the bounds of the multiplicity, -1 for * and for a
	// bound that is not constant.
	Lower, Upper int64
	// Many says that the slot holds a sequence whatever it holds.
	Many bool
	// Composite says that objects in the slot are held by the object.
	Composite bool
	// Redefined says that other features are redefined into the slot.
	Redefined bool
	// Clock says that the slot reads the clock of the World.
	Clock bool
	// Gathered says that Fill only collects what subsetting features hold.
	Gathered bool
	// Type is what Fill makes objects of; NoType where it makes none.
	Type TypeID
	// Value says that the slot is of a value type that has no features:
	// without a value it reads as unset.
	Value bool
	// Label is how errors call the slot: T.x.
	Label string
	// Condition is the number of the judgement of a ConditionFeature.
	Condition int32
	// Asserted says that the judgement is asserted.
	Asserted bool
	// Element is the declaration, an index of Program.Elements.
	Element int32
}

// SlotOf is the slot of the feature called n, and whether t has one.
func (t *Type) SlotOf(n NameID) (int, bool) {
	if int(n) >= len(t.slotOf) || n < 0 || t.slotOf[n] == 0 {
		return 0, false
	}
	return int(t.slotOf[n]) - 1, true
}

// Index makes SlotOf answer, also for the slots that no feature names; call it
// when Features is set.
func (t *Type) Index() {
	var most NameID = -1
	for _, f := range t.Features {
		most = max(most, f.Name)
	}
	for _, s := range t.Slots {
		most = max(most, s.Name)
	}
	t.slotOf = make([]int32, most+1)
	for i := len(t.Slots) - 1; i >= 0; i-- {
		if n := t.Slots[i].Name; n >= 0 {
			t.slotOf[n] = int32(i) + 1
		}
	}
	for i := len(t.Features) - 1; i >= 0; i-- {
		f := t.Features[i]
		if f.Name >= 0 {
			t.slotOf[f.Name] = int32(f.Slot) + 1
		}
	}
}

// Conforms reports whether objects of t are instances of the definition or
// usage with the qualified name.
func (t *Type) Conforms(qualified string) bool {
	lo, hi := 0, len(t.Supers)
	for lo < hi {
		if m := (lo + hi) / 2; t.Supers[m] < qualified {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo < len(t.Supers) && t.Supers[lo] == qualified
}

// A Net is features that binding connectors make equal, and the code that
// reads them, run on the object that owns the connectors.
type Net struct {
	Ends []NetEnd
	// Read gives the value that the ends agree on, run on the owner; Absent
	// where none has one.
	Read UnitID
	// Label is the connectors as an error prints them: a = b.
	Label string
}

// A NetEnd is one end of a Net.
type NetEnd struct {
	// Path leads from the owner to the slot; nil for an expression.
	Path []NameID
	Text string
}

// A Global is a package-level occurrence: the one object that a name denotes.
type Global struct {
	Name      NameID
	Qualified string
	Type      TypeID
}
