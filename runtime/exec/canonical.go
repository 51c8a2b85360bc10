package exec

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"sync"

	"github.com/orrery-sysml/orrery/runtime/value"
)

// This file writes what behaviours have in a World in canonical form: by what
// holds what, from the runs that nobody performs down to the tokens and their
// paused bodies. No number of a row, no id of a token and no count of steps is
// part of it. What has no order is written in the order of its bytes.

// canon writes a canonical form.
type canon struct {
	w *World
	b []byte
	// ends and sorted serve lists under way; each list uses what is behind
	// that of the list around it.
	ends   []int
	sorted []byte
	items  []item
	// relative says that instants are written as seconds from now; inexact that
	// this was done with one for which arithmetic is not exact.
	relative, inexact bool
	// identity is w.appendIdentity, bound once.
	identity func([]byte, value.ObjectID) []byte
}

// canons keeps the memory of lists for the next form.
var canons = sync.Pool{New: func() any {
	c := &canon{}
	c.identity = func(b []byte, id value.ObjectID) []byte { return c.w.appendIdentity(b, id) }
	return c
}}

// A list under way begins at start; the ends of its items begin at first.
type listing struct{ start, first int }

// open begins a list of n items, each of which is written behind a call of
// item; close ends it and puts the items into the order of their bytes. Each
// item's encoding is no beginning of another's.
func (c *canon) open(n int) listing {
	c.uint(uint64(n))
	return listing{len(c.b), len(c.ends)}
}

func (c *canon) item() { c.ends = append(c.ends, len(c.b)) }

func (c *canon) close(l listing) {
	at := append(c.ends, len(c.b))
	c.ends = at[:l.first]
	at = at[l.first:]
	n := len(at) - 1
	if n < 2 {
		return
	}
	var few [32]int
	order := few[:0]
	moved := false
	for i := range n {
		j := len(order)
		order = append(order, i)
		for ; j > 0 && bytes.Compare(c.b[at[order[j-1]]:at[order[j-1]+1]], c.b[at[i]:at[i+1]]) > 0; j-- {
			order[j] = order[j-1]
			moved = true
		}
		order[j] = i
	}
	if !moved {
		return
	}
	c.sorted = c.sorted[:0]
	for _, i := range order {
		c.sorted = append(c.sorted, c.b[at[i]:at[i+1]]...)
	}
	copy(c.b[l.start:], c.sorted)
}

// value writes a value as appendValue does, the commonest kinds at once.
func (c *canon) value(v *value.Value) {
	switch v.Kind() {
	case value.Absent:
		c.b = append(c.b, byte(value.Absent))
	case value.Integer:
		n, _ := v.AsInt()
		c.b = binary.AppendVarint(append(c.b, byte(value.Integer)), n)
	case value.Boolean:
		t, _ := v.AsBool()
		c.b = append(c.b, byte(value.Boolean), byte(flag(t)))
	case value.String:
		t, _ := v.AsText()
		c.b = appendText(append(c.b, byte(value.String)), t)
	default:
		c.b = value.AppendCanonical(c.b, *v, c.identity)
	}
}

func (c *canon) uint(n uint64) { c.b = appendUint(c.b, n) }

func (c *canon) int(n int32) { c.b = appendUint(c.b, uint64(int64(n)+1)) }

func (c *canon) time(t float64) { c.b = binary.BigEndian.AppendUint64(c.b, math.Float64bits(t)) }

// instant writes an instant.
func (c *canon) instant(t float64) {
	if !c.relative {
		c.time(t)
		return
	}
	now := c.w.Behavior.Clock
	c.inexact = c.inexact || !isExact(t) || !isExact(now)
	c.time(t - now)
}

// isExact reports whether sums and differences of t and its like are exact: it
// is a multiple of 1/1024 s and no more than some 30,000 years.
func isExact(t float64) bool {
	const most = 1 << 40
	return t*1024 == math.Trunc(t*1024) && t > -most && t < most
}

// behavior writes all that behaviours have.
func (c *canon) behavior() {
	w := c.w
	x := &w.Behavior
	c.instant(x.Clock)
	c.seed()
	c.bus()
	c.uint(uint64(len(x.Turn)))
	var few [16]RunID
	roots := few[:0]
	for i := range x.Runs.Len() {
		if r := w.Run(RunID(i)); r.Used && r.Host == NoToken && r.HostRun == NoRun {
			roots = append(roots, RunID(i))
		}
	}
	l := c.open(len(roots))
	for _, id := range roots {
		c.item()
		c.run(id)
	}
	c.close(l)
}

// seed writes the model's own random stream.
func (c *canon) seed() {
	x := &c.w.Behavior
	c.b = append(c.b, byte(flag(x.Seeded)))
	if x.Seeded {
		c.b = binary.BigEndian.AppendUint64(c.b, x.Model.Hi)
		c.b = binary.BigEndian.AppendUint64(c.b, x.Model.Lo)
	}
}

// bus writes the messages on the way.
func (c *canon) bus() {
	var few [32]int32
	for _, i := range c.messages(few[:0]) {
		c.b = append(c.b, 1)
		c.message(c.w.Message(i))
	}
	c.b = append(c.b, 0)
}

// messages are those on the way. Their order is state as far as somebody could
// take either of two: accepts take what has their port and their signal, in
// the order of sending; machines take whatever comes next.
func (c *canon) messages(rows []int32) []int32 {
	w := c.w
	x := &w.Behavior
	for i := x.Bus.First; i != NoRow; i = x.Messages.At(i).Next {
		rows = append(rows, i)
	}
	if len(rows) > 1 && len(w.Program.Machines) == 0 {
		bySignal := true
		for _, a := range w.Program.Accepts {
			bySignal = bySignal && (a.Kind != MessageAccept || a.Signal != "")
		}
		for i := 1; i < len(rows); i++ {
			for j := i; j > 0 && x.Messages.At(rows[j]).before(x.Messages.At(rows[j-1]), bySignal); j-- {
				rows[j], rows[j-1] = rows[j-1], rows[j]
			}
		}
	}
	return rows
}

func (c *canon) message(m *Message) {
	c.b = appendText(appendText(appendText(append(c.b, byte(m.Kind)), m.Signal), m.Node), m.Port)
	c.b = c.w.appendIdentity(c.b, m.Object)
	for i := range m.Values {
		c.b = appendText(c.b, m.Names[i])
		c.value(&m.Values[i])
	}
	c.b = append(c.b, 0)
}

// before orders messages that nobody could mistake for each other.
func (m *Message) before(n *Message, bySignal bool) bool {
	if m.Port != n.Port || !bySignal {
		return m.Port < n.Port
	}
	return m.Signal < n.Signal
}

// run writes a run and all that it performs.
func (c *canon) run(id RunID) {
	r := c.w.Run(id)
	c.int(int32(r.Graph))
	c.int(int32(r.Machine))
	c.b = c.w.appendIdentity(c.b, r.Self)
	c.b = append(c.b, byte(r.State))
	c.env(r.Env)
	if r.Machine == NoMachine {
		if r.Root != NoFlow {
			c.flow(r.Root)
		}
		return
	}
	f := c.w.Firing(id)
	c.firing(f)
	dos := f.Dos
	l := c.open(len(dos))
	for i := range dos {
		c.item()
		c.int(dos[i].State)
		c.b = append(c.b, byte(flag(dos[i].Ended)))
		c.uint(uint64(dos[i].nth(dos)))
		if dos[i].Run != NoRun {
			c.run(dos[i].Run)
		}
	}
	c.close(l)
	if f.Child != NoRun {
		c.run(f.Child)
	}
}

// nth tells do behaviours of one state apart, by 0 for the first registered.
func (d *Do) nth(all []Do) int {
	n := 0
	for i := range all {
		if all[i].State == d.State && all[i].Seq < d.Seq {
			n++
		}
	}
	return n
}

// env writes the slots of an Env, without those around it.
func (c *canon) env(id EnvID) {
	if id == NoEnv {
		c.b = append(c.b, 0)
		return
	}
	e := c.w.Env(id)
	c.uint(uint64(e.Layout) + 1)
	for i := range e.slots {
		c.value(&e.slots[i])
	}
}

// flow writes the tokens that the sweeps over a flow try.
func (c *canon) flow(id FlowID) {
	c.int(int32(c.w.Flow(id).Graph))
	c.b = append(c.b, byte(c.w.Flow(id).Sweep.Phase))
	c.within(id, id, 0)
}

// within writes what stands in a flow that owner's sweeps try: tokens, the
// tokens that one arrival became together, and flows that nodes own. Of a
// bundle other than 0 it writes the tokens alone.
func (c *canon) within(flow, owner FlowID, bundle int64) {
	w := c.w
	from := len(c.items)
next:
	for _, token := range w.Flow(owner).Tokens {
		t := w.Token(token)
		if t.Flow == flow {
			if t.Bundle == bundle {
				c.items = append(c.items, item{token: token, flow: NoFlow})
				continue
			}
			if bundle != 0 {
				continue
			}
			for _, other := range c.items[from:] {
				if other.bundle == t.Bundle {
					continue next
				}
			}
			c.items = append(c.items, item{token: token, flow: NoFlow, bundle: t.Bundle})
			continue
		}
		nested := t.Flow
		for nested != NoFlow && w.Flow(nested).Kind == NestedFlow && w.Flow(nested).Parent != flow {
			nested = w.Flow(nested).Parent
		}
		if bundle != 0 || nested == NoFlow || w.Flow(nested).Kind != NestedFlow {
			continue
		}
		for _, other := range c.items[from:] {
			if other.flow == nested {
				continue next
			}
		}
		c.items = append(c.items, item{token: NoToken, flow: nested})
	}
	n := len(c.items) - from
	l := c.open(n)
	for i := range n {
		c.item()
		switch it := c.items[from+i]; {
		case it.flow != NoFlow:
			f := w.Flow(it.flow)
			c.b = append(c.b, 1)
			c.int(f.Node)
			c.env(f.Env)
			c.within(it.flow, owner, 0)
		case it.bundle != 0:
			c.b = append(c.b, 2)
			c.within(flow, owner, it.bundle)
		default:
			c.b = append(c.b, 3)
			c.token(it.token)
		}
	}
	c.close(l)
	c.items = c.items[:from]
}

// An item is what stands in a flow: a token, the tokens of a bundle, or a flow
// that a node owns.
type item struct {
	token  TokenID
	flow   FlowID // a nested one; NoFlow for a token or a bundle
	bundle int64
}

// token writes a token, its frame, its paused body and what that performs.
func (c *canon) token(id TokenID) {
	w := c.w
	t := w.Token(id)
	c.int(t.Node)
	c.int(t.Edge)
	c.b = append(c.b, byte(t.State))
	if t.State == ClockWait {
		c.instant(t.Due)
	}
	if t.Env == w.Flow(t.Flow).Env {
		c.b = append(c.b, 0)
	} else {
		c.env(t.Env)
	}
	if t.Stack == NoStack {
		c.b = append(c.b, 0)
	} else {
		c.stack(t.Stack)
	}
	switch {
	case t.Child != NoRun:
		c.b = append(c.b, 1)
		c.run(t.Child)
	case t.Sub != NoFlow:
		c.b = append(c.b, 2)
		c.flow(t.Sub)
	default:
		c.b = append(c.b, 0)
	}
}

// stack writes a paused body.
func (c *canon) stack(id StackID) {
	w := c.w
	s := w.Stacks.At(int32(id))
	c.uint(uint64(len(s.frames)) + 1)
	for i := range s.frames {
		f := &s.frames[i]
		c.int(int32(f.Unit))
		c.int(f.PC)
		c.b = append(c.b, byte(f.Return)<<2|byte(flag(f.Resumed))<<1|byte(flag(f.Failing)))
		c.int(f.A)
		c.b = w.appendIdentity(c.b, f.Self)
		live := s.live(w.Program, i)
		for j := range live {
			c.value(&live[j])
		}
	}
}

// firing writes where a machine is, what waits for it, and what is left of a
// move.
func (c *canon) firing(f *Firing) {
	b, w := c.b, c.w
	for _, a := range f.Active {
		b = binary.BigEndian.AppendUint64(b, a)
	}
	for _, a := range f.Latched {
		b = binary.BigEndian.AppendUint64(b, a)
	}
	for _, c := range f.History {
		b = appendInt(b, int64(c))
	}
	arrived := append([]int32(nil), f.Arrived...)
	slices.Sort(arrived)
	for _, t := range arrived {
		b = appendInt(b, int64(t))
	}
	b = append(b, 0)
	b = appendInt(b, int64(f.Interrupted))
	rows := make([]int32, 0, 8)
	for i := f.Timed.First; i != NoRow && f.Begun; i = w.Event(i).Next {
		rows = append(rows, i)
	}
	for i := f.Pool.First; i != NoRow && f.Begun; i = w.Event(i).Next {
		rows = append(rows, i)
	}
	for _, i := range rows {
		e := w.Event(i)
		b = append(b, 1, byte(e.Kind)<<1|byte(flag(e.Deferred)))
		b = appendText(appendText(b, e.Signal), e.Port)
		b = appendInt(appendInt(b, int64(e.Transition)), int64(e.State))
		if e.Kind == TimeEvent || !c.relative { // nothing asks when another came
			c.b = b
			c.instant(e.Time)
			b = c.b
		}
		for j, v := range e.Values {
			b = value.AppendCanonical(appendText(b, e.Names[j]), v, c.identity)
		}
	}
	b = append(b, 0)
	for _, t := range f.Tasks {
		b = t.append(b)
	}
	for _, front := range f.Fronts {
		b = append(b, 1, byte(front.Kind))
		for _, q := range front.Queues {
			b = append(b, 2)
			for _, t := range q.Tasks {
				b = t.append(b)
			}
		}
	}
	c.b = append(b, 0)
}

func (t Task) append(b []byte) []byte {
	return appendInt(appendInt(appendInt(append(b, byte(t.Kind)+1), int64(t.State)), int64(t.Transition)), int64(t.N))
}
