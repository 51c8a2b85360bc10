package exec

import (
	"bytes"
	"math/bits"
	"sort"
	"strconv"

	"github.com/orrery-sysml/orrery/runtime/value"
)

// Hash is the canonical hash of w: what a future can observe. It costs what
// was written since it was asked last.
func (w *World) Hash() uint64 {
	h := mix(1, w.Behavior.canonical(w))
	for i, t := range w.tables() {
		h += mix(uint64(i)+2, t.hash(w))
	}
	return h
}

// Equal reports whether w and v are the same in every detail, the numbers of
// rows and the order of registration included.
func (w *World) Equal(v *World) bool {
	return w.Program.Digest() == v.Program.Digest() && bytes.Equal(w.appendExact(nil), v.appendExact(nil))
}

// Canonical appends to b what a future can observe of w, so that two Worlds
// of one Program give the same bytes exactly if no future tells them apart.
// Rows are written by identity, not by number.
func (w *World) Canonical(b []byte) []byte {
	return w.Behavior.appendCanonical(w.appendObjects(b), w)
}

// Relative is Canonical with instants as seconds from now, for Programs that do
// not tell the time; exact says that this could be done exactly. Where it could
// in all Worlds of a search, two that are the same have the same futures, but
// for the time at which they begin.
func (w *World) Relative(b []byte) (_ []byte, exact bool) {
	c := canons.Get().(*canon)
	c.w, c.b, c.relative, c.inexact = w, w.appendObjects(b), true, false
	c.behavior()
	b, exact = c.b, !c.inexact
	c.w, c.b = nil, nil
	canons.Put(c)
	return b, exact
}

// TellsTime reports whether code of p may depend on what time it is: it reads a
// clock, or waits for an instant. A wait for a duration does not depend on it.
func (p *Program) TellsTime() bool {
	for _, t := range p.Types {
		for i := range t.Slots {
			if t.Slots[i].Clock {
				return true
			}
		}
	}
	for _, u := range p.Units {
		for i := range u.Requests {
			if u.Requests[i].Kind == ClockRequest {
				return true
			}
		}
	}
	for _, a := range p.Accepts {
		if a.Kind == AtAccept {
			return true
		}
	}
	for _, m := range p.Machines {
		for i := range m.Transitions {
			if m.Transitions[i].Trigger == AtTrigger {
				return true
			}
		}
	}
	return false
}

// appendObjects writes what a future can observe of objects.
func (w *World) appendObjects(b []byte) []byte {
	rows := make([]string, 0, w.Objects.Len())
	for i := range w.Objects.Len() {
		if w.Objects.At(int32(i)).path == 0 {
			continue
		}
		rows = append(rows, string(w.Objects.At(int32(i)).appendCanonical(nil, w, value.ObjectID(i))))
	}
	sort.Strings(rows)
	b = appendUint(b, uint64(len(rows)))
	for _, r := range rows {
		b = append(b, r...)
	}
	for i := range w.Globals.Len() {
		if o := w.Globals.At(int32(i)); o.made {
			b = appendUint(b, uint64(i)+1)
			b = w.appendIdentity(b, o.object)
		}
	}
	b = appendUint(b, 0)
	for i := range w.Roots.Len() {
		if r := w.Roots.At(int32(i)); r.Count > 0 {
			b = appendUint(appendUint(b, uint64(r.Name)+1), uint64(r.Count))
		}
	}
	return appendUint(b, 0)
}

// path is the hash of the identity of an object.
func (w *World) path(id value.ObjectID) uint64 {
	if id < 0 || int(id) >= w.Objects.Len() {
		return uint64(id)
	}
	return w.Object(id).path
}

// appendIdentity writes what identifies an object whatever its number.
func (w *World) appendIdentity(b []byte, id value.ObjectID) []byte {
	if id == value.NoObject {
		return append(b, 0)
	}
	o := w.Object(id)
	b = w.appendIdentity(append(b, 1), o.Owner)
	name := w.Program.Name(o.Feature)
	b = append(appendUint(b, uint64(len(name))), name...)
	return appendInt(b, int64(o.Ordinal))
}

func (w *World) appendValue(b []byte, v value.Value) []byte {
	return value.AppendCanonical(b, v, w.appendIdentity)
}

func (w *World) hashValue(h uint64, v value.Value) uint64 {
	if v.IsAbsent() {
		return h + 0x9E3779B97F4A7C15
	}
	return v.HashWith(h, w.path)
}

func (o *Object) canonical(w *World) uint64 {
	if len(o.slots) == 0 && o.path == 0 {
		return 0
	}
	h := mix(o.path, uint64(o.Type)<<1|flag(o.Gone))
	for i, v := range o.slots {
		h = mix(w.hashValue(h, v), uint64(o.state[i]))
	}
	return h | 1
}

func (o *Object) appendCanonical(b []byte, w *World, id value.ObjectID) []byte {
	return o.appendContent(w.appendIdentity(b, id), w)
}

// appendContent writes o without its identity.
func (o *Object) appendContent(b []byte, w *World) []byte {
	b = append(appendUint(b, uint64(o.Type)), byte(flag(o.Gone)))
	for i, v := range o.slots {
		b = append(w.appendValue(b, v), byte(o.state[i]))
	}
	return b
}

func (e *Env) canonical(*World) uint64   { return 0 } // by what refers to it
func (s *Stack) canonical(*World) uint64 { return 0 } // by the token that owns it
func (r *Root) canonical(*World) uint64 {
	if r.Count == 0 {
		return 0
	}
	return mix(uint64(r.Name)+7, uint64(r.Count))
}
func (o *Occurrence) canonical(*World) uint64 { return 0 } // by the object it denotes

// HashEnv is the canonical hash of an Env and those around it, for what
// performs in it.
func (w *World) HashEnv(id EnvID) uint64 {
	h := uint64(11)
	for id != NoEnv {
		e := w.Env(id)
		h = mix(h, uint64(e.Layout))
		for _, v := range e.slots {
			h = w.hashValue(h, v)
		}
		id = e.Parent
	}
	return h
}

// AppendEnv appends the canonical form of an Env and those around it.
func (w *World) AppendEnv(b []byte, id EnvID) []byte {
	for id != NoEnv {
		e := w.Env(id)
		b = appendUint(b, uint64(e.Layout)+1)
		for _, v := range e.slots {
			b = w.appendValue(b, v)
		}
		id = e.Parent
	}
	return appendUint(b, 0)
}

// HashStack is the canonical hash of a paused body: registers that no future
// reads are left out where the body stands between two statements.
func (w *World) HashStack(id StackID) uint64 {
	h := uint64(13)
	s := w.Stacks.At(int32(id))
	for i, f := range s.frames {
		h = mix(h, uint64(uint32(f.Unit))<<32|uint64(uint32(f.PC)))
		h = mix(mix(h, w.path(f.Self)), uint64(f.Return)<<32|uint64(uint32(f.A)))
		for _, v := range s.live(w.Program, i) {
			h = w.hashValue(h, v)
		}
	}
	return h
}

// AppendStack appends the canonical form of a paused body.
func (w *World) AppendStack(b []byte, id StackID) []byte {
	s := w.Stacks.At(int32(id))
	b = appendUint(b, uint64(len(s.frames)))
	for i, f := range s.frames {
		b = appendUint(appendUint(b, uint64(f.Unit)), uint64(f.PC))
		b = appendUint(w.appendIdentity(b, f.Self), uint64(f.Return)<<32|uint64(uint32(f.A)))
		for _, v := range s.live(w.Program, i) {
			b = w.appendValue(b, v)
		}
	}
	return b
}

// live are the registers of frame i that matter: all of them, but for the
// temporaries of a frame that stands at a statement.
func (s *Stack) live(p *Program, i int) []value.Value {
	f := s.frames[i]
	u := p.Units[f.Unit]
	n := u.Registers
	if i == len(s.frames)-1 && int(f.PC) < len(u.Code) && u.Code[f.PC].Op == OpStatement && !f.Resumed {
		n = u.Locals
	}
	return s.values[f.Base : f.Base+n]
}

func flag(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// mix joins b to the hash a.
func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^0x9E3779B97F4A7C15, b^0xD6E8FEB86659FD93)
	h := hi ^ lo ^ a<<1
	h ^= h >> 32
	return h * 0xBF58476D1CE4E5B9
}

func hashText(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return mix(h, uint64(len(s)))
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
