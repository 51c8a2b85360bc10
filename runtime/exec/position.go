package exec

import (
	"fmt"
	"sort"

	"github.com/orrery-sysml/orrery/runtime/value"
)

// This file tells where what performs in a World stands, for those who show
// it. Nothing here changes a World.

// A TokenView is a token as it is shown.
type TokenView struct {
	ID   int64
	Node string
	Path string // the performances around the node, joined with "."
	// Waits is what the token waits for; "" where it can go on.
	Waits string
	Depth int
}

// Tokens are the tokens of a run and of what its tokens perform.
func (w *World) Tokens(id RunID) []TokenView {
	e := &Engine{World: w}
	var all []TokenView
	var list func(flow FlowID, path string, depth int)
	list = func(flow FlowID, path string, depth int) {
		tokens := append([]TokenID(nil), w.Flow(flow).Tokens...)
		sort.Slice(tokens, func(i, j int) bool { return w.Token(tokens[i]).ID < w.Token(tokens[j]).ID })
		for _, token := range tokens {
			t := w.Token(token)
			at := path
			for f := t.Flow; w.Flow(f).Kind == NestedFlow; f = w.Flow(f).Parent {
				owner := w.Program.Graphs[w.Flow(w.Flow(f).Parent).Graph].Nodes[w.Flow(f).Node].Name
				at = join(path, owner)
			}
			v := TokenView{ID: t.ID, Node: e.nodeOf(t).Name, Path: at, Depth: depth}
			switch t.State {
			case Held:
				v.Waits = "a token on every succession that leads here"
			case MessageWait, ChangeWait, ClockWait:
				v.Waits = e.waitText(token)
			case ChildWait:
				v.Waits = "the action that it performs"
			case SubWait:
				v.Waits = "the flow of its body"
			case BodyPause:
				v.Waits = ""
			}
			all = append(all, v)
			if t.Child != NoRun && w.Run(t.Child).Root != NoFlow {
				list(w.Run(t.Child).Root, join(at, v.Node), depth+1)
			}
			if t.Sub != NoFlow {
				list(t.Sub, join(at, v.Node), depth+1)
			}
		}
	}
	if root := w.Run(id).Root; root != NoFlow {
		list(root, "", 0)
	}
	return all
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// An EventView is an event as it is shown.
type EventView struct {
	Name     string
	Names    []string
	Values   []value.Value
	Deferred bool
	// Timer says that it is a timer, which comes due at Time.
	Timer bool
	Time  float64
}

// Pool are the events that wait for a machine: completions and timers, then
// signals and calls in the order of their arrival.
func (w *World) Pool(id RunID) []EventView {
	r := w.Run(id)
	if r.Machine == NoMachine {
		return nil
	}
	m := w.Program.Machines[r.Machine]
	var all []EventView
	for _, first := range []int32{w.Firing(id).Timed.First, w.Firing(id).Pool.First} {
		for row := first; row != NoRow; row = w.Event(row).Next {
			ev := w.Event(row)
			v := EventView{Name: ev.cause(), Names: ev.Names, Values: ev.Values, Deferred: ev.Deferred}
			switch ev.Kind {
			case CompletionEvent:
				v.Name = "completion of " + m.States[ev.State].Name
			case TimeEvent:
				x := &m.Transitions[ev.Transition]
				v.Timer, v.Time = true, ev.Time
				v.Name = "time " + m.States[x.Source].Name + " -> " + m.States[x.Target].Name
			}
			all = append(all, v)
		}
	}
	return all
}

// Takes reports whether a run would take a signal or a call now, and lists
// what it would take.
func (w *World) Takes(id RunID, name, port string, call bool) (takes bool, accepted []string) {
	r := w.Run(id)
	seen := map[string]bool{}
	add := func(s string) {
		if !seen[s] {
			seen[s] = true
			accepted = append(accepted, s)
		}
	}
	if r.Machine == NoMachine {
		e := &Engine{World: w}
		for i := range w.Behavior.Tokens.Len() {
			t := w.Token(TokenID(i))
			if !t.Used || t.State != MessageWait {
				continue
			}
			a := e.waitsAt(TokenID(i))
			if (a.Signal == "" || a.Signal == name && !call) && a.Port == port {
				takes = true
			}
			add(fmt.Sprintf("%s at %s", orAny(a.Signal)+Via(a.Port), a.Node))
		}
		return takes, accepted
	}
	m := w.Program.Machines[r.Machine]
	for i := range m.States {
		if !bit(w.Firing(id).Active, int32(i)) {
			continue
		}
		for _, t := range m.States[i].Out {
			x := &m.Transitions[t]
			if x.Trigger != SignalTrigger && x.Trigger != CallTrigger {
				continue
			}
			isCall := x.Trigger == CallTrigger
			if isCall == call && (x.Signal == "" || x.Signal == name) && (isCall || x.Port == port) {
				takes = true
			}
			if isCall {
				add(orAny(x.Signal) + "()")
			} else {
				add(orAny(x.Signal) + Via(x.Port))
			}
		}
		for _, d := range m.States[i].Defers {
			takes = takes || d == name
		}
	}
	return takes, accepted
}

// Via is how the port that something arrives at is written behind a signal,
// with a blank before it; "" for no port.
func Via(port string) string {
	if port == "" {
		return ""
	}
	return " via " + port
}

func orAny(s string) string {
	if s == "" {
		return "any"
	}
	return s
}

// EvaluateIn runs an expression unit in the data of a performance.
func (e *Engine) EvaluateIn(u UnitID, self value.ObjectID, env EnvID) (value.Value, error) {
	return e.evaluate(u, self, env, 0)
}
