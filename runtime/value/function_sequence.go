package value

// Index is s#(i), one-based, over s seen as a sequence. Several indices, as a
// sequence of Integers, are for an Array.
func Index(s, i Value) (Value, error) {
	if s.kind == Array && i.kind == Sequence {
		return indexArray(s, i)
	}
	n, ok := i.AsInt()
	if !ok {
		return Value{}, fail(TypeMismatch, "type mismatch: sequence index requires an Integer index, got %s", i.TypeName())
	}
	size := int64(s.Len())
	if n < 1 || n > size {
		return Value{}, errIndex("sequence index", n, size)
	}
	return s.At(int(n - 1)), nil
}

func indexArray(s, indices Value) (Value, error) {
	dims := s.Dimensions()
	if indices.Len() != len(dims) {
		return Value{}, fail(ArgumentCount, "an array of %d dimension(s) needs as many indices, got %d", len(dims), indices.Len())
	}
	at := 0
	for d, size := range dims {
		n, ok := indices.At(d).AsInt()
		if !ok {
			return Value{}, fail(TypeMismatch, "type mismatch: array index requires an Integer index, got %s", indices.At(d).TypeName())
		}
		if n < 1 || n > int64(size) {
			return Value{}, errIndex("array index", n, int64(size))
		}
		at = at*size + int(n-1)
	}
	return s.At(at), nil
}

// builtin adds a function over sequences, under each of the packages.
func builtin(packages []string, name, parameters string, compute func(*LibraryFunction, []Value) (Value, error)) {
	for _, p := range packages {
		define(p+"::"+name, parameters, compute).Builtin = true
	}
}

func defineSequences() {
	sequences, collections := []string{"SequenceFunctions"}, []string{"CollectionFunctions"}
	both := func(name, rest string, compute func(*LibraryFunction, []Value) (Value, error)) {
		builtin(sequences, name, "seq"+rest, compute)
		builtin(collections, name, "col"+rest, compute)
	}
	index := func(_ *LibraryFunction, a []Value) (Value, error) { return Index(a[0], a[1]) }
	both("size", "", func(_ *LibraryFunction, a []Value) (Value, error) { return Int(int64(a[0].Len())), nil })
	both("isEmpty", "", func(_ *LibraryFunction, a []Value) (Value, error) { return Bool(a[0].Len() == 0), nil })
	both("notEmpty", "", func(_ *LibraryFunction, a []Value) (Value, error) { return Bool(a[0].Len() > 0), nil })
	both("#", " index", index)
	builtin([]string{"BaseFunctions"}, "#", "seq index", index)
	builtin([]string{"BaseFunctions"}, ",", "seq1 seq2", func(_ *LibraryFunction, a []Value) (Value, error) { return SequenceExpression(a), nil })
	builtin(collections, "array#", "arr indexes", func(_ *LibraryFunction, a []Value) (Value, error) {
		return Index(a[0], sequenceValue(Sequence, a[1].elements()))
	})
	both("head", "", func(_ *LibraryFunction, a []Value) (Value, error) { return elementOrNull(a[0], 0), nil })
	both("last", "", func(_ *LibraryFunction, a []Value) (Value, error) { return elementOrNull(a[0], a[0].Len()-1), nil })
	both("tail", "", func(_ *LibraryFunction, a []Value) (Value, error) {
		return a[0].Slice(min(1, a[0].Len()), a[0].Len()), nil
	})
	builtin(sequences, "includes", "seq1 seq2", func(_ *LibraryFunction, a []Value) (Value, error) { return Bool(includesAll(a[0], a[1])), nil })
	builtin(collections, "contains", "col values", func(_ *LibraryFunction, a []Value) (Value, error) { return Bool(includesAll(a[0], a[1])), nil })
	builtin(collections, "containsAll", "col1 col2", func(_ *LibraryFunction, a []Value) (Value, error) { return Bool(includesAll(a[0], a[1])), nil })
	builtin(sequences, "includesOnly", "seq1 seq2", func(_ *LibraryFunction, a []Value) (Value, error) {
		return Bool(includesAll(a[0], a[1]) && includesAll(a[1], a[0])), nil
	})
	builtin(sequences, "excludes", "seq1 seq2", func(_ *LibraryFunction, a []Value) (Value, error) {
		return Bool(len(filtered(a[1], membersOf(a[0]), true)) == 0), nil
	})
	builtin(sequences, "equals", "x y", pairwise(Equal))
	builtin(sequences, "same", "x y", pairwise(identical))
	builtin(collections, "==", "col1 col2", pairwise(Equal))
	union := func(_ *LibraryFunction, a []Value) (Value, error) { return a[0].Concat(a[1]), nil }
	builtin(sequences, "union", "seq1 seq2", union)
	builtin(sequences, "including", "seq values", union)
	builtin(sequences, "intersection", "seq1 seq2", func(_ *LibraryFunction, a []Value) (Value, error) {
		return SequenceOf(filtered(a[0], membersOf(a[1]), true)...), nil
	})
	builtin(sequences, "excluding", "seq values", func(_ *LibraryFunction, a []Value) (Value, error) {
		return SequenceOf(filtered(a[0], membersOf(a[1]), false)...), nil
	})
	builtin(sequences, "includingAt", "seq values index", includingAt)
	builtin(sequences, "excludingAt", "seq startIndex endIndex?", excludingAt)
	builtin(sequences, "subsequence", "seq startIndex endIndex?", subsequence)
	numericals := []string{"NumericalFunctions", "RealFunctions", "RationalFunctions", "IntegerFunctions", "QuantityCalculations"}
	builtin(numericals, "sum", "collection", folded(Add, Int(0)))
	builtin(numericals, "product", "collection", folded(Multiply, Int(1)))
	builtin(numericals[:1], "sum0", "collection zero", func(f *LibraryFunction, a []Value) (Value, error) { return folded(Add, a[1])(f, a) })
	builtin(numericals[:1], "product1", "collection one", func(f *LibraryFunction, a []Value) (Value, error) { return folded(Multiply, a[1])(f, a) })
}

func elementOrNull(s Value, i int) Value {
	if i < 0 || i >= s.Len() {
		return NullValue
	}
	return s.At(i)
}

// membersOf is v for asking often what it contains: a long sequence becomes a
// Set, which is searched by halves.
func membersOf(v Value) Value {
	const short = 16
	if (v.kind == Sequence || v.kind == Vector) && v.Len() > short {
		elements := make([]Value, 0, v.Len())
		for e := range v.All() {
			elements = append(elements, e)
		}
		return SetOf(elements...)
	}
	return v
}

func includesAll(s, v Value) bool {
	if v.Len() > 1 {
		s = membersOf(s)
	}
	for e := range v.All() {
		if !s.Contains(e) {
			return false
		}
	}
	return true
}

// filtered is the elements of v that members contains, or those that it does
// not.
func filtered(v, members Value, contained bool) []Value {
	var kept []Value
	for e := range v.All() {
		if members.Contains(e) == contained {
			kept = append(kept, e)
		}
	}
	return kept
}

func pairwise(equal func(a, b Value) (bool, error)) func(*LibraryFunction, []Value) (Value, error) {
	return func(f *LibraryFunction, args []Value) (Value, error) {
		s, t := args[0].elements(), args[1].elements()
		if s.len() != t.len() {
			return False, nil
		}
		var err error
		all := s.pairs(t, func(a, b Value) bool {
			var same bool
			same, err = equal(a, b)
			return same && err == nil
		})
		return Bool(all && err == nil), err
	}
}

// position is the Integer argument i of f, a one-based place.
func (f *LibraryFunction) position(args []Value, i int) (int64, error) {
	n, ok := args[i].AsInt()
	if !ok {
		return 0, fail(TypeMismatch, "type mismatch: %s: %s must be an Integer, got %s", f.Name, f.Parameters[i].Name, args[i].TypeName())
	}
	return n, nil
}

func includingAt(f *LibraryFunction, args []Value) (Value, error) {
	i, err := f.position(args, 2)
	if err != nil {
		return Value{}, err
	}
	n := int64(args[0].Len())
	if i < 1 || i > n+1 {
		return Value{}, errIndex(f.Name+" insertion index", i, n+1)
	}
	s := args[0].elements()
	return sequenceValue(Sequence, concat(concat(s.slice(0, int(i-1)), args[1].elements()), s.slice(int(i-1), int(n)))), nil
}

// bounds is the start and end index of f's arguments, end being last where it
// is not given.
func (f *LibraryFunction) bounds(args []Value, last func(start int64) int64) (start, end int64, err error) {
	if start, err = f.position(args, 1); err != nil {
		return 0, 0, err
	}
	if len(args) < 3 || args[2].kind == Absent {
		return start, last(start), nil
	}
	end, err = f.position(args, 2)
	return start, end, err
}

func subsequence(f *LibraryFunction, args []Value) (Value, error) {
	n := int64(args[0].Len())
	start, end, err := f.bounds(args, func(int64) int64 { return n })
	switch {
	case err != nil:
		return Value{}, err
	case start < 1:
		return Value{}, errIndex(f.Name+" start index", start, n)
	case end > n:
		return Value{}, errIndex(f.Name+" end index", end, n)
	case start > end:
		return EmptySequence, nil
	}
	return args[0].Slice(int(start-1), int(end)), nil
}

func excludingAt(f *LibraryFunction, args []Value) (Value, error) {
	n := int64(args[0].Len())
	start, end, err := f.bounds(args, func(start int64) int64 { return start })
	switch {
	case err != nil:
		return Value{}, err
	case start < 1 || start > n:
		return Value{}, errIndex(f.Name+" start index", start, n)
	case end > n:
		return Value{}, errIndex(f.Name+" end index", end, n)
	case start > end:
		return args[0].Slice(0, int(n)), nil
	}
	s := args[0].elements()
	return sequenceValue(Sequence, concat(s.slice(0, int(start-1)), s.slice(int(end), int(n)))), nil
}

// folded makes sum or product: Integer until another kind appears, the
// neutral value for none, quantities by + or *.
func folded(op Operator, neutral Value) func(*LibraryFunction, []Value) (Value, error) {
	return func(f *LibraryFunction, args []Value) (Value, error) {
		if args[0].Len() == 0 {
			return neutral, nil
		}
		var total Value
		var err error
		for e := range args[0].All() {
			if !e.kind.IsNumber() && e.kind != Quantity && e.kind != TensorQuantity && e.kind != Complex {
				return Value{}, fail(TypeMismatch, "type mismatch: %s: elements must be numeric, got %s", f.Name, e.TypeName())
			}
			if total.kind == Absent {
				total = e
			} else if total, err = Binary(op, total, e); err != nil {
				return Value{}, fail(codeOf(err), "%s: %s", f.Name, err.Error())
			}
		}
		return total, nil
	}
}

// defineControls adds the functions that apply a body, for their parameters;
// whoever can apply a body computes them.
func defineControls() {
	const pkg = "ControlFunctions::"
	truths := func(deciding bool) func(*LibraryFunction, []Value) (Value, error) {
		return func(f *LibraryFunction, args []Value) (Value, error) {
			for e := range args[0].All() {
				if e.kind != Boolean {
					return Value{}, fail(TypeMismatch, "type mismatch: %s: elements must be Boolean, got %s", f.Name, e.TypeName())
				}
				if (e.bits != 0) == deciding {
					return Bool(deciding), nil
				}
			}
			return Bool(!deciding), nil
		}
	}
	builtin([]string{"ControlFunctions"}, "allTrue", "collection", truths(false))
	builtin([]string{"ControlFunctions"}, "anyTrue", "collection", truths(true))
	for _, c := range []struct {
		name, body string
		parameters int
		builtin    bool
	}{
		{"collect", "mapper", 1, true}, {"select", "selector", 1, true}, {"reject", "rejector", 1, true},
		{"selectOne", "selector1", 1, false}, {"reduce", "reducer", 2, true}, {"forAll", "test", 1, true},
		{"exists", "test", 1, true}, {"minimize", "fn", 1, false}, {"maximize", "fn", 1, false},
	} {
		f := define(pkg+c.name, "collection "+c.body, nil)
		f.Bodies, f.Builtin = c.parameters, c.builtin
	}
}

// CheckBody is the error of a body with the wrong number of parameters.
func (f *LibraryFunction) CheckBody(parameters int) error {
	if parameters == f.Bodies {
		return nil
	}
	return fail(ArgumentCount, "body parameter count mismatch: %s calls its body with %d argument(s), but it declares %d parameter(s)", f.Name, f.Bodies, parameters)
}

// Predicate is the truth of what the body of f gave for one element.
func (f *LibraryFunction) Predicate(v Value) (bool, error) {
	if v.kind != Boolean {
		return false, fail(TypeMismatch, "type mismatch: %s: predicate must return boolean, got %s", f.Name, v.TypeName())
	}
	return v.bits != 0, nil
}

// Extreme is whether candidate, a later result of the body of minimize or
// maximize, takes the place of best.
func (f *LibraryFunction) Extreme(best, candidate Value) (bool, error) {
	op := Less
	if f.local() == "maximize" {
		op = Greater
	}
	v, err := compare(op, candidate, best)
	return v.bits != 0, err
}

// ErrEmpty is the error of minimize and maximize over nothing.
func (f *LibraryFunction) ErrEmpty() error {
	return fail(MultiplicityError, "multiplicity violation: %s needs at least one element", f.Name)
}
