package lang

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"sort"

	"go.starlark.net/starlark"
)

// This file makes large ranges of numbers finite, so that they can be options.

// An interval is a range of numbers that a choose cannot take as it is.
type interval struct {
	lo, hi float64
	whole  bool // both ends are integers
}

// maxWhole is the last integer up to which every one is a float64.
const maxWhole = 1 << 53

func newInterval(_ *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var lo, hi starlark.Value
	if err := starlark.UnpackArgs("interval", args, kwargs, "lo", &lo, "hi", &hi); err != nil {
		return nil, err
	}
	a, ok1 := starlark.AsFloat(lo)
	b, ok2 := starlark.AsFloat(hi)
	if !ok1 || !ok2 || !(a <= b) || math.IsInf(a, 0) || math.IsInf(b, 0) {
		return nil, fmt.Errorf("interval: two finite numbers, the lower one first, not %s and %s", brief(lo), brief(hi))
	}
	_, w1 := lo.(starlark.Int)
	_, w2 := hi.(starlark.Int)
	if w1 && w2 && (a < -maxWhole || b > maxWhole) {
		return nil, fmt.Errorf("interval: integers lie between -2**53 and 2**53; give a float as an end for numbers beyond")
	}
	return interval{a, b, w1 && w2}, nil
}

func (v interval) String() string {
	return fmt.Sprintf("interval(%s, %s)", v.value(v.lo), v.value(v.hi))
}
func (v interval) Type() string          { return "interval" }
func (v interval) Freeze()               {}
func (v interval) Truth() starlark.Bool  { return true }
func (v interval) Hash() (uint32, error) { return starlark.Float(v.lo).Hash() }

// OptionKey is the interval's own text.
func (v interval) OptionKey() string { return v.String() }

// Refusal says why choose does not take an interval.
func (v interval) Refusal() string {
	return "an interval has no finite list of options; use its boundary(), classes(cuts), cuts_of(feature), grid(n) or draw(n)"
}

func (v interval) value(x float64) starlark.Value {
	if v.whole {
		return starlark.MakeInt64(int64(x))
	}
	return starlark.Float(x)
}

// AttrNames lists the methods.
func (v interval) AttrNames() []string {
	return []string{"boundary", "classes", "cuts_of", "draw", "grid"}
}

// Attr is one of the methods that make the interval finite.
func (v interval) Attr(name string) (starlark.Value, error) {
	switch name {
	case "boundary":
		return Method(name, Pure, v.boundary), nil
	case "classes":
		return Method(name, Pure, v.classes), nil
	case "cuts_of":
		return Method(name, Pure, v.cutsOf), nil
	case "grid":
		return Method(name, Pure, v.grid), nil
	case "draw":
		return Method(name, Pure, v.draw), nil
	}
	return nil, nil
}

// list is the numbers of xs that lie in v, ascending and once each.
func (v interval) list(xs []float64) *starlark.List {
	sort.Float64s(xs)
	var out []starlark.Value
	for i, x := range xs {
		if x >= v.lo && x <= v.hi && (i == 0 || x != xs[i-1]) {
			out = append(out, v.value(x))
		}
	}
	return starlark.NewList(out)
}

func (v interval) boundary(_ *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if err := starlark.UnpackArgs("boundary", args, kwargs); err != nil {
		return nil, err
	}
	return v.list([]float64{v.lo, v.beside(v.lo, 1), 0, v.beside(v.hi, -1), v.hi}), nil
}

// beside is the neighbour of x in a direction, 1 or -1.
func (v interval) beside(x float64, to int) float64 {
	if v.whole {
		return x + float64(to)
	}
	return math.Nextafter(x, math.Inf(to))
}

// A Compared value is a feature of a model whose values the model compares
// with constants.
type Compared interface {
	// ComparedWith are the constants, in any order and perhaps repeated.
	ComparedWith() []float64
	String() string
}

// cutsOf is cuts_of(feature): the constants that guards and constraints compare
// a feature with, each with its neighbours, as far as they lie in v.
func (v interval) cutsOf(_ *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var feature starlark.Value
	if err := starlark.UnpackArgs("cuts_of", args, kwargs, "feature", &feature); err != nil {
		return nil, err
	}
	f, ok := feature.(Compared)
	if !ok {
		return nil, fmt.Errorf("cuts_of takes a feature of a model, as m.find(name) gives it, not %s", feature.Type())
	}
	constants := f.ComparedWith()
	if len(constants) == 0 {
		return nil, fmt.Errorf("cuts_of: nothing in the model compares %s with a constant", f)
	}
	var around []float64
	for _, c := range constants {
		if v.whole && c != math.Floor(c) {
			around = append(around, math.Floor(c), math.Ceil(c))
			continue
		}
		around = append(around, v.beside(c, -1), c, v.beside(c, 1))
	}
	list := v.list(around)
	if list.Len() == 0 {
		return nil, fmt.Errorf("cuts_of: none of the constants that %s is compared with lies in %s", f, v)
	}
	return list, nil
}

func (v interval) classes(_ *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var cuts starlark.Iterable
	if err := starlark.UnpackArgs("classes", args, kwargs, "cuts", &cuts); err != nil {
		return nil, err
	}
	edges := []float64{v.lo}
	it := cuts.Iterate()
	defer it.Done()
	for x := starlark.Value(nil); it.Next(&x); {
		f, ok := starlark.AsFloat(x)
		if !ok {
			return nil, fmt.Errorf("classes: a cut is a number, not %s", x.Type())
		}
		edges = append(edges, f)
	}
	edges = append(edges, v.hi)
	sort.Float64s(edges)
	var mid []float64
	for i := 1; i < len(edges); i++ {
		m := (edges[i-1] + edges[i]) / 2
		if v.whole {
			m = math.Floor(m)
		}
		mid = append(mid, m)
	}
	return v.list(mid), nil
}

func (v interval) grid(_ *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	n := 0
	if err := starlark.UnpackArgs("grid", args, kwargs, "n", &n); err != nil {
		return nil, err
	}
	if err := checkSize("grid", n); err != nil {
		return nil, err
	}
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = v.lo
		if n > 1 {
			xs[i] += (v.hi - v.lo) * float64(i) / float64(n-1)
		}
		if v.whole {
			xs[i] = math.Round(xs[i])
		}
	}
	return v.list(xs), nil
}

// checkSize refuses a number of options that an axis cannot have.
func checkSize(method string, n int) error {
	if n < 1 || n > DefaultMaxOptions {
		return fmt.Errorf("%s: n is from 1 to %d", method, DefaultMaxOptions)
	}
	return nil
}

// A Seeded environment has a seed in force where a thread is: that of use(),
// of an axis, or of the command line.
type Seeded interface {
	Seed(thread *starlark.Thread) int64
}

// draw is draw(n, seed=): n numbers spread by a low-discrepancy sequence, which
// begins where the seed says; without one, that in force.
func (v interval) draw(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	n := 0
	var given starlark.Value = starlark.None
	if err := starlark.UnpackArgs("draw", args, kwargs, "n", &n, "seed?", &given); err != nil {
		return nil, err
	}
	if err := checkSize("draw", n); err != nil {
		return nil, err
	}
	seed := int64(0)
	if s, ok := Of(thread).Environment.(Seeded); ok {
		seed = s.Seed(thread)
	}
	if given != starlark.None {
		i, ok := given.(starlark.Int)
		if !ok {
			return nil, fmt.Errorf("draw: the seed is an integer, not %s", given.Type())
		}
		if seed, ok = i.Int64(); !ok {
			return nil, fmt.Errorf("draw: the seed %s does not fit into 64 bits", i)
		}
	}
	return v.spread(n, seed), nil
}

// spread is n points of the sequence that multiples of the golden ratio make,
// moved by what seed is worth; seed 0 moves nothing.
func (v interval) spread(n int, seed int64) *starlark.List {
	const golden = 0.6180339887498949
	offset := 0.0
	if seed != 0 {
		sum := sha256.Sum256(fmt.Appendf(nil, "draw/1\n%d", seed))
		offset = float64(binary.BigEndian.Uint64(sum[:8])>>11) / (1 << 53)
	}
	width := v.hi - v.lo
	if v.whole {
		width++ // the last number has a share like the others
	}
	xs := make([]float64, n)
	for i := range xs {
		_, share := math.Modf(float64(float64(i+1)*golden) + offset)
		xs[i] = v.lo + float64(share*width)
		if v.whole {
			xs[i] = math.Floor(xs[i])
		}
	}
	return v.list(xs)
}
