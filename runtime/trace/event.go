package trace

import "strconv"

// Kind is what an Event tells. The comment shows the line it prints as.
type Kind uint8

// The kinds of event.
const (
	None        Kind = iota // no event; never delivered
	Step                    // step 3: token 2@reader, token 3@sender
	EnterNode               // enter action node: inner
	LeaveNode               // leave action node: inner
	Statement               // stmt assign x
	Iteration               // iteration 2
	Eval                    // eval feature x -> 3
	Bind                    // bind x = 3 [argument]
	EnterCalc               // enter calc P::f
	ExitCalc                // exit calc P::f -> 3
	Output                  // output P::c.a = 6
	Reuse                   // reuse calc P::c
	EnterState              // enter: S (entry action)
	ExitState               // exit: S (exit action)
	Transition              // transition: A -> B (event: accept Go)
	Do                      // do: S
	Materialize             // materialize: T #1
	Start                   // start: exhibited state machine m of #1
	Run                     // run: exhibited state machine m of #1
	Choice                  // choice step 2: ...
	Unevaluable             // unevaluable guard step 2: ...
	Draw                    // draw uniform(1, 80) = 80.0
	Terminate               // terminate stop: no token dropped
	Create                  // create: T #1
	Destroy                 // destroy: T #1
	Sample                  // state: fall t=0.5 x=1.0
	Occurrence              // event: name (t=2.0)
	Sent                    // no line: a message left its sender
	Accepted                // no line: a message was taken
	Time                    // no line: the clock moved
)

// A Place is a token and the node where it stands.
type Place struct {
	Token int64 // its id, from 1
	Node  string
}

// An Event is one thing that a run did.
type Event struct {
	Kind Kind
	// Depth is the level, two blanks each. Kinds that print at column 0
	// whatever surrounds them ignore it.
	Depth int
	// Word is the word before Name. For EnterCalc and ExitCalc it is "calc"
	// where it is "", or "analysis", "verification", "objective"; for
	// Statement and Eval it is what is done or evaluated: "assign", "feature".
	// Other kinds have none.
	Word string
	// Name is the label of the line: the node, state, type or qualified name;
	// for Transition the state that is left.
	Name string
	// To is the state that a Transition leads to, and Cause what it was taken
	// for: "accept Go", "time", "" for a completion.
	To, Cause string
	// Note is what stands behind: "entry action", "argument", "default". ""
	// prints nothing.
	Note string
	// Value is a value in trace spelling; "" where the line shows none.
	Value string
	// Err is the message of an error that took the place of a value.
	Err string
	// Number is the step, the pass of a loop or the #n of an object.
	Number int64
	// Places are the tokens of a Step in order of their ids.
	Places []Place
	// Object is the #n of the performer of what happened; 0 for none. It is
	// not printed.
	Object int64
	// Instant is the clock in seconds. It is not printed.
	Instant float64
}

// An Observer is told of every event of a run, on the goroutine of the run
// and before the next event happens. It must not keep e.Places.
type Observer interface {
	Observe(e Event)
}

// Column0 reports whether k prints at column 0 whatever its depth.
func (k Kind) Column0() bool {
	switch k {
	case Statement, Iteration, Eval, Bind, EnterCalc, ExitCalc, Output, Reuse:
		return false
	}
	return true
}

// Silent reports whether k prints no line.
func (k Kind) Silent() bool { return k == None || k >= Sent }

// Line is the text of e without a line ending; "" for a silent kind.
func (e Event) Line() string { return string(e.append(nil)) }

// Label is what e is about, in one text: "assign x", "A -> B", a name.
func (e Event) Label() string {
	if e.To == "" && e.Word == "" {
		return e.Name
	}
	return string(e.appendLabel(nil))
}

func (e Event) appendLabel(b []byte) []byte {
	if e.Word != "" {
		b = append(b, e.Word...)
		if e.Name == "" {
			return b
		}
		b = append(b, ' ')
	}
	b = append(b, e.Name...)
	if e.To != "" {
		b = append(append(b, " -> "...), e.To...)
	}
	return b
}

func (e Event) append(b []byte) []byte {
	if e.Kind.Silent() {
		return b
	}
	if !e.Kind.Column0() {
		for range e.Depth {
			b = append(b, ' ', ' ')
		}
	}
	switch e.Kind {
	case Step:
		return e.appendStep(b)
	case EnterNode:
		b = append(b, "enter action node: "...)
	case LeaveNode:
		b = append(b, "leave action node: "...)
	case Statement:
		return e.appendLabel(append(b, "stmt "...))
	case Iteration:
		return strconv.AppendInt(append(b, "iteration "...), e.Number, 10)
	case Eval:
		b = e.appendLabel(append(b, "eval "...))
		return e.appendOutcome(append(b, " -> "...))
	case Bind:
		b = append(append(b, "bind "...), e.Name...)
		b = append(append(b, " = "...), e.Value...)
		return append(append(append(b, " ["...), e.Note...), ']')
	case EnterCalc, ExitCalc:
		return e.appendCalc(b)
	case Output:
		b = append(append(b, "output "...), e.Name...)
		return e.appendOutcome(append(b, " = "...))
	case Reuse:
		b = append(b, "reuse calc "...)
	case EnterState:
		b = append(b, "enter: "...)
	case ExitState:
		b = append(b, "exit: "...)
	case Transition:
		b = e.appendLabel(append(b, "transition: "...))
		if e.Cause != "" {
			b = append(append(append(b, " (event: "...), e.Cause...), ')')
		}
		return b
	case Do:
		b = append(b, "do: "...)
	case Materialize:
		b = append(b, "materialize: "...)
	case Start:
		b = append(b, "start: "...)
	case Run:
		b = append(b, "run: "...)
	case Choice:
		b = append(b, "choice "...)
	case Unevaluable:
		b = append(b, "unevaluable guard "...)
	case Draw:
		b = append(append(b, "draw "...), e.Name...)
		return e.appendOutcome(append(b, " = "...))
	case Terminate:
		b = append(b, "terminate"...)
	case Create:
		b = append(b, "create: "...)
	case Destroy:
		b = append(b, "destroy: "...)
	case Sample:
		b = append(b, "state: "...)
	case Occurrence:
		b = append(b, "event: "...)
	}
	b = append(b, e.Name...)
	if e.Number > 0 {
		b = strconv.AppendInt(append(b, " #"...), e.Number, 10)
	}
	if e.Note != "" {
		b = append(append(append(b, " ("...), e.Note...), ')')
	}
	return b
}

func (e Event) appendStep(b []byte) []byte {
	b = append(strconv.AppendInt(append(b, "step "...), e.Number, 10), ": "...)
	if len(e.Places) == 0 {
		return append(b, "no active tokens"...)
	}
	for i, p := range e.Places {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(b, "token "...)
		b = append(strconv.AppendInt(b, p.Token, 10), '@')
		b = append(b, p.Node...)
	}
	return b
}

func (e Event) appendOutcome(b []byte) []byte {
	if e.Err != "" {
		return append(append(b, "error: "...), e.Err...)
	}
	return append(b, e.Value...)
}

func (e Event) appendCalc(b []byte) []byte {
	word := e.Word
	if word == "" {
		word = "calc"
	}
	if e.Kind == EnterCalc {
		b = append(b, "enter "...)
	} else {
		b = append(b, "exit "...)
	}
	b = append(append(append(b, word...), ' '), e.Name...)
	if e.Kind == ExitCalc && (e.Value != "" || e.Err != "") {
		b = e.appendOutcome(append(b, " -> "...))
	}
	return b
}
