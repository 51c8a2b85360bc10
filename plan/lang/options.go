package lang

import (
	"fmt"
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
		{"interval", Pure, "interval(lo, hi)", "a range of numbers; boundary(), classes(cuts), cuts_of(feature), grid(n) and draw(n, seed=) make it finite", newInterval},
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
			if same, err := equal(calls.Index(i), calls.Index(k)); err == nil && same {
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
	return 0, false, false, fmt.Errorf("orders: the policy is \"all\", \"critical\", \"dpor\", \"single\" or a positive number, not %s", brief(v))
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
