package magics

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/render/picture"
	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/trace"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
)

// This file draws what a run did over time: its states and tokens, and the
// messages between objects. The events come from a run made for the picture,
// or from making the moves of the stepped run again.

func chronicleMagics() []*magic {
	arguments := []argument{{name: "BEHAVIOUR", kind: kindBehavior, optional: true}, {name: "p=EXPR", kind: kindAssignment, optional: true, repeated: true}}
	flags := performFlags(
		flag{name: "send", kind: kindExpression, summary: "signals for a state machine, with commas between them"},
		flag{name: "format", kind: kindOneOf, values: []string{"svg", "mermaid", "text"}, fallback: "svg", summary: "the form of the picture"})
	return []*magic{
		{
			name: "timeline", family: pictureFamily, arguments: arguments,
			flags:   append(slices.Clip(flags), flag{name: "watch", kind: kindExpression, summary: "plot the value of an expression over the stepped run instead"}),
			summary: "draw the states and tokens of a run over time",
			help: "With BEHAVIOUR, of a run of it that leaves the session as it was; without, of the stepped run so far: a notebook then also shows the drawing " +
				"of each stop, with a row of marks to go from one to the next.",
			example: "%timeline --format text Demo::Race",
			run: func(c *call) error {
				if w := c.word("watch"); w.text != "" {
					return c.watched(w)
				}
				return c.chronicled(func(h *chronicle) *picture.Picture { return timeline(h) })
			},
		},
		{
			name: "sequence", family: pictureFamily, arguments: arguments, flags: flags,
			summary: "draw the messages of a run between objects",
			help:    "With BEHAVIOUR, of a run of it that leaves the session as it was; without, of the stepped run so far.",
			example: "%sequence --format text Demo::Lamp --send Go",
			run: func(c *call) error {
				return c.chronicled(c.sequence)
			},
		},
	}
}

// A chronicle is the events of a run, an Observer of it.
type chronicle struct {
	behavior string
	start    float64    // the clock at the start, in seconds
	before   [][]string // the active states of each machine of an object then
	events   []trace.Event
	end      float64         // the clock at the end, in seconds
	slides   []picture.Slide // of a stepped run
	stops    int             // of the stepped run
}

// Observe keeps e, if a picture can show it.
func (h *chronicle) Observe(e trace.Event) {
	switch e.Kind {
	case trace.Step:
		e.Places = append([]trace.Place(nil), e.Places...)
	case trace.EnterState, trace.ExitState, trace.Sent, trace.Accepted, trace.Transition:
	default:
		return
	}
	h.events = append(h.events, e)
}

// begin keeps what the machines of objects are in before anything happens.
func (h *chronicle) begin(w *exec.World) {
	h.start = w.Behavior.Clock
	for _, id := range w.Behavior.Attached {
		if r := w.Run(id); r.Used && r.Machine != exec.NoMachine && r.Self != value.NoObject {
			h.before = append(h.before, w.ActiveStates(id))
		}
	}
}

// left reports whether the run leaves one of states without having entered it.
func (h *chronicle) left(states []string) bool {
	entered := map[string]bool{}
	for _, e := range h.events {
		switch {
		case e.Kind == trace.EnterState:
			entered[e.Name] = true
		case e.Kind == trace.ExitState && !entered[e.Name] && slices.Contains(states, e.Name):
			return true
		}
	}
	return false
}

// chronicled draws the run that the line asks for.
func (c *call) chronicled(draw func(h *chronicle) *picture.Picture) error {
	return c.chronicledOf(c.word("BEHAVIOUR"), draw)
}

// chronicledOf draws a run of the behaviour that w names, "" for the stepped
// run.
func (c *call) chronicledOf(w word, draw func(h *chronicle) *picture.Picture) error {
	h, err := c.chronicle(w)
	if err != nil {
		return err
	}
	p := draw(h)
	if err := c.ctx.Err(); err != nil {
		return err
	}
	if p == nil {
		return diagnostic.New(codeMagicUsage, c.span(), h.behavior+" did nothing that this picture shows")
	}
	b := pictureBundle(p, c.choice("format"))
	if len(h.slides) > 1 && (c.choice("format") == "" || c.choice("format") == "svg") {
		page := p.SVG() + picture.Slides("the moves of "+h.behavior, h.slides)
		if h.stops > len(h.slides) {
			page += render.Aside(fmt.Sprintf("%d of %d stops, the first and the last among them", len(h.slides), h.stops))
		}
		b = b.With(render.HTML, page)
	}
	c.display(b)
	return nil
}

// chronicle observes a run of the behaviour that w names, or the stepped run
// once more.
func (c *call) chronicle(w word) (*chronicle, error) {
	session := c.shell.session
	h := &chronicle{behavior: w.text}
	if w.text == "" {
		return h, c.again(h)
	}
	o, err := c.performance(w)
	if err != nil {
		return nil, err
	}
	if o.Events, err = c.events(c.word("send")); err != nil {
		return nil, err
	}
	o.OneByOne = true
	h.begin(session.World())
	session.SetObserver(h)
	defer session.SetObserver(nil)
	r, err := session.Run(c.ctx, w.text, o)
	if err != nil {
		return nil, placed(err, w.span)
	}
	if r.Err != nil && len(h.events) == 0 {
		return nil, placed(r.Err, w.span)
	}
	h.end = r.Time
	return h, nil
}

// again makes the moves of the stepped run again under the eyes of h, and
// keeps a picture of each stop.
func (c *call) again(h *chronicle) error {
	session := c.shell.session
	session.SetObserver(nil)
	defer session.SetObserver(nil)
	at, err := session.Position()
	if err != nil {
		return err
	}
	h.stops = at.Moves + 1
	return c.walked(func(p *runtime.Position) error {
		if h.behavior == "" {
			h.behavior = p.Behavior
			for _, s := range p.States {
				h.Observe(trace.Event{Kind: trace.EnterState, Name: s, Instant: p.Time})
			}
			session.SetObserver(h)
		}
		h.end = p.Time
		if c.line.magic.name != "timeline" || !spread(p.Moves, at.Moves) {
			return nil
		}
		if drawn := c.drawn(p, false); drawn != nil {
			h.slides = append(h.slides, picture.Slide{Caption: caption(p), Picture: drawn})
		}
		return nil
	})
}

// mostSlides bounds the pictures of one timeline, mostLanes its lanes.
const (
	mostSlides = 100
	mostLanes  = 100
)

// spread reports whether stop i, from 0 to last, is one of mostSlides that lie
// evenly between the first and the last, these included.
func spread(i, last int) bool {
	const gaps = mostSlides - 1
	return i == 0 || last <= gaps || i*gaps/last != (i-1)*gaps/last
}

// caption is a stop of the stepped run in a line.
func caption(p *runtime.Position) string {
	text := render.PositionLine(p)
	for i := range p.Choices {
		text += " · " + strings.TrimSpace(p.Choices[i].Text())
	}
	return text
}

// walked takes the stepped run back to its start, makes its moves again one by
// one, and calls visit at every stop, the start included. The run stands where
// it did afterwards, also where ctx ends on the way.
func (c *call) walked(visit func(p *runtime.Position) error) error {
	session := c.shell.session
	p, err := session.Position()
	if err != nil {
		return err
	}
	moves := p.Moves
	defer func() {
		if now, err := session.Position(); err == nil && now.Moves < moves {
			_, _ = session.Forward(context.WithoutCancel(c.ctx), moves-now.Moves)
		}
	}()
	if moves > 0 {
		if p, err = session.Back(c.ctx, moves); err != nil {
			return err
		}
	}
	for at := 0; ; at++ {
		if err := visit(p); err != nil || at == moves {
			return err
		}
		if p, err = session.Forward(c.ctx, 1); err != nil {
			return err
		}
	}
}

// watched plots the value of an expression over the moves of the stepped run:
// over the clock where that moves, else over the steps.
func (c *call) watched(w word) error {
	if c.has("BEHAVIOUR") {
		return usageError(c.line.magic, w.span, "--watch follows the stepped run; start it with %action or %state, and leave BEHAVIOUR out")
	}
	var at []*runtime.Position
	var values []float64
	var last error
	behavior := ""
	err := c.walked(func(p *runtime.Position) error {
		behavior = p.Behavior
		v, err := c.shell.session.Watch(c.ctx, w.text)
		if err != nil {
			last = err // it may be there later
			return c.ctx.Err()
		}
		if x, ok := v.AsFloat(); ok {
			at, values = append(at, p), append(values, x)
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case len(values) == 0 && last != nil:
		return placed(last, w.span)
	case len(values) == 0:
		return usageError(c.line.magic, w.span, w.text+" is no number")
	}
	clock := at[0].Time < at[len(at)-1].Time
	series := picture.Series{Name: w.text, Steps: true}
	for _, i := range telling(values) {
		p := at[i]
		x := float64(p.Moves)
		if clock {
			x = p.Time
		}
		series.Points = append(series.Points, picture.Point{X: x, Y: values[i]})
	}
	unit := "moves"
	if clock {
		unit = "s"
	}
	c.display(pictureBundle(picture.Plot(w.text+" in "+behavior, unit, w.text, []picture.Series{series}), c.choice("format")))
	return nil
}

// telling are the indexes of the values that a plot of them needs: all, or of
// many the first, the least and the greatest of each stretch, and the last.
func telling(values []float64) []int {
	const stretches = 500
	var list []int
	for from := 0; from < len(values); {
		to := from + max(len(values)/stretches, 1)
		to = min(to, len(values))
		least, most := from, from
		for i := from; i < to; i++ {
			if values[i] < values[least] {
				least = i
			}
			if values[i] > values[most] {
				most = i
			}
		}
		for _, i := range []int{from, min(least, most), max(least, most)} {
			if len(list) == 0 || list[len(list)-1] < i {
				list = append(list, i)
			}
		}
		from = to
	}
	if n := len(values); n > 0 && list[len(list)-1] < n-1 {
		list = append(list, n-1)
	}
	return list
}

// timeline draws active states over the clock, or over their changes where the
// clock stood still; of an action, its tokens over the steps. nil where there
// is neither. What a machine was in before the run is drawn where the run leads
// it on. marks are moments to point at.
func timeline(h *chronicle, marks ...picture.Event) *picture.Picture {
	l := &lanes{at: map[string]int{}, more: map[string]bool{}}
	clock := false
	for _, e := range h.events {
		clock = clock || e.Instant > 0 && (e.Kind == trace.EnterState || e.Kind == trace.ExitState)
	}
	unit, now := "change", 0.0
	if clock {
		unit, now = "s", h.start
	}
	for _, states := range h.before {
		if h.left(states) {
			for _, name := range states {
				l.open(name, now, "")
			}
		}
	}
	states := false
	for _, e := range h.events {
		switch e.Kind {
		case trace.EnterState:
			states = true
			if now++; clock {
				now = e.Instant
			}
			l.open(e.Name, now, "")
		case trace.ExitState:
			if clock {
				now = e.Instant
			}
			l.close(e.Name, now)
		}
	}
	if !states {
		unit, now = "step", l.tokens(h.events)
	}
	if len(l.list) == 0 {
		return nil
	}
	if clock {
		now = max(now, h.end)
	}
	l.finish(now)
	if n := len(l.more); n > 0 {
		l.list = append(l.list, picture.Lane{Name: fmt.Sprintf("… %d more", n)})
	}
	return picture.Timeline(h.behavior, unit, l.list, marks)
}

// lanes are the lanes of a timeline in the making.
type lanes struct {
	list []picture.Lane
	at   map[string]int
	more map[string]bool // names for which there is no room
}

func (l *lanes) open(name string, from float64, label string) {
	i, ok := l.at[name]
	if !ok && len(l.list) == mostLanes {
		l.more[name] = true
		return
	}
	if !ok {
		i = len(l.list)
		l.at[name] = i
		l.list = append(l.list, picture.Lane{Name: name})
	}
	l.list[i].Spans = append(l.list[i].Spans, picture.Span{From: from, To: from, Label: label, Open: true})
}

func (l *lanes) close(name string, to float64) {
	i, ok := l.at[name]
	if !ok {
		return
	}
	for k := range slices.Backward(l.list[i].Spans) {
		if s := &l.list[i].Spans[k]; s.Open { // machines of several objects may have states of one name
			s.To, s.Open = to, false
			return
		}
	}
}

// finish ends what is open at the end of the run.
func (l *lanes) finish(now float64) {
	for i := range l.list {
		for k := range l.list[i].Spans {
			if s := &l.list[i].Spans[k]; s.Open {
				s.To = now + 1
			}
		}
	}
}

// tokens gives every token a lane of the nodes that it stood at, and is the
// last step.
func (l *lanes) tokens(events []trace.Event) float64 {
	at, last := map[int64]string{}, 0.0
	for _, e := range events {
		if e.Kind != trace.Step {
			continue
		}
		last = float64(e.Number)
		here := map[int64]bool{}
		for _, p := range e.Places {
			here[p.Token] = true
			name := fmt.Sprintf("token %d", p.Token)
			if at[p.Token] == p.Node {
				continue
			}
			l.close(name, last)
			l.open(name, last, p.Node)
			at[p.Token] = p.Node
		}
		for i := range l.list {
			id, _ := strconv.ParseInt(l.list[i].Name[len("token "):], 10, 64)
			if !here[id] && at[id] != "" {
				l.close(l.list[i].Name, last)
				at[id] = ""
			}
		}
	}
	return last
}

// sequence draws the messages of a run; nil where there are none.
func (c *call) sequence(h *chronicle) *picture.Picture {
	var messages []picture.Message
	waiting := map[string][]int{}
	taken := map[string]int{} // by machines, which have not reacted yet
	for _, e := range h.events {
		switch e.Kind {
		case trace.Sent:
			waiting[e.Name] = append(waiting[e.Name], len(messages))
			m := picture.Message{From: c.lifeline(e.Object, h), To: c.lifeline(e.Number, h), Label: e.Name, Pending: true}
			if e.Instant > 0 {
				m.At = "t = " + strconv.FormatFloat(e.Instant, 'g', -1, 64) + " s"
			}
			messages = append(messages, m)
		case trace.Accepted:
			if e.Note == "" { // no node took it
				taken[e.Name]++
			}
			if list := waiting[e.Name]; len(list) > 0 {
				messages[list[0]].Pending = false
				waiting[e.Name] = list[1:]
			} else {
				messages = append(messages, picture.Message{To: c.lifeline(e.Object, h), Label: e.Name})
			}
		case trace.Transition:
			switch signal, ok := strings.CutPrefix(e.Cause, "accept "); {
			case !ok:
			case taken[signal] > 0:
				taken[signal]--
			default:
				messages = append(messages, picture.Message{To: c.lifeline(e.Object, h), Label: signal})
			}
		}
	}
	if len(messages) == 0 {
		return nil
	}
	return picture.Sequence(h.behavior, nil, messages)
}

// lifeline is the name of object n, or of the behaviour itself for none.
func (c *call) lifeline(n int64, h *chronicle) string {
	if n > 0 {
		if o, err := c.shell.session.Object(c.ctx, "#"+strconv.FormatInt(n, 10)); err == nil && o.Name != "" {
			return o.Name
		}
		return "#" + strconv.FormatInt(n, 10)
	}
	return h.behavior
}
