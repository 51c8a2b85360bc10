package magics

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/render/picture"
	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// This file steps one behaviour, in the World of the session.

const stepFamily = "Stepping and time travel"

func stepMagics() []*magic {
	steps := []argument{{name: "N", kind: kindCount, optional: true}}
	return []*magic{
		{
			name: "action", family: stepFamily,
			arguments: []argument{{name: "NAME|OBJ", kind: kindBehavior}, {name: "p=EXPR", kind: kindAssignment, optional: true, repeated: true}},
			flags:     performFlags(),
			summary:   "start a stepped run of an action",
			help:      "The run works on the state of the session. It stands before its first step, and takes the place of another stepped run.",
			example:   "%action Demo::Race\n%step",
			run:       runStart,
		},
		{
			name: "state", family: stepFamily,
			arguments: []argument{{name: "NAME|OBJ", kind: kindBehavior}, {name: "p=EXPR", kind: kindAssignment, optional: true, repeated: true}},
			flags:     performFlags(),
			summary:   "start a stepped run of a state machine",
			help:      "The path of an object (plant.pumps[1]), or of one of its behaviours (plant.pumps[1].control), steps the machine that the object has, from where it stands.",
			example:   "%state Demo::Lamp\n%send Go",
			run:       runStart,
		},
		liveMagic(),
		{
			name: "step", family: stepFamily, arguments: steps,
			summary: "make a step, or N: of an action one step, of a machine one turn of its loop",
			example: "%action Demo::Race\n%step 2",
			run: func(c *call) error {
				return c.moved(c.shell.session.Step(c.ctx, int(c.integer("N", 1))))
			},
		},
		{
			name: "continue", aliases: []string{"cont"}, family: stepFamily,
			summary: "step until the run ends, waits, or meets a breakpoint",
			example: "%action Demo::Race\n%continue",
			run:     func(c *call) error { return c.moved(c.shell.session.Continue(c.ctx)) },
		},
		{
			name: "until", family: stepFamily,
			arguments: []argument{{name: "NODE|STATE|EXPR", kind: kindExpression}},
			summary:   "step until a token is at a node, a state is active, or an expression holds",
			example:   "%action Demo::Race\n%until x > 0",
			run: func(c *call) error {
				p, err := c.shell.session.Until(c.ctx, c.word("NODE|STATE|EXPR").text)
				if err := c.moved(p, err); err != nil || p.Stopped != "" {
					return err
				}
				c.printf("%s was not reached\n", c.word("NODE|STATE|EXPR").text)
				return nil
			},
		},
		{
			name: "advance", family: stepFamily,
			arguments: []argument{{name: "SECONDS", kind: kindSeconds}},
			summary:   "move the clock on; what comes due on the way acts",
			help:      "A number is of seconds; another unit of time stands behind it: 2 [min].",
			example:   "%state Demo::Lamp\n%advance 2.5",
			run: func(c *call) error {
				seconds, err := c.seconds("SECONDS")
				if err != nil {
					return err
				}
				return c.moved(c.shell.session.Advance(c.ctx, seconds))
			},
		},
		{
			name: "stop", family: stepFamily,
			summary: "end the stepped run; what it wrote to objects stays",
			example: "%action Demo::Race\n%stop",
			run: func(c *call) error {
				err := c.shell.session.Stop()
				if err == nil {
					c.printf("the stepped run has ended\n")
				}
				return err
			},
		},
		{
			name: "back", family: stepFamily, arguments: steps,
			summary: "take the last move back, or N: steps, signals and the clock",
			example: "%action Demo::Race\n%step 3\n%back",
			run:     func(c *call) error { return c.moved(c.shell.session.Back(c.ctx, int(c.integer("N", 1)))) },
		},
		{
			name: "forward", family: stepFamily, arguments: steps,
			summary: "make the move again that was taken back, or N",
			help:    "What changes the World in between, as %set does, ends the way ahead.",
			example: "%action Demo::Race\n%step 3\n%back 2\n%forward",
			run:     func(c *call) error { return c.moved(c.shell.session.Forward(c.ctx, int(c.integer("N", 1)))) },
		},
		{
			name: "choices", family: stepFamily,
			summary: "show the open choice of the next step with its numbered alternatives",
			example: "%action Demo::Race\n%step 2\n%choices",
			run:     runChoices,
		},
		{
			name: "choose", family: stepFamily,
			arguments: []argument{{name: "K", kind: kindCount}},
			summary:   "make a step that takes alternative K of the open choice",
			example:   "%action Demo::Race\n%step 2\n%choose 1",
			run:       func(c *call) error { return c.moved(c.shell.session.Choose(c.ctx, int(c.integer("K", 1))-1)) },
		},
		{
			name: "tokens", family: stepFamily,
			summary: "show where the tokens of the stepped run are, and what each waits for",
			example: "%action Demo::Race\n%step 2\n%tokens",
			run: func(c *call) error {
				p, err := c.shell.session.Position()
				if err != nil {
					return err
				}
				c.display(render.Tokens(p.Tokens).Bundle())
				return nil
			},
		},
		{
			name: "current", aliases: []string{"stack"}, family: stepFamily,
			flags:   []flag{{name: "format", kind: kindOneOf, values: []string{"svg", "text", "none"}, fallback: "svg", summary: "how the picture of the run is shown"}},
			summary: "show where the stepped run stands, with a picture of it",
			example: "%action Demo::Race\n%step 2\n%current --format none",
			run:     runCurrent,
		},
		{
			name: "events", family: stepFamily,
			summary: "show the events and messages that wait, and when timers come due",
			example: "%state Demo::Lamp\n%events",
			run: func(c *call) error {
				p, err := c.shell.session.Position()
				if err != nil {
					return err
				}
				c.display(render.Events(p.Events, p.Messages).Bundle())
				return nil
			},
		},
		{
			name: "watch", family: stepFamily,
			arguments: []argument{{name: "EXPR", kind: kindExpression}},
			summary:   "show the value of an expression in which the data of the stepped run can be named",
			example:   "%action Demo::Race\n%step 3\n%watch x",
			run: func(c *call) error {
				v, err := c.shell.session.Watch(c.ctx, c.word("EXPR").text)
				if err != nil {
					return placed(err, c.word("EXPR").span)
				}
				c.result(c.shell.valueBundle(v))
				return nil
			},
		},
		{
			name: "break", family: stepFamily,
			arguments: []argument{{name: "NODE|STATE", kind: kindWord, optional: true}},
			flags: []flag{
				{name: "if", kind: kindExpression, summary: "stop only where an expression holds"},
				{name: "remove", kind: kindSwitch, summary: "take the breakpoint away, or all without a name"},
			},
			summary: "stop %continue at a node or state, or list the breakpoints",
			example: "%break meet --if x > 0\n%break",
			run:     runBreak,
		},
		{
			name: "fork", family: stepFamily,
			arguments: []argument{{name: "NAME", kind: kindWord, optional: true}},
			summary:   "keep the state of the session and its stepped run under a name",
			example:   "%action Demo::Race\n%fork before",
			run: func(c *call) error {
				c.printf("kept as %s\n", c.shell.session.Forked(c.text("NAME")))
				return nil
			},
		},
		{
			name: "switch", family: stepFamily,
			arguments: []argument{{name: "NAME", kind: kindWord}},
			summary:   "go on from what %fork kept; what is left is kept as `previous`",
			example:   "%action Demo::Race\n%fork before\n%step 3\n%switch before",
			run: func(c *call) error {
				if err := c.shell.session.Switch(c.text("NAME")); err != nil {
					return placed(err, c.word("NAME").span)
				}
				c.printf("switched to %s\n", c.text("NAME"))
				if p, err := c.shell.session.Position(); err == nil {
					c.display(render.Position(p))
				}
				return nil
			},
		},
		{
			name: "forks", family: stepFamily,
			summary: "list what %fork kept",
			example: "%fork before\n%forks",
			run: func(c *call) error {
				names := c.shell.session.Forks()
				if len(names) == 0 {
					c.printf("nothing is kept; %%fork NAME keeps the state of the session\n")
					return nil
				}
				c.printf("%s\n", strings.Join(names, "  "))
				return nil
			},
		},
		{
			name: "diff", family: stepFamily,
			arguments: []argument{{name: "A", kind: kindWord}, {name: "B", kind: kindWord, optional: true}},
			summary:   "show what differs between two kept states, or between one and the session as it is",
			example:   "%action Demo::Race\n%fork before\n%step 4\n%diff before",
			run: func(c *call) error {
				a, b := c.text("A"), c.text("B")
				list, err := c.shell.session.Diff(a, b)
				if err != nil {
					return placed(err, c.word("A").span)
				}
				shown := b
				if b == "" {
					shown = "now"
				}
				c.display(render.Differences(list, a, shown).Bundle())
				return c.differencePicture(a, b, shown)
			},
		},
		{
			name: "world", family: stepFamily,
			arguments: []argument{{name: "WHAT", kind: kindOneOf, values: []string{"save", "load"}}, {name: "FILE", kind: kindPath}},
			summary:   "save the objects and the stepped run to a file, or load them",
			help:      "A file loads where the same model is declared. The way that the run came, for %back, is not in it.",
			example:   "%action Demo::Race\n%step 2\n%world save half.world\n%step\n%world load half.world\n%tokens",
			run:       runWorld,
		},
		{
			name: "send", family: stepFamily,
			arguments: []argument{{name: "SIGNAL(p=EXPR)", kind: kindCall}},
			flags:     []flag{{name: "to", kind: kindObject, fallback: "the stepped run", summary: "the object that receives it, or a port of it"}, {name: "via", kind: kindWord, summary: "the port that it arrives at"}},
			summary:   "send a signal to the stepped run or to an object",
			help:      "It is refused where nothing that is active would take it. One argument without a name is the payload that an accept binds.",
			example:   "%state Demo::Lamp\n%step\n%send Go",
			run:       func(c *call) error { return c.send(false) },
		},
		{
			name: "call", family: stepFamily,
			arguments: []argument{{name: "OP(p=EXPR)", kind: kindCall}},
			flags:     []flag{{name: "to", kind: kindObject, fallback: "the stepped run", summary: "the object that is called"}},
			summary:   "call an operation of the stepped run or of an object",
			example:   "%state Demo::Lamp\n%step\n%call dim(level = 2)",
			run:       func(c *call) error { return c.send(true) },
		},
		{
			name: "invoke", family: stepFamily,
			arguments: []argument{{name: "OBJ", kind: kindObject}, {name: "OP", kind: kindWord}, {name: "p=EXPR", kind: kindAssignment, optional: true, repeated: true}},
			summary:   "call an operation on an object; its state machine reacts until it rests",
			example:   "%instantiate Demo::Desk --as desk\n%invoke desk dim level = 2",
			run:       runInvoke,
		},
	}
}

func runStart(c *call) error { return c.moved(c.begin(c.word("NAME|OBJ"))) }

// begin starts a stepped run of what w names, by the arguments of the line, or
// takes up the machine that an object performs.
func (c *call) begin(w word) (*runtime.Position, error) {
	o, err := c.performance(w)
	if err != nil {
		return nil, err
	}
	if o.On != "" && !c.has("on") && len(o.Inputs) == 0 {
		p, err := c.shell.session.Attach(c.ctx, w.text, o.Settings)
		return p, placed(err, w.span)
	}
	p, err := c.shell.session.Start(c.ctx, w.text, o)
	if err == nil && o.On != "" {
		if own := c.shell.session.OwnBehavior(w.text, o.On); own != "" {
			c.display(render.Note("started beside the object's own, which goes on; to step that: %state " + own))
		}
	}
	return p, placed(err, w.span)
}

// moved shows where a move led; without tracing, its trace is left out.
func (c *call) moved(p *runtime.Position, err error) error {
	if err != nil {
		return err
	}
	c.shell.lastTrace = traceLines(c.shell.session.TraceText())
	if !c.shell.tracing {
		shown := *p
		shown.Trace = ""
		p = &shown
	}
	c.display(render.Position(p))
	return nil
}

// traceLines is the lines of a trace; nil for none.
func traceLines(text string) []string {
	if text = strings.TrimRight(text, "\n"); text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

func runChoices(c *call) error {
	choice, err := c.shell.session.Choices(c.ctx)
	if err != nil {
		return err
	}
	if choice == nil {
		c.printf("the next step leaves nothing open\n")
		return nil
	}
	t := &render.Table{Title: choice.Place() + ": " + choice.Kind.String(), Columns: []render.Column{{Title: "K", Right: true}, {Title: "alternative", Tone: render.Code}, {Title: "share", Right: true}},
		Note: "%choose K takes one"}
	for i, a := range choice.Alternatives {
		t.Row(fmt.Sprint(i+1), a.Label, fmt.Sprintf("%.3g", choice.Share(i)))
	}
	c.display(t.Bundle())
	return nil
}

func runBreak(c *call) error {
	place := c.text("NODE|STATE")
	switch {
	case c.has("remove"):
		c.shell.session.Unbreak(place)
	case place != "" || c.has("if"):
		if err := c.shell.session.Break(runtime.Breakpoint{Place: place, If: c.word("if").text}); err != nil {
			return placed(err, c.word("NODE|STATE").span)
		}
	}
	t := &render.Table{Columns: []render.Column{{Title: "stops at", Tone: render.Code}, {Title: "if", Tone: render.Code}, {Title: ""}}, Empty: "there are no breakpoints"}
	for _, b := range c.shell.session.Breaks() {
		problem := ""
		if b.Err != nil {
			problem = b.Err.Message
		}
		t.Row(b.Place, b.If, problem)
	}
	c.display(t.DropEmpty().Bundle())
	return nil
}

// runCurrent shows the position and, where it can be drawn, the behaviour with
// its tokens or active states.
func runCurrent(c *call) error {
	p, err := c.shell.session.Position()
	if err != nil {
		return err
	}
	c.display(render.Position(p))
	if c.choice("format") == "none" {
		return nil
	}
	if drawn := c.drawn(p, false); drawn != nil {
		c.display(pictureBundle(drawn, c.choice("format")))
	}
	return nil
}

// send sends the signal or makes the call of the line.
func (c *call) send(isCall bool) error {
	name := "SIGNAL(p=EXPR)"
	if isCall {
		name = "OP(p=EXPR)"
	}
	e, err := c.event(c.word(name))
	if err != nil {
		return err
	}
	e.Call, e.To = isCall, c.word("to").text
	if c.has("via") {
		e.Via = c.word("via").text
	}
	p, err := c.shell.session.Send(c.ctx, e)
	return c.moved(p, placed(err, c.word(name).span))
}

func runWorld(c *call) error {
	name, at := c.text("FILE"), c.word("FILE").span
	if c.choice("WHAT") == "save" {
		if err := os.WriteFile(c.shell.path(name), c.shell.session.SaveWorld(), 0o666); err != nil {
			return fileError(at, name, err)
		}
		c.printf("wrote %s\n", name)
		return nil
	}
	data, err := source.Read(c.shell.path(name))
	if err != nil {
		return fileError(at, name, err)
	}
	if err := c.shell.session.LoadWorld(data); err != nil {
		return placed(err, at)
	}
	c.printf("loaded %s\n", name)
	if p, err := c.shell.session.Position(); err == nil {
		c.display(render.Position(p))
	}
	return nil
}

func runInvoke(c *call) error {
	inputs, err := c.inputs(c.words("p=EXPR"))
	if err != nil {
		return err
	}
	r, err := c.shell.session.Invoke(c.ctx, c.word("OBJ").text, c.text("OP"), inputs)
	if err != nil {
		return placed(err, c.word("OBJ").span)
	}
	if !c.shell.tracing {
		r.Trace = ""
	}
	return c.showRun(r)
}

// differencePicture draws the behaviour with what stands at a node or state in
// only one of two Worlds. There is none where the Worlds do not differ in that.
func (c *call) differencePicture(a, b, shown string) error {
	x, err := c.shell.session.PositionAt(a)
	if err != nil || x == nil {
		return err
	}
	y, err := c.shell.session.PositionAt(b)
	if err != nil || y == nil || x.Behavior != y.Behavior {
		return err
	}
	both, left, right := map[stance]bool{}, standing(x), standing(y)
	marks := picture.Marks{Tokens: map[string][]string{}}
	for _, at := range left {
		both[at] = slices.Contains(right, at)
	}
	mark := func(list []stance, name string) {
		for _, at := range list {
			switch label := strings.TrimSpace(at.token + " " + name); {
			case !both[at]:
				marks.Tokens[at.place] = append(marks.Tokens[at.place], label)
			case at.token == "":
				marks.Active = append(marks.Active, at.place)
			case name == a:
				marks.Tokens[at.place] = append(marks.Tokens[at.place], at.token)
			}
		}
	}
	mark(left, a)
	mark(right, shown)
	e := c.shell.model().Find(x.Behavior)
	if e == nil || slices.Equal(left, right) {
		return nil
	}
	drawn, err := picture.Of(e, picture.Auto, picture.Options{Marks: marks})
	if err == nil {
		c.display(pictureBundle(drawn, ""))
	}
	return nil
}

// A stance is where a run stands: a node and the number of the token there, or
// an active state and "".
type stance struct{ place, token string }

// standing is every stance of a run.
func standing(p *runtime.Position) []stance {
	var list []stance
	for _, t := range p.Tokens {
		list = append(list, stance{strings.TrimPrefix(t.Path+"."+t.Node, "."), fmt.Sprint(t.ID)})
	}
	for _, s := range p.States {
		list = append(list, stance{place: s})
	}
	return list
}
