package runtime

import (
	"context"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file looks at stepped runs, sends to them, and keeps Worlds.

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// position is where the stepped run stands in w.
func (s *Session) position(w *exec.World, choices []schedule.Taken, text string) *Position {
	return s.positionOf(&s.run, w, choices, text)
}

// positionOf is position of any run.
func (s *Session) positionOf(r *running, w *exec.World, choices []schedule.Taken, text string) *Position {
	run := w.Run(r.id)
	p := &Position{Kind: "action", Settings: r.settings, Choices: choices, Trace: text, Time: w.Behavior.Clock, Moves: r.here, Ahead: len(r.moves) - r.here}
	if r.here > 0 {
		p.Fired = r.moves[r.here-1].fired
	}
	if r.element != nil {
		p.Behavior = r.element.QualifiedName()
	}
	if run.Self != value.NoObject {
		p.Object = s.object(w, run.Self)
	}
	p.Steps, p.Ended = run.Steps, w.Ended(r.id)
	if run.Machine != exec.NoMachine {
		p.Kind = "state"
		p.States = w.ActiveStates(r.id)
		p.FinalState, p.Terminated = w.FinalState(r.id)
		for _, e := range w.Pool(r.id) {
			p.Events = append(p.Events, EventPosition{Name: e.Name, Args: s.named(w, e.Names, e.Values), Timer: e.Timer, Time: e.Time, Deferred: e.Deferred})
		}
	} else if run.Root != exec.NoFlow {
		for _, t := range w.Tokens(r.id) {
			p.Tokens = append(p.Tokens, TokenPosition{ID: t.ID, Node: t.Node, Path: t.Path, Waits: t.Waits, Depth: t.Depth})
		}
	}
	for i := w.Behavior.Bus.First; i != exec.NoRow; i = w.Message(i).Next {
		m := w.Message(i)
		to := strings.TrimPrefix(m.Node+"."+m.Port, ".")
		if m.Object != value.NoObject {
			to = strings.TrimSuffix(s.object(w, m.Object).Name+"."+to, ".")
		}
		p.Messages = append(p.Messages, EventPosition{Name: m.Signal, Args: s.named(w, m.Names, m.Values), To: strings.Trim(to, ".")})
	}
	return p
}

func (s *Session) named(w *exec.World, names []string, values []value.Value) []Output {
	var list []Output
	for i, v := range values {
		list = append(list, Output{Name: names[i], Value: v, Text: s.text(w, v)})
	}
	return list
}

// waits says what the stepped run waits for.
func (s *Session) waits() string {
	w := s.world
	run := w.Run(s.run.id)
	if run.Machine != exec.NoMachine {
		return "the machine rests in " + strings.Join(w.ActiveStates(s.run.id), ", ") + " until something arrives"
	}
	var list []string
	for _, t := range w.Tokens(s.run.id) {
		if t.Waits != "" {
			list = append(list, "token "+strconv.FormatInt(t.ID, 10)+"@"+t.Node+": "+t.Waits)
		}
	}
	return strings.Join(list, "; ")
}

// Watch is the value of an expression in the session as it stands; the data
// of the stepped run can be named. Nothing changes by looking.
func (s *Session) Watch(ctx context.Context, text string) (value.Value, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var v value.Value
	err := s.look(ctx, func(t *turn) (err error) {
		v, err = t.watched(text)
		return err
	})
	return v, err
}

// watchedExpression evaluates an expression over the data of the stepped run,
// its performer and the session.
func (t *turn) watchedExpression(text string) (value.Value, error) {
	x, list := syntax.ParseExpression(source.NewFile("expression", text), 0, syntax.Options{Extensions: true})
	if list.HasErrors() {
		return value.Value{}, list
	}
	r := &t.Session.run
	if !r.on || r.element == nil {
		return t.evaluate(x, "")
	}
	run := t.world.Run(r.id)
	u := t.lowering.Watched(x, r.element)
	t.world.Program = t.lowering.Program()
	e := t.engine(t.settings)
	e.Observer = nil
	return e.EvaluateIn(u, run.Self, run.Env)
}

// Send sends a signal or makes a call: to the stepped run, or to an object's
// machine. It is refused where nothing that is active would take it.
func (s *Session) Send(ctx context.Context, e Event) (*Position, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.run.on && e.To == "" {
		return s.moved(ctx, move{kind: sendMove, event: e})
	}
	var to exec.RunID
	err := s.change(ctx, func(t *turn) (err error) {
		to, err = t.deliver(t.engine(s.settings), exec.NoRun, e)
		return err
	})
	if err != nil {
		return nil, err
	}
	p := s.positionOf(&running{id: to, element: s.ownElement(s.world, to)}, s.world, nil, "")
	p.Moved, p.Moves = true, 1
	return p, nil
}

// deliver posts an event to run id, or to the behaviour of the object that it
// names; behaviours of objects then act until they rest.
func (t *turn) deliver(engine *exec.Engine, id exec.RunID, ev Event) (exec.RunID, error) {
	if ev.To != "" {
		var err error
		if id, ev.Via, err = t.receiver(ev); err != nil {
			return id, err
		}
	}
	var names []string
	var values []value.Value
	for _, a := range ev.Args {
		names, values = append(names, a.Name), append(values, a.Value)
	}
	if err := t.takes(ev); err != nil {
		return id, err
	}
	if id == exec.NoRun {
		return id, diagnostic.New(noRun, source.Span{}, "no run is being stepped, and no object is named that "+ev.Name+" is for").
			WithHint("name one: --to OBJ")
	}
	if err := t.accepted(id, ev); err != nil {
		return id, err
	}
	engine.PostEvent(id, ev.signal(), ev.Via, ev.Call, names, values)
	if ev.To == "" {
		return id, nil
	}
	return id, engine.Settle()
}

var refusedEvent = diagnostic.Register("event-refused",
	"A signal or a call was sent by hand that nothing in the present state accepts. The hint lists what would be accepted.")

// accepted is the error of an event that nothing in the present state of a run
// accepts.
func (t *turn) accepted(id exec.RunID, ev Event) error {
	takes, others := t.world.Takes(id, ev.signal(), ev.Via, ev.Call)
	if takes {
		return nil
	}
	d := diagnostic.New(refusedEvent, source.Span{}, "nothing that is active accepts "+ev.Name+exec.Via(ev.Via))
	if len(others) > 0 {
		d.WithHint("what would be accepted now: " + strings.Join(others, ", "))
	}
	return d
}

// receiver is the run that an event to an object is for, and the port that it
// arrives at. What has no behaviour of its own is a port of the nearest owner
// that has one: the event is for the owner, at the path from there.
func (t *turn) receiver(ev Event) (id exec.RunID, port string, err error) {
	self, err := t.lookup(ev.To)
	if err != nil {
		return exec.NoRun, "", err
	}
	port = ev.Via
	for {
		if id = t.behaviourOf(self); id != exec.NoRun {
			return id, port, nil
		}
		o := t.world.Object(self)
		if o.Owner == value.NoObject || ev.Via != "" {
			return exec.NoRun, "", diagnostic.New(notABehaviour, source.Span{}, ev.To+" has no behavior that could take "+ev.Name)
		}
		port, self = strings.TrimSuffix(step(t.world, o)+"."+port, "."), o.Owner
	}
}

// behaviourOf is the run of the first behaviour of an object that has not
// ended; NoRun for none.
func (t *turn) behaviourOf(self value.ObjectID) exec.RunID {
	for _, id := range t.world.Behavior.Attached {
		if run := t.world.Run(id); run.Used && run.Self == self && !t.world.Ended(id) {
			return id
		}
	}
	return exec.NoRun
}

// Invoke calls an operation on an object: its machine reacts until it rests.
func (s *Session) Invoke(ctx context.Context, ref, operation string, args []Argument) (*Run, error) {
	return s.RunObject(ctx, ref, RunOptions{Events: []Event{{Name: operation, Call: true, Args: args}}, Trace: true})
}

// Forked keeps the World and the stepped run under a name; "" makes one. It
// gives the name.
func (s *Session) Forked(name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.run.forks == nil {
		s.run.forks = map[string]*fork{}
	}
	if name == "" {
		for n := 1; name == "" || s.run.forks[name] != nil; n++ {
			name = "fork" + strconv.Itoa(n)
		}
	}
	s.run.forks[name] = s.kept()
	return name
}

// kept is the session's World and stepped run, to go back to.
func (s *Session) kept() *fork {
	r := s.run
	r.visits = copyVisits(r.visits)
	r.moves = append([]move(nil), r.moves...)
	r.checkpoints = append([]checkpoint(nil), r.checkpoints...)
	r.breaks = append([]Breakpoint(nil), r.breaks...)
	r.trace = r.trace.Copy()
	return &fork{world: s.world, lowering: s.lowering, names: maps.Clone(s.names), held: slices.Clone(s.held), run: r}
}

// Switch goes on from the World that was kept under a name. The World that is
// left is kept under "previous".
func (s *Session) Switch(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.run.forks[name]
	if f == nil {
		return diagnostic.New(noWay, source.Span{}, "no fork is called "+name).WithHint("the forks are: " + strings.Join(s.forkNames(), ", "))
	}
	forks := s.run.forks
	forks["previous"] = s.kept()
	s.world, s.lowering = f.world, f.lowering
	s.names, s.held = maps.Clone(f.names), slices.Clone(f.held)
	s.run = f.run
	s.run.past = f.run.on && !s.lowering.Current()
	s.replaced = s.replaced || !s.lowering.Current()
	s.run.trace = f.run.trace.Copy()
	s.run.visits = copyVisits(f.run.visits)
	s.run.forks = forks
	return nil
}

// Forks are the names of the Worlds that were kept, in alphabetical order.
func (s *Session) Forks() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.forkNames()
}

func (s *Session) forkNames() []string {
	names := make([]string, 0, len(s.run.forks))
	for n := range s.run.forks {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// Diff is what differs between two Worlds that were kept; "" is the World as
// it is.
func (s *Session) Diff(a, b string) ([]Difference, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x, err := s.sighted(a)
	if err != nil {
		return nil, err
	}
	y, err := s.sighted(b)
	if err != nil {
		return nil, err
	}
	left, right := s.facts(x), s.facts(y)
	var list []Difference
	names := maps.Clone(left)
	maps.Copy(names, right)
	for _, n := range slices.Sorted(maps.Keys(names)) {
		if left[n] != right[n] {
			list = append(list, Difference{What: n, A: left[n].text, B: right[n].text})
		}
	}
	return list, nil
}

func (s *Session) sighted(name string) (*fork, error) {
	if name == "" {
		return &fork{world: s.world, run: s.run}, nil
	}
	if f := s.run.forks[name]; f != nil {
		return f, nil
	}
	return nil, diagnostic.New(noWay, source.Span{}, "no fork is called "+name).WithHint("the forks are: " + strings.Join(s.forkNames(), ", "))
}

// PositionAt is where the stepped run stood in a World that was kept under a
// name, "" for where it stands now; nil where none was open.
func (s *Session) PositionAt(name string) (*Position, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f, err := s.sighted(name)
	if err != nil || !f.run.on {
		return nil, err
	}
	now := s.run
	defer func() { s.run = now }()
	s.run = f.run
	return s.position(f.world, nil, ""), nil
}

// facts are the values of a World by what they belong to.
func (s *Session) facts(f *fork) map[string]fact {
	w := f.world
	facts := map[string]fact{"clock": {text: strconv.FormatFloat(w.Behavior.Clock, 'g', -1, 64) + " s"}}
	for i := range w.Objects.Len() {
		id := value.ObjectID(i)
		o := w.Object(id)
		if o.Gone {
			continue
		}
		name := s.object(w, id).Name
		facts[name] = fact{text: "#" + strconv.Itoa(int(o.Number)), unreadable: true}
		t := w.Program.Types[o.Type]
		for k := range t.Slots {
			if v, state := o.Slot(k); state != exec.Unread && !v.IsAbsent() {
				facts[name+"."+w.Program.Name(t.Slots[k].Name)] = s.fact(w, v)
			}
		}
	}
	if !f.run.on {
		return facts
	}
	run := w.Run(f.run.id)
	if run.Env != exec.NoEnv {
		env := w.Env(run.Env)
		for k, slot := range w.Program.Layouts[env.Layout].Slots {
			if v := env.Slot(k); slot.Kind != exec.LocalData && !v.IsAbsent() {
				facts[slot.Name] = s.fact(w, v)
			}
		}
	}
	if run.Machine != exec.NoMachine {
		facts["state"] = fact{text: strings.Join(w.ActiveStates(f.run.id), ", ")}
		facts["events"] = fact{text: strconv.Itoa(len(w.Pool(f.run.id)))}
	} else {
		for _, t := range w.Tokens(f.run.id) {
			facts["token "+strconv.FormatInt(t.ID, 10)] = fact{text: t.Node, unreadable: true}
		}
	}
	return facts
}

// A fact is one thing that Worlds can differ in.
type fact struct {
	text       string
	unreadable bool // no expression of the model can tell it: a #n, the node of a token
}

// fact is a value; of an object no more than its #n shows.
func (s *Session) fact(w *exec.World, v value.Value) fact {
	_, isObject := v.AsObject()
	return fact{s.text(w, v), isObject}
}

// TraceText is what the stepped run has traced since its start.
func (s *Session) TraceText() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.run.trace.Text()
}
