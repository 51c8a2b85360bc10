package explore

import (
	"encoding/binary"
	"strconv"
	"strings"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
)

// An End is how a run can end: what it leaves, or why it fails.
type End struct {
	// Outputs are the values of parameters, attributes and pins, by their
	// names, in the order of declaration. Objects are written by the path that
	// leads to them.
	Outputs []Output
	// FinalState is where a machine ended or rests; Terminated says that a
	// terminate ended it. Machine says that there is one.
	FinalState string
	Terminated bool
	Machine    bool
	// Err is why the run failed; nil where it did not.
	Err *diagnostic.Diagnostic

	// features are what a check compares: the own features and those of the
	// performer.
	features []Output
	key      string
	node     int32 // of an error; -1 for the others
	// dated says that Err was found by walking there again.
	dated bool
}

// An Output is a named value.
type Output struct {
	Name  string
	Value value.Value
	Text  string
	// Pin says that a node left the value in a pin.
	Pin bool
}

// Deadlocked reports whether the run failed because nothing could move.
func (e *End) Deadlocked() bool { return e.Err != nil && e.Err.Code == exec.ActionDeadlock }

// Text is e on one line: outputs, or the final state, or the error. Ends are
// the same exactly if their texts are.
func (e *End) Text() string { return e.key }

// end is the index of the end that w, or an error, is.
func (x *Search) end(w *exec.World, err error) int32 {
	e := &End{node: -1}
	if err != nil {
		e.Err = diagnostic.Of(err)[0]
		e.key = failure(err)
	} else {
		e.describe(w, x.start.Run)
	}
	if id, ok := x.endOf[e.key]; ok {
		return id
	}
	id := int32(len(x.ends))
	x.ends = append(x.ends, e)
	x.endOf[e.key] = id
	return id
}

// failure is the text of an end in an error.
func failure(err error) string { return "error: " + timeless(diagnostic.Of(err)[0].Message) }

// timeless is a message without the numbers of steps in it, which differ
// between the orders that lead to one World.
func timeless(message string) string {
	const mark = " waiting since step "
	for at := 0; ; {
		i := strings.Index(message[at:], mark)
		if i < 0 {
			return message
		}
		i += at + len(" waiting")
		end := i + len(mark) - len(" waiting")
		for end < len(message) && message[end] >= '0' && message[end] <= '9' {
			end++
		}
		message = message[:i] + message[end:]
		at = i
	}
}

// describe says what the run left in w.
func (e *End) describe(w *exec.World, id exec.RunID) {
	r := w.Run(id)
	var b strings.Builder
	if r.Machine != exec.NoMachine {
		e.Machine = true
		e.FinalState, e.Terminated = w.FinalState(id)
		e.features = append(e.features, Output{Name: "finalState", Text: e.FinalState})
		b.WriteString("state " + e.FinalState)
		if e.Terminated {
			b.WriteString("(terminated)")
		}
	}
	if r.Env != exec.NoEnv {
		env := w.Env(r.Env)
		for i, slot := range w.Program.Layouts[env.Layout].Slots {
			v := env.Slot(i)
			if slot.Kind == exec.LocalData || v.IsAbsent() {
				continue
			}
			o := Output{Name: slot.Name, Value: v, Text: text(w, v), Pin: slot.Kind == exec.PinData}
			e.Outputs = append(e.Outputs, o)
			if !o.Pin {
				e.features = append(e.features, o)
			}
			if b.Len() > 0 {
				b.WriteString(", ")
			}
			b.WriteString(o.Name + " = " + o.Text)
		}
	}
	if r.Self != value.NoObject {
		e.features = append(e.features, ofObject(w, r.Self)...)
	}
	e.key = b.String()
	if e.key == "" {
		e.key = "no outputs"
	}
}

// ofObject are the values that the features of a performer hold.
func ofObject(w *exec.World, id value.ObjectID) []Output {
	o := w.Object(id)
	t := w.Program.Types[o.Type]
	var list []Output
	for i := range o.Slots() {
		v, state := o.Slot(i)
		if state == exec.Unread || state == exec.Computing || v.IsAbsent() || v.Kind() == value.Object {
			continue
		}
		list = append(list, Output{Name: "this." + w.Program.Name(t.Slots[i].Name), Value: v, Text: text(w, v)})
	}
	return list
}

// text is v with objects written by the path that leads to them.
func text(w *exec.World, v value.Value) string {
	return string(value.AppendTrace(nil, v, func(id value.ObjectID) string { return path(w, id) }))
}

func path(w *exec.World, id value.ObjectID) string {
	o := w.Object(id)
	name := w.Program.Name(o.Feature)
	if o.Ordinal > 0 {
		name += "[" + strconv.Itoa(int(o.Ordinal)+1) + "]"
	}
	if o.Owner == value.NoObject {
		return name
	}
	return path(w, o.Owner) + "." + name
}

// interned numbers what it is given, the same for what is equal.
type interned[T comparable] struct {
	list []T
	ids  map[T]int32
}

func (n *interned[T]) id(v T) int32 {
	if id, ok := n.ids[v]; ok {
		return id
	}
	if n.ids == nil {
		n.ids = map[T]int32{}
	}
	id := int32(len(n.list))
	n.list = append(n.list, v)
	n.ids[v] = id
	return id
}

// plan is the number of a plan.
func (x *Search) plan(plan []int32) int32 {
	if len(plan) == 0 {
		return 0
	}
	var few [64]byte
	b := few[:0]
	for _, k := range plan {
		b = binary.AppendUvarint(b, uint64(k))
	}
	if id, ok := x.plans.ids[string(b)]; ok {
		return id
	}
	return x.plans.id(string(b))
}

// visited is the number of a list of states entered, one behind the other.
func (x *Search) visited(states []string) int32 {
	if len(states) == 0 {
		return 0
	}
	key := strings.Join(states, "\x00")
	id, ok := x.visitOf[key]
	if !ok {
		id = int32(len(x.visits))
		x.visits = append(x.visits, states)
		x.visitOf[key] = id
	}
	return id
}

// planOf is the plan with a number.
func (x *Search) planOf(id int32) []int32 {
	var plan []int32
	for b := []byte(x.plans.list[id]); len(b) > 0; {
		k, n := binary.Uvarint(b)
		plan, b = append(plan, int32(k)), b[n:]
	}
	return plan
}
