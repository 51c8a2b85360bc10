package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/render/picture"
	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/runtime/explore"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// A search is what the flags of `orrery explore` and `orrery check` ask for.
type search struct {
	*sessionOptions
	request runtime.ExploreRequest
	inputs  pairs
	signals several
	calls   several
	seconds float64
	asJSON  bool
	witness int
	save    string
	graph   string
	along   int
	nodes   int
	session *runtime.Session
}

func (c *invocation) searchFlags() *search {
	s := &search{sessionOptions: c.sessionFlags()}
	c.set.Func("granularity", "what one move is: `statement` (the default) or node", func(text string) error {
		g, ok := explore.ParseGranularity(text)
		if !ok {
			return errors.New("want statement or node")
		}
		s.request.Granularity = g
		return nil
	})
	countOf(c, &s.request.Runs, "runs", 1, "stop after `N` path segments")
	countOf(c, &s.request.Depth, "depth", 1, "vary at most `N` choice points on one path")
	countOf(c, &s.request.Worlds, "worlds", 1, "keep at most `N` distinct Worlds (1,000,000 where no bound is given)")
	countOf(c, &s.request.Workers, "workers", 0, "make `N` moves at one time; 0 stands for one a core")
	c.set.StringVar(&s.request.On, "on", "", "the `object` that performs the behaviour")
	c.set.Var(&s.inputs, "p", "an input: `name=EXPR`; may be repeated")
	c.set.Var(&s.signals, "send", "post `SIGNAL`, or SIGNAL(p=EXPR), to a machine before it runs; may be repeated")
	c.set.Var(&s.calls, "call", "post a call of `OPERATION`, or OPERATION(p=EXPR), to a machine before it runs; may be repeated")
	c.seconds(&s.seconds, "timeout", "stop after `S` seconds and show what was found")
	c.set.BoolVar(&s.asJSON, "json", false, "print JSON, as docs/schemas has it")
	countOf(c, &s.witness, "witness", 1, "show the way to finding `K` instead")
	c.set.StringVar(&s.save, "save", "", "write the way to finding K, or to the first, to `FILE`, which --schedule replay:FILE follows")
	s.graphFlags(c)
	return s
}

// prepare declares the files and reads the request. The returned stop gives
// the interrupt back.
func (s *search) prepare(ctx context.Context, c *invocation) (run context.Context, stop func(), status int) {
	run, stop = interruptible(ctx)
	if s.settings.Schedule.Kind == schedule.Replayed {
		return run, stop, usage(c.command.name+" goes through every order and follows no witness", "follow it step by step: `%run BEHAVIOUR --schedule "+s.settings.Schedule.String()+"`")
	}
	if s.seconds > 0 {
		within, cancel := context.WithTimeout(run, time.Duration(s.seconds*float64(time.Second)))
		free := stop
		run, stop = within, func() { cancel(); free() }
	}
	if s.session, status = s.open(run, c.rest[1:]); status != held {
		return run, stop, status
	}
	s.request.Behavior = c.rest[0]
	for _, text := range s.inputs {
		name, expr, _ := strings.Cut(text, "=")
		v, err := s.session.EvaluateText(run, expr, "")
		if err != nil {
			complain(err)
			return run, stop, unusable
		}
		s.request.Inputs = append(s.request.Inputs, runtime.Argument{Name: strings.TrimSpace(name), Value: v})
	}
	for _, list := range []struct {
		flag  string
		texts several
		call  bool
	}{{"--send", s.signals, false}, {"--call", s.calls, true}} {
		for _, text := range list.texts {
			e, err := s.event(run, list.flag, text)
			if err != nil {
				complain(err)
				return run, stop, unusable
			}
			e.Call = list.call
			s.request.Events = append(s.request.Events, e)
		}
	}
	if terminal(os.Stderr) {
		s.request.Progress = func(p explore.Progress) {
			fmt.Fprintf(os.Stderr, "\r\033[K%v", p)
		}
	}
	return run, stop, held
}

// event reads the signal or the call that a flag has.
func (s *search) event(ctx context.Context, flag, text string) (runtime.Event, error) {
	x, list := syntax.ParseExpression(source.NewFile(flag, text), 0, syntax.Options{Extensions: !s.strict})
	if list.HasErrors() {
		return runtime.Event{}, list
	}
	return s.session.Event(ctx, x)
}

// finished takes the line of progress away.
func (s *search) finished() {
	if s.request.Progress != nil {
		fmt.Fprint(os.Stderr, "\r\033[K")
	}
}

// way shows or writes a witness, where one is asked for.
func (s *search) way(witnesses []func() (*schedule.Witness, error)) (done bool, status int) {
	if s.witness == 0 && s.save == "" {
		return false, held
	}
	k := max(s.witness, 1)
	if k > len(witnesses) {
		return true, usage(fmt.Sprintf("there is no finding %d to show: %d were found", k, len(witnesses)), "run it without --witness to see what was found")
	}
	w, err := witnesses[k-1]()
	if err != nil {
		complain(err)
		return true, failed
	}
	if s.save == "" {
		fmt.Fprint(stdout, w.Text())
		return true, held
	}
	if err := os.WriteFile(s.save, []byte(w.Text()), 0o666); err != nil {
		complain(unwritable(s.save, err))
		return true, unusable
	}
	return s.witness != 0, held
}

func runExplore(ctx context.Context, c *invocation) int {
	s := c.searchFlags()
	if status, ok := c.parse(2, -1); !ok {
		return status
	}
	ctx, stop, status := s.prepare(ctx, c)
	defer stop()
	if status != held {
		return status
	}
	x, err := s.session.Explore(ctx, s.request)
	s.finished()
	if err != nil {
		complain(err)
		return failed
	}
	var witnesses []func() (*schedule.Witness, error)
	for _, o := range x.Outcomes {
		witnesses = append(witnesses, func() (*schedule.Witness, error) { return x.Witness(o) })
	}
	if done, status := s.way(witnesses); done || status != held {
		return status
	}
	if status := s.drawn(ctx, x, func(g *explore.Graph) *picture.Picture { return render.Worlds(x, g) }); status != held && !x.Interrupted {
		return status
	}
	if s.asJSON {
		printDocument(explorationDocument(x))
	} else {
		fmt.Fprint(stdout, render.Exploration(x).Text(columns()))
	}
	switch {
	case x.Interrupted:
		return stopped
	case !x.Complete:
		return undecided
	}
	return held
}

func runCheck(ctx context.Context, c *invocation) int {
	s := c.searchFlags()
	var claims []struct {
		kind explore.PropertyKind
		text string
	}
	for kind, usage := range []string{"an `EXPR` that has to hold between any two moves; the dispatch of an event to a machine is one move", "an `EXPR` that must not hold between any two moves",
		"an `EXPR` that some order has to reach", "an `EXPR` that every order has to reach, by its end or, where it has none and is fair, at some time"} {
		c.set.Func(explore.PropertyKind(kind).String(), usage+"; may be repeated", func(text string) error {
			claims = append(claims, struct {
				kind explore.PropertyKind
				text string
			}{explore.PropertyKind(kind), text})
			return nil
		})
	}
	unreduced := false
	c.set.BoolVar(&unreduced, "unreduced", false, "follow orders that no end tells apart as well")
	if status, ok := c.parse(2, -1); !ok {
		return status
	}
	ctx, stop, status := s.prepare(ctx, c)
	defer stop()
	if status != held {
		return status
	}
	request := runtime.CheckRequest{ExploreRequest: s.request, Unreduced: unreduced}
	for _, claim := range claims {
		x, list := syntax.ParseExpression(source.NewFile("--"+claim.kind.String(), claim.text), 0, syntax.Options{Extensions: !s.strict})
		if list.HasErrors() {
			complain(list)
			return unusable
		}
		request.Properties = append(request.Properties, runtime.Property{Kind: claim.kind, Condition: x})
	}
	v, err := s.session.CheckBehavior(ctx, request)
	s.finished()
	if err != nil {
		complain(err)
		return failed
	}
	if done, status := s.way(checkWitnesses(v)); done || status != held {
		return status
	}
	if status := s.drawn(ctx, v, func(g *explore.Graph) *picture.Picture { return render.CheckedWorlds(v, g) }); status != held && !v.Interrupted {
		return status
	}
	if s.asJSON {
		printDocument(checkDocument(v))
	} else {
		fmt.Fprint(stdout, strings.TrimSuffix(render.Checking(v).PlainText(), "\n")+"\n")
	}
	switch {
	case len(v.Violations) > 0:
		return failed
	case v.Interrupted:
		return stopped
	case !v.Complete:
		return undecided
	}
	return held
}

// checkWitnesses are the ways to what a check found, in the order in which it
// is listed.
func checkWitnesses(v *runtime.Checking) []func() (*schedule.Witness, error) {
	var list []func() (*schedule.Witness, error)
	for _, violations := range [][]*explore.Violation{v.Violations, v.Reached} {
		for _, y := range violations {
			list = append(list, func() (*schedule.Witness, error) {
				if y.NoWitness {
					return nil, diagnostic.New(usageCode, source.Span{}, "no run shows it: "+y.Text)
				}
				return v.ViolationWitness(y)
			})
		}
	}
	for _, f := range v.Divergent {
		list = append(list, func() (*schedule.Witness, error) { return v.FeatureWitness(f, len(f.Values)-1) })
	}
	return list
}

func printDocument(document map[string]any) {
	document["version"] = 1
	printJSON(document)
}

// extent is what both documents say of how far a search went.
func extent(behavior, kind string, g explore.Granularity, complete, interrupted bool, bounds []explore.Bound, worlds, moves int) map[string]any {
	reached := []map[string]any{}
	for _, b := range bounds {
		reached = append(reached, map[string]any{"name": b.Name, "limit": b.Limit, "text": b.Text})
	}
	return map[string]any{"behavior": behavior, "kind": kind, "granularity": g.String(), "complete": complete, "interrupted": interrupted,
		"bounds": reached, "worlds": worlds, "moves": moves}
}

func explorationDocument(x *runtime.Exploration) map[string]any {
	d := extent(x.Behavior, x.Kind, x.Granularity, x.Complete, x.Interrupted, x.Bounds, x.Worlds, x.Moves)
	d["runs"], d["cyclic"], d["apart"], d["linearizations"] = x.Runs, x.Cyclic, x.Apart, nil
	if x.Linearizations != nil {
		d["linearizations"] = x.Linearizations.String()
	}
	outcomes := []map[string]any{}
	for _, o := range x.Outcomes {
		one := map[string]any{"text": o.Text(), "linearizations": nil, "share": nil}
		if o.Linearizations != nil {
			one["linearizations"] = o.Linearizations.String()
		}
		if o.Share != nil {
			f, _ := o.Share.Float64()
			one["share"] = map[string]any{"exact": o.Share.RatString(), "decimal": f}
		}
		if o.Err != nil {
			one["error"] = o.Err.Message
		} else {
			outputs := []map[string]string{}
			for _, out := range o.Outputs {
				outputs = append(outputs, map[string]string{"name": out.Name, "value": out.Text})
			}
			one["outputs"] = outputs
		}
		if x.Kind == "state" {
			one["finalState"], one["terminated"], one["visits"] = o.FinalState, o.Terminated, append([]string{}, o.Visits...)
		}
		if w, err := x.Witness(o); err == nil {
			one["witness"] = append([]string{}, w.Choices...)
		}
		outcomes = append(outcomes, one)
	}
	d["outcomes"] = outcomes
	return d
}

func checkDocument(v *runtime.Checking) map[string]any {
	d := extent(v.Behavior, v.Kind, v.Granularity, v.Complete, v.Interrupted, v.Bounds, v.Worlds, v.Moves)
	d["verdict"], d["depth"] = v.Text, v.Depth
	violations := []map[string]any{}
	for _, y := range v.Violations {
		one := map[string]any{"kind": y.Kind, "text": y.Text, "moves": y.Moves}
		if y.Cycle > 0 {
			one["cycle"] = y.Cycle
		}
		if y.Property != "" {
			one["property"] = y.Property
		}
		if y.NoWitness {
			violations = append(violations, one)
			continue
		}
		if w, err := v.ViolationWitness(y); err == nil {
			one["witness"] = append([]string{}, w.Choices...)
			if w.Decisive != "" {
				one["decisive"] = w.Decisive
			}
		}
		violations = append(violations, one)
	}
	d["violations"] = violations
	divergent, agreed := map[string][]string{}, map[string]string{}
	for _, f := range v.Divergent {
		divergent[f.Name] = f.Values
	}
	for _, f := range v.Agreed {
		agreed[f.Name] = f.Values[0]
	}
	d["divergent"], d["agreed"] = divergent, agreed
	return d
}
