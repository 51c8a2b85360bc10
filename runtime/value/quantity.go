package value

// quantity is the heap part of a Quantity.
type quantity struct {
	Heap
	number Value
	unit   *Unit
}

func (*quantity) isPart() {}

// tensor is the heap part of a TensorQuantity: a vector quantity has one
// dimension.
type tensor struct {
	Heap
	dims    []int
	numbers *sequence
	unit    *Unit
}

func (*tensor) isPart() {}

// QuantityOf makes the quantity of a number in unit. A magnitude that is no
// number is an error; one that is a Vector makes a vector quantity.
func QuantityOf(number Value, unit *Unit) (Value, error) {
	switch {
	case number.kind.IsNumber():
		return quantityOf(number, unit), nil
	case number.kind == Vector:
		return tensorOf([]int{number.Len()}, number.elements(), unit), nil
	}
	return Value{}, fail(NotAQuantity, "not a quantity expression: magnitude of a quantity is %s, want a number", number.kindWord())
}

func quantityOf(number Value, unit *Unit) Value {
	q := &quantity{number: number, unit: unit}
	q.part = q
	q.digest = mix(number.digest(), unit.digest)
	return Value{kind: Quantity, heap: &q.Heap}
}

// TensorQuantityOf makes the quantity of several numbers in one unit, with
// dimensions whose product is the count of numbers; false otherwise.
func TensorQuantityOf(dims []int, unit *Unit, numbers ...Value) (Value, bool) {
	if _, ok := ArrayOf(dims, numbers...); !ok {
		return Value{}, false
	}
	return tensorOf(append([]int(nil), dims...), treeOf(numbers), unit), true
}

func tensorOf(dims []int, numbers *sequence, unit *Unit) Value {
	t := &tensor{dims: dims, numbers: numbers, unit: unit}
	t.part = t
	t.digest = unit.digest
	for _, d := range dims {
		t.digest = mix(t.digest, uint64(d))
	}
	if numbers != nil {
		t.digest = mix(t.digest, numbers.digest)
	}
	return Value{kind: TensorQuantity, heap: &t.Heap}
}

// AsQuantity is the number and the unit of v, a plain number counting as one
// of unit [One], and whether v is either.
func (v Value) AsQuantity() (number Value, unit *Unit, ok bool) {
	switch {
	case v.kind == Quantity:
		q := v.heap.part.(*quantity)
		return q.number, q.unit, true
	case v.kind.IsNumber():
		return v, One, true
	}
	return Value{}, nil, false
}

// AsTensor is the numbers, as a Sequence, and the unit of a TensorQuantity,
// whose dimensions [Value.Dimensions] tells, and whether v is one.
func (v Value) AsTensor() (numbers Value, unit *Unit, ok bool) {
	if v.kind != TensorQuantity {
		return Value{}, nil, false
	}
	t := v.heap.part.(*tensor)
	return sequenceValue(Sequence, t.numbers), t.unit, true
}

// In is the quantity v expressed in unit, as a Real.
func (v Value) In(unit *Unit) (float64, error) {
	number, own, ok := v.AsQuantity()
	if !ok {
		return 0, fail(TypeMismatch, "type mismatch: %s has no unit", v.TypeName())
	}
	if !own.Commensurable(unit) {
		return 0, errIncommensurable(own, unit)
	}
	m, _ := number.AsFloat()
	return own.Convert(m, unit), nil
}

// Reference makes a measurement unit a value of its own.
func Reference(unit *Unit) Value { return Value{kind: MeasurementRef, heap: &unit.Heap} }

// AsReference is the unit of a MeasurementRef, and whether v is one.
func (v Value) AsReference() (*Unit, bool) {
	if v.kind != MeasurementRef {
		return nil, false
	}
	return v.heap.part.(*Unit), true
}
