package magics

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/render/picture"
	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// This file steps a run by single keys, with its drawing before the user's
// eyes. Each key does what a magic does, so that the moves can be taken back
// and shown like any others.

func liveMagic() *magic {
	return &magic{
		name: "live", family: stepFamily,
		arguments: []argument{{name: "NAME|OBJ", kind: kindBehavior, optional: true}, {name: "p=EXPR", kind: kindAssignment, optional: true, repeated: true}},
		flags:     performFlags(),
		summary:   "step with single keys while the picture of the run is drawn in place",
		help: "With a name, starts a stepped run of it; without, goes on with the one that is open. At a terminal, s makes a step, b takes the last move back, " +
			"f makes it again, c continues, a digit takes an alternative of the open choice, t moves the clock to the next timer, e sends a signal, w shows an expression, " +
			"? lists the keys and q leaves; the stepped run stays open. Anywhere else, shows the picture once.",
		example: "%live Demo::Race",
		run:     runLive,
	}
}

const (
	liveKeys = "s step  b back  f forward  c continue  1-9 choose  ? more keys  q leave"
	liveHelp = "s or space: make a step · b or ←: take the last move back · f or →: make it again · c: step until the end, a wait or a breakpoint · " +
		"1 to 9: take that alternative · t: move the clock to the next timer · e: send a signal, such as Go, Set(level = 2) or Go via port · w: show an expression (none: stop) · q: leave; the run stays open"
)

// A liveView is one %live at work.
type liveView struct {
	c      *call
	screen Screen
	choice *schedule.Choice // open before the next step; nil for none
	watch  string           // an expression; "" for none
	note   string
}

func runLive(c *call) error {
	if w := c.word("NAME|OBJ"); w.text != "" {
		if _, err := c.begin(w); err != nil {
			return err
		}
	}
	p, err := c.shell.session.Position()
	if err != nil {
		return err
	}
	var screen Screen
	if sink, ok := c.cell.front.(ScreenSink); ok {
		screen, _ = sink.OpenScreen()
	}
	if screen == nil {
		c.display(render.Position(p))
		if drawn := c.drawn(p, false); drawn != nil {
			c.display(pictureBundle(drawn, "svg"))
		}
		return nil
	}
	p, err = (&liveView{c: c, screen: screen}).run(p)
	if p != nil {
		c.shell.lastTrace = traceLines(c.shell.session.TraceText())
		c.display(render.Position(p))
	}
	return err
}

// run shows the run and does what keys say until the user leaves. It returns
// where the run stands; the screen is given back, whatever happens.
func (v *liveView) run(p *runtime.Position) (*runtime.Position, error) {
	defer v.screen.Close()
	for {
		if err := v.show(p); err != nil {
			return p, err
		}
		key, err := v.screen.Key(v.c.ctx)
		if errors.Is(err, io.EOF) || err == nil && (key == 'q' || key == KeyEscape) {
			return v.rested(p), nil
		}
		if err != nil {
			return v.rested(p), err
		}
		v.note = ""
		next, err := v.press(key, p)
		if v.c.ctx.Err() != nil {
			return v.rested(p), v.c.ctx.Err()
		}
		if err != nil {
			v.note = noted(diagnostic.Of(err)[0])
		} else if next != nil {
			p = next
		}
	}
}

// rested is p without what the last operation chose.
func (v *liveView) rested(p *runtime.Position) *runtime.Position {
	if now, err := v.c.shell.session.Position(); err == nil {
		return now
	}
	return p
}

// show draws where the run stands.
func (v *liveView) show(p *runtime.Position) (err error) {
	if v.choice, err = v.c.shell.session.Choices(v.c.ctx); err != nil && v.note == "" {
		v.choice, v.note = nil, noted(diagnostic.Of(err)[0])
	}
	f := Frame{Title: render.PositionLine(p) + "  [" + shortly(p.Settings.Schedule) + "]", Keys: liveKeys, Note: v.note}
	switch drawn := v.c.drawn(p, true); {
	case drawn != nil:
		f.Body = drawn.Text
	default:
		f.Body = func(columns int) string { return render.Position(p).TextFor(columns) }
	}
	if v.choice != nil {
		for i, a := range v.choice.Alternatives {
			f.Choices = append(f.Choices, fmt.Sprintf("%s  (share %.3g)", a.Label, v.choice.Share(i)))
		}
	}
	if f.Note == "" {
		f.Note = v.notes(p)
	}
	v.screen.Show(f)
	return v.c.ctx.Err()
}

// notes is what the last move did, and the value that is watched.
func (v *liveView) notes(p *runtime.Position) string {
	var list []string
	for i := range p.Choices {
		list = append(list, strings.TrimSpace(p.Choices[i].Text()))
	}
	if waiting := append(append([]runtime.EventPosition(nil), p.Events...), p.Messages...); len(waiting) > 0 {
		list = append(list, "pending: "+render.EventList(waiting))
	}
	if p.Waits != "" {
		list = append(list, "nothing moves: "+p.Waits)
	}
	if p.Stopped != "" {
		list = append(list, "stopped at "+p.Stopped)
	}
	if v.watch != "" {
		if value, err := v.c.shell.session.Watch(v.c.ctx, v.watch); err != nil {
			list = append(list, v.watch+": "+diagnostic.Of(err)[0].Message)
		} else {
			list = append(list, v.watch+" = "+v.c.shell.session.Text(value))
		}
	}
	return strings.Join(list, " · ")
}

// press does what a key says. It gives nil where the run stays as it is.
func (v *liveView) press(key rune, p *runtime.Position) (*runtime.Position, error) {
	session, ctx := v.c.shell.session, v.c.ctx
	switch key {
	case 's', ' ', '\r', '\n', KeyDown:
		return session.Step(ctx, 1)
	case 'b', KeyLeft, KeyUp:
		return session.Back(ctx, 1)
	case 'f', KeyRight:
		return session.Forward(ctx, 1)
	case 'c':
		return session.Continue(ctx)
	case 't':
		return v.timer(p)
	case 'e':
		return v.send()
	case 'w':
		text, err := v.screen.Ask(ctx, "watch: ")
		if err == nil {
			v.watch = strings.TrimSpace(text)
		}
		return nil, err
	case '?', 'h':
		v.note = liveHelp
		return nil, nil
	}
	if key >= '1' && key <= '9' {
		return session.Choose(ctx, int(key-'1'))
	}
	if key >= ' ' {
		v.note = fmt.Sprintf("%c is no key here; ? lists them", key)
	}
	return nil, nil
}

// timer moves the clock to where the next timer comes due.
func (v *liveView) timer(p *runtime.Position) (*runtime.Position, error) {
	due := 0.0
	for _, e := range p.Events {
		if e.Timer && e.Time > p.Time && (due == 0 || e.Time < due) {
			due = e.Time
		}
	}
	if due == 0 {
		return nil, diagnostic.New(codeMagicUsage, v.c.span(), "no timer runs; %advance SECONDS moves the clock all the same")
	}
	return v.c.shell.session.Advance(v.c.ctx, due-p.Time)
}

// noted is d in a line.
func noted(d *diagnostic.Diagnostic) string {
	if d.Hint == "" {
		return d.Message
	}
	return d.Message + "; " + d.Hint
}

// send asks for a signal and sends it to the run.
func (v *liveView) send() (*runtime.Position, error) {
	text, err := v.screen.Ask(v.c.ctx, "send: ")
	if text = strings.TrimSpace(text); err != nil || text == "" {
		return nil, err
	}
	file := source.NewFile("signal", text)
	e, err := v.c.event(word{text, source.Span{File: file, End: int32(len(text))}})
	if err != nil {
		return nil, err
	}
	return v.c.shell.session.Send(v.c.ctx, e)
}

// drawn is the behaviour of the stepped run with its tokens, active states and
// the transitions just taken; nil where it cannot be drawn. One that is steady
// keeps its shape from step to step.
func (c *call) drawn(p *runtime.Position, steady bool) *picture.Picture {
	marks := picture.Marks{Active: p.States, Tokens: map[string][]string{}}
	for _, t := range p.Tokens {
		name := t.Node
		if t.Path != "" {
			name = t.Path + "." + t.Node
		}
		marks.Tokens[name] = append(marks.Tokens[name], fmt.Sprint(t.ID))
	}
	for _, f := range p.Fired {
		marks.Taken = append(marks.Taken, picture.Hop{From: f.From, To: f.To, Event: f.Event})
	}
	e := c.shell.model().Find(p.Behavior)
	if e == nil {
		return nil
	}
	drawn, err := picture.Of(e, picture.Auto, picture.Options{Marks: marks, Steady: steady})
	if err != nil {
		return nil
	}
	return drawn
}
