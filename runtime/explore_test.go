package runtime

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/runtime/budget"
	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/explore"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// declared is a session with one model.
func declared(t testing.TB, text string) *Session {
	t.Helper()
	return declaredOver(t, text, nil)
}

// declaredOver is a session with one model that imports a library.
func declaredOver(t testing.TB, text string, lib model.Library) *Session {
	t.Helper()
	s := New(Options{Lenient: true, Library: lib})
	file := source.NewFile("model.sysml", text)
	tree, list := syntax.Parse(file, syntax.Options{Extensions: true})
	if list.HasErrors() {
		t.Fatalf("%v\n%s", list, text)
	}
	if _, list = s.Declare(context.Background(), Text{File: file, Tree: tree, Owner: "test"}); list.HasErrors() {
		t.Fatalf("%v\n%s", list, text)
	}
	return s
}

// waiting is what the error of a deadlock says of when a wait began, which
// differs between orders that lead to one World.
var waiting = regexp.MustCompile(" since step [0-9]+")

// tally is what the linearizations of one outcome add up to.
type tally struct {
	count int64
	share *big.Rat
}

// An enumeration resolves the choices of a behaviour every way by running it
// from the start for each, as the semantics has it, without copies of Worlds
// and without joining them. It gives up beyond limit linearizations.
type enumeration struct {
	start explore.Start
	nodes bool
	limit int
	found map[string]*tally
	runs  int
}

func (n *enumeration) all(plan []int) bool {
	if n.runs++; n.runs > n.limit {
		return false
	}
	w := n.start.World.Copy()
	var taken []schedule.Taken
	var resolver schedule.Resolver = schedule.Planned(plan)
	if n.nodes {
		resolver = whole{resolver}
	}
	e := &exec.Engine{World: w, Meter: budget.NewMeter(context.Background(), n.start.Budget), Resolver: resolver, Draws: n.start.Draws,
		Chose: func(t schedule.Taken) { taken = append(taken, t) }}
	var visits []string
	e.Visited = func(id exec.RunID, machine exec.MachineID, state int32) {
		if id == n.start.Run {
			visits = append(visits, w.Program.Machines[machine].States[state].Name)
		}
	}
	err := n.start.Begin(e)
	for p := exec.Moved; err == nil && p == exec.Moved; {
		p, err = e.Move(n.start.Run)
	}
	share := big.NewRat(1, 1)
	for _, c := range taken {
		share.Mul(share, shareOf(c))
	}
	text := ending(w, n.start.Run, err) + " / " + strings.Join(visits, ",")
	if n.found[text] == nil {
		n.found[text] = &tally{share: new(big.Rat)}
	}
	n.found[text].count++
	n.found[text].share.Add(n.found[text].share, share)
	for i := len(plan); i < len(taken); i++ {
		for k := range taken[i].Alternatives {
			if k == taken[i].Index {
				continue
			}
			next := make([]int, i+1)
			for j := range i {
				next[j] = taken[j].Index
			}
			next[i] = k
			if !n.all(next) {
				return false
			}
		}
	}
	return true
}

// whole is a Resolver with which a move is the performance of a node.
type whole struct{ schedule.Resolver }

func (whole) Pauses(int64, int64) bool { return false }

func shareOf(t schedule.Taken) *big.Rat {
	if t.Kind != schedule.Weighted {
		return big.NewRat(1, int64(len(t.Alternatives)))
	}
	sum, one := new(big.Rat), new(big.Rat)
	for i, a := range t.Alternatives {
		w, _ := new(big.Rat).SetString(strconv.FormatFloat(a.Weight, 'g', -1, 64))
		sum.Add(sum, w)
		if i == t.Index {
			one = w
		}
	}
	return new(big.Rat).Quo(one, sum)
}

// ending is how a run ended, on one line.
func ending(w *exec.World, id exec.RunID, err error) string {
	if err != nil {
		return "error: " + diagnostic.Of(err)[0].Message
	}
	text := ""
	r := w.Run(id)
	if r.Machine != exec.NoMachine {
		text, _ = w.FinalState(id)
	}
	env := w.Env(r.Env)
	for i, slot := range w.Program.Layouts[env.Layout].Slots {
		if v := env.Slot(i); slot.Kind != exec.LocalData && !v.IsAbsent() {
			text += " " + slot.Name + "=" + w.Text(v)
		}
	}
	return text
}

// random writes small behaviours.
type random struct {
	*rand.Rand
	b strings.Builder
	// typed says that signals have types, so that accepts tell them apart.
	typed bool
}

func (r *random) statement(depth int) string {
	vars := []string{"x", "y", "z"}
	v, u := vars[r.IntN(3)], vars[r.IntN(3)]
	switch n := r.IntN(12); {
	case n < 3:
		return fmt.Sprintf("assign %s := %d;", v, r.IntN(3))
	case n < 6:
		return fmt.Sprintf("assign %s := %s + 1;", v, v)
	case n < 8:
		return fmt.Sprintf("assign %s := %s * 2;", v, u)
	case n < 9 && depth > 0:
		return fmt.Sprintf("if %s < 2 { %s }", v, r.statement(depth-1))
	case n < 10 && depth > 0:
		return fmt.Sprintf("if %s == %d { %s } else { %s }", u, r.IntN(2), r.statement(depth-1), r.statement(depth-1))
	case n < 11:
		if r.typed {
			return fmt.Sprintf("send new S%d();", r.IntN(2))
		}
		return "send " + strconv.Itoa(r.IntN(2)+1) + ";"
	}
	return fmt.Sprintf("assign %s := %s - 1;", v, u)
}

// action writes a fork of branches of nodes.
func (r *random) action() string {
	r.b.Reset()
	r.typed = r.IntN(2) == 0
	w := func(format string, args ...any) { fmt.Fprintf(&r.b, format+"\n", args...) }
	w("package P {\n attribute def S0;\n attribute def S1;\n action def Sub { in n; out m; first start; then action p assign m := n + 1; then done; }")
	w(" action def A {\n attribute x = 0; attribute y = 1; attribute z = 0;\n first start;\n fork f;\n join j;\n done;")
	w(" succession first start then f;")
	w(" succession first j then done;")
	branches := 2 + r.IntN(2)
	for i := range branches {
		last := "f"
		length := 1 + r.IntN(4-branches)
		for k := range length {
			name := fmt.Sprintf("n%d%d", i, k)
			switch n := r.IntN(10); {
			case n < 7:
				body := r.statement(1)
				if r.IntN(3) == 0 {
					body += " then " + r.statement(0)
				}
				w(" action %s { %s }", name, body)
			case n < 8:
				if r.typed {
					w(" action %s accept S%d;", name, r.IntN(2))
				} else {
					w(" action %s accept v%d%d;", name, i, k)
				}
			case n < 9 && r.IntN(2) == 0:
				w(" action %s { attribute t = x; assign y := t + 1; }", name)
			case n < 9:
				w(" action %s : Sub { in n = x; }", name)
			default:
				w(" decide %s;\n action %sa { assign x := 5; }\n action %sb { assign y := 6; }\n merge %sm;", name, name, name, name)
				guard := []string{"x < 2", "y < 2", "z == 0"}[r.IntN(3)]
				w(" succession first %s if %s then %sa;\n succession first %s if x >= 0 then %sb;\n succession first %s then %sb;", name, guard, name, name, name, name, name)
				w(" succession first %sa then %sm;\n succession first %sb then %sm;", name, name, name, name)
				w(" succession first %s then %s;", last, name)
				last = name + "m"
				continue
			}
			w(" succession first %s then %s;", last, name)
			last = name
		}
		w(" succession first %s then j;", last)
	}
	w(" }\n}")
	return r.b.String()
}

// generated is how many models a test makes: few, or many where ORRERY_THOROUGH
// is set, as .ci/run does.
func generated(few, many int) int {
	if os.Getenv("ORRERY_THOROUGH") != "" {
		return many
	}
	return few
}

// TestExplorationIsEnumeration compares outcomes, numbers of linearizations
// and shares with those of running every linearization from the start.
func TestExplorationIsEnumeration(t *testing.T) {
	models := generated(100, 1000)
	r := &random{Rand: rand.New(rand.NewPCG(7, 7))}
	compared, ways := 0, 0
	for i := 0; compared < models && i < 6*models; i++ {
		text := r.action()
		s := declared(t, text)
		for _, g := range []explore.Granularity{explore.Statement, explore.Node} {
			n := enumerate(t, s, text, g, 150)
			if n == nil {
				continue
			}
			ways += n.runs
			if g == explore.Node {
				compared++
			}
			compareExploration(t, s, text, g, n)
			compareChecks(t, s, text, g)
			compareApart(t, s, text, g)
			if t.Failed() {
				return
			}
		}
	}
	if compared < models {
		t.Errorf("only %d models were small enough", compared)
	}
	if exploredApart == 0 {
		t.Error("nothing was explored apart")
	}
	t.Logf("%d models, %d linearizations; %d worlds reduced, %d unreduced; %d explored apart", compared, ways, reducedWorlds[0], reducedWorlds[1], exploredApart)
}

func enumerate(t *testing.T, s *Session, text string, g explore.Granularity, limit int) *enumeration {
	n := &enumeration{nodes: g == explore.Node, limit: limit, found: map[string]*tally{}}
	err := s.look(context.Background(), func(turn *turn) (err error) {
		n.start, _, _, err = turn.exploreFrom(ExploreRequest{Behavior: "P::A"})
		return err
	})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if !n.all(nil) {
		return nil
	}
	return n
}

// compareApart explores whatever can be explored apart so, and compares that
// with exploring it whole.
func compareApart(t *testing.T, s *Session, text string, g explore.Granularity) {
	t.Helper()
	var lines [2]string
	var results [2]*explore.Result
	for i, apart := range []int{1, 1 << 60} {
		var r *explore.Result
		err := s.look(context.Background(), func(turn *turn) error {
			start, _, _, err := turn.exploreFrom(ExploreRequest{Behavior: "P::A"})
			if err != nil {
				return err
			}
			search := explore.NewSearch(start, explore.Options{Granularity: g, Apart: apart})
			search.Run(context.Background())
			r = search.Result()
			return nil
		})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if results[i] = r; r.Apart {
			exploredApart++
		}
		for _, o := range r.Outcomes {
			lines[i] += fmt.Sprintf("%s: %v, %v\n", o.Text(), o.Linearizations, o.Share)
			if _, err := r.Witness(o); err != nil {
				t.Errorf("%v\n%s", err, text)
			}
		}
	}
	if lines[0] != lines[1] {
		t.Errorf("%v: apart\n%swhole\n%s%s", g, lines[0], lines[1], text)
	}
	if tried, whole := results[0], results[1]; !tried.Apart && (tried.Worlds != whole.Worlds || tried.Moves != whole.Moves || tried.Runs != whole.Runs) {
		t.Errorf("%v: %d worlds, %d moves, %d runs after a group that could not be explored apart, %d, %d and %d without\n%s",
			g, tried.Worlds, tried.Moves, tried.Runs, whole.Worlds, whole.Moves, whole.Runs, text)
	}
}

// exploredApart counts the models of which something was explored apart.
var exploredApart int

// compareChecks compares a reduced check with an unreduced one.
func compareChecks(t *testing.T, s *Session, text string, g explore.Granularity) {
	t.Helper()
	var lines [2]string
	for i := range lines {
		c, err := s.CheckBehavior(context.Background(), CheckRequest{
			ExploreRequest: ExploreRequest{Behavior: "P::A", Granularity: g, Workers: 1}, Unreduced: i == 1})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		lines[i] = c.Text
		for _, list := range [][]*explore.Feature{c.Divergent, c.Agreed} {
			for _, f := range list {
				lines[i] += "\n" + f.Name + ": " + strings.Join(f.Values, " or ")
			}
		}
		var failures []string
		for _, v := range c.Violations {
			failures = append(failures, "\n"+waiting.ReplaceAllString(v.Kind+": "+v.Err.Message, ""))
		}
		sort.Strings(failures)
		lines[i] += strings.Join(failures, "")
		reducedWorlds[i] += c.Worlds
	}
	if lines[0] != lines[1] {
		t.Errorf("%v: reduced %s\nunreduced %s\n%s", g, lines[0], lines[1], text)
	}
}

// reducedWorlds are the Worlds of all reduced and all unreduced checks.
var reducedWorlds [2]int

func compareExploration(t *testing.T, s *Session, text string, g explore.Granularity, n *enumeration, events ...Event) {
	t.Helper()
	compareRequest(t, s, text, ExploreRequest{Behavior: "P::A", Granularity: g, Workers: 1, Events: events}, n)
}

// compareRequest compares an exploration with an enumeration.
func compareRequest(t *testing.T, s *Session, text string, q ExploreRequest, n *enumeration) {
	t.Helper()
	g := q.Granularity
	x, err := s.Explore(context.Background(), q)
	if err != nil || !x.Complete {
		t.Fatalf("%v\n%s", err, text)
	}
	total := new(big.Rat)
	seen := map[string]*tally{}
	for _, o := range x.Outcomes {
		line := o.FinalState
		if o.Err != nil {
			line = "error: " + o.Err.Message
		}
		for _, out := range o.Outputs {
			line += " " + out.Name + "=" + out.Text
		}
		line += " / " + strings.Join(o.Visits, ",")
		seen[line] = &tally{o.Linearizations.Int64(), o.Share}
		total.Add(total, o.Share)
	}
	if total.Cmp(big.NewRat(1, 1)) != 0 {
		t.Errorf("the shares sum to %v\n%s", total, text)
	}
	timeless := map[string]*tally{}
	for line, a := range n.found {
		line = waiting.ReplaceAllString(line, "")
		if timeless[line] == nil {
			timeless[line] = &tally{share: new(big.Rat)}
		}
		timeless[line].count += a.count
		timeless[line].share.Add(timeless[line].share, a.share)
	}
	for line, a := range seen {
		b := timeless[waiting.ReplaceAllString(line, "")]
		if b == nil || a.count != b.count || a.share.Cmp(b.share) != 0 {
			t.Errorf("%v: %q: explored %v, enumerated %v\n%s", g, line, a, b, text)
		}
	}
	if len(seen) != len(timeless) {
		t.Errorf("%v: explored %d outcomes, enumerated %d\n%s", g, len(seen), len(timeless), text)
	}
}
