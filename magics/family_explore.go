package magics

import (
	"fmt"
	"os"
	"strconv"

	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/render/picture"
	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/runtime/explore"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
)

// This file runs behaviours in every order.

const exploreFamily = "All orders"

// A discovery is what the last exploration or check found: the behaviour, and
// a way to each finding in the order of the K that it was shown with.
type discovery struct {
	behavior  string
	witnesses []func() (*schedule.Witness, error)
	open      runtime.Resumable // the search, where it was interrupted; else nil
	checked   bool              // it was a check
}

func exploreMagics() []*magic {
	bounds := func(more ...flag) []flag {
		flags := []flag{
			{name: "granularity", kind: kindOneOf, values: []string{"statement", "node"}, fallback: "statement", summary: "what one move is"},
			{name: "runs", kind: kindCount, summary: "bound of the path segments executed"},
			{name: "depth", kind: kindCount, summary: "bound of the choice points on one path"},
			{name: "worlds", kind: kindCount, fallback: "the budget of worlds", summary: "bound of the distinct Worlds kept"},
			{name: "on", kind: kindObject, summary: "the object that performs it"},
			{name: "send", kind: kindExpression, summary: "signals for a state machine, with commas between them"},
			{name: "seed", kind: kindWord, fallback: "that of the session", summary: "the seed of the model's own randomness"},
			{name: "draws", kind: kindOneOf, values: []string{"random", "min", "max", "average"}, fallback: "that of the session", summary: "what a call of a random function takes"},
			{name: "clock-step", kind: kindWord, fallback: "that of the session", summary: "the tick of the clock"},
			{name: "resume", kind: kindSwitch, summary: "go on with the search that was interrupted"},
			{name: "graph", kind: kindSwitch, summary: "draw the graph of Worlds as well"},
			{name: "along", kind: kindCount, fallback: "the first error", summary: "mark the way to finding K in the graph"},
			{name: "nodes", kind: kindCount, fallback: "50", summary: "how many nodes the graph may have"},
			{name: "format", kind: kindOneOf, values: []string{"svg", "mermaid", "dot", "text"}, fallback: "svg", summary: "the form of the graph"},
		}
		return append(more, flags...)
	}
	behaviour := []argument{{name: "BEHAVIOUR", kind: kindBehavior}, {name: "p=EXPR", kind: kindAssignment, optional: true, repeated: true}}
	return []*magic{
		{
			name: "explore", family: exploreFamily,
			arguments: behaviour, flags: bounds(),
			summary: "list every outcome that some order leads to",
			help:    "Each outcome comes with the exact number of linearizations that lead to it and its share of the schedule space. %witness K shows the shortest way to outcome K, %replay K steps along it. " + graphHelp,
			example: "%explore Demo::Race",
			run:     runExplore,
		},
		{
			name: "check", family: exploreFamily,
			arguments: behaviour,
			flags: bounds(
				flag{name: "always", kind: kindExpression, summary: "what has to hold between any two moves"},
				flag{name: "never", kind: kindExpression, summary: "what must not hold between any two moves"},
				flag{name: "reachable", kind: kindExpression, summary: "what some order has to reach"},
				flag{name: "eventually", kind: kindExpression, summary: "what every order has to reach, by its end or, where it has none, at some time"}),
			summary: "look in every order for deadlocks, failures and broken properties, and for features that the order decides",
			help: "Properties are looked at between moves. A move is a statement of an action's body (with --granularity node, a whole node), a unit of a do behaviour, or the dispatch of one event to a state machine: " +
				"exits, effects and entries of all regions that it moves run to completion, and what holds for a moment in the middle of them counts for no property. " +
				"A run without an end breaks --eventually only where it is fair: a performer, or a token of an action, that could act from some move on for ever does act at some time. Decisions may go the same way every time, and the clock stands while anything can act. " +
				"The way to such a finding is gone round once; its witness says where the round begins. %witness K shows the shortest way to finding K, %replay K steps along it. " + graphHelp,
			example: "%check Demo::Race --never x > 2",
			run:     runCheck,
		},
		{
			name: "witness", family: exploreFamily,
			arguments: []argument{{name: "K", kind: kindCount, optional: true}},
			flags:     []flag{{name: "save", kind: kindPath, summary: "write it to a file that --schedule replay:FILE follows"}},
			summary:   "show the way to finding K of the last %explore or %check; without K, to the first",
			example:   "%explore Demo::Race\n%witness 1",
			run:       runWitness,
		},
		{
			name: "replay", family: exploreFamily,
			arguments: []argument{{name: "K|FILE", kind: kindPath}, {name: "BEHAVIOUR", kind: kindBehavior, optional: true}},
			summary:   "start the stepped run that follows a witness",
			help:      "BEHAVIOUR is the one that was explored or checked last, unless it is given. A witness that goes round is followed once around.",
			example:   "%explore Demo::Race\n%replay 2\n%continue",
			run:       runReplay,
		},
	}
}

// request is what the line asks to explore.
func (c *call) request() (runtime.ExploreRequest, error) {
	w := c.word("BEHAVIOUR")
	e, on, err := c.behavior(w)
	q := runtime.ExploreRequest{Element: e, Behavior: w.text, On: on,
		Runs: int(c.integer("runs", 0)), Depth: int(c.integer("depth", 0)), Worlds: int(c.integer("worlds", 0))}
	if err != nil {
		return q, err
	}
	q.Granularity, _ = explore.ParseGranularity(c.choice("granularity"))
	settings, err := c.settings()
	if err != nil {
		return q, err
	}
	q.Settings = &settings
	if q.Inputs, err = c.inputs(c.words("p=EXPR")); err != nil {
		return q, err
	}
	if q.Events, err = c.events(c.word("send")); err != nil {
		return q, err
	}
	if c.has("resume") {
		found := c.shell.found
		if found == nil || found.open == nil || found.behavior != w.text || found.checked != (c.line.magic.name == "check") {
			return q, diagnostic.New(codeMagicUsage, w.span, "no search of "+w.text+" was interrupted")
		}
		q.Resume = found.open
	}
	q.Progress = func(p explore.Progress) {
		c.cell.sink.Progress(Progress{Label: "exploring " + w.text, Done: int64(p.Worlds), Total: int64(p.Estimate), Unit: "worlds",
			Note: p.Detail()})
	}
	return q, nil
}

// searched ends the progress of a search, and is the error of one that was
// interrupted, after what was found is shown.
func (c *call) searched(worlds int, interrupted bool) error {
	c.cell.sink.Progress(Progress{Label: "exploring " + c.word("BEHAVIOUR").text, Done: int64(worlds), Unit: "worlds", Ended: true})
	if interrupted {
		return c.ctx.Err()
	}
	return nil
}

func runExplore(c *call) error {
	q, err := c.request()
	if err != nil {
		return err
	}
	return c.explore(q)
}

// explore explores and shows the outcomes.
func (c *call) explore(q runtime.ExploreRequest) error {
	x, err := c.shell.session.Explore(c.ctx, q)
	if err != nil {
		return placed(err, c.word("BEHAVIOUR").span)
	}
	found := &discovery{behavior: q.Behavior}
	for _, o := range x.Outcomes {
		found.witnesses = append(found.witnesses, func() (*schedule.Witness, error) { return x.Witness(o) })
	}
	if x.Interrupted {
		found.open = x
	}
	c.shell.found = found
	c.display(render.Exploration(x).Bundle())
	if !x.Complete {
		c.cell.verdict(3)
	}
	if err := c.searched(x.Worlds, x.Interrupted); err != nil {
		return err
	}
	return c.graphed(x, func(g *explore.Graph) *picture.Picture { return render.Worlds(x, g) })
}

func runCheck(c *call) error {
	q, err := c.request()
	if err != nil {
		return err
	}
	check := runtime.CheckRequest{ExploreRequest: q}
	for _, kind := range []explore.PropertyKind{explore.Always, explore.Never, explore.Reachable, explore.Eventually} {
		if w := c.word(kind.String()); w.text != "" {
			expr, err := c.expression(w)
			if err != nil {
				return err
			}
			check.Properties = append(check.Properties, runtime.Property{Kind: kind, Condition: expr})
		}
	}
	v, err := c.shell.session.CheckBehavior(c.ctx, check)
	if err != nil {
		return placed(err, c.word("BEHAVIOUR").span)
	}
	c.shell.found = findings(v, q.Behavior)
	c.display(render.Checking(v))
	switch {
	case len(v.Violations) > 0:
		c.cell.verdict(1)
	case !v.Complete:
		c.cell.verdict(3)
	}
	if err := c.searched(v.Worlds, v.Interrupted); err != nil {
		return err
	}
	return c.graphed(v, func(g *explore.Graph) *picture.Picture { return render.CheckedWorlds(v, g) })
}

// graphHelp is what the help of a search says of its graph.
const graphHelp = "--graph draws the Worlds in which something is open, the alternatives that lead from one to the next, and the ends. " +
	"Where there are too many to draw, those off the way to finding K are put together by where they can end."

// graphed draws the graph of Worlds behind a search, where the line asks for
// it.
func (c *call) graphed(x runtime.Explored, draw func(*explore.Graph) *picture.Picture) error {
	if !c.has("graph") {
		for _, name := range []string{"along", "nodes", "format"} {
			if c.has(name) {
				return usageError(c.line.magic, c.word(name).span, "--"+name+" is for the graph, and needs --graph")
			}
		}
		return nil
	}
	g, err := c.shell.session.Graph(c.ctx, x, int(c.integer("along", 0)), int(c.integer("nodes", 0)))
	if err != nil {
		return placed(err, c.word("along").span)
	}
	c.display(worldsBundle(draw(g), g, c.choice("format")))
	return nil
}

// worldsBundle is a graph of Worlds in one of the forms of %viz.
func worldsBundle(p *picture.Picture, g *explore.Graph, format string) render.Bundle {
	switch format {
	case "mermaid", "dot":
		return pictureBundle(p, format)
	case "text":
		return render.Fitted(func(width int) string { return render.WorldsText(p, g, width) })
	}
	return render.WorldsBundle(p, g)
}

// findings is what a check found, in the order in which it is shown.
func findings(v *runtime.Checking, behavior string) *discovery {
	found := &discovery{behavior: behavior, checked: true}
	if v.Interrupted {
		found.open = v
	}
	for _, list := range [][]*explore.Violation{v.Violations, v.Reached} {
		for _, y := range list {
			found.witnesses = append(found.witnesses, func() (*schedule.Witness, error) {
				if y.NoWitness {
					return nil, nil
				}
				return v.ViolationWitness(y)
			})
		}
	}
	for _, f := range v.Divergent {
		found.witnesses = append(found.witnesses, func() (*schedule.Witness, error) { return v.FeatureWitness(f, len(f.Values)-1) })
	}
	return found
}

// witness is the way to finding k, from 1, of the last search.
func (c *call) witness(k int64, w word) (*schedule.Witness, error) {
	found := c.shell.found
	if found == nil {
		return nil, diagnostic.New(codeMagicUsage, c.span(), "nothing was explored or checked yet").
			WithHint("%explore BEHAVIOUR or %check BEHAVIOUR finds ways to show")
	}
	if k < 1 || k > int64(len(found.witnesses)) {
		return nil, diagnostic.New(codeMagicUsage, w.span.To(c.span()), fmt.Sprintf("the last search found %d things, not %d", len(found.witnesses), k))
	}
	way, err := found.witnesses[k-1]()
	if err == nil && way == nil {
		err = diagnostic.New(codeMagicUsage, c.span(), fmt.Sprintf("no run leads to finding %d: that is what was found", k))
	}
	return way, err
}

func runWitness(c *call) error {
	way, err := c.witness(c.integer("K", 1), c.word("K"))
	if err != nil {
		return err
	}
	if name := c.text("save"); name != "" {
		if err := os.WriteFile(c.shell.path(name), []byte(way.Text()), 0o666); err != nil {
			return fileError(c.word("save").span, name, err)
		}
		c.printf("wrote %s\n", name)
		return nil
	}
	c.display(witnessBundle(c.shell.found.behavior, way))
	return nil
}

// witnessBundle shows a witness below a timeline on which the decisive choice
// is marked.
func witnessBundle(behavior string, way *schedule.Witness) render.Bundle {
	var marks []picture.Event
	if way.DecisiveStep > 0 {
		marks = append(marks, picture.Event{At: float64(way.DecisiveStep), Label: "decisive"})
	}
	p := timeline(&chronicle{behavior: behavior, events: way.Events}, marks...)
	if p == nil {
		return render.Text(way.Text())
	}
	page := p.SVG() + render.Preformatted(way.Text())
	return render.Fitted(func(width int) string { return p.Text(width) + "\n" + way.Text() }).With(render.HTML, page)
}

func runReplay(c *call) error {
	w := c.word("K|FILE")
	file := c.shell.path(w.plain())
	var followed *schedule.Witness
	if k, err := strconv.ParseInt(w.text, 10, 64); err == nil {
		way, err := c.witness(k, w)
		if err != nil {
			return err
		}
		temporary, err := os.CreateTemp("", "witness")
		if err != nil {
			return fileError(w.span, "a temporary file", err)
		}
		defer os.Remove(temporary.Name())
		file, followed = temporary.Name(), way
		_, err = temporary.WriteString(way.Text())
		if closed := temporary.Close(); err == nil {
			err = closed
		}
		if err != nil {
			return fileError(w.span, "a temporary file", err)
		}
	}
	behavior := c.word("BEHAVIOUR").text
	if behavior == "" && c.shell.found != nil {
		behavior = c.shell.found.behavior
	}
	if behavior == "" {
		return usageError(c.line.magic, w.span, "nothing was explored or checked yet, so BEHAVIOUR has to be given")
	}
	settings := c.shell.session.Settings()
	settings.Schedule = schedule.Policy{Kind: schedule.Replayed, File: file}
	p, err := c.shell.session.Start(c.ctx, behavior, runtime.RunOptions{Settings: &settings})
	if err = c.moved(p, placed(err, w.span)); err == nil && followed != nil && followed.Round > 0 {
		c.printf("a round begins after %d moves, and %d more lead back to its World\n", followed.Stem, followed.Round)
	}
	return err
}
