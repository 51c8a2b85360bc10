package value

import "math"

// frame is the heap part of a CoordinateFrame.
type frame struct {
	Heap
	name string
	axes []*Unit
}

func (*frame) isPart() {}

// transformation is the heap part of a Transformation.
type transformation struct {
	Heap
	name           string
	source, target Value
	placement      Placement
}

func (*transformation) isPart() {}

// FrameOf makes a coordinate frame, or with one axis a measurement scale.
func FrameOf(name string, axes ...*Unit) Value {
	f := &frame{name: name, axes: append([]*Unit(nil), axes...)}
	f.part = f
	f.size = heapSize + 40 + 8*len(axes)
	f.digest = hashText(0, name)
	for _, u := range axes {
		f.digest = mix(f.digest, u.digest)
	}
	return Value{kind: CoordinateFrame, heap: &f.Heap}
}

// AsFrame is the name and the unit of each axis of a CoordinateFrame, and
// whether v is one. The axes must not be changed.
func (v Value) AsFrame() (name string, axes []*Unit, ok bool) {
	if v.kind != CoordinateFrame {
		return "", nil, false
	}
	f := v.heap.part.(*frame)
	return f.name, f.axes, true
}

// A Placement says where a target frame lies in a source frame of three axes:
// the point with coordinates q in the target has Basis·q + Origin in the
// source. The zero Placement places nothing: see [Unplaced] and [InPlace].
type Placement struct {
	Basis  [3][3]float64 // row by row; its columns are the target's axes
	Origin [3]float64    // in the units of the source's axes
}

// Unplaced is the Placement of a transformation whose numbers are not known.
var Unplaced = Placement{}

// InPlace is the Placement of a target that coincides with its source.
var InPlace = Placement{Basis: [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}

// Translated is p with the target moved by d along its own axes.
func (p Placement) Translated(d [3]float64) Placement {
	for i := range 3 {
		p.Origin[i] += dot(p.Basis[i], d)
	}
	return p
}

// Rotated is p with the target turned right-handed about axis, a direction of
// any length but zero, by an angle in radians: an intrinsic rotation about an
// axis of the target through its origin, else one about an axis of the source
// through the source's. It is false for an axis of length zero.
func (p Placement) Rotated(axis [3]float64, angle float64, intrinsic bool) (Placement, bool) {
	n := math.Sqrt(dot(axis, axis))
	if n == 0 || n-n != 0 {
		return Placement{}, false
	}
	q := rotation([3]float64{axis[0] / n, axis[1] / n, axis[2] / n}, angle)
	if intrinsic {
		p.Basis = product(p.Basis, q)
		return p, true
	}
	p.Basis = product(q, p.Basis)
	o := p.Origin
	for i := range 3 {
		p.Origin[i] = dot(q[i], o)
	}
	return p, true
}

// rotation is the matrix of Rodrigues' formula; u has length one.
func rotation(u [3]float64, angle float64) [3][3]float64 {
	s, c := math.Sincos(angle)
	cross := [3][3]float64{{0, -u[2], u[1]}, {u[2], 0, -u[0]}, {-u[1], u[0], 0}}
	var q [3][3]float64
	for i := range 3 {
		for j := range 3 {
			q[i][j] = float64(float64(u[i]*u[j])*(1-c)) + float64(cross[i][j]*s)
		}
		q[i][i] += c
	}
	return q
}

func dot(a, b [3]float64) float64 {
	return float64(a[0]*b[0]) + float64(a[1]*b[1]) + float64(a[2]*b[2])
}

func product(a, b [3][3]float64) [3][3]float64 {
	var c [3][3]float64
	for i := range 3 {
		for j := range 3 {
			c[i][j] = dot(a[i], [3]float64{b[0][j], b[1][j], b[2][j]})
		}
	}
	return c
}

// Inward is the coordinates in the target of the point x of the source; false
// where the basis spans no space.
func (p Placement) Inward(x [3]float64) ([3]float64, bool) {
	d := [3]float64{x[0] - p.Origin[0], x[1] - p.Origin[1], x[2] - p.Origin[2]}
	column := func(j int) [3]float64 { return [3]float64{p.Basis[0][j], p.Basis[1][j], p.Basis[2][j]} }
	det := dot(column(0), crossed(column(1), column(2)))
	if det == 0 || det-det != 0 {
		return d, false
	}
	var q [3]float64
	for j := range 3 { // Cramer's rule
		q[j] = dot(d, crossed(column((j+1)%3), column((j+2)%3))) / det
	}
	return q, true
}

func crossed(a, b [3]float64) [3]float64 {
	return [3]float64{float64(a[1]*b[2]) - float64(a[2]*b[1]), float64(a[2]*b[0]) - float64(a[0]*b[2]), float64(a[0]*b[1]) - float64(a[1]*b[0])}
}

// TransformationOf makes the transformation name between two coordinate
// frames, Unplaced where it has no numbers.
func TransformationOf(name string, source, target Value, placement Placement) Value {
	t := &transformation{name: name, source: source, target: target, placement: placement}
	t.part = t
	t.size = heapSize + 170
	t.digest = mix(mix(hashText(0, name), source.digest()), target.digest())
	for _, x := range placement.words() {
		t.digest = mix(t.digest, math.Float64bits(x))
	}
	return Value{kind: Transformation, heap: &t.Heap}
}

// words is the twelve numbers of p, with the one NaN.
func (p Placement) words() [12]float64 {
	var w [12]float64
	for i := range 3 {
		copy(w[3*i:], p.Basis[i][:])
	}
	copy(w[9:], p.Origin[:])
	for i := range w {
		w[i] = canonicalNaN(w[i])
	}
	return w
}

// AsTransformation is the parts of a Transformation, and whether v is one.
func (v Value) AsTransformation() (name string, source, target Value, placement Placement, ok bool) {
	if v.kind != Transformation {
		return "", Value{}, Value{}, Unplaced, false
	}
	t := v.heap.part.(*transformation)
	return t.name, t.source, t.target, t.placement, true
}

// transform is VectorCalculations::transform: a vector in the coordinates of
// the source frame in those of the target. Each number is converted to the
// unit of its axis first; the target's axes must have one unit.
func transform(f *LibraryFunction, args []Value) (Value, error) {
	_, source, target, placement, ok := args[0].AsTransformation()
	if !ok {
		return Value{}, f.errParameter(0, "a coordinate transformation")
	}
	v := args[1].asTensor()
	_, from, ok1 := source.AsFrame()
	_, to, ok2 := target.AsFrame()
	if v == nil || v.numbers.len() != 3 || !ok1 || !ok2 || len(from) != 3 || len(to) != 3 {
		return Value{}, f.errParameter(1, "a vector quantity of three numbers, and frames of three axes")
	}
	if placement == Unplaced {
		return Value{}, fail(NotEvaluable, "library function is not evaluable: %s: the transformation has no numbers", f.Name)
	}
	var x [3]float64
	for i := range 3 {
		if !v.unit.Commensurable(from[i]) {
			return f.wrapped(Value{}, errIncommensurable(v.unit, from[i]))
		}
		m, _ := v.numbers.at(i).AsFloat()
		x[i] = v.unit.Convert(m, from[i])
	}
	q, ok := placement.Inward(x)
	if !ok {
		return Value{}, f.errDomain()
	}
	if !from[0].Commensurable(to[0]) || !to[0].Same(to[1]) || !to[0].Same(to[2]) || !from[0].Same(from[1]) || !from[0].Same(from[2]) {
		return Value{}, fail(Incommensurable, "function %s: the axes of a frame must have one unit, and those of both frames one dimension", f.Name)
	}
	numbers := make([]Value, 3)
	for i := range 3 {
		numbers[i] = Float(from[0].Convert(q[i], to[0]))
	}
	return tensorOf([]int{3}, treeOf(numbers), to[0]), nil
}
