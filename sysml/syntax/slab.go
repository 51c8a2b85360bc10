package syntax

// This file allocates. A text of a megabyte makes some hundred thousand nodes
// that live and die together, so they are cut from slabs; lists are gathered
// on stacks and copied once their length is known.

type slabs struct {
	decls      slab[Decl]
	bodies     slab[Body]
	values     slab[ValuePart]
	bounds     slab[MultiplicityPart]
	literals   slab[LiteralExpression]
	references slab[FeatureReferenceExpression]
	chains     slab[FeatureChainExpression]
	operations slab[OperatorExpression]
	calls      slab[InvocationExpression]
	connectors slab[ConnectorPart]
	ends       slab[ConnectorEnd]
	comments   slab[CommentPart]

	members       stack[*Decl]
	names         stack[Name]
	links         stack[QualifiedName]
	relationships stack[Relationship]
	operands      stack[Expr]
	arguments     stack[Argument]
}

// slabs grow from small to large, so that a cell of one line stays cheap.
const (
	firstSlab = 8
	lastSlab  = 512
)

// A slab makes values of T one at a time.
type slab[T any] struct {
	free []T
	size int
}

func (s *slab[T]) make() *T {
	if len(s.free) == 0 {
		s.size = min(max(2*s.size, firstSlab), lastSlab)
		s.free = make([]T, s.size)
	}
	v := &s.free[0]
	s.free = s.free[1:]
	return v
}

// A stack gathers lists, one inside another.
type stack[T any] struct {
	pending []T
	free    []T
	size    int
}

// open begins a list; what it returns ends it.
func (s *stack[T]) open() int { return len(s.pending) }

func (s *stack[T]) push(v T) { s.pending = append(s.pending, v) }

// close is the list since from; nil where it is empty.
func (s *stack[T]) close(from int) []T {
	n := len(s.pending) - from
	if n == 0 {
		return nil
	}
	list := s.cut(n)
	copy(list, s.pending[from:])
	s.pending = s.pending[:from]
	return list
}

// one is a list of v alone.
func (s *stack[T]) one(v T) []T {
	list := s.cut(1)
	list[0] = v
	return list
}

// cut is room for n values.
func (s *stack[T]) cut(n int) []T {
	if len(s.free) < n {
		s.size = min(max(2*s.size, firstSlab), lastSlab)
		s.free = make([]T, max(s.size, n))
	}
	list := s.free[:n:n]
	s.free = s.free[n:]
	return list
}
