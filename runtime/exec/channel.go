package exec

import "github.com/orrery-sysml/orrery/runtime/value"

// This file divides the messages on the way into channels: what is sent along
// one is never taken by whoever takes from another, so that only the order
// within a channel can matter.

// channels tells what a send writes and an accept reads, as far as the model
// alone says.
type channels struct {
	program *Program
	// performed says that an object performs the action, by which the address
	// of a node may turn out to be that of an object.
	performed bool
	// of is the channel of each accept of the Program; -1 where it takes no
	// messages.
	of []int32
	// count is the number of channels. Behind them comes one for what nobody
	// takes.
	count int32
}

// channelsOf divides the messages of a run.
func (w *World) channelsOf(r *Run) *channels {
	c := &channels{program: w.Program, performed: r.Self != value.NoObject, of: make([]int32, len(w.Program.Accepts))}
	for i := range c.of {
		c.of[i] = int32(i)
	}
	if len(w.Program.Machines) > 0 { // whose pools take whatever comes next
		c.join(func(*Accept) bool { return true })
	}
	for _, s := range w.Program.Sends {
		c.join(func(a *Accept) bool { return c.reaches(s, a) })
	}
	for row := w.Behavior.Bus.First; row != NoRow; row = w.Message(row).Next {
		m := w.Message(row)
		c.join(func(a *Accept) bool { return m.mayReach(a) })
	}
	numbers := map[int32]int32{}
	for i, a := range w.Program.Accepts {
		if a.Kind != MessageAccept {
			c.of[i] = -1
			continue
		}
		n, ok := numbers[c.of[i]]
		if !ok {
			n = int32(len(numbers))
			numbers[c.of[i]] = n
		}
		c.of[i] = n
	}
	c.count = int32(len(numbers))
	return c
}

// join puts the accepts that in holds of into one channel.
func (c *channels) join(in func(*Accept) bool) {
	first := int32(-1)
	for i, a := range c.program.Accepts {
		switch {
		case a.Kind != MessageAccept || !in(a):
		case first < 0:
			first = c.of[i]
		case c.of[i] != first:
			from := c.of[i]
			for k := range c.of {
				if c.of[k] == from {
					c.of[k] = first
				}
			}
		}
	}
}

// reaches reports whether a could take what s sends.
func (c *channels) reaches(s *Send, a *Accept) bool {
	if s.Via != "" || s.To.Kind > NodeAddress || c.performed && s.To.First != NoName {
		return true
	}
	if a.Port != "" || s.To.Kind == NodeAddress && s.To.Node != a.Node {
		return false
	}
	switch {
	case a.Signal == "" || a.Signal == s.Signal:
		return true
	case s.Signal != "":
		return false
	}
	return isValueSignal(a.Signal) // a value is sent, whose kind says the signal
}

// mayReach reports whether somebody at a could take m, whoever performs.
func (m *Message) mayReach(a *Accept) bool {
	return m.Port == a.Port && (a.Signal == "" || a.Signal == m.Signal) && (m.Kind != ToPortNode && m.Kind != ToNode || m.Node == a.Node)
}

// sent is the channel along which a send sends.
func (c *channels) sent(s *Send) int32 {
	for i, a := range c.program.Accepts {
		if c.of[i] >= 0 && c.reaches(s, a) {
			return c.of[i]
		}
	}
	return c.count
}

// message is the channel in which a message is.
func (c *channels) message(m *Message) int32 {
	for i, a := range c.program.Accepts {
		if c.of[i] >= 0 && m.mayReach(a) {
			return c.of[i]
		}
	}
	return c.count
}
