package exec

import (
	"slices"
	"strings"

	"github.com/orrery-sysml/orrery/runtime/budget"
	"github.com/orrery-sysml/orrery/runtime/trace"
	"github.com/orrery-sysml/orrery/runtime/value"
)

// This file sends messages and says who may take them.

// A consumer is who could take a message.
type consumer struct {
	port, node string
	object     value.ObjectID
}

// reaches reports whether a consumer may take m.
func (m *Message) reaches(c consumer) bool {
	if m.Port != c.port {
		return false
	}
	switch m.Kind {
	case ToPort:
		return m.Object == c.object
	case ToPortNode:
		return m.Object == c.object && m.Node == c.node
	case ToNode:
		return m.Node == c.node && (m.Object == c.object || m.Object == value.NoObject || c.object == value.NoObject)
	case ToObject:
		return m.Object == c.object
	}
	return true
}

// fitting is the oldest message that a token at accept a may take; NoRow
// where there is none.
func (e *Engine) fitting(a *Accept, token TokenID) int32 {
	return e.oldest(consumer{a.Port, a.Node, e.self(token)}, a.Signal)
}

func (e *Engine) oldest(c consumer, signal string) int32 {
	w := e.World
	w.asksBus(c.object)
	for row := w.Behavior.Bus.First; row != NoRow; row = w.Message(row).Next {
		if m := w.Message(row); m.reaches(c) && (signal == "" || m.Signal == signal) {
			return row
		}
	}
	return NoRow
}

// take takes a message off the bus; the answer is the value that it carries.
func (e *Engine) take(a *Accept, row int32) (value.Value, error) {
	m := *e.World.Message(row)
	e.World.unlinkMessage(row)
	e.observe(trace.Event{Kind: trace.Accepted, Name: m.Signal, Note: a.Node, Object: e.World.numberOf(m.Object)})
	if a.Payload == "" {
		return value.NullValue, nil
	}
	v, ok := m.single()
	if !ok {
		return v, failAt(NoValue, a.Span, "no value: accept "+a.Payload+": the accepted "+m.Signal+" carries no single value to bind")
	}
	return v, nil
}

// single is the one value that a message carries.
func (m *Message) single() (value.Value, bool) {
	for i, name := range m.Names {
		if name == "value" {
			return m.Values[i], true
		}
	}
	return value.Value{}, false
}

func (w *World) numberOf(id value.ObjectID) int64 {
	if id == value.NoObject {
		return 0
	}
	return int64(w.Object(id).Number)
}

// post puts a message behind all others.
func (w *World) post(m Message) {
	if m.directed() {
		w.asksBus(m.Object)
	} else {
		w.asksRest() // all messages change their section, whoever else has some
	}
	b := &w.Behavior
	row := b.Messages.add(w.owner)
	m.Used, m.Prev, m.Next = true, b.Bus.Last, NoRow
	*b.Messages.edit(w.owner, row) = m
	if b.Bus.Last == NoRow {
		b.Bus.First = row
	} else {
		b.Messages.edit(w.owner, b.Bus.Last).Next = row
	}
	b.Bus.Last = row
}

func (w *World) unlinkMessage(row int32) {
	b := &w.Behavior
	m := *b.Messages.At(row)
	if m.Prev == NoRow {
		b.Bus.First = m.Next
	} else {
		b.Messages.edit(w.owner, m.Prev).Next = m.Next
	}
	if m.Next == NoRow {
		b.Bus.Last = m.Prev
	} else {
		b.Messages.edit(w.owner, m.Next).Prev = m.Prev
	}
	b.Messages.release(w.owner, row)
}

// Post puts a signal on the bus that anyone at the port may take.
func (w *World) Post(signal, port string, names []string, values []value.Value) {
	w.post(Message{Signal: signal, Port: port, Names: names, Values: values, Object: value.NoObject})
}

// send sends what a send statement says.
func (e *Engine) send(s *Send, stop Stop, depth int32) error {
	if err := e.Meter.Within(budget.Messages, e.World.Behavior.Messages.Live()+1); err != nil {
		return err
	}
	m := Message{Signal: s.Signal, Names: s.Names, Object: value.NoObject}
	m.Values = append([]value.Value(nil), stop.Args...)
	if m.Signal == "" {
		if err := e.signalOf(&m, s); err != nil {
			return err
		}
	}
	if len(m.Values) == 1 && len(m.Names) == 1 && m.Names[0] == "arg1" {
		m.Names, m.Values = []string{"arg1", "value"}, []value.Value{m.Values[0], m.Values[0]}
	}
	if s.Construct != NoType {
		w := e.World
		id := w.NewTransient(s.Construct, w.Program.nameOf(w.Program.Types[s.Construct].Name))
		e.observe(trace.Event{Kind: trace.Materialize, Name: w.Program.Types[s.Construct].Name, Number: w.numberOf(id)})
	}
	if s.Via != "" {
		return e.sendVia(s, m, stop.Self, depth)
	}
	return e.sendTo(s, m, stop.Self, depth)
}

// signalOf names the signal of a value by its kind.
func (e *Engine) signalOf(m *Message, s *Send) error {
	if len(m.Values) == 0 {
		return failAt(BadMessage, s.Span, "send: no payload is given")
	}
	kind := m.Values[0].Kind()
	signal, ok := valueSignals[kind]
	if !ok {
		return failAt(BadMessage, s.Span, "send: message of kind "+strings.ToLower(kind.String())+" has no signal type")
	}
	m.Signal = signal
	return nil
}

// valueSignals are the signals of values that are sent by themselves.
var valueSignals = map[value.Kind]string{value.Integer: "Integer", value.Real: "Real", value.Rational: "Real",
	value.Boolean: "Boolean", value.String: "String"}

// isValueSignal reports whether a value that is sent by itself may be a signal.
func isValueSignal(signal string) bool {
	for _, s := range valueSignals {
		if s == signal {
			return true
		}
	}
	return false
}

// sendVia sends along the connections of a port: those of the behaviour and
// of its performer, or, where none of them takes the message, those that an
// owner of the performer has between its parts. There the port is named by its
// path from the owner, `connect a.p to b.q`, which is how a system joins its
// parts; the nearest owner with an end that receives is the last one asked, so
// that a message goes along the connections of one level alone.
func (e *Engine) sendVia(s *Send, m Message, self value.ObjectID, depth int32) error {
	w := e.World
	links := s.Links
	if self != value.NoObject {
		links = append(links[:len(links):len(links)], w.Program.linksOf(w.Object(self).Type)...)
	} else {
		links = append(links[:len(links):len(links)], s.PartLinks...)
	}
	sent, joined, err := e.sendAlong(links, s.Via, s, m, self, self, depth)
	path := s.Via
	for o := self; err == nil && sent == 0 && o != value.NoObject; {
		x := w.Object(o)
		if x.Owner == value.NoObject {
			break
		}
		path, o = w.Program.Name(x.Feature)+"."+path, x.Owner
		var outbound []string
		sent, outbound, err = e.sendAlong(w.Program.linksOf(w.Object(o).Type), path, s, m, o, self, depth)
		joined = append(joined, outbound...)
	}
	if err != nil || sent > 0 {
		return err
	}
	reason := "port " + quote(s.Via) + " is joined to no port that can receive it"
	if joined != nil {
		reason = "port " + quote(s.Via) + " is joined only to outbound ends (" + strings.Join(joined, ", ") + ")"
	}
	return failAt(BadMessage, s.Span, "send reaches no receiving port: "+reason)
}

// sendAlong sends along those of links, which object owner has, that join what
// via names. It says how many messages went and which ends take none.
func (e *Engine) sendAlong(links []Link, via string, s *Send, m Message, owner, self value.ObjectID, depth int32) (sent int, joined []string, err error) {
	for i := range links {
		l := &links[i]
		if !l.has(via) {
			continue
		}
		if l.Variation != NoName {
			bound, err := e.isBound(owner, l, depth)
			if err != nil {
				return sent, joined, err
			}
			if !bound {
				continue
			}
		}
		for j := range l.Ends {
			end := &l.Ends[j]
			if end.Path == via {
				continue
			}
			if !end.Receives {
				joined = append(joined, end.Path)
				continue
			}
			if s.To.Kind != NoAddress && len(end.Accepts) > 0 && s.Type != "" && !accepts(end.Accepts, s.Type) {
				return sent, joined, failAt(BadMessage, s.Span, "send message type is not carried by the receiving port: "+s.Type+" at "+end.Path)
			}
			copied := m
			copied.Kind, copied.Port, copied.Object = ToPort, end.Port, owner
			if end.Object != NoUnit {
				v, err := e.evaluate(end.Object, owner, NoEnv, depth)
				if err != nil {
					return sent, joined, err
				}
				copied.Object, _ = v.AsObject()
			}
			if s.To.Kind != NoAddress {
				copied.Kind, copied.Node = ToPortNode, s.To.Node
			}
			e.World.post(copied)
			e.sent(copied, self)
			sent++
		}
	}
	return sent, joined, nil
}

func accepts(types []string, t string) bool {
	return slices.Contains(types, t)
}

func (l *Link) has(path string) bool {
	for i := range l.Ends {
		if l.Ends[i].Path == path {
			return true
		}
	}
	return false
}

// isBound reports whether the variation of a connection is bound to it for
// the object that sends.
func (e *Engine) isBound(self value.ObjectID, l *Link, depth int32) (bool, error) {
	if self == value.NoObject {
		return false, nil
	}
	v, err := e.evaluate(l.Selection, self, NoEnv, depth)
	if err != nil {
		return false, err
	}
	named, ok := v.AsNamed()
	return ok && named.Name() == l.Variant, nil
}

// sendTo sends to an address, or to nobody in particular.
func (e *Engine) sendTo(s *Send, m Message, self value.ObjectID, depth int32) error {
	w := e.World
	switch a := &s.To; a.Kind {
	case NoAddress:
		if self != value.NoObject {
			m.Kind, m.Object = ToObject, self
		}
	case NodeAddress:
		m.Kind, m.Node, m.Object = ToNode, a.Node, self
		if a.First != NoName {
			object, err := e.addressed(a, self, depth)
			if err != nil {
				return err
			}
			if object != value.NoObject {
				m.Kind, m.Node, m.Object = ToObject, "", object
			}
		}
	case OwnPort:
		m.Kind, m.Port, m.Object = ToPort, a.Port, self
	default:
		object, err := e.addressed(a, self, depth)
		if err != nil {
			return err
		}
		if object == value.NoObject {
			return failAt(BadMessage, s.Span, "send reaches no receiving port: "+quote(a.Text)+" names no port of an object the sender can address")
		}
		m.Object = object
		switch {
		case a.Port != "":
			m.Kind, m.Port = ToPort, a.Port
		case a.Node != "":
			m.Kind, m.Node = ToNode, a.Node
		default:
			m.Kind = ToObject
		}
	}
	w.post(m)
	e.sent(m, self)
	return nil
}

// sent tells of a message for those who draw them.
func (e *Engine) sent(m Message, self value.ObjectID) {
	e.observe(trace.Event{Kind: trace.Sent, Name: m.Signal, Note: m.Node + m.Port, Object: e.World.numberOf(self),
		Number: e.World.numberOf(m.Object)})
}

// addressed is the object that an address leads to.
func (e *Engine) addressed(a *Address, self value.ObjectID, depth int32) (value.ObjectID, error) {
	w := e.World
	start := value.NoObject
	if a.First != NoName {
		for o := self; o != value.NoObject; o = w.Object(o).Owner {
			if _, has := w.Program.Types[w.Object(o).Type].SlotOf(a.First); has {
				start = o
				break
			}
		}
	}
	if start == value.NoObject && a.Kind != NodeAddress && a.Global != NoGlobal {
		if self != value.NoObject && w.denotes(a.Global, self) {
			start = self
		} else {
			v, err := e.evaluate(a.GlobalUnit, value.NoObject, NoEnv, depth)
			if err != nil {
				return start, err
			}
			start, _ = v.AsObject()
		}
		if a.GlobalObject == NoUnit {
			return start, nil
		}
		v, err := e.evaluate(a.GlobalObject, start, NoEnv, depth)
		if err != nil {
			return value.NoObject, err
		}
		start, _ = v.AsObject()
		return start, nil
	}
	if start == value.NoObject || a.Object == NoUnit {
		return start, nil
	}
	v, err := e.evaluate(a.Object, start, NoEnv, depth)
	if err != nil {
		return value.NoObject, err
	}
	id, ok := v.AsObject()
	if !ok {
		return value.NoObject, nil
	}
	return id, nil
}

// denotes reports whether object id is a root made under the name of an
// occurrence that has no object yet.
func (w *World) denotes(g GlobalID, id value.ObjectID) bool {
	if known, ok := w.Global(g); ok {
		return known == id
	}
	return w.Object(id).Owner == value.NoObject && w.Object(id).Feature == w.Program.Globals[g].Name &&
		w.Object(id).Type == w.Program.Globals[g].Type
}

// linksOf are the connections that objects of type t have.
func (p *Program) linksOf(t TypeID) []Link {
	if int(t) < len(p.TypeLinks) {
		return p.TypeLinks[t]
	}
	return nil
}

// nameOf is the number of a name, which lowering has numbered.
func (p *Program) nameOf(name string) NameID {
	for i, n := range p.Names {
		if n == name {
			return NameID(i)
		}
	}
	return NoName
}
