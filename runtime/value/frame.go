package value

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
}

func (*transformation) isPart() {}

// FrameOf makes a coordinate frame, or with one axis a measurement scale.
func FrameOf(name string, axes ...*Unit) Value {
	f := &frame{name: name, axes: append([]*Unit(nil), axes...)}
	f.part = f
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

// TransformationOf makes the transformation name between two coordinate
// frames.
func TransformationOf(name string, source, target Value) Value {
	t := &transformation{name: name, source: source, target: target}
	t.part = t
	t.digest = mix(mix(hashText(0, name), source.digest()), target.digest())
	return Value{kind: Transformation, heap: &t.Heap}
}

// AsTransformation is the name and the frames of a Transformation, and
// whether v is one.
func (v Value) AsTransformation() (name string, source, target Value, ok bool) {
	if v.kind != Transformation {
		return "", Value{}, Value{}, false
	}
	t := v.heap.part.(*transformation)
	return t.name, t.source, t.target, true
}
