package runtime

import (
	"bytes"
	"context"
	"maps"
	"slices"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/lower"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/runtime/trace"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// This file is stepped runs: one behaviour that stands in the session's World
// and moves when it is told to, forward and back.

var (
	noRun = diagnostic.Register("no-stepped-run",
		"A magic moves the stepped run, and there is none. Start one with %action NAME or %state NAME.")
	noWay = diagnostic.Register("no-way",
		"A stepped run is to go where it cannot: back behind its start, forward where nothing was taken back, or to a fork that there is not.")
)

// running is the stepped run of a session and the way it came.
type running struct {
	// visits are the states that each machine has entered since it began.
	visits map[exec.RunID][]string

	on bool
	// past says that the model has changed since the run was begun, and that
	// it goes on as the model was.
	past     bool
	id       exec.RunID
	element  *model.Element
	settings schedule.Settings
	resolver schedule.Resolver
	// moves are the operations that led from the start to here, and behind
	// here those that were taken back.
	moves []move
	here  int
	// cut says that a change ended the way ahead: see change.
	cut bool
	// checkpoints are Worlds along the way, every few moves and where something
	// else than a move has changed the World.
	checkpoints []checkpoint
	// stood is the World as the last operation of the run left it; nil where
	// that is not known.
	stood  *exec.World
	trace  trace.Recorder
	breaks []Breakpoint
	forks  map[string]*fork
}

// A visit is a state that a machine entered.
type visit struct {
	run     exec.RunID
	machine exec.MachineID
	state   int32
}

func (v visit) name(p *exec.Program) string { return p.Machines[v.machine].States[v.state].Name }

// A move is one operation of a stepped run, as it can be made again.
type move struct {
	kind  moveKind
	took  []int // alternatives chosen by hand
	time  float64
	event Event
	mark  int // of the trace before it
	fired firings
	left  bool // a choice by hand in it left the witness that the run followed
	free  bool // one before it did, so that the witness binds no longer
}

type moveKind uint8

const (
	stepMove moveKind = iota
	advanceMove
	sendMove
)

// A checkpoint is the World before move at, with what the session knew then.
type checkpoint struct {
	at      int
	world   *exec.World
	visits  map[exec.RunID][]string
	names   map[string]value.ObjectID
	held    []heldValue
	changed bool // the moves before do not lead to it
}

// spacing is how many moves lie between two checkpoints.
const spacing = 16

// A fork is a World kept under a name, with what its numbers refer to, what
// the session knows its objects by, and the way it came.
type fork struct {
	world    *exec.World
	lowering *lower.Lowering
	names    map[string]value.ObjectID
	held     []heldValue
	run      running
}

// end forgets the stepped run; forks and breakpoints are kept.
func (r *running) end() { *r = running{forks: r.forks, breaks: r.breaks} }

// visit adds what an operation entered.
func (r *running) visit(list []visit, p *exec.Program) {
	if r.visits == nil && len(list) > 0 {
		r.visits = map[exec.RunID][]string{}
	}
	for _, v := range list {
		r.visits[v.run] = append(r.visits[v.run], v.name(p))
	}
}

func copyVisits(visits map[exec.RunID][]string) map[exec.RunID][]string {
	c := make(map[exec.RunID][]string, len(visits))
	for id, names := range visits {
		c[id] = names[:len(names):len(names)]
	}
	return c
}

// Start starts a stepped run of an action or a state machine in the session's
// World, in place of the one there was. It stands before its first step.
func (s *Session) Start(ctx context.Context, name string, o RunOptions) (*Position, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	settings := s.orOwn(o.Settings)
	return s.stand(ctx, settings, func(t *turn, r *running) error {
		o.Trace = true
		started, err := t.begin(name, settings, o)
		if err != nil {
			return err
		}
		for _, e := range o.Events {
			started.post(e)
		}
		r.id, r.element, r.resolver = started.id, started.element, started.engine.Resolver
		return nil
	})
}

// stand makes what begin finds or starts the stepped run, in place of the one
// there was. Where begin fails, that one stays as it was.
func (s *Session) stand(ctx context.Context, settings schedule.Settings, begin func(t *turn, r *running) error) (*Position, error) {
	world, before := s.world, s.run
	if s.run.on {
		s.stop()
	}
	r := running{on: true, settings: settings, forks: s.run.forks, breaks: s.run.breaks}
	if err := s.commit(ctx, func(t *turn) error { return begin(t, &r) }); err != nil {
		s.world, s.run = world, before
		return nil, err
	}
	r.visits, r.stood = s.run.visits, s.world
	s.run = r
	p := s.position(s.world, nil, "")
	p.Moved = true
	return p, nil
}

// stop ends the stepped run and takes it out of the World, unless it is an
// object's own.
func (s *Session) stop() {
	w := s.world.Copy()
	s.run.leaveWorld(w)
	s.world = w
	s.run.end()
}

// leaveWorld takes the stepped run out of a World, unless it is an object's
// own, and says whether it did.
func (r *running) leaveWorld(w *exec.World) bool {
	id := r.id
	if !r.on || int(id) >= w.Behavior.Runs.Len() || !w.Run(id).Used || w.Run(id).Occurrence != value.NoObject {
		return false
	}
	(&exec.Engine{World: w}).EndRun(id)
	return true
}

// setAside takes the stepped run out of the World of the operation, and what it
// visited out of sight: whoever steps it has its moves in hand, so it makes none
// while another behaviour runs on a copy.
func (t *turn) setAside() { t.aside = t.Session.run.leaveWorld(t.world) }

// Stop ends the stepped run. What it wrote to objects stays.
func (s *Session) Stop() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.stepping(); err != nil {
		return err
	}
	s.stop()
	return nil
}

func (s *Session) stepping() error {
	if !s.run.on {
		return diagnostic.New(noRun, source.Span{}, "no run is being stepped").
			WithHint("start one with %action NAME or %state NAME")
	}
	return nil
}

// Position is where the stepped run stands.
func (s *Session) Position() (*Position, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.stepping(); err != nil {
		return nil, err
	}
	return s.position(s.world, nil, ""), nil
}

// moved makes one move on a copy of the World, keeps it, and says where the
// run stands then. What fails leaves everything as it was.
func (s *Session) moved(ctx context.Context, m move) (*Position, error) {
	r := &s.run
	s.keepChange()
	before := s.world
	visits := copyVisits(r.visits)
	m.mark = r.trace.Mark()
	if r.here > 0 {
		last := &r.moves[r.here-1]
		m.free = last.free || last.left
	}
	var choices []schedule.Taken
	acted := false
	err := s.commit(ctx, func(t *turn) (err error) {
		acted, choices, err = t.move(&m)
		return err
	})
	if err != nil {
		r.trace.Rewind(m.mark)
		return nil, err
	}
	if acted || m.kind != stepMove || !s.world.Equal(before) || r.trace.Mark() != m.mark {
		if r.cut = false; r.here < len(r.moves) {
			r.leave()
		}
		if r.here%spacing == 0 && (len(r.checkpoints) == 0 || r.checkpoints[len(r.checkpoints)-1].at < r.here) {
			r.checkpoints = append(r.checkpoints, checkpoint{at: r.here, world: before, visits: visits, names: maps.Clone(s.names), held: slices.Clone(s.held)})
		}
		r.moves = append(r.moves, m)
		r.here++
	}
	r.stood = s.world
	p := s.position(s.world, choices, r.trace.Since(m.mark))
	p.Moved = acted
	if !acted && !p.Ended {
		p.Waits = s.waits()
	}
	return p, nil
}

// checkpoint is the World as it stands.
func (s *Session) checkpoint() checkpoint {
	r := &s.run
	return checkpoint{at: r.here, world: s.world, visits: copyVisits(r.visits), names: maps.Clone(s.names), held: slices.Clone(s.held)}
}

// takeUp puts a checkpoint in place of the World.
func (s *Session) takeUp(c *checkpoint) {
	s.world, s.run.visits = c.world, copyVisits(c.visits)
	s.names, s.held = maps.Clone(c.names), slices.Clone(c.held)
}

// keepChange makes a checkpoint where the World is not as the run left it: a
// value was set or an object made meanwhile, and no moves lead there. The
// checkpoints ahead are then not what the moves that were taken back lead to.
func (s *Session) keepChange() {
	r := &s.run
	if s.world == r.stood || r.stood != nil && bytes.Equal(s.world.Canonical(nil), r.stood.Canonical(nil)) {
		return
	}
	c := s.checkpoint()
	c.changed = true
	n := 0
	for n < len(r.checkpoints) && r.checkpoints[n].at < r.here {
		n++
	}
	r.checkpoints = append(slices.Clip(r.checkpoints[:n]), c)
}

// changedAt is the checkpoint at move at to which no moves lead; nil for none.
func (r *running) changedAt(at int) *checkpoint {
	i := slices.IndexFunc(r.checkpoints, func(c checkpoint) bool { return c.at == at && c.changed })
	if i < 0 {
		return nil
	}
	return &r.checkpoints[i]
}

// leave forgets the moves that were taken back, and the Worlds along them. A
// fork may still have both.
func (r *running) leave() {
	r.moves = slices.Clip(r.moves[:r.here])
	n := 0
	for n < len(r.checkpoints) && r.checkpoints[n].at <= r.here {
		n++
	}
	r.checkpoints = slices.Clip(r.checkpoints[:n])
}

// move makes a move on the World of the operation.
func (t *turn) move(m *move) (acted bool, choices []schedule.Taken, err error) {
	r := &t.Session.run
	e := t.engine(r.settings)
	witness := r.resolver
	if m.free {
		witness = schedule.Behind(witness)
	}
	e.Resolver = witness
	if m.took != nil {
		e.Resolver = byHand{schedule.Planned(nil), m.took, t.world.Behavior.Schedule.Made, witness, &m.left}
	}
	m.fired = nil
	e.Observer = trace.Tee(&r.trace, t.runner.Observer, &m.fired)
	e.Chose = func(c schedule.Taken) { choices = append(choices, c) }
	switch m.kind {
	case stepMove:
		// A run that is stuck is no error where one walks by hand: it says
		// what it waits for, and can be sent to, or go back.
		if acted, err = e.Turn(r.id); err != nil && diagnostic.Of(err)[0].Code == exec.ActionDeadlock {
			acted, err = false, nil
		}
	case advanceMove:
		acted, err = true, e.Advance(m.time)
	case sendMove:
		acted = true
		_, err = t.deliver(e, r.id, m.event)
	}
	return acted, choices, err
}

// byHand takes listed alternatives at the next choices, and what another
// Resolver takes behind them. It notes whether that leaves the witness.
type byHand struct {
	schedule.Resolver
	took    []int
	from    int64
	witness schedule.Resolver
	left    *bool
}

func (b byHand) Choose(c *schedule.Choice, at *schedule.Cursor) (int, *diagnostic.Diagnostic) {
	if len(c.Alternatives) < 2 {
		return 0, nil
	}
	if n := at.Made - b.from; n >= 0 && n < int64(len(b.took)) {
		k := min(b.took[n], len(c.Alternatives)-1)
		*b.left = *b.left || schedule.Departs(b.witness, c, *at, k)
		at.Made++
		return k, nil
	}
	return b.Resolver.Choose(c, at)
}

// Step makes n steps of the stepped run: of an action a step, of a machine a
// turn of its run loop. It stops at the end and where nothing moves.
func (s *Session) Step(ctx context.Context, n int) (*Position, error) {
	return s.many(ctx, max(n, 1), nil)
}

// Continue makes steps until the run ends, waits for what is not there, or
// meets a breakpoint.
func (s *Session) Continue(ctx context.Context) (*Position, error) {
	return s.many(ctx, 0, func(t *turn, p *Position) string { return t.atBreak(p) })
}

// Until makes steps until a token is at the node, or the state is active,
// that is named, or else until the expression that is written holds.
func (s *Session) Until(ctx context.Context, what string) (*Position, error) {
	return s.many(ctx, 0, func(t *turn, p *Position) string {
		if p.at(what) {
			return what
		}
		if holds, err := t.holds(what); err == nil && holds {
			return what
		}
		return t.atBreak(p)
	})
}

// many makes steps, n of them or without a bound, until stop says where.
func (s *Session) many(ctx context.Context, n int, stop func(t *turn, p *Position) string) (*Position, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.stepping(); err != nil {
		return nil, err
	}
	all, from := &Position{}, s.run.trace.Mark()
	for i := 0; n == 0 || i < n; i++ {
		if err := s.meter(ctx).Cancelled(); err != nil {
			return nil, err
		}
		p, err := s.moved(ctx, move{kind: stepMove})
		if err != nil {
			return nil, err
		}
		p.Choices, p.Moved = append(all.Choices, p.Choices...), p.Moved || all.Moved
		all = p
		if p.Ended || !p.Moved || p.Waits != "" {
			break
		}
		if stop != nil {
			if p.Stopped = stop(s.turn(ctx), p); p.Stopped != "" {
				break
			}
		}
	}
	all.Trace = s.run.trace.Since(from)
	return all, nil
}

// at reports whether a token is at the node, or the state is active, that is
// called name.
func (p *Position) at(name string) bool {
	for _, t := range p.Tokens {
		if t.Node == name || t.Path+"."+t.Node == name {
			return true
		}
	}
	for _, s := range p.States {
		if s == name {
			return true
		}
	}
	return false
}

func (t *turn) holds(text string) (bool, error) {
	v, err := t.watched(text)
	if err != nil {
		return false, err
	}
	b, ok := v.AsBool()
	return ok && b, nil
}

// Advance moves the clock on by seconds; what comes due on the way acts.
func (s *Session) Advance(ctx context.Context, seconds float64) (*Position, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.run.on {
		err := s.commit(ctx, func(t *turn) error { return t.engine(s.settings).Advance(seconds) })
		return &Position{Time: s.world.Behavior.Clock, Moved: true}, err
	}
	return s.moved(ctx, move{kind: advanceMove, time: seconds})
}

// Back takes n operations back.
func (s *Session) Back(ctx context.Context, n int) (*Position, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.stepping(); err != nil {
		return nil, err
	}
	if n = max(n, 1); n > s.run.here {
		return nil, diagnostic.New(noWay, source.Span{}, "the run has come "+count(s.run.here, "move")+" from its start; it cannot go back "+count(n, "move"))
	}
	return s.travel(ctx, s.run.here-n)
}

// Forward makes n operations again that were taken back. Where the World was
// changed by hand since, there are none.
func (s *Session) Forward(ctx context.Context, n int) (*Position, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.stepping(); err != nil {
		return nil, err
	}
	ahead := len(s.run.moves) - s.run.here
	if n = max(n, 1); n > ahead {
		d := diagnostic.New(noWay, source.Span{}, "the run can go forward "+count(ahead, "move")+", not "+count(n, "move"))
		if s.run.cut {
			d.WithHint("the World was changed after moves were taken back; they are not made again")
		}
		return nil, d
	}
	return s.travel(ctx, s.run.here+n)
}

// travel goes to where the run stood after move number to: from the nearest
// checkpoint before, by the moves behind it.
func (s *Session) travel(ctx context.Context, to int) (*Position, error) {
	s.keepChange()
	r := &s.run
	saved, here := *r, s.checkpoint()
	at, from := r.here, r.trace.Mark()
	if to < r.here {
		for i := range r.checkpoints {
			if c := &r.checkpoints[i]; c.at <= to {
				s.takeUp(c)
				at = c.at
			}
		}
		from = r.moves[at].mark
	}
	r.trace.Rewind(from)
	var choices []schedule.Taken
	for first := at; ; at++ {
		if c := r.changedAt(at); c != nil && at > first {
			s.takeUp(c)
		}
		if at == to {
			break
		}
		m := r.moves[at]
		m.mark = r.trace.Mark()
		err := s.commit(ctx, func(t *turn) (err error) {
			_, choices, err = t.move(&m)
			return err
		})
		if err != nil {
			*r = saved
			s.takeUp(&here)
			return nil, err
		}
	}
	r.here, r.stood = to, s.world
	p := s.position(s.world, choices, r.trace.Since(from))
	p.Moved = true
	return p, nil
}

// Choices is the first open choice of the next step, if it has one: what
// Choose takes an alternative of.
func (s *Session) Choices(ctx context.Context) (*schedule.Choice, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.stepping(); err != nil {
		return nil, err
	}
	probe := &asking{Resolver: schedule.Planned(nil)}
	err := s.look(ctx, func(t *turn) error {
		e := t.engine(s.run.settings)
		e.Resolver, e.Observer = probe, nil
		_, err := e.Turn(s.run.id)
		return err
	})
	if probe.choice != nil {
		return probe.choice, nil
	}
	return nil, err
}

// asking is a Resolver that stops at the first open choice and keeps it.
type asking struct {
	schedule.Resolver
	choice *schedule.Choice
}

func (a *asking) Choose(c *schedule.Choice, _ *schedule.Cursor) (int, *diagnostic.Diagnostic) {
	if len(c.Alternatives) < 2 {
		return 0, nil
	}
	if a.choice == nil {
		kept := *c
		kept.Alternatives = append([]schedule.Alternative(nil), c.Alternatives...)
		a.choice = &kept
	}
	return 0, diagnostic.New(noWay, source.Span{}, "a choice is open")
}

// Choose makes a step in which one token or unit moves, and takes alternative
// k, from 0, at its first open choice.
func (s *Session) Choose(ctx context.Context, k int) (*Position, error) {
	c, err := s.Choices(ctx)
	if err != nil {
		return nil, err
	}
	if c == nil || k < 0 || k >= len(c.Alternatives) {
		n := 0
		if c != nil {
			n = len(c.Alternatives)
		}
		return nil, diagnostic.New(noWay, source.Span{}, "the next step has "+count(n, "alternative")+" to choose from")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.moved(ctx, move{kind: stepMove, took: []int{k}})
}

// watched is the value of an expression in which the data of the stepped run
// can be named.
func (t *turn) watched(text string) (value.Value, error) {
	r := &t.Session.run
	if r.on {
		run := t.world.Run(r.id)
		if run.Env != exec.NoEnv {
			env := t.world.Env(run.Env)
			for i, slot := range t.world.Program.Layouts[env.Layout].Slots {
				if slot.Name == text && !env.Slot(i).IsAbsent() {
					return env.Slot(i), nil
				}
			}
		}
	}
	return t.watchedExpression(text)
}
