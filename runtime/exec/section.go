package exec

import "github.com/orrery-sysml/orrery/runtime/value"

// This file cuts a World in which several runs are under way into sections:
// what each object holds, where each run is, the messages on the way to each
// object, the clock, and the rest. Two such Worlds are equal in canonical form
// where their sections are, but for the order of messages that no receiver has
// in common; and what a run does at its turn is told by the sections that it
// looks at meanwhile.

// A Section is one of the sections of a World.
type Section struct {
	// Identity is what the section is of, the same in every World.
	Identity []byte
	// Content is its canonical form.
	Content []byte
	// Run is the run that it is of; NoRun elsewhere.
	Run RunID
}

// The first Sections of every World: what has no section of its own, the clock,
// and the messages that more than one object could take.
const (
	RestSection = iota
	ClockSection
	BusSection
)

// Sections are the sections of a World. The zero value is ready for use; it
// keeps its memory from one World to the next.
type Sections struct {
	List []Section
	// Relative asks for instants as seconds from now; Inexact then says that
	// this cannot be done exactly.
	Relative, Inexact bool

	w     *World
	bytes []byte
	spans []span
	// of the rows of a World: the numbers of their sections, from 1.
	objects, runs, envs, stacks []int32
	rows                        []int32
	met                         map[string]bool // identities of runs
}

// A span is where the identity and the content of a section are.
type span struct{ identity, content, end int }

// Cut cuts a World; false where it is not of this kind: fewer than two runs are
// under way, something is in the middle of a move, or an object that was made by
// the way outlives it. The List holds until the next World is cut.
func (s *Sections) Cut(w *World) bool {
	s.w, s.List, s.spans = w, s.List[:0], s.spans[:0]
	b := &w.Behavior
	if len(b.Attached) < 2 || len(b.Turn) > 0 {
		return false
	}
	c := canons.Get().(*canon)
	c.w, c.b, c.relative, c.inexact = w, s.bytes[:0], s.Relative, false
	s.fixed(c)
	whole := s.ofObjects(c) && s.ofRuns(c)
	if whole {
		s.ofMessages(c)
	}
	s.bytes, s.Inexact = c.b, c.inexact
	c.w, c.b = nil, nil
	canons.Put(c)
	for i, p := range s.spans {
		s.List[i].Identity, s.List[i].Content = s.bytes[p.identity:p.content:p.content], s.bytes[p.content:p.end:p.end]
	}
	return whole
}

// section adds a section whose bytes two functions write.
func (s *Sections) section(c *canon, run RunID, identity, content func()) {
	p := span{identity: len(c.b)}
	identity()
	p.content = len(c.b)
	content()
	p.end = len(c.b)
	s.spans = append(s.spans, p)
	s.List = append(s.List, Section{Run: run})
}

// The kinds of section, by the first byte of their identity.
const (
	ofFixed byte = iota
	ofObject
	ofRun
	ofReceiver
)

// fixed adds the sections that every World has, in the order of their numbers.
func (s *Sections) fixed(c *canon) {
	w := s.w
	name := func(n byte) func() { return func() { c.b = append(c.b, ofFixed, n) } }
	s.section(c, NoRun, name(RestSection), func() {
		c.seed()
		c.b = append(c.b, byte(min(len(w.Behavior.Attached), 2)))
		for i := range w.Globals.Len() {
			if o := w.Globals.At(int32(i)); o.made {
				c.b = w.appendIdentity(appendUint(c.b, uint64(i)+1), o.object)
			}
		}
		c.uint(0)
		for i := range w.Roots.Len() {
			if r := w.Roots.At(int32(i)); r.Count > 0 {
				c.b = appendUint(appendUint(c.b, uint64(r.Name)+1), uint64(r.Count))
			}
		}
	})
	s.section(c, NoRun, name(ClockSection), func() { c.instant(w.Behavior.Clock) })
	s.section(c, NoRun, name(BusSection), func() { s.undirected(c) })
}

// ofObjects adds a section for each object; false where one that was made by
// the way outlives it.
func (s *Sections) ofObjects(c *canon) bool {
	w := s.w
	s.objects = zeros(s.objects, w.Objects.Len())
	for i := range w.Objects.Len() {
		o := w.Objects.At(int32(i))
		if o.path == 0 {
			continue
		}
		if o.Transient {
			return false
		}
		s.section(c, NoRun, func() { c.b = w.appendIdentity(append(c.b, ofObject), value.ObjectID(i)) }, func() { c.b = o.appendContent(c.b, w) })
		s.objects[i] = int32(len(s.List))
	}
	return true
}

// zeros is list with n zeros.
func zeros(list []int32, n int) []int32 {
	if cap(list) < n {
		list = make([]int32, n)
	}
	list = list[:n]
	clear(list)
	return list
}

// ofRuns adds a section for each run that nobody performs, with all that it
// performs; false where two cannot be told apart, or share something.
func (s *Sections) ofRuns(c *canon) bool {
	w := s.w
	b := &w.Behavior
	n := b.Runs.Len()
	s.runs = zeros(s.runs, n)
	s.envs, s.stacks = zeros(s.envs, w.Envs.Len()), zeros(s.stacks, w.Stacks.Len())
	first := len(s.List)
	for i := range n {
		id := RunID(i)
		if r := w.Run(id); r.Used && r.Host == NoToken && r.HostRun == NoRun {
			s.section(c, id, func() { s.identity(c, id) }, func() { c.run(id) })
			s.runs[i] = int32(len(s.List))
		}
	}
	if s.met == nil {
		s.met = map[string]bool{}
	}
	clear(s.met)
	for _, p := range s.spans[first:] {
		s.met[string(c.b[p.identity:p.content])] = true
	}
	if len(s.met) < len(s.spans)-first { // two of one identity cannot be told apart
		return false
	}
	for i := range n {
		if r := w.Run(RunID(i)); r.Used {
			top := w.top(RunID(i))
			if top == NoRun || s.runs[top] == 0 {
				return false
			}
			s.runs[i] = s.runs[top]
			if !owned(s.envs, int32(r.Env), s.runs[i]) {
				return false
			}
		}
	}
	for i := range b.Flows.Len() {
		if f := b.Flows.At(int32(i)); f.Used && !owned(s.envs, int32(f.Env), s.runs[f.Run]) {
			return false
		}
	}
	for i := range b.Tokens.Len() {
		if t := b.Tokens.At(int32(i)); t.Used && !(owned(s.envs, int32(t.Env), s.runs[t.Run]) && owned(s.stacks, int32(t.Stack), s.runs[t.Run])) {
			return false
		}
	}
	return true
}

// owned notes that a row belongs to a section; false where it belongs to
// another one. No row, below 0, belongs to any.
func owned(rows []int32, row, section int32) bool {
	if row < 0 {
		return true
	}
	if rows[row] == 0 {
		rows[row] = section
	}
	return rows[row] == section
}

// identity writes what a run is, whatever its number.
func (s *Sections) identity(c *canon, id RunID) {
	r := s.w.Run(id)
	c.b = append(c.b, ofRun)
	c.int(int32(r.Graph))
	c.int(int32(r.Machine))
	c.b = s.w.appendIdentity(c.b, r.Self)
	c.int(int32(r.Label))
}

// IdentityOf writes the identity that the section of a run has.
func (s *Sections) IdentityOf(b []byte, w *World, id RunID) []byte {
	c := canon{w: w, b: b}
	s.w = w
	s.identity(&c, id)
	return c.b
}

// receiverIdentity writes the identity that the messages to an object have.
func receiverIdentity(b []byte, w *World, id value.ObjectID) []byte {
	return w.appendIdentity(append(b, ofReceiver), id)
}

// ObjectSection writes the identity that the section of an object has.
func ObjectSection(b []byte, w *World, id value.ObjectID) []byte {
	return w.appendIdentity(append(b, ofObject), id)
}

// directed reports whether a message is for one object alone.
func (m *Message) directed() bool {
	return m.Object != value.NoObject && (m.Kind == ToObject || m.Kind == ToPort || m.Kind == ToPortNode)
}

// undirected writes all messages, where one is for more than one object;
// otherwise it leaves their rows to ofMessages.
func (s *Sections) undirected(c *canon) {
	w := s.w
	s.rows = s.rows[:0]
	all := false
	for row := w.Behavior.Bus.First; row != NoRow; row = w.Message(row).Next {
		s.rows = append(s.rows, row)
		all = all || !w.Message(row).directed()
	}
	if !all {
		return
	}
	for _, row := range s.rows {
		c.b = append(c.b, 1)
		c.message(w.Message(row))
	}
	s.rows = s.rows[:0]
}

// ofMessages adds a section for each object that messages are on the way to,
// where each message is for one object.
func (s *Sections) ofMessages(c *canon) {
	w := s.w
	for i, row := range s.rows {
		receiver := w.Message(row).Object
		known := false
		for _, other := range s.rows[:i] {
			known = known || w.Message(other).Object == receiver
		}
		if known {
			continue
		}
		s.section(c, NoRun, func() { c.b = receiverIdentity(c.b, w, receiver) }, func() {
			for _, other := range s.rows[i:] {
				if m := w.Message(other); m.Object == receiver {
					c.b = append(c.b, 1)
					c.message(m)
				}
			}
		})
	}
}

// Looked gives the sections that were looked at, by their numbers in List,
// and the receivers whose messages were asked for. It is false where that
// cannot be told.
func (s *Sections) Looked(r *Reads, section func(int), receiver func(identity []byte)) bool {
	if r.rest {
		return false
	}
	if r.clock {
		section(ClockSection)
	}
	for i, n := range s.objects {
		if n > 0 && r.objects.has(int32(i)) {
			section(int(n) - 1)
		}
	}
	s.lookedRuns(r, section)
	if !s.lookedValues(r, section) {
		return false
	}
	if r.bus {
		section(BusSection)
	}
	for _, identity := range r.receivers {
		receiver(identity)
	}
	return true
}

// lookedRuns gives the sections of runs that were looked at, by themselves or
// by their flows, tokens or events.
func (s *Sections) lookedRuns(r *Reads, section func(int)) {
	b := &s.w.Behavior
	for i, n := range s.runs {
		if n > 0 && (r.runs.has(int32(i)) || i < b.Firings.Len() && r.firings.has(int32(i))) {
			section(int(n) - 1)
		}
	}
	for i := range b.Flows.Len() {
		if f := b.Flows.unseen(int32(i)); f.Used && r.flows.has(int32(i)) {
			section(int(s.runs[f.Run]) - 1)
		}
	}
	for i := range b.Tokens.Len() {
		if t := b.Tokens.unseen(int32(i)); t.Used && r.tokens.has(int32(i)) {
			section(int(s.runs[t.Run]) - 1)
		}
	}
	for i, n := range s.runs {
		if n == 0 || i >= b.Firings.Len() {
			continue
		}
		f := b.Firings.unseen(int32(i))
		if !f.Used {
			continue
		}
		for _, first := range []int32{f.Timed.First, f.Pool.First} {
			for row := first; row != NoRow; row = b.Events.unseen(row).Next {
				if r.events.has(row) {
					section(int(n) - 1)
				}
			}
		}
	}
}

// lookedValues gives the sections to which the Envs and stacks belong that
// were looked at; false where one belongs to none.
func (s *Sections) lookedValues(r *Reads, section func(int)) bool {
	for i, n := range s.envs {
		if !r.envs.has(int32(i)) || !s.w.Envs.unseen(int32(i)).Used {
			continue
		}
		if n == 0 {
			return false
		}
		section(int(n) - 1)
	}
	for i, n := range s.stacks {
		if !r.stacks.has(int32(i)) || len(s.w.Stacks.unseen(int32(i)).frames) == 0 {
			continue
		}
		if n == 0 {
			return false
		}
		section(int(n) - 1)
	}
	return true
}

// Facts are what the section of a run says about time.
type Facts struct {
	// Dues are the instants that the run waits for, in seconds from the one that was asked for.
	Dues []float64
	// Ended says that it does nothing any more; Hopes that moving the clock for
	// the sake of the driven run can be worth it because of this run.
	Ended, Hopes bool
}

// FactsOf are the facts about a run that nobody performs. Instants are given in
// seconds from one.
func (e *Engine) FactsOf(driven, id RunID, from float64) (f Facts) {
	w := e.World
	f.Ended = w.Ended(id)
	for i := range w.Behavior.Tokens.Len() {
		if t := w.Token(TokenID(i)); t.Used && t.State == ClockWait && w.top(t.Run) == id {
			f.Dues = append(f.Dues, t.Due-from)
		}
	}
	for i := range w.Behavior.Runs.Len() {
		r := RunID(i)
		if x := w.Run(r); !x.Used || x.Machine == NoMachine || w.top(r) != id {
			continue
		}
		for row := w.Firing(r).Timed.First; row != NoRow; row = w.Event(row).Next {
			if ev := w.Event(row); ev.Kind == TimeEvent {
				f.Dues = append(f.Dues, ev.Time-from)
			}
		}
	}
	if id == driven {
		f.Hopes = e.waitsWithin(driven)
	} else {
		f.Hopes = !f.Ended && (w.related(w.Run(driven).Self, w.Run(id).Self) || e.reaches(w.Run(id)))
	}
	return f
}

// AbleRuns are the runs that can act at the present instant, in the order in
// which Move has them as alternatives.
func (e *Engine) AbleRuns(list []RunID) []RunID {
	for _, id := range e.World.Behavior.Attached {
		if e.ableRun(id) {
			list = append(list, id)
		}
	}
	return list
}

// AbleRun reports whether a run can act at the present instant.
func (e *Engine) AbleRun(id RunID) bool { return e.ableRun(id) }

// MoveRun makes the part of a Move that is behind the choice of the run that
// acts: the turn of id.
func (e *Engine) MoveRun(driven, id RunID) error {
	if id != driven {
		e.announce(id)
	}
	_, err := e.turnOf(id)
	if id != driven {
		err = e.ofObject(id, err)
	}
	return err
}
