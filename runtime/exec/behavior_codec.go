package exec

import (
	"encoding/binary"
	"math"

	"github.com/orrery-sysml/orrery/runtime/value"
)

// A codec writes a row or reads it: each row lists its fields once, in visit,
// so that what is written and what is read cannot differ.
type codec struct {
	b []byte
	d *decoder // nil while writing
}

func number[T ~int8 | ~uint8 | ~int32 | ~int64 | ~int](c *codec, n *T) {
	if c.d == nil {
		c.b = binary.AppendVarint(c.b, int64(*n))
		return
	}
	*n = T(c.d.int())
}

func (c *codec) bool(b *bool) {
	n := int64(flag(*b))
	number(c, &n)
	*b = n != 0
}

func (c *codec) word(n *uint64) {
	if c.d == nil {
		c.b = binary.BigEndian.AppendUint64(c.b, *n)
		return
	}
	*n = c.d.word()
}

func (c *codec) real(x *float64) {
	n := math.Float64bits(*x)
	c.word(&n)
	*x = math.Float64frombits(n)
}

func (c *codec) text(s *string) {
	if c.d == nil {
		c.b = appendText(c.b, *s)
		return
	}
	*s = c.d.text()
}

func (c *codec) value(v *value.Value) {
	if c.d == nil {
		c.b = value.AppendEncoding(c.b, *v)
		return
	}
	decoded, rest, err := c.d.program.Decode(c.d.data)
	if err != nil {
		c.d.fail(err.Error())
		return
	}
	*v, c.d.data = decoded, rest
}

// list visits the elements of a slice; an empty one reads back as nil.
func list[T any](c *codec, s *[]T, visit func(*T)) {
	n := len(*s)
	if c.d == nil {
		c.b = appendUint(c.b, uint64(n))
	} else {
		*s = nil
		if n = c.d.length(); n > 0 {
			*s = make([]T, n)
		}
	}
	for i := range *s {
		visit(&(*s)[i])
	}
}

func numbers[T ~int32 | ~int64](c *codec, s *[]T) { list(c, s, func(n *T) { number(c, n) }) }

func encode(b []byte, visit func(*codec)) []byte {
	c := codec{b: b}
	visit(&c)
	return c.b
}

func (r *Run) appendExact(b []byte, _ *World) []byte     { return encode(b, r.visit) }
func (r *Run) decode(d *decoder)                         { r.visit(&codec{d: d}) }
func (f *Firing) appendExact(b []byte, _ *World) []byte  { return encode(b, f.visit) }
func (f *Firing) decode(d *decoder)                      { f.visit(&codec{d: d}) }
func (f *Flow) appendExact(b []byte, _ *World) []byte    { return encode(b, f.visit) }
func (f *Flow) decode(d *decoder)                        { f.visit(&codec{d: d}) }
func (t *Token) appendExact(b []byte, _ *World) []byte   { return encode(b, t.visit) }
func (t *Token) decode(d *decoder)                       { t.visit(&codec{d: d}) }
func (m *Message) appendExact(b []byte, _ *World) []byte { return encode(b, m.visit) }
func (m *Message) decode(d *decoder)                     { m.visit(&codec{d: d}) }
func (e *Event) appendExact(b []byte, _ *World) []byte   { return encode(b, e.visit) }
func (e *Event) decode(d *decoder)                       { e.visit(&codec{d: d}) }

// appendExact and decode write and read what is in no table.
func (b *Behavior) appendExact(dst []byte, _ *World) []byte { return encode(dst, b.visit) }
func (b *Behavior) decode(d *decoder)                       { b.visit(&codec{d: d}) }

func (b *Behavior) visit(c *codec) {
	number(c, &b.Bus.First)
	number(c, &b.Bus.Last)
	numbers(c, &b.Attached)
	list(c, &b.Turn, func(t *Turn) {
		number(c, &t.Kind)
		number(c, &t.Row)
	})
	c.real(&b.Clock)
	c.word(&b.Schedule.Stream.Hi)
	c.word(&b.Schedule.Stream.Lo)
	number(c, &b.Schedule.Made)
	c.word(&b.Model.Hi)
	c.word(&b.Model.Lo)
	c.bool(&b.Seeded)
	number(c, &b.Sequence)
	number(c, &b.ClockObject)
}

func (r *Run) visit(c *codec) {
	c.bool(&r.Used)
	number(c, &r.Graph)
	number(c, &r.Machine)
	number(c, &r.Self)
	number(c, &r.Occurrence)
	number(c, &r.Label)
	number(c, &r.Env)
	number(c, &r.Root)
	number(c, &r.Host)
	number(c, &r.HostRun)
	number(c, &r.Steps)
	number(c, &r.LastToken)
	number(c, &r.Depth)
	number(c, &r.State)
	c.bool(&r.Ran)
	c.bool(&r.Unit)
	number(c, &r.Number)
	number(c, &r.Nesting)
	c.word(&r.Key)
}

func (f *Flow) visit(c *codec) {
	c.bool(&f.Used)
	number(c, &f.Kind)
	number(c, &f.Run)
	number(c, &f.Graph)
	number(c, &f.Env)
	number(c, &f.Parent)
	number(c, &f.Node)
	number(c, &f.Host)
	number(c, &f.Live)
	numbers(c, &f.Tokens)
	number(c, &f.Depth)
	f.Sweep.visit(c)
	number(c, &f.Sweeps)
	c.word(&f.Key)
}

func (s *Sweep) visit(c *codec) {
	number(c, &s.Phase)
	numbers(c, &s.Order)
	number(c, &s.Pos)
	numbers(c, &s.Paused)
	list(c, &s.Places, func(p *Place) {
		number(c, &p.ID)
		number(c, &p.Graph)
		number(c, &p.Node)
		c.bool(&p.Acts)
	})
	number(c, &s.First)
	list(c, &s.Writes, func(w *Write) {
		number(c, &w.Token)
		number(c, &w.Env)
		number(c, &w.Object)
		number(c, &w.Slot)
		c.value(&w.Value)
		number(c, &w.Seq)
	})
	c.bool(&s.Moved)
	number(c, &s.Acting)
}

func (t *Token) visit(c *codec) {
	c.bool(&t.Used)
	number(c, &t.ID)
	number(c, &t.Run)
	number(c, &t.Flow)
	number(c, &t.Owner)
	number(c, &t.Node)
	number(c, &t.Edge)
	number(c, &t.State)
	number(c, &t.Stack)
	number(c, &t.Env)
	number(c, &t.Boundary)
	number(c, &t.Came)
	number(c, &t.Since)
	c.real(&t.Due)
	number(c, &t.Seq)
	number(c, &t.Child)
	number(c, &t.Sub)
	number(c, &t.Bundle)
}

func (m *Message) visit(c *codec) {
	c.bool(&m.Used)
	c.text(&m.Signal)
	list(c, &m.Names, c.text)
	list(c, &m.Values, c.value)
	number(c, &m.Kind)
	c.text(&m.Node)
	c.text(&m.Port)
	number(c, &m.Object)
	number(c, &m.Next)
	number(c, &m.Prev)
}

func (e *Event) visit(c *codec) {
	c.bool(&e.Used)
	number(c, &e.Kind)
	c.text(&e.Signal)
	c.text(&e.Port)
	list(c, &e.Names, c.text)
	list(c, &e.Values, c.value)
	number(c, &e.Transition)
	number(c, &e.State)
	c.real(&e.Time)
	number(c, &e.Seq)
	c.bool(&e.Deferred)
	number(c, &e.Next)
	number(c, &e.Prev)
}
