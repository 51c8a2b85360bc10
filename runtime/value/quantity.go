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
	q.size = heapSize + valueSize + 8 + number.Bytes()
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
	t.size = heapSize + 40 + 8*len(dims)
	t.digest = unit.digest
	for _, d := range dims {
		t.digest = mix(t.digest, uint64(d))
	}
	if numbers != nil {
		t.digest = mix(t.digest, numbers.digest)
		t.size += numbers.size
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

// references is * / ** where an operand is a MeasurementRef and the other one
// a MeasurementRef, or a plain power.
func references(op Operator, a, b Value) (Value, error) {
	u, ok := a.AsReference()
	if !ok {
		return Value{}, errOperands(op, a, b)
	}
	if w, ok := b.AsReference(); ok && (op == Multiply || op == Divide) {
		if op == Multiply {
			return Reference(u.Times(w)), nil
		}
		return Reference(u.Per(w)), nil
	}
	if num, den, ok := unitPower(b); ok && (op == Power || op == Caret) {
		raised := u.Raise(num, den)
		return Reference(raised.Renamed(enclosed(u.written) + raised.written[len(u.written)+2:])), nil
	}
	return Value{}, errOperands(op, a, b)
}

// AsReference is the unit of a MeasurementRef, and whether v is one.
func (v Value) AsReference() (*Unit, bool) {
	if v.kind != MeasurementRef {
		return nil, false
	}
	return v.heap.part.(*Unit), true
}

// quantities is + - * / % where an operand is a Quantity and the other one a
// Quantity or a number. The number of the result prints with a point.
func quantities(op Operator, a, b Value) (Value, error) {
	x, xu, _ := a.AsQuantity()
	y, yu, _ := b.AsQuantity()
	switch op {
	case Add, Subtract:
		converted, err := addend(op, y, yu, xu)
		if err != nil {
			return Value{}, err
		}
		n, err := numbers(op, widened(x), converted)
		if err != nil || xu.written == "" && xu.IsDimensionless() {
			return n, err
		}
		return quantityOf(n, xu), nil
	case Multiply, Divide:
		n, err := numbers(op, widened(x), y)
		if err != nil {
			return Value{}, err
		}
		unit := xu.Times(yu)
		if op == Divide {
			unit = xu.Per(yu)
		}
		return scaledToOne(n, unit), nil
	}
	return Value{}, errOperands(op, a, b)
}

// addend is y of yu as a number of xu. A difference added to, or taken from, a
// reading on an affine scale is converted by scale alone: 20 °C + 5 K is 25 °C.
func addend(op Operator, y Value, yu, xu *Unit) (Value, error) {
	if !yu.Commensurable(xu) {
		return Value{}, errIncommensurable(yu, xu)
	}
	if xu.offset != 0 && yu.offset == 0 {
		xu = NewUnit(xu.written, xu.num, xu.den, 0, xu.bases)
	}
	return converted(y, yu, xu), nil
}

// converted is y of yu as a number of xu; exact where the units agree.
func converted(y Value, yu, xu *Unit) Value {
	if yu.num == xu.num && yu.den == xu.den && yu.offset == xu.offset {
		return widened(y)
	}
	m, _ := y.AsFloat()
	return Float(yu.Convert(m, xu))
}

// scaledToOne is the quantity n of unit, or a plain number where the unit
// reduces to no base unit.
func scaledToOne(n Value, unit *Unit) Value {
	if unit.IsDimensionless() {
		return converted(n, unit, One)
	}
	return quantityOf(n, unit)
}

// quantityPower is a quantity to a plain power, small and rational.
func quantityPower(op Operator, a, b Value) (Value, error) {
	q := a.heap.part.(*quantity)
	n, err := power(op, q.number, b)
	if err != nil {
		return Value{}, err
	}
	num, den, ok := unitPower(b)
	if !ok {
		return Value{}, fail(DomainError, "%s %s %s is not defined: the power of a unit must be a small ratio", Trace(a), op, Trace(b))
	}
	unit := q.unit.Raise(num, den)
	if unit.IsDimensionless() {
		return converted(n, unit, One), nil
	}
	return quantityOf(n, unit), nil
}

// unitPower is the number v as a ratio small enough for the power of a unit.
func unitPower(v Value) (num, den int32, ok bool) {
	if !v.kind.IsNumber() {
		return 0, 0, false
	}
	exp, ok := v.finite()
	if !ok || !exp.Num().IsInt64() || !exp.Denom().IsInt64() || magnitude(exp.Num().Int64()) > maxUnitPower || exp.Denom().Int64() > maxUnitPower {
		return 0, 0, false
	}
	return int32(exp.Num().Int64()), int32(exp.Denom().Int64()), true
}

// maxUnitPower bounds numerator and denominator of a unit's power.
const maxUnitPower = 1000

// comparedQuantities compares a Quantity with a Quantity or a number. A plain
// zero is read in the other one's unit.
func comparedQuantities(a, b Value) (int, error) {
	x, xu, _ := a.AsQuantity()
	y, yu, _ := b.AsQuantity()
	switch {
	case xu == One && x.isZero():
		xu = yu
	case yu == One && y.isZero():
		yu = xu
	}
	return compareQuantities(x, xu, y, yu)
}

// tensors is + - * / where an operand is a TensorQuantity: sums element by
// element, products and quotients with a number or a Quantity.
func tensors(op Operator, a, b Value) (Value, error) {
	p, q := a.asTensor(), b.asTensor()
	x, xu, scalarLeft := a.AsQuantity()
	y, yu, scalarRight := b.AsQuantity()
	var err error
	switch {
	case p != nil && q != nil && (op == Add || op == Subtract) && sameInts(p.dims, q.dims):
		if !q.unit.Commensurable(p.unit) {
			return Value{}, errIncommensurable(q.unit, p.unit)
		}
		sum := each2(p.numbers, q.numbers, func(l, r Value) (Value, error) { return numbers(op, widened(l), converted(r, q.unit, p.unit)) }, &err)
		return tensorOf(p.dims, sum, p.unit), err
	case p != nil && scalarRight && (op == Multiply || op == Divide):
		scaled := each(p.numbers, func(e Value) (Value, error) { return numbers(op, widened(e), y) }, &err)
		unit := p.unit.Times(yu)
		if op == Divide {
			unit = p.unit.Per(yu)
		}
		return tensorOf(p.dims, scaled, unit), err
	case q != nil && scalarLeft && op == Multiply:
		scaled := each(q.numbers, func(e Value) (Value, error) { return numbers(op, x, widened(e)) }, &err)
		return tensorOf(q.dims, scaled, xu.Times(q.unit)), err
	}
	return Value{}, errOperands(op, a, b)
}

func (v Value) asTensor() *tensor {
	if v.kind != TensorQuantity {
		return nil
	}
	return v.heap.part.(*tensor)
}

// each maps f over s; the first error stays in err.
func each(s *sequence, f func(Value) (Value, error), err *error) *sequence {
	mapped := make([]Value, 0, s.len())
	s.walk(func(e Value) bool {
		var v Value
		v, *err = f(e)
		mapped = append(mapped, v)
		return *err == nil
	})
	return treeOf(mapped)
}

// each2 is each over two sequences of one length.
func each2(s, t *sequence, f func(a, b Value) (Value, error), err *error) *sequence {
	mapped := make([]Value, 0, s.len())
	s.pairs(t, func(a, b Value) bool {
		var v Value
		v, *err = f(a, b)
		mapped = append(mapped, v)
		return *err == nil
	})
	return treeOf(mapped)
}
