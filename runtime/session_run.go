package runtime

import (
	"context"
	"strings"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/runtime/trace"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// notABehaviour is the code of what is to run and cannot.
var notABehaviour = diagnostic.Register("not-a-behavior",
	"What is to run is no action and no state machine, or has no body to perform.")

// drive runs a unit to its end, and starts the behaviours of the objects that
// it makes.
func (t *turn) drive(u exec.UnitID, self value.ObjectID, args []value.Value) (value.Value, error) {
	if t.evaluator == nil {
		t.evaluator = t.engine(t.settings)
	}
	e := t.evaluator
	e.World, e.Observer, e.Calls, e.Covered = t.world, t.runner.Observer, t.runner.Calls, t.runner.Covered
	return e.Evaluate(u, self, args...)
}

// engine is an Engine on the World of the operation.
func (t *turn) engine(settings schedule.Settings) *exec.Engine {
	return &exec.Engine{World: t.world, Meter: t.runner.Meter, Observer: t.runner.Observer, Calls: t.runner.Calls, Covered: t.runner.Covered, Resolver: settings.Schedule.Resolver(),
		Draws: settings.Draws, ClockStep: settings.ClockStep,
		Visited: func(id exec.RunID, machine exec.MachineID, state int32) {
			t.visits = append(t.visits, visit{id, machine, state})
		}}
}

// visited are the states that a machine has entered since it began.
func (t *turn) visited(id exec.RunID) []string {
	before, now := t.Session.run.visits[id], 0
	if t.aside && id == t.Session.run.id {
		before = nil
	}
	for _, v := range t.visits {
		if v.run == id {
			now++
		}
	}
	if len(before)+now == 0 {
		return nil
	}
	names := append(make([]string, 0, len(before)+now), before...)
	for _, v := range t.visits {
		if v.run == id {
			names = append(names, v.name(t.world.Program))
		}
	}
	return names
}

// RunOptions say how a behaviour runs.
type RunOptions struct {
	// Element is the behaviour, where its name does not tell.
	Element *model.Element
	// On is the object that performs it; "" for nobody.
	On string
	// Exhibited names the behaviour of an object that RunObject runs; "" for
	// its first.
	Exhibited string
	// Inputs are its arguments.
	Inputs []Argument
	// Settings take the place of the session's where they are given.
	Settings *schedule.Settings
	// Keep makes the World after the run the session's.
	Keep bool
	// Events are posted to a machine before it runs.
	Events []Event
	// OneByOne lets the machine come to rest behind each event.
	OneByOne bool
	// Accepted refuses an event that nothing in the present state accepts.
	Accepted bool
	// Now lets RunObject end where nothing can act at the present instant, and
	// the clock stands still.
	Now bool
	// Trace records the trace of the run, from behind its start, or with
	// FromStart from the beginning.
	Trace, FromStart bool
}

// traceLimit is how many bytes of a trace are kept; a run that never ends would
// fill the memory with it.
const traceLimit = 16 << 20

// An Event is a signal or a call that is posted to a machine.
type Event struct {
	Name string
	Call bool
	Args []Argument
	// To is the object that it is sent to, or a port of it; "" for the
	// running behaviour.
	To string
	// Via is the path of the port that it arrives at; "" for none.
	Via string
}

// signal is the name that triggers go by: the last one of a qualified name.
func (e Event) signal() string {
	name := e.Name[strings.LastIndex(e.Name, "::")+1:]
	return strings.Trim(strings.TrimPrefix(name, ":"), "'")
}

// Run runs an action or a state machine to its end or until it rests. What
// fails while it runs is Run.Err, beside what there was until then; the error
// is for what could not be started. The session's World stays as it was,
// unless Keep is set and the run succeeds.
func (s *Session) Run(ctx context.Context, name string, o RunOptions) (*Run, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	settings := s.orOwn(o.Settings)
	var r *Run
	do := func(t *turn) (err error) {
		r, err = t.run(name, settings, o)
		if err == nil && r.Err != nil {
			return r.Err
		}
		return err
	}
	var err error
	if o.Keep {
		err = s.change(ctx, do)
	} else {
		err = s.look(ctx, func(t *turn) error {
			t.setAside()
			return do(t)
		})
	}
	if r != nil {
		return r, nil
	}
	return nil, err
}

// resolver is what resolves the choices of a run under settings.
func resolver(settings schedule.Settings) (schedule.Resolver, *schedule.Witness, error) {
	p := settings.Schedule
	switch p.Kind {
	case schedule.Replayed:
		text, err := source.Read(p.File)
		if err != nil {
			return nil, nil, diagnostic.New(schedule.ReplayRefused, source.Span{}, "the witness "+p.File+" cannot be read")
		}
		w, d := schedule.ParseWitness(string(text))
		if d != nil {
			return nil, nil, d
		}
		return w.Resolver(), w, nil
	case schedule.Explored:
		return nil, nil, diagnostic.New(schedule.InvalidSetting, source.Span{}, "one run cannot follow the schedule "+p.String()).
			WithHint("explore every order, or choose reverse, declared or seed:N")
	}
	return p.Resolver(), nil, nil
}

// run runs a behaviour on the World of the operation.
func (t *turn) run(name string, settings schedule.Settings, o RunOptions) (*Run, error) {
	b, err := t.begin(name, settings, o)
	if err != nil {
		return nil, err
	}
	err = b.complete(o)
	return b.result(err), nil
}

// A behaviour is a run under way.
type behaviour struct {
	*turn
	engine   *exec.Engine
	element  *model.Element
	id       exec.RunID
	recorder *trace.Recorder
	choices  []schedule.Taken
	returned [][]Output
}

// begin starts a behaviour and stands before its first step.
func (t *turn) begin(name string, settings schedule.Settings, o RunOptions) (*behaviour, error) {
	element := o.Element
	if element == nil {
		var err error
		if element, err = t.find(name); err != nil {
			return nil, err
		}
	}
	r, _, err := resolver(settings)
	if err != nil {
		return nil, err
	}
	b := &behaviour{turn: t, element: element}
	if o.Trace {
		b.recorder = &trace.Recorder{Limit: traceLimit}
		if o.FromStart {
			t.runner.Observer = trace.Tee(b.recorder, t.runner.Observer)
		}
	}
	self := value.NoObject
	if o.On != "" {
		if self, err = t.performer(o.On); err != nil {
			return nil, err
		}
	}
	b.engine = t.engine(settings)
	b.engine.Resolver = r
	b.seed(settings)
	if err := b.start(self, o.Inputs); err != nil {
		return nil, err
	}
	if o.Trace && !o.FromStart {
		b.engine.Observer = trace.Tee(b.recorder, t.runner.Observer)
	}
	b.engine.Chose = func(c schedule.Taken) { b.choices = append(b.choices, c) }
	return b, nil
}

// seed gives the World the streams of the settings.
func (b *behaviour) seed(settings schedule.Settings) {
	w := &b.world.Behavior
	w.Schedule = settings.Schedule.NewCursor()
	w.Seeded = settings.Seeded
	if settings.Seeded {
		w.Model = value.ModelStream(uint64(settings.Seed))
	}
}

// performer is the object that a run is performed by: one that there is, or
// the one that a usage denotes.
func (t *turn) performer(ref string) (value.ObjectID, error) {
	if id, err := t.lookup(ref); err == nil {
		return id, nil
	}
	e, err := t.find(ref)
	if err != nil {
		return value.NoObject, err
	}
	v, err := t.denoted(e)
	if err != nil {
		return value.NoObject, err
	}
	id, ok := v.AsObject()
	if !ok {
		return value.NoObject, diagnostic.New(notABehaviour, e.Span(), ref+" denotes no object that could perform")
	}
	return id, nil
}

// denoted is the value of the name of e.
func (t *turn) denoted(e *model.Element) (value.Value, error) {
	q := syntax.QualifiedName{}
	for o := e; o != nil && o.Owner() != nil; o = o.Owner() {
		q.Segments = append([]syntax.Name{{Text: o.EffectiveName()}}, q.Segments...)
	}
	x := &syntax.FeatureReferenceExpression{Name: q}
	u := t.lowering.Expression(x, t.scope())
	return t.perform(u, value.NoObject)
}

// start makes the run of the behaviour.
func (b *behaviour) start(self value.ObjectID, inputs []Argument) error {
	if err := b.admitsAll(b.element, inputs); err != nil {
		return err
	}
	given := make([]exec.Input, len(inputs))
	for i, a := range inputs {
		given[i] = exec.Input{Name: a.Name, Value: a.Value}
	}
	var err error
	switch b.element.Metaclass() {
	case syntax.StateDefinition, syntax.StateUsage, syntax.ExhibitStateUsage:
		m := b.lowering.Machine(b.element)
		b.world.Program = b.lowering.Program()
		b.id, err = b.engine.StartMachine(m, self, given...)
	case syntax.ActionDefinition, syntax.ActionUsage, syntax.PerformActionUsage:
		g := b.lowering.Action(b.element)
		b.world.Program = b.lowering.Program()
		b.id, err = b.engine.StartAction(g, self, given...)
	default:
		return diagnostic.New(notABehaviour, b.element.Span(), b.element.QualifiedName()+" is no action and no state machine")
	}
	return err
}

// complete runs the behaviour to its end.
func (b *behaviour) complete(o RunOptions) error {
	for _, e := range o.Events {
		if o.Accepted {
			if err := b.accepted(b.id, e); err != nil {
				return err
			}
		}
		if err := b.post(e); err != nil {
			return err
		}
		if o.OneByOne {
			b.engine.Returned(b.id)
			if err := b.engine.Complete(b.id); err != nil {
				return err
			}
			if e.Call {
				names, values := b.engine.Returned(b.id)
				b.returned = append(b.returned, b.named(b.world, names, values))
			}
		}
	}
	if o.Now {
		return b.engine.Rest(b.id)
	}
	return b.engine.Complete(b.id)
}

// post puts an event into the pool of the machine.
func (b *behaviour) post(e Event) error {
	if err := b.takes(e); err != nil {
		return err
	}
	var names []string
	var values []value.Value
	for _, a := range e.Args {
		names, values = append(names, a.Name), append(values, a.Value)
	}
	b.engine.PostEvent(b.id, e.signal(), e.Via, e.Call, names, values)
	return nil
}

// name is the qualified name of what runs.
func (b *behaviour) name() string {
	run := b.world.Run(b.id)
	switch {
	case b.element != nil:
		return b.element.QualifiedName()
	case run.Machine != exec.NoMachine:
		return b.world.Program.Machines[run.Machine].Qualified
	}
	return b.world.Program.Graphs[run.Graph].Qualified
}

// result is what became of the behaviour, which ended with err.
func (b *behaviour) result(err error) *Run {
	w := b.world
	r := &Run{Behavior: b.name(), Kind: "action", Choices: b.choices, Visits: b.visited(b.id), Returned: b.returned,
		Time: w.Behavior.Clock}
	if b.recorder != nil {
		r.Trace = b.recorder.Text()
	}
	if err != nil {
		r.Err = diagnostic.Of(err)[0]
	}
	run := w.Run(b.id)
	r.Steps = run.Steps
	r.Ended = w.Ended(b.id)
	if run.Self != value.NoObject {
		r.Object = b.object(w, run.Self)
	}
	if run.Machine != exec.NoMachine {
		r.Kind = "state"
		r.FinalState, r.Terminated = w.FinalState(b.id)
	}
	if run.Env == exec.NoEnv {
		return r
	}
	env := w.Env(run.Env)
	for i, slot := range w.Program.Layouts[env.Layout].Slots {
		if v := env.Slot(i); slot.Kind != exec.LocalData && !v.IsAbsent() {
			r.Outputs = append(r.Outputs, Output{Name: slot.Name, Value: v, Text: b.text(w, v)})
		}
	}
	return r
}

// RunObject runs the machine or the action that an object has, after posting
// events to it, and keeps the World. What other objects do meanwhile happens
// as well.
func (s *Session) RunObject(ctx context.Context, ref string, o RunOptions) (*Run, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	settings := s.orOwn(o.Settings)
	var r *Run
	err := s.change(ctx, func(t *turn) error {
		self, err := t.lookup(ref)
		if err != nil {
			return err
		}
		b := &behaviour{turn: t, engine: t.engine(settings)}
		b.id = exec.NoRun
		for _, id := range t.world.Behavior.Attached {
			run := t.world.Run(id)
			if run.Self != self || run.Label == exec.NoName || b.id != exec.NoRun {
				continue
			}
			if o.Exhibited == "" || o.Exhibited == t.world.Program.Name(run.Label) {
				b.id = id
			}
		}
		if b.id == exec.NoRun {
			return diagnostic.New(notABehaviour, source.Span{}, strings.TrimSpace(ref+" has no behavior "+o.Exhibited)+" that runs")
		}
		b.follow(o)
		err = b.complete(o)
		r = b.result(err)
		return err
	})
	return r, err
}

// follow records what happens.
func (b *behaviour) follow(o RunOptions) {
	if o.Trace {
		b.recorder = &trace.Recorder{Limit: traceLimit}
		b.engine.Observer = trace.Tee(b.recorder, b.engine.Observer)
	}
	b.engine.Chose = func(c schedule.Taken) { b.choices = append(b.choices, c) }
}
