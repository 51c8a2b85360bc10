package walk

import (
	"context"
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/orrery-sysml/orrery/plan/axis"
	"github.com/orrery-sysml/orrery/plan/leaf"
)

// A Strength asks that every combination of options of so many axes is in
// some leaf.
type Strength struct {
	Axes []string // empty for all axes
	T    int
}

// A Coverage says what a covering array came to.
type Coverage struct {
	Tuples     int // combinations that leaves can have
	Covered    int // by a leaf that was not halted
	Infeasible int // no leaf that is not halted has them
	Uncovered  []string
	// Impossible are the first of those that are Infeasible.
	Impossible []string
}

// maxImpossible is how many combinations that cannot occur are named.
const maxImpossible = 20

// maxTuples bounds the combinations of one test.
const maxTuples = 2_000_000

// Cover runs leaves of t until every combination of options of the strengths
// is in one that was not halted, as far as there is one. The leaves are chosen
// greedily and without randomness: a leaf is aimed at the first combination
// that is missing, and takes at every axis the option that completes most
// missing ones. Axes become known as leaves meet them. Rows are emitted in the
// order of leaves.
func Cover(ctx context.Context, t leaf.Test, o Options, strengths []Strength, emit func(Row) error) (Coverage, Result, error) {
	a := &array{test: t, o: o, strengths: strengths, index: map[string]int{}, groups: map[string]bool{}, missing: map[string]bool{}, found: map[string]*leaf.Run{}}
	a.runner = newRunner(ctx, t, o)
	defer a.runner.close()
	var cov Coverage
	if r := a.run(nil); ctx.Err() == nil {
		a.take(r)
	}
	for ctx.Err() == nil {
		target := a.next()
		if target == nil {
			break
		}
		if len(a.order) > maxTuples {
			return cov, a.result, fmt.Errorf("more than %d combinations", maxTuples)
		}
		r := a.run(target)
		if ctx.Err() != nil {
			break
		}
		a.take(r)
		if a.has(r, target) {
			delete(a.missing, target.key())
			continue
		}
		// A predicate that was decided late, or a halt, kept the leaf away.
		switch a.search(ctx, target) {
		case none:
			if cov.Infeasible++; len(cov.Impossible) < maxImpossible {
				cov.Impossible = append(cov.Impossible, a.text(target))
			}
		case open:
			cov.Uncovered = append(cov.Uncovered, a.text(target))
		}
		delete(a.missing, target.key())
	}
	cov.Tuples = len(a.order) - cov.Infeasible
	cov.Covered = cov.Tuples - len(cov.Uncovered) - len(a.missing)
	a.result.Runs += a.runner.runs
	a.result.Stopped = ctx.Err() != nil
	if err := a.result.emit(a.found, o.Shard, emit); err != nil {
		return cov, a.result, err
	}
	return cov, a.result, ctx.Err()
}

// A tuple is some axes, by their number, with an option each; ascending.
type tuple []pair

type pair struct{ axis, option int }

func (t tuple) key() string {
	var buffer [48]byte
	b := buffer[:0]
	for _, p := range t {
		b = strconv.AppendInt(b, int64(p.axis), 36)
		b = append(b, '=')
		b = strconv.AppendInt(b, int64(p.option), 36)
		b = append(b, ',')
	}
	return string(b)
}

// array is a covering array in the making.
type array struct {
	test      leaf.Test
	o         Options
	strengths []Strength
	axes      []*axis.Axis
	index     map[string]int  // axis id -> number
	groups    map[string]bool // sets of axes whose combinations are known
	order     []tuple         // all combinations as they became known
	at        int             // the first of order that may be missing
	missing   map[string]bool
	found     map[string]*leaf.Run
	runner    *runner
	forecast  forecast
	result    Result
}

// next is the first combination that is missing; nil for none.
func (a *array) next() tuple {
	for ; a.at < len(a.order); a.at++ {
		if t := a.order[a.at]; a.missing[t.key()] {
			return t
		}
	}
	return nil
}

// run is the run of the leaf that is aimed at target. Those that will be aimed
// at what is missing then are made meanwhile.
func (a *array) run(target tuple) *leaf.Run {
	g := &greedy{a, target, nil}
	path := a.runner.known.guess(g)
	key := keyOf(path)
	if len(a.forecast.keys) == 0 || a.forecast.keys[0] != key {
		a.forecast = forecast{}
		a.expect(target, path)
	}
	r := a.runner.run(key, g, a.ahead)
	if keyOf(r.Path.Fanned()) == key && r.Outcome != leaf.Halted {
		a.forecast.keys = a.forecast.keys[1:]
	} else {
		a.forecast = forecast{} // it was wrong from here on
	}
	return r
}

// forecast is what the next leaves are expected to cover. What comes of a
// covering array does not depend on it.
type forecast struct {
	keys    []string        // of the paths that are expected, in order
	covered map[string]bool // combinations they have
	at      int             // as that of the array
}

// expect adds a leaf along path, which is aimed at target, to the forecast.
func (a *array) expect(target tuple, path axis.Path) {
	f := &a.forecast
	if f.covered == nil {
		f.covered, f.at = map[string]bool{}, a.at
	}
	f.keys = append(f.keys, keyOf(path))
	f.covered[target.key()] = true
	a.subsets(a.known(path), func(t tuple) { f.covered[t.key()] = true })
}

// ahead starts runs of the leaves that are expected next.
func (a *array) ahead() {
	f := &a.forecast
	for a.runner.free() {
		for f.at < len(a.order) && !(a.missing[a.order[f.at].key()] && !f.covered[a.order[f.at].key()]) {
			f.at++
		}
		if f.at == len(a.order) {
			return
		}
		target := a.order[f.at]
		path := a.runner.known.guess(&greedy{a, target, f.covered})
		a.expect(target, path)
		if a.runner.known.find(follow(path)) == nil {
			a.runner.start(keyOf(path), follow(path))
		}
	}
}

// take learns from a run: its axes, their combinations, and those it has.
func (a *array) take(r *leaf.Run) {
	if r.Removed != nil {
		return
	}
	path := r.Path.Fanned()
	if len(path) == 0 {
		a.found[""] = r
		return
	}
	a.found[path.ID(a.test.Name())] = r
	picks := a.picks(path)
	a.subsets(picks, func(t tuple) {
		group := ""
		for _, p := range t {
			group += fmt.Sprint(p.axis, ",")
		}
		if !a.groups[group] {
			a.groups[group] = true
			a.combine(t, nil)
		}
		if r.Outcome != leaf.Halted {
			delete(a.missing, t.key())
		}
	})
}

// has reports whether r is a leaf with a combination that is not halted.
func (a *array) has(r *leaf.Run, t tuple) bool {
	return r.Removed == nil && r.Outcome != leaf.Halted && containsAll(a.picks(r.Path.Fanned()), t)
}

// picks numbers the axes of a path.
func (a *array) picks(path axis.Path) tuple {
	for _, x := range path {
		if _, ok := a.index[x.Axis.ID]; !ok {
			a.index[x.Axis.ID] = len(a.axes)
			a.axes = append(a.axes, x.Axis)
		}
	}
	return a.known(path)
}

// known is the part of a path whose axes have numbers.
func (a *array) known(path axis.Path) tuple {
	var t tuple
	for _, x := range path {
		if n, ok := a.index[x.Axis.ID]; ok {
			t = append(t, pair{n, x.Index})
		}
	}
	sort.Slice(t, func(i, j int) bool { return t[i].axis < t[j].axis })
	return t
}

// subsets visits the combinations of picks that a strength asks for.
func (a *array) subsets(picks tuple, visit func(tuple)) {
	for _, s := range a.strengths {
		of := picks
		if len(s.Axes) > 0 {
			of = nil
			for _, p := range picks {
				for _, id := range s.Axes {
					if a.axes[p.axis].ID == id {
						of = append(of, p)
					}
				}
			}
		}
		subsets(of, min(s.T, len(of)), nil, visit)
	}
}

func subsets(of tuple, t int, chosen tuple, visit func(tuple)) {
	if t == 0 {
		if len(chosen) > 0 {
			visit(append(tuple(nil), chosen...))
		}
		return
	}
	for i := 0; i+t <= len(of); i++ {
		subsets(of[i+1:], t-1, append(chosen, of[i]), visit)
	}
}

// combine adds every combination of options of the axes of t.
func (a *array) combine(t, chosen tuple) {
	if len(chosen) == len(t) {
		c := append(tuple(nil), chosen...)
		a.order = append(a.order, c)
		a.missing[c.key()] = true
		return
	}
	at := t[len(chosen)].axis
	for i := range a.axes[at].Options {
		a.combine(t, append(chosen, pair{at, i}))
	}
}

// greedy is the Guide of one leaf.
type greedy struct {
	array   *array
	target  tuple
	covered map[string]bool // what leaves before it are expected to have
}

// Pick is the target's option, else the one that completes most missing
// combinations with what is taken; of equals the heavier, then the first.
func (g *greedy) Pick(x *axis.Axis, survivors []int, sofar axis.Path) int {
	a := g.array
	n, known := a.index[x.ID]
	if !known {
		return survivors[0]
	}
	for _, p := range g.target {
		if p.axis != n {
			continue
		}
		for _, i := range survivors {
			if i == p.option {
				return i
			}
		}
	}
	sofar = sofar.Fanned() // what does not fan out tells nothing: see place.find
	picks := a.known(sofar)
	for _, p := range g.target { // what will be taken later counts too
		if _, taken := sofar.Get(a.axes[p.axis].ID); !taken && p.axis != n {
			picks = append(picks, p)
		}
	}
	best, most := survivors[0], -1.0
	for _, i := range survivors {
		with := append(append(tuple(nil), picks...), pair{n, i})
		sort.Slice(with, func(i, j int) bool { return with[i].axis < with[j].axis })
		score := 0.0
		a.subsets(with, func(t tuple) {
			for _, p := range t {
				if p.axis == n {
					if key := t.key(); a.missing[key] && !g.covered[key] {
						score++
					}
				}
			}
		})
		if x.Weighted() {
			score += x.Share(i) / 1000
		}
		if score > most {
			best, most = i, score
		}
	}
	return best
}

type searched uint8

const (
	none searched = iota
	found
	open
)

// maxSearch bounds the leaves that are run to find one combination.
const maxSearch = 200

// search looks for a leaf that has target and is not halted.
func (a *array) search(ctx context.Context, target tuple) searched {
	o := a.o
	o.MaxCuts, o.MaxFailures, o.MaxLeaves, o.Shard, o.Recall, o.Finished = -1, 0, maxSearch, Shard{}, nil, nil
	outer := o.Request.Admit
	o.Request.Admit = func(x *axis.Axis, i int) bool {
		if outer != nil && !outer(x, i) {
			return false
		}
		for _, p := range target {
			if a.axes[p.axis].ID == x.ID {
				return p.option == i
			}
		}
		return true
	}
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	done := false
	res, _ := Tree(inner, a.test, o, func(r Row) error {
		if r.Run == nil || done {
			return nil
		}
		if a.has(r.Run, target) {
			a.take(r.Run)
			done = true
			cancel()
		}
		return nil
	})
	a.result.Runs += res.Runs
	switch {
	case done:
		return found
	case res.Stopped:
		return open
	}
	return none
}

func containsAll(has, want tuple) bool {
	n := 0
	for _, p := range has {
		for _, q := range want {
			if p == q {
				n++
			}
		}
	}
	return n == len(want)
}

func (a *array) text(t tuple) string {
	var parts []string
	for _, p := range t {
		parts = append(parts, axis.Pick{Axis: a.axes[p.axis], Index: p.option}.String())
	}
	return strings.Join(parts, " ")
}
