package value

import (
	"math"
	"math/cmplx"
)

// complexes is + - * / where an operand is a Complex and the other one a
// Complex or a number.
func complexes(op Operator, a, b Value) (Value, error) {
	ar, ai, ok1 := a.AsComplex()
	br, bi, ok2 := b.AsComplex()
	if !ok1 || !ok2 {
		return Value{}, errOperands(op, a, b)
	}
	switch op {
	case Add:
		return ComplexNumber(ar+br, ai+bi), nil
	case Subtract:
		return ComplexNumber(ar-br, ai-bi), nil
	case Multiply:
		return ComplexNumber(float64(ar*br)-float64(ai*bi), float64(ar*bi)+float64(ai*br)), nil
	case Divide:
		if br == 0 && bi == 0 {
			return Value{}, errDivisionByZero()
		}
		return ComplexNumber(quotient(ar, ai, br, bi)), nil
	}
	return Value{}, errOperands(op, a, b)
}

// quotient is Smith's division, with every product rounded by itself.
func quotient(ar, ai, br, bi float64) (re, im float64) {
	if math.Abs(br) >= math.Abs(bi) {
		r := bi / br
		d := br + float64(r*bi)
		return (ar + float64(ai*r)) / d, (ai - float64(ar*r)) / d
	}
	r := br / bi
	d := bi + float64(r*br)
	return (float64(ar*r) + ai) / d, (float64(ai*r) - ar) / d
}

func complexPower(op Operator, a, b Value) (Value, error) {
	ar, ai, ok1 := a.AsComplex()
	br, bi, ok2 := b.AsComplex()
	if !ok1 || !ok2 {
		return Value{}, errOperands(op, a, b)
	}
	if n, ok := integral(b); ok && n >= 0 && n <= 64 {
		// Repeated products keep whole parts whole.
		p := ComplexNumber(1, 0)
		for range n {
			p, _ = complexes(Multiply, p, a)
		}
		return p, nil
	}
	if ar == 0 && ai == 0 && (br < 0 || bi != 0) {
		return Value{}, fail(DomainError, "%s %s %s is not defined: zero has no such power", Trace(a), op, Trace(b))
	}
	p := cmplx.Pow(complex(ar, ai), complex(br, bi))
	if cmplx.IsInf(p) || cmplx.IsNaN(p) {
		return Value{}, fail(DomainError, "%s %s %s is not finite", Trace(a), op, Trace(b))
	}
	return ComplexNumber(real(p), imag(p)), nil
}

// vectors is + - of two Vectors of one size, and a Vector times or by a
// number. A sequence of numbers may stand for one of two Vectors.
func vectors(op Operator, a, b Value) (Value, error) {
	av, aok := a.asVector()
	bv, bok := b.asVector()
	var err error
	switch {
	case aok && bok && (op == Add || op == Subtract):
		if av.len() != bv.len() {
			return Value{}, fail(TypeMismatch, "type mismatch: operator '%s' needs vectors of one size, got %d and %d elements", op, av.len(), bv.len())
		}
		sum := each2(av, bv, func(x, y Value) (Value, error) { return numbers(op, x, y) }, &err)
		return sequenceValue(Vector, sum), err
	case aok && b.kind.IsNumber() && (op == Multiply || op == Divide):
		scaled := each(av, func(x Value) (Value, error) { return numbers(op, x, b) }, &err)
		return sequenceValue(Vector, scaled), err
	case bok && a.kind.IsNumber() && op == Multiply:
		scaled := each(bv, func(x Value) (Value, error) { return numbers(op, a, x) }, &err)
		return sequenceValue(Vector, scaled), err
	case aok && b.kind == Quantity && (op == Multiply || op == Divide):
		return tensors(op, tensorOf([]int{av.len()}, av, One), b)
	case bok && a.kind == Quantity && op == Multiply:
		return tensors(op, a, tensorOf([]int{bv.len()}, bv, One))
	}
	return Value{}, errOperands(op, a, b)
}

// asVector is the numbers of a Vector, or of a Sequence that holds numbers
// alone.
func (v Value) asVector() (*sequence, bool) {
	if v.kind != Vector && v.kind != Sequence {
		return nil, false
	}
	s := v.elements()
	return s, s.walk(func(e Value) bool { return e.kind.IsNumber() })
}
