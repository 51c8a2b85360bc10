package lang

import (
	"fmt"
	"math"
	"sort"

	"go.starlark.net/starlark"
)

// This file holds the builtins that make lists of options.

func optionLists() []Builtin {
	return []Builtin{
		{"seeds", Pure, "seeds(n, start=1)", "the schedules seed:start and its n-1 successors", seeds},
		{"schedules", Pure, "schedules(name, ..., seeds=0)", "schedules by name, and as many seeded ones", schedules},
		{"draw_policies", Pure, "draw_policies()", "the draw policies that need no seed", drawPolicies},
		{"orders", Pure, "orders(calls, policy=\"all\")", "orders in which the calls can be made", orders},
		{"interval", Pure, "interval(lo, hi)", "a range of numbers; its methods make it finite", newInterval},
	}
}

func listOf(texts []string) *starlark.List {
	out := make([]starlark.Value, len(texts))
	for i, s := range texts {
		out[i] = starlark.String(s)
	}
	return starlark.NewList(out)
}

func seeds(_ *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	n, start := 0, 1
	if err := starlark.UnpackArgs("seeds", args, kwargs, "n", &n, "start?", &start); err != nil {
		return nil, err
	}
	if n < 1 || n > DefaultMaxOptions || start < 0 {
		return nil, fmt.Errorf("seeds: n is from 1 to %d and start not negative", DefaultMaxOptions)
	}
	return listOf(seeded(n, start)), nil
}

func seeded(n, start int) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("seed:%d", start+i))
	}
	return out
}

func schedules(_ *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	n := 0
	if err := starlark.UnpackArgs("schedules", nil, kwargs, "seeds?", &n); err != nil {
		return nil, err
	}
	var out []string
	for _, a := range args {
		s, ok := starlark.AsString(a)
		if !ok {
			return nil, fmt.Errorf("schedules: a schedule is named by text, not by %s", a.Type())
		}
		out = append(out, s)
	}
	if n < 0 || n > DefaultMaxOptions {
		return nil, fmt.Errorf("schedules: seeds is from 0 to %d", DefaultMaxOptions)
	}
	return listOf(append(out, seeded(n, 1)...)), nil
}

func drawPolicies(_ *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if err := starlark.UnpackArgs("draw_policies", args, kwargs); err != nil {
		return nil, err
	}
	return listOf([]string{"min", "max", "average"}), nil
}

// orders is orders(calls, policy): "single" or 1 is the order as given,
// "all" every permutation, "critical" those that move one call to the front
// or to the back, "dpor" every permutation of which no two differ only in the
// order of equal calls, and N the first N permutations.
func orders(_ *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var calls *starlark.List
	var policy starlark.Value = starlark.String("all")
	if err := starlark.UnpackArgs("orders", args, kwargs, "calls", &calls, "policy?", &policy); err != nil {
		return nil, err
	}
	limit, critical, reduced, err := orderPolicy(policy)
	if err != nil {
		return nil, err
	}
	n := calls.Len()
	classes := make([]int, n) // equal calls have one class where the orders are reduced
	for i := range classes {
		classes[i] = i
		for k := 0; reduced && k < i; k++ {
			if same, err := starlark.Equal(calls.Index(i), calls.Index(k)); err == nil && same {
				classes[i] = k
				break
			}
		}
	}
	var perms [][]int
	if critical {
		perms = criticalOrders(n)
	} else if perms, err = permutations(classes, limit); err != nil {
		return nil, err
	}
	out := make([]starlark.Value, len(perms))
	for i, p := range perms {
		order := make([]starlark.Value, n)
		for k, at := range p {
			order[k] = calls.Index(at)
		}
		out[i] = starlark.NewList(order)
	}
	return starlark.NewList(out), nil
}

// orderPolicy reads the policy of orders; limit 0 is none.
func orderPolicy(v starlark.Value) (limit int, critical, reduced bool, err error) {
	text, isText := starlark.AsString(v)
	switch {
	case isText && text == "all":
		return 0, false, false, nil
	case isText && text == "critical":
		return 0, true, false, nil
	case isText && text == "dpor":
		return 0, false, true, nil
	case isText && (text == "single" || text == "1"):
		return 1, false, false, nil
	}
	if i, ok := v.(starlark.Int); ok {
		if n, err := starlark.AsInt32(i); err == nil && n >= 1 {
			return n, false, false, nil
		}
	}
	return 0, false, false, fmt.Errorf("orders: the policy is \"all\", \"critical\", \"dpor\", \"single\" or a positive number, not %s", v)
}

// permutations are the different orders of items, the first limit of them in
// lexicographic order; limit 0 is all, of which there must not be too many.
func permutations(items []int, limit int) ([][]int, error) {
	p := append([]int(nil), items...)
	sort.Ints(p)
	n := len(p)
	out := [][]int{append([]int(nil), p...)}
	for limit == 0 || len(out) < min(limit, DefaultMaxOptions) {
		i := n - 2
		for i >= 0 && p[i] >= p[i+1] {
			i--
		}
		if i < 0 {
			break
		}
		if len(out) == DefaultMaxOptions {
			return nil, fmt.Errorf("orders: %d calls have more than %d orders; give a number or \"critical\"", n, DefaultMaxOptions)
		}
		j := n - 1
		for p[j] <= p[i] {
			j--
		}
		p[i], p[j] = p[j], p[i]
		sort.Ints(p[i+1:])
		out = append(out, append([]int(nil), p...))
	}
	return out, nil
}

// criticalOrders are the order as given and those with one call moved to the
// front or to the back, without repetition: at most 2n-1.
func criticalOrders(n int) [][]int {
	var out [][]int
	seen := map[string]bool{}
	add := func(p []int) {
		if key := fmt.Sprint(p); !seen[key] {
			seen[key] = true
			out = append(out, p)
		}
	}
	moved := func(k int, front bool) []int {
		var rest []int
		for i := range n {
			if i != k {
				rest = append(rest, i)
			}
		}
		if front {
			return append([]int{k}, rest...)
		}
		return append(rest, k)
	}
	identity := make([]int, n)
	for i := range identity {
		identity[i] = i
	}
	add(identity)
	for k := range n {
		add(moved(k, true))
	}
	for k := range n {
		add(moved(k, false))
	}
	return out[:min(len(out), max(2*n-1, 1))]
}

// An interval is a range of numbers that a choose cannot take as it is.
type interval struct {
	lo, hi float64
	whole  bool // both ends are integers
}

func newInterval(_ *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var lo, hi starlark.Value
	if err := starlark.UnpackArgs("interval", args, kwargs, "lo", &lo, "hi", &hi); err != nil {
		return nil, err
	}
	a, ok1 := starlark.AsFloat(lo)
	b, ok2 := starlark.AsFloat(hi)
	if !ok1 || !ok2 || !(a <= b) || math.IsInf(a, 0) || math.IsInf(b, 0) {
		return nil, fmt.Errorf("interval: two finite numbers, the lower one first, not %s and %s", lo, hi)
	}
	_, w1 := lo.(starlark.Int)
	_, w2 := hi.(starlark.Int)
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
	return "an interval has no finite list of options; use its boundary(), classes(cuts), grid(n) or draw(n)"
}

func (v interval) value(x float64) starlark.Value {
	if v.whole {
		return starlark.MakeInt64(int64(x))
	}
	return starlark.Float(x)
}

func (v interval) AttrNames() []string { return []string{"boundary", "classes", "draw", "grid"} }

// Attr is one of the methods that make the interval finite.
func (v interval) Attr(name string) (starlark.Value, error) {
	switch name {
	case "boundary":
		return Method(name, Pure, v.boundary), nil
	case "classes":
		return Method(name, Pure, v.classes), nil
	case "grid":
		return Method(name, Pure, v.grid), nil
	case "draw":
		return Method(name, Pure, v.draw), nil
	}
	return nil, nil
}

// list is the numbers of xs that lie in v, ascending and once each.
func (v interval) list(xs []float64) starlark.Value {
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
	near := func(x, to float64) float64 {
		if v.whole {
			return x + math.Copysign(1, to)
		}
		return math.Nextafter(x, math.Inf(int(to)))
	}
	return v.list([]float64{v.lo, near(v.lo, 1), 0, near(v.hi, -1), v.hi}), nil
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
	n, err := v.size("grid", args, kwargs)
	if err != nil {
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

func (v interval) size(method string, args starlark.Tuple, kwargs []starlark.Tuple) (int, error) {
	var n int
	if err := starlark.UnpackArgs(method, args, kwargs, "n", &n); err != nil {
		return 0, err
	}
	if n < 1 || n > DefaultMaxOptions {
		return 0, fmt.Errorf("%s: n is from 1 to %d", method, DefaultMaxOptions)
	}
	return n, nil
}

// draw is n numbers spread by a fixed low-discrepancy sequence, so that a
// plan has the same options in every walk.
func (v interval) draw(_ *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	n, err := v.size("draw", args, kwargs)
	if err != nil {
		return nil, err
	}
	const golden = 0.6180339887498949
	xs := make([]float64, n)
	for i := range xs {
		_, share := math.Modf(float64(float64(i+1) * golden))
		xs[i] = v.lo + float64(share*(v.hi-v.lo))
		if v.whole {
			xs[i] = math.Floor(xs[i])
		}
	}
	return v.list(xs), nil
}
