package value

import "math"

func isTensor(v Value) bool    { return v.kind == TensorQuantity }
func isReference(v Value) bool { return v.kind == MeasurementRef }

// defineTensors adds the functions of quantities of several numbers, whose
// parameters the library leaves without names, and those of units.
func defineTensors() {
	const vectors, tensors = "VectorCalculations::", "TensorCalculations::"
	for _, pkg := range []string{vectors, tensors} {
		define(pkg+"+", "x y", operatorFunction(Add, "a vector quantity", isTensor, false))
		define(pkg+"-", "x y", operatorFunction(Subtract, "a vector quantity", isTensor, false))
	}
	for _, name := range []string{vectors + "scalarVectorMult", vectors + "vectorScalarMult", vectors + "scalarQuantityVectorMult",
		vectors + "vectorScalarQuantityMult", tensors + "scalarTensorMult", tensors + "TensorScalarMult",
		tensors + "scalarQuantityTensorMult", tensors + "TensorScalarQuantityMult"} {
		define(name, "x y", operatorFunction(Multiply, "", nil, false))
	}
	define(vectors+"vectorScalarDiv", "x y", operatorFunction(Divide, "", nil, false))
	define(vectors+"vectorScalarQuantityDiv", "x y", operatorFunction(Divide, "", nil, false))
	for _, name := range []string{vectors + "inner", tensors + "tensorVectorMult", tensors + "vectorTensorMult", tensors + "tensorTensorMult"} {
		define(name, "x y", only("a vector quantity", isTensor, func(f *LibraryFunction, a []Value) (Value, error) {
			return f.wrapped(contracted(a[0].asTensor(), a[1].asTensor()))
		}))
	}
	define(vectors+"outer", "x y", only("a vector quantity", isTensor, func(f *LibraryFunction, a []Value) (Value, error) {
		return f.wrapped(outer(a[0].asTensor(), a[1].asTensor()))
	}))
	all := func(allowed func(Value) bool) func(*LibraryFunction, []Value) (Value, error) {
		return only("a vector quantity", isTensor, func(_ *LibraryFunction, a []Value) (Value, error) {
			return Bool(a[0].asTensor().numbers.walk(allowed)), nil
		})
	}
	define(vectors+"isZeroVectorQuantity", "x", all(Value.isZero))
	define(tensors+"isZeroTensorQuantity", "x", all(Value.isZero))
	define(vectors+"isUnitVectorQuantity", "x", only("a vector quantity", isTensor, func(_ *LibraryFunction, a []Value) (Value, error) {
		x, err := square(a[0].asTensor().numbers)
		return Bool(x == 1), err
	}))
	undefinable(tensors+"isUnitTensorQuantity", "x", "the library does not say when a tensor is a unit")
	undefinable(tensors+"transform", "transformation sourceTensor", "only vectors are transformed")
	define(vectors+"norm", "x", only("a vector quantity", isTensor, norm))
	define(vectors+"angle", "x y", only("a vector quantity", isTensor, func(f *LibraryFunction, a []Value) (Value, error) {
		p, q := a[0].asTensor(), a[1].asTensor()
		return vectorAngle(f, []Value{sequenceValue(Vector, p.numbers), sequenceValue(Vector, q.numbers)})
	}))
	define(vectors+"transform", "transformation sourceVector", transform)
	define(vectors+"[", "elements mRef", inUnit)
	undefinable(tensors+"[", "elements mRef", "the dimensions of the reference are not known")
	for _, op := range []Operator{Multiply, Divide} {
		define("MeasurementRefCalculations::"+op.String(), "x y", operatorFunction(op, "a measurement unit", isReference, false))
	}
	for _, op := range []Operator{Power, Caret} {
		define("MeasurementRefCalculations::"+op.String(), "x y", operatorFunction(op, "", nil, false))
	}
	define("MeasurementRefCalculations::ToString", "x", only("a measurement unit", isReference, func(_ *LibraryFunction, a []Value) (Value, error) {
		return Text(Trace(a[0])), nil
	}))
}

func norm(f *LibraryFunction, args []Value) (Value, error) {
	p := args[0].asTensor()
	x, err := square(p.numbers)
	if err != nil {
		return f.wrapped(Value{}, err)
	}
	return scaledToOne(Float(math.Sqrt(x)), p.unit), nil
}

// contracted sums over the last dimension of p and the first one of q, which
// must agree: the inner product of two vectors, the product of matrices.
func contracted(p, q *tensor) (Value, error) {
	last := len(p.dims) - 1
	if last < 0 || len(q.dims) == 0 {
		return Value{}, fail(TypeMismatch, "an operand has no dimension")
	}
	if p.dims[last] != q.dims[0] {
		return Value{}, fail(TypeMismatch, "the last dimension of the first operand is %d, the first one of the second %d", p.dims[last], q.dims[0])
	}
	n := q.dims[0]
	dims := append(append([]int(nil), p.dims[:last]...), q.dims[1:]...)
	if n == 0 || p.numbers.len() == 0 || q.numbers.len() == 0 {
		return Value{}, fail(TypeMismatch, "an operand holds no numbers")
	}
	columns := q.numbers.len() / n
	var sums []Value
	for row := range p.numbers.len() / n {
		for column := range columns {
			sum := fraction(0, 1)
			for i := range n {
				part, err := numbers(Multiply, p.numbers.at(row*n+i), q.numbers.at(i*columns+column))
				if err == nil {
					sum, err = numbers(Add, sum, part)
				}
				if err != nil {
					return Value{}, err
				}
			}
			sums = append(sums, sum)
		}
	}
	unit := p.unit.Times(q.unit)
	if len(dims) == 0 {
		return scaledToOne(sums[0], unit), nil
	}
	return tensorOf(dims, treeOf(sums), unit), nil
}

// outer is every product of a number of p and one of q.
func outer(p, q *tensor) (Value, error) {
	var products []Value
	var err error
	p.numbers.walk(func(x Value) bool {
		return q.numbers.walk(func(y Value) bool {
			var xy Value
			xy, err = numbers(Multiply, widened(x), y)
			products = append(products, xy)
			return err == nil
		})
	})
	if err != nil {
		return Value{}, err
	}
	return tensorOf(append(append([]int(nil), p.dims...), q.dims...), treeOf(products), p.unit.Times(q.unit)), nil
}
