package value

// A Named is the heap part of a value that is a declared element: an
// enumeration literal, a variant, a function, a metaobject or a type. Make
// one per element with [NewNamed] and share it; two of the same qualified
// name are the same element.
type Named struct {
	Heap
	qualified string
	name      string
	owner     string
	index     int32
}

func (*Named) isPart() {}

// NewNamed makes the part of one element: its qualified name, its own name,
// the name of what declares it (of an enumeration literal: the enumeration;
// of a metaobject: the qualified name of the metaclass), and an index of the
// caller's choice, which takes no part in equality.
func NewNamed(qualified, name, owner string, index int32) *Named {
	n := &Named{qualified: qualified, name: name, owner: owner, index: index}
	n.part = n
	n.digest = hashText(0, qualified)
	return n
}

// Qualified is the element's qualified name.
func (n *Named) Qualified() string { return n.qualified }

// Name is the element's own name.
func (n *Named) Name() string { return n.name }

// Owner is the name of what declares the element: see [NewNamed].
func (n *Named) Owner() string { return n.owner }

// Index is what NewNamed was given.
func (n *Named) Index() int32 { return n.index }

// Literal makes the value of an enumeration literal that declares none.
func Literal(n *Named) Value { return Value{kind: Enumeration, heap: &n.Heap} }

// VariantOf makes the value of a variant that stands for an object, NoObject
// where there is none.
func VariantOf(n *Named, object ObjectID) Value {
	return Value{kind: Variant, bits: uint64(uint32(object + 1)), heap: &n.Heap}
}

// FunctionOf makes the value of a calculation, bound to the object whose
// feature it is, or to NoObject.
func FunctionOf(n *Named, object ObjectID) Value {
	return Value{kind: Function, bits: uint64(uint32(object + 1)), heap: &n.Heap}
}

// MetaobjectOf makes the metaobject of an element.
func MetaobjectOf(n *Named) Value { return Value{kind: Metaobject, heap: &n.Heap} }

// TypeOf makes the value of a definition that is named as a value.
func TypeOf(n *Named) Value { return Value{kind: Type, heap: &n.Heap} }

// AsNamed is the element that v is, and whether v is one.
func (v Value) AsNamed() (*Named, bool) {
	switch v.kind {
	case Enumeration, Variant, Function, Metaobject, Type:
		return v.heap.part.(*Named), true
	}
	return nil, false
}

// Renamed is v with other parts for the elements in it, at any depth: those
// that names gives for the kind of value and the part there was. v itself comes
// back where there is none in it.
func Renamed(v Value, names func(Kind, *Named) *Named) Value {
	if n, ok := v.AsNamed(); ok {
		if to := names(v.kind, n); to != n {
			v.heap = &to.Heap
		}
		return v
	}
	if !v.holdsNamed() {
		return v
	}
	parts := map[string]*Named{}
	v.eachNamed(func(k Kind, n *Named) { parts[string(rune(k))+n.qualified] = names(k, n) })
	to, _, err := Decode(AppendEncoding(nil, v), func(k Kind, qualified string) *Named { return parts[string(rune(k))+qualified] })
	if err != nil {
		return v
	}
	return to
}

// holdsNamed reports whether a collection has an element of the model in it.
func (v Value) holdsNamed() bool {
	found := false
	v.eachNamed(func(Kind, *Named) { found = true })
	return found
}

// eachNamed visits the elements of the model in v.
func (v Value) eachNamed(visit func(Kind, *Named)) {
	if n, ok := v.AsNamed(); ok {
		visit(v.kind, n)
		return
	}
	if v.kind.IsCollection() {
		for e := range v.All() {
			e.eachNamed(visit)
		}
	}
}
