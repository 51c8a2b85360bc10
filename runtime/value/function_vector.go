package value

import (
	"math"
	"math/cmplx"
)

// vector is argument i of f, a Vector or a sequence of numbers; a single
// number is the vector of that one.
func (f *LibraryFunction) vector(args []Value, i int) (*sequence, error) {
	if args[i].kind.IsNumber() {
		return newLeaf([]Value{args[i]}), nil
	}
	s, ok := args[i].asVector()
	if !ok {
		return nil, f.errParameter(i, "a vector of numbers")
	}
	return s, nil
}

// vectorPair is the first two arguments, of one size.
func (f *LibraryFunction) vectorPair(args []Value) (v, w *sequence, err error) {
	if v, err = f.vector(args, 0); err != nil {
		return nil, nil, err
	}
	if w, err = f.vector(args, 1); err != nil {
		return nil, nil, err
	}
	if v.len() != w.len() {
		return nil, nil, fail(TypeMismatch, "type mismatch: function %s needs vectors of one size, got %d and %d elements", f.Name, v.len(), w.len())
	}
	return v, w, nil
}

func defineVectors() {
	const pkg = "VectorFunctions::"
	zero := fraction(0, 1)
	constants[pkg+"cartesian3DZeroVector"] = VectorOf(zero, zero, zero)
	define(pkg+"VectorOf", "components", vectorOf(0, false))
	define(pkg+"CartesianVectorOf", "components", vectorOf(0, true))
	define(pkg+"CartesianThreeVectorOf", "components", vectorOf(3, true))
	define(pkg+"sum0", "coll zero", nil).why = noVectorCollections
	undefinable(pkg+"sum", "coll", noVectorCollections)
	for _, variant := range []struct {
		prefix string
		widen  bool
	}{{"", false}, {"cartesian", true}} {
		name := func(plain, cartesian string) string {
			if variant.widen {
				return pkg + cartesian
			}
			return pkg + plain
		}
		define(name("+", "cartesian+"), "v w?", vectorSum(Add, variant.widen))
		define(name("-", "cartesian-"), "v w?", vectorSum(Subtract, variant.widen))
		define(name("scalarVectorMult", "cartesianScalarVectorMult"), "x v", vectorScaled(Multiply, 1, variant.widen))
		define(name("vectorScalarMult", "cartesianVectorScalarMult"), "v x", vectorScaled(Multiply, 0, variant.widen))
		define(name("inner", "cartesianInner"), "v w", vectorInner(variant.widen))
		define(name("norm", "cartesianNorm"), "v", vectorNorm)
		define(name("angle", "cartesianAngle"), "v w", vectorAngle)
		define(name("isZeroVector", "isCartesianZeroVector"), "v", vectorIsZero)
	}
	define(pkg+"vectorScalarDiv", "v x", vectorScaled(Divide, 0, true))
	library[pkg+"*"] = library[pkg+"scalarVectorMult"] // an alias of the library
}

const noVectorCollections = "a collection of vectors is one flat sequence of numbers"

// asReals widens the elements of s where widen is set.
func asReals(s *sequence, widen bool) *sequence {
	if !widen {
		return s
	}
	var none error
	return each(s, func(e Value) (Value, error) { return widened(e), nil }, &none)
}

func vectorOf(size int, widen bool) func(*LibraryFunction, []Value) (Value, error) {
	return func(f *LibraryFunction, args []Value) (Value, error) {
		s, err := f.vector(args, 0)
		if err != nil {
			return Value{}, err
		}
		if size > 0 && s.len() != size || s.len() == 0 && !widen {
			return Value{}, fail(MultiplicityError, "multiplicity violation: function %s got %d component(s)", f.Name, s.len())
		}
		return sequenceValue(Vector, asReals(s, widen)), nil
	}
}

func vectorSum(op Operator, widen bool) func(*LibraryFunction, []Value) (Value, error) {
	return func(f *LibraryFunction, args []Value) (Value, error) {
		if len(args) == 1 || args[1].kind == Absent || args[1].kind == Null {
			v, err := f.vector(args, 0)
			if err != nil || op == Add {
				return sequenceValue(Vector, asReals(v, widen)), err
			}
			negated := each(asReals(v, widen), negate, &err)
			return f.wrapped(sequenceValue(Vector, negated), err)
		}
		v, w, err := f.vectorPair(args)
		if err != nil {
			return Value{}, err
		}
		sum := each2(asReals(v, widen), w, func(a, b Value) (Value, error) { return numbers(op, a, b) }, &err)
		return f.wrapped(sequenceValue(Vector, sum), err)
	}
}

// vectorScaled multiplies or divides the vector at argument i by the number
// at the other one.
func vectorScaled(op Operator, i int, widen bool) func(*LibraryFunction, []Value) (Value, error) {
	return func(f *LibraryFunction, args []Value) (Value, error) {
		x := args[1-i]
		if !x.kind.IsNumber() {
			return Value{}, f.errParameter(1-i, "a numeric value")
		}
		v, err := f.vector(args, i)
		if err != nil {
			return Value{}, err
		}
		scaled := each(asReals(v, widen), func(e Value) (Value, error) { return numbers(op, e, x) }, &err)
		return f.wrapped(sequenceValue(Vector, scaled), err)
	}
}

func innerProduct(v, w *sequence, widen bool) (Value, error) {
	sum := Int(0)
	if widen {
		sum = fraction(0, 1)
	}
	var err error
	v.pairs(w, func(a, b Value) bool {
		var p Value
		if p, err = numbers(Multiply, a, b); err == nil {
			sum, err = numbers(Add, sum, p)
		}
		return err == nil
	})
	return sum, err
}

func vectorInner(widen bool) func(*LibraryFunction, []Value) (Value, error) {
	return func(f *LibraryFunction, args []Value) (Value, error) {
		v, w, err := f.vectorPair(args)
		if err != nil {
			return Value{}, err
		}
		return f.wrapped(innerProduct(v, w, widen))
	}
}

// square is the inner product of v with itself, as a Real.
func square(v *sequence) (float64, error) {
	p, err := innerProduct(v, v, true)
	x, _ := p.AsFloat()
	return x, err
}

func vectorNorm(f *LibraryFunction, args []Value) (Value, error) {
	v, err := f.vector(args, 0)
	if err != nil {
		return Value{}, err
	}
	x, err := square(v)
	if err != nil {
		return f.wrapped(Value{}, err)
	}
	return f.finite(math.Sqrt(x))
}

func vectorAngle(f *LibraryFunction, args []Value) (Value, error) {
	v, w, err := f.vectorPair(args)
	if err != nil {
		return Value{}, err
	}
	inner, err := innerProduct(v, w, true)
	if err != nil {
		return f.wrapped(Value{}, err)
	}
	vv, _ := square(v)
	ww, _ := square(w)
	if vv == 0 || ww == 0 {
		return Value{}, f.errDomain()
	}
	// One root of the product: vectors of one direction then have angle 0.0.
	x, _ := inner.AsFloat()
	return f.finite(math.Acos(max(-1, min(1, x/math.Sqrt(vv*ww)))))
}

func vectorIsZero(f *LibraryFunction, args []Value) (Value, error) {
	v, err := f.vector(args, 0)
	if err != nil {
		return Value{}, err
	}
	return Bool(v.walk(func(e Value) bool { return e.isZero() })), nil
}

func isComplex(v Value) bool { return v.kind == Complex || v.kind.IsNumber() }

// complex1 makes a function of one Complex.
func complex1(compute func(f *LibraryFunction, re, im float64) (Value, error)) func(*LibraryFunction, []Value) (Value, error) {
	return only("a Complex value", isComplex, func(f *LibraryFunction, args []Value) (Value, error) {
		re, im, _ := args[0].AsComplex()
		return compute(f, re, im)
	})
}

func defineComplexes() {
	const pkg = "ComplexFunctions::"
	constants[pkg+"i"] = ComplexNumber(0, 1)
	pair := func(make func(x, y float64) Value) func(*LibraryFunction, []Value) (Value, error) {
		return func(f *LibraryFunction, args []Value) (Value, error) {
			x, err := f.reals(args)
			if err != nil {
				return Value{}, err
			}
			return make(x[0], x[1]), nil
		}
	}
	define(pkg+"rect", "re im", pair(ComplexNumber))
	define(pkg+"polar", "abs arg", pair(func(r, theta float64) Value {
		return ComplexNumber(r*math.Cos(theta), r*math.Sin(theta))
	}))
	define(pkg+"re", "x", complex1(func(f *LibraryFunction, re, _ float64) (Value, error) { return f.finite(re) }))
	define(pkg+"im", "x", complex1(func(f *LibraryFunction, _, im float64) (Value, error) { return f.finite(im) }))
	define(pkg+"abs", "x", complex1(func(f *LibraryFunction, re, im float64) (Value, error) { return f.finite(math.Hypot(re, im)) }))
	define(pkg+"arg", "x", complex1(func(f *LibraryFunction, re, im float64) (Value, error) {
		if re == 0 && im == 0 {
			return Value{}, f.errDomain()
		}
		return f.finite(cmplx.Phase(complex(re, im)))
	}))
	define(pkg+"isZero", "x", complex1(func(_ *LibraryFunction, re, im float64) (Value, error) { return Bool(re == 0 && im == 0), nil }))
	define(pkg+"isUnit", "x", complex1(func(_ *LibraryFunction, re, im float64) (Value, error) { return Bool(re == 1 && im == 0), nil }))
	for _, op := range []Operator{Add, Subtract, Multiply, Divide, Power, Caret} {
		parameters := "x y"
		if op == Add || op == Subtract {
			parameters = "x y?"
		}
		define(pkg+op.String(), parameters, complexOperator(op))
	}
	define(pkg+"==", "x y", operatorFunction(EqualTo, "", nil, false))
	for _, name := range []string{"sum", "product"} {
		undefinable(pkg+name, "collection", "a collection of Complex values is not aggregated")
	}
	undefinable(pkg+"ToString", "x", "the library fixes no text of a Complex")
	undefinable(pkg+"ToComplex", "x", "the library fixes no text of a Complex")
}

func complexOperator(op Operator) func(*LibraryFunction, []Value) (Value, error) {
	return func(f *LibraryFunction, args []Value) (Value, error) {
		for i, a := range args {
			if !isComplex(a) && !(i == 1 && a.kind == Absent) {
				return Value{}, f.errParameter(i, "a Complex value")
			}
		}
		re, im, _ := args[0].AsComplex()
		x := ComplexNumber(re, im)
		if len(args) == 2 && args[1].kind != Absent {
			return f.wrapped(Binary(op, x, args[1]))
		}
		if op == Subtract {
			return f.wrapped(negate(x))
		}
		return x, nil
	}
}
