package conform

import (
	"fmt"
	"math"
	"math/big"
	"strings"

	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/runtime/explore"
	"github.com/orrery-sysml/orrery/runtime/schedule"
)

// This file judges admissible sets: a case that lists outcomes is explored,
// and every outcome that is found has to be one of the list, every one of the
// list has to be found, and the probabilities have to be right.

// request asks for all orders of the behaviour of the case.
func (b *bench) request() (runtime.ExploreRequest, []string) {
	kind := isAction
	if b.expect.Type == "state" {
		kind = isState
	}
	element, problem := b.entry(kind)
	if problem != nil {
		return runtime.ExploreRequest{}, problem
	}
	events, _ := posted(b.expect.Events)
	q := runtime.ExploreRequest{Element: element, Events: events, Settings: &b.settings, Granularity: explore.Statement,
		Runs: schedule.DefaultRuns, Depth: schedule.DefaultDepth, Workers: 1}
	if x := b.expect.ExploreBudget; x != nil {
		if x.Runs != nil {
			q.Runs = *x.Runs
		}
		if x.Depth != nil {
			q.Depth = *x.Depth
		}
	}
	return q, nil
}

// searched judges a search of the case. A panic is a reason against it.
func (b *bench) searched(judge func(runtime.ExploreRequest) []string) (reasons []string) {
	if len(b.problem) > 0 {
		return b.problem
	}
	defer func() {
		if r := recover(); r != nil {
			reasons = append(reasons, fmt.Sprintf("panic: %v", r))
		}
	}()
	q, problem := b.request()
	if problem != nil {
		return problem
	}
	return judge(q)
}

// outcomes explores the case.
func (b *bench) outcomes() []string { return b.searched(b.explored) }

func (b *bench) explored(q runtime.ExploreRequest) (reasons []string) {
	x, err := b.session.Explore(b.ctx, q)
	if err != nil {
		return []string{"error: " + message(err)}
	}
	if !x.Complete {
		reasons = append(reasons, "the exploration is incomplete: "+incomplete(x))
	}
	return append(reasons, b.matchOutcomes(x)...)
}

func incomplete(x *runtime.Exploration) string {
	var list []string
	for _, bound := range x.Bounds {
		list = append(list, bound.String())
	}
	if x.Interrupted {
		list = append(list, "interrupted")
	}
	return fmt.Sprintf("%s, after %d runs over %d worlds", strings.Join(list, "; "), x.Runs, x.Worlds)
}

// matchOutcomes compares what was found with the list.
func (b *bench) matchOutcomes(x *runtime.Exploration) []string {
	var reasons []string
	shares := make([]*big.Rat, len(b.expect.Outcomes))
	for i := range shares {
		shares[i] = new(big.Rat)
	}
	reached := make([]bool, len(shares))
	for _, o := range x.Outcomes {
		var matched []int
		var misses []string
		run := &runtime.Run{FinalState: o.FinalState, Terminated: o.Terminated, Visits: o.Visits, Outputs: o.Outputs, Err: o.Err}
		if o.Err == nil {
			matched, misses = b.matches(run)
		}
		switch {
		case len(matched) == 1:
			k := matched[0]
			reached[k] = true
			if o.Share == nil {
				shares[k] = nil
			} else if shares[k] != nil {
				shares[k].Add(shares[k], o.Share)
			}
		case len(matched) > 1:
			reasons = append(reasons, fmt.Sprintf("%s matches the outcomes %v: the set is not distinct", found(o), matched))
		default:
			reasons = append(reasons, "reached and not admissible: "+found(o)+"\n      by "+witness(x, o))
			reasons = append(reasons, misses...)
		}
	}
	for i := range reached {
		if !reached[i] {
			reasons = append(reasons, fmt.Sprintf("admissible outcome %d of %d is unreachable", i+1, len(reached)))
			continue
		}
		reasons = append(reasons, probability(i, &b.expect.Outcomes[i], shares[i])...)
	}
	return reasons
}

// found is an outcome for a reader.
func found(o *runtime.ExploredOutcome) string {
	if len(o.Visits) == 0 {
		return o.Text()
	}
	return o.Text() + " by way of " + strings.Join(o.Visits, ", ")
}

func witness(x *runtime.Exploration, o *runtime.ExploredOutcome) string {
	w, err := x.Witness(o)
	if err != nil {
		return message(err)
	}
	return schedule.Summary(w.Choices)
}

// matches are the indices of the listed outcomes that a run is, and why it is
// not each of the others.
func (b *bench) matches(run *runtime.Run) (matched []int, misses []string) {
	for i := range b.expect.Outcomes {
		o := &b.expect.Outcomes[i]
		miss := b.compare(o.FinalState, o.StateVisits, o.Outputs, o.Terminated, run)
		if len(miss) == 0 {
			matched = append(matched, i)
		} else {
			misses = append(misses, fmt.Sprintf("outcome %d: %s", i+1, miss[0]))
		}
	}
	return matched, misses
}

// probability compares the share of an outcome with what the case states.
func probability(i int, o *Outcome, share *big.Rat) []string {
	if o.Probability == nil && o.ProbabilityRange == nil {
		return nil
	}
	if share == nil {
		return []string{fmt.Sprintf("outcome %d has no share: its linearizations are infinite", i+1)}
	}
	p, _ := share.Float64()
	if want := o.Probability; want != nil && math.Abs(p-*want) > 1e-9 {
		return []string{fmt.Sprintf("outcome %d: probability %v, want %v", i+1, p, *want)}
	}
	if r := o.ProbabilityRange; r != nil && (p < r[0] || p > r[1]) {
		return []string{fmt.Sprintf("outcome %d: probability %v, want one in %v", i+1, p, *r)}
	}
	return nil
}
