package explore

import (
	"context"
	"sort"
	"strconv"
	"strings"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
)

// PropertyKind says what a Property claims.
type PropertyKind uint8

// The kinds of property.
const (
	Always     PropertyKind = iota // holds in every World
	Never                          // holds in none
	Reachable                      // holds in some World
	Eventually                     // holds in some World of every fair run
)

// String is "always", "never", "reachable" or "eventually".
func (k PropertyKind) String() string {
	return [...]string{"always", "never", "reachable", "eventually"}[k]
}

// A Property is a claim about the Worlds between moves.
type Property struct {
	Kind PropertyKind
	// Text is the condition as it was written.
	Text string
	// Holds evaluates it in a World, which it leaves as it is; decided is
	// false where it cannot be evaluated there yet, for want of a value.
	Holds func(w *exec.World) (holds, decided bool, err error)
	// Far says that it reads more than the features of the behaviour: what
	// others do is then followed even where it cannot reach the behaviour.
	Far bool
	// Timed says that it may read what time it is: Worlds that differ in nothing
	// else are then told apart.
	Timed bool
}

// String is the property as a witness names it: "always x < 3".
func (p *Property) String() string { return p.Kind.String() + " " + p.Text }

// test is what a World says of the properties: the bits of those that are
// decided, for or against, in it, and the error of one that fails.
type test struct {
	hits uint64
	err  error
	bad  int // the first property that fails
}

// examine evaluates the properties in a World.
func (x *Search) examine(w *exec.World) (t test) {
	for i := range x.properties {
		p := &x.properties[i]
		holds, decided, err := p.Holds(w)
		if err != nil && t.err == nil {
			t.err, t.bad = err, i
		}
		if err == nil && decided && holds == (p.Kind != Always) {
			t.hits |= 1 << i
		}
	}
	return t
}

// examined is what a World with a vector says of the properties, which read
// neither tokens nor messages; ok is false where that is not known yet.
func (x *Search) examined(m *mover, v []uint32) (t test, ok bool) {
	if len(x.properties) == 0 {
		return t, true
	}
	t, ok = x.tests[string(x.readable(m, v))]
	return t, ok
}

// keep remembers what examined finds.
func (x *Search) keep(m *mover, v []uint32, t test) {
	if len(x.properties) == 0 {
		return
	}
	if x.tests == nil {
		x.tests = map[string]test{}
	}
	x.tests[string(x.readable(m, v))] = t
}

// readable is the key of the parts of a World that a property can read.
func (x *Search) readable(m *mover, v []uint32) []byte {
	from, to := x.alphabet.Channels()
	m.read = pack(pack(m.read[:0], asVector, v[:from]), asVector, v[to:x.alphabet.places])
	return m.read
}

// note keeps the first node that decides each property.
func (x *Search) note(id int32, t test) {
	if t.err != nil && x.broken[t.bad].node < 0 {
		x.broken[t.bad] = decided{id, t.err}
	}
	for i := range x.properties {
		if t.hits&(1<<i) != 0 && x.broken[i].node < 0 {
			x.broken[i].node = id
		}
	}
	if x.lively {
		for int(id) >= len(x.holding) {
			x.holding = append(x.holding, 0)
		}
		x.holding[id] = t.hits
	}
}

// decided is the node that decides a property, and its error where it cannot
// be evaluated there.
type decided struct {
	node int32
	err  error
}

// Watch makes the search examine properties, of which there are at most 64,
// in every World. It is called before the first Run.
func (x *Search) Watch(properties ...Property) {
	x.properties = properties
	for i := range properties {
		x.start.others = x.start.others || properties[i].Far
		x.relative = x.relative && !properties[i].Timed
		x.lively = x.lively || properties[i].Kind == Eventually
	}
	x.alphabet.parts.Relative = x.relative
	x.broken = make([]decided, len(properties))
	for i := range x.broken {
		x.broken[i].node = -1
	}
}

// A Violation is what no schedule may do, and one does.
type Violation struct {
	// Kind is "deadlock", "failure", "always", "never", "reachable" or "eventually".
	Kind string
	// Text says what happens after how many moves: "deadlock after 7 moves: ...".
	Text string
	// Property is the property that is broken; "" for none.
	Property string
	Err      *diagnostic.Diagnostic
	Moves    int
	// Cycle is how many of the Moves, the last ones, lead back to the World
	// before them, so that a run can make them for ever; 0 for none.
	Cycle int
	// NoWitness says that no run shows it: nothing reaches what is to be
	// reachable.
	NoWitness bool

	path []int32
	// takes are the alternatives that the moves of the Cycle take: see round.
	takes []string
	// property is the index of Property.
	property int
}

// A Feature is a feature with the values it has at the ends of schedules.
type Feature struct {
	Name string
	// Values are its values in traces' spelling, in canonical order; one where
	// every schedule agrees.
	Values []string

	paths [][]int32
}

// A Verdict is what a check of every schedule finds.
type Verdict struct {
	*Result
	// Text is "no violation, exhaustive", "no violation within bounds",
	// "violation" or "divergent".
	Text       string
	Violations []*Violation
	// Divergent are the features whose last value the schedule decides, Agreed
	// the others, each sorted by name.
	Divergent, Agreed []*Feature
	// Reached are the properties of kind Reachable that hold somewhere, by
	// their text, with a way there.
	Reached []*Violation
}

// Verdict judges what was found so far, however long that takes.
func (x *Search) Verdict() *Verdict { return x.VerdictWithin(context.Background()) }

// VerdictWithin is Verdict, but that it is Interrupted where ctx ends before it
// is known whether a run without an end breaks a property of kind Eventually.
func (x *Search) VerdictWithin(ctx context.Context) *Verdict {
	v := &Verdict{Result: x.summary()}
	v.violations(ctx)
	v.compare()
	switch {
	case len(v.Violations) > 0:
		v.Text = "violation"
	case len(v.Divergent) > 0:
		v.Text = "divergent"
	case v.Complete:
		v.Text = "no violation, exhaustive"
	default:
		v.Text = "no violation within bounds"
	}
	return v
}

// violations are errors, deadlocks and broken properties, the shortest first.
func (v *Verdict) violations(ctx context.Context) {
	x := v.search
	for _, e := range x.ends {
		if e.Err == nil {
			continue
		}
		kind := "failure"
		if e.Deadlocked() {
			kind = "deadlock"
		}
		v.violation(&Violation{Kind: kind, Err: e.Err}, e.node, e.Err.Message)
	}
	for i, b := range x.broken {
		p := &x.properties[i]
		y := &Violation{Kind: p.Kind.String(), Property: p.String(), property: i}
		switch {
		case b.err != nil:
			y.Err = diagnostic.Of(b.err)[0]
			v.violation(y, b.node, p.Text+" cannot be evaluated: "+y.Err.Message)
		case p.Kind == Eventually:
			v.eventually(ctx, y)
		case p.Kind == Reachable && b.node >= 0:
			y.path, y.Moves = x.pathTo(b.node), int(x.nodes[b.node].moves)-1
			y.Text = p.Text + " after " + moves(y.Moves)
			v.Reached = append(v.Reached, y)
		case p.Kind == Reachable && v.Complete:
			y.Text, y.NoWitness = "not reachable: "+p.Text, true
			v.Violations = append(v.Violations, y)
		case p.Kind == Always && b.node >= 0:
			v.violation(y, b.node, p.Text+" is false")
		case p.Kind == Never && b.node >= 0:
			v.violation(y, b.node, p.Text+" is true")
		}
	}
	sort.SliceStable(v.Violations, func(i, j int) bool {
		a, b := v.Violations[i], v.Violations[j]
		if a.Moves != b.Moves {
			return a.Moves < b.Moves
		}
		return a.Text < b.Text
	})
}

// eventually looks for a way on which the condition of a property never holds.
func (v *Verdict) eventually(ctx context.Context, y *Violation) {
	broken, err := v.search.eventually(ctx, y)
	switch {
	case err != nil:
		v.Complete, v.Interrupted = false, true
	case broken:
		v.Violations = append(v.Violations, y)
	}
}

func (v *Verdict) violation(y *Violation, node int32, text string) {
	y.path = v.search.pathTo(node)
	y.Moves = max(int(v.search.nodes[node].moves)-1, 0) // the start is none
	y.Text = y.Kind + " after " + moves(y.Moves) + ": " + text
	v.Violations = append(v.Violations, y)
}

func moves(n int) string {
	if n == 1 {
		return "1 move"
	}
	return strconv.Itoa(n) + " moves"
}

// unset stands for a feature that has no value at the end of a schedule.
const unset = "unset"

// compare sets the last values of features side by side.
func (v *Verdict) compare() {
	x := v.search
	names := map[string]map[string]int32{} // feature, value -> the first node
	ended := 0
	where := map[int32]int32{}
	for i := range x.nodes {
		if e := x.nodes[i].end; e >= 0 && x.ends[e].Err == nil {
			if _, ok := where[e]; !ok {
				where[e] = int32(i)
			}
		}
	}
	for i, e := range x.ends {
		node, ok := where[int32(i)]
		if !ok {
			continue
		}
		ended++
		for _, f := range e.features {
			if names[f.Name] == nil {
				names[f.Name] = map[string]int32{}
			}
			if before, ok := names[f.Name][f.Text]; !ok || x.nodes[node].moves < x.nodes[before].moves {
				names[f.Name][f.Text] = node
			}
		}
	}
	for i, e := range x.ends {
		node, ok := where[int32(i)]
		for name, values := range names {
			if _, known := values[unset]; ok && !known && !e.has(name) {
				values[unset] = node
			}
		}
	}
	for name, values := range names {
		f := &Feature{Name: name}
		for text := range values {
			f.Values = append(f.Values, text)
		}
		sort.Slice(f.Values, func(i, j int) bool { return before(f.Values[i], f.Values[j]) })
		for _, text := range f.Values {
			f.paths = append(f.paths, x.pathTo(values[text]))
		}
		if len(f.Values) > 1 {
			v.Divergent = append(v.Divergent, f)
		} else {
			v.Agreed = append(v.Agreed, f)
		}
	}
	for _, list := range [][]*Feature{v.Divergent, v.Agreed} {
		sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	}
}

func (e *End) has(name string) bool {
	for _, f := range e.features {
		if f.Name == name {
			return true
		}
	}
	return false
}

// before orders the spellings of values: numbers by size, all else by text.
func before(a, b string) bool {
	x, err1 := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	switch {
	case err1 == nil && err2 == nil && x != y:
		return x < y
	case (err1 == nil) != (err2 == nil):
		return err1 == nil
	}
	return strings.Compare(a, b) < 0
}

// ViolationWitness walks the shortest way to a violation, or to what is
// reachable, again. Of a property the last choice is the decisive one, but that
// of kind Eventually, where it is that after which no order leads to what is
// claimed. A Cycle is gone round once.
func (v *Verdict) ViolationWitness(y *Violation) (*schedule.Witness, error) {
	x := v.search
	if y.Property == "" {
		last := x.nodes[x.edges[y.path[len(y.path)-1]].to].end
		return x.witness(y.path, func(e *End) bool { return e == x.ends[last] })
	}
	if y.Kind == Eventually.String() && y.Err == nil {
		return x.lateWitness(y)
	}
	w, _, err := x.walk(route{edges: y.path, decisive: x.lastChoice(y.path)})
	if err == nil {
		w.Property = y.Property
	}
	return w, err
}

// FeatureWitness is a run after which a feature has its i-th value.
func (v *Verdict) FeatureWitness(f *Feature, i int) (*schedule.Witness, error) {
	return v.search.witness(f.paths[i], func(e *End) bool {
		for _, g := range e.features {
			if g.Name == f.Name {
				return g.Text == f.Values[i]
			}
		}
		return e.Err == nil && f.Values[i] == unset
	})
}
