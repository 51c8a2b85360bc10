package schedule

import (
	"strconv"
	"strings"

	"github.com/orrery-sysml/orrery/runtime/trace"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// A Witness is the way a run went, as a file holds it: enough to make the
// run again elsewhere, and its trace for a reader.
type Witness struct {
	Objects   []string // "#1 = car.engine"
	Inputs    []string // "limit = 3"
	Draws     Draws
	ClockStep float64 // seconds; 0 is the continuous clock
	// Nodes says that a move is the performance of a node, not of a statement.
	Nodes    bool
	Drawn    []string // "uniform(1, 80) = 80.0": what random functions gave
	Choices  []string // one line each, as Taken.Witness spells them
	Trace    string   // lines with their endings
	Property string   // the property that the run breaks
	Fails    string   // the error that the run ends in
	// Round is how many moves at the end of the run lead back to where they began,
	// so that it can go on with them for ever; 0 for none. Behind is the number of
	// Choices before them, and Stem that of moves, which a file does not hold.
	Round, Behind, Stem int
	// Decisive is the choice after which every order ends like this, as Choices
	// spells it; "" where there is none.
	Decisive string
	// DecisiveStep is the step of that choice, 0 where it opens in none. A file
	// does not hold it.
	DecisiveStep int64
	// Events are what the trace is made of that a timeline shows. A file does
	// not hold them.
	Events []trace.Event
}

// WitnessOf is the choices of taken as a witness spells them. Writes, which
// follow from the order of tokens, are left out.
func WitnessOf(taken []Taken) []string {
	var lines []string
	for _, t := range taken {
		if t.Kind != Write {
			lines = append(lines, t.Witness())
		}
	}
	return lines
}

// Summary joins choices for a message; "no choice points" where there are
// none.
func Summary(choices []string) string {
	if len(choices) == 0 {
		return "no choice points"
	}
	return strings.Join(choices, "; ")
}

// Resolver follows the choices of w move for move, one token a step, and
// takes what reverse takes behind their end. A move that the run cannot make
// is a diagnostic of code replay-refused.
func (w *Witness) Resolver() Resolver {
	return followed{fixed{Policy{Kind: Replayed}}, w.Choices, w.Nodes}
}

// matches reports whether a line of a witness spells t. What a weighted
// choice drew, and the list of what else was open, may be left out.
func matches(t Taken, line string) bool {
	t.HasDrawn = false
	own := t.Witness()
	line, _, _ = strings.Cut(line, " drew ")
	if own == line {
		return true
	}
	bare, _, listed := strings.Cut(own, " among ")
	return listed && bare == line
}

// roundBegins stands before the number of moves of a Round, behind the choices
// that are made before.
const roundBegins = "from here on round and round, moves: "

// Text is the file of w.
func (w *Witness) Text() string {
	var b strings.Builder
	list := func(prefix string, lines []string) {
		for _, l := range lines {
			b.WriteString(prefix + l + "\n")
		}
	}
	list("object ", w.Objects)
	list("input ", w.Inputs)
	if w.Draws != Random {
		b.WriteString("draws by " + w.Draws.String() + "\n")
	}
	if w.ClockStep != 0 {
		b.WriteString("clock steps by " + Decimal(w.ClockStep) + "\n")
	}
	if w.Nodes {
		b.WriteString("granularity node\n")
	}
	list("draw ", w.Drawn)
	list("", w.Choices[:w.Behind])
	if w.Round > 0 {
		b.WriteString(roundBegins + strconv.Itoa(w.Round) + "\n")
	}
	list("", w.Choices[w.Behind:])
	b.WriteString("\n" + w.Trace)
	if w.Decisive != "" {
		b.WriteString("\ndecisive: " + w.Decisive + "\n")
	}
	if w.Property != "" {
		b.WriteString("\nproperty: " + w.Property + "\n")
	}
	if w.Fails != "" {
		b.WriteString("\nfails: " + w.Fails + "\n")
	}
	return b.String()
}

// ParseWitness reads a witness file. The first blank line ends the choices;
// what a hand-written file leaves out is absent.
func ParseWitness(text string) (*Witness, *diagnostic.Diagnostic) {
	head, tail, _ := strings.Cut(text, "\n\n")
	if rest, ok := strings.CutPrefix(text, "\n"); ok {
		head, tail = "", rest
	}
	w := &Witness{}
	for i, line := range strings.Split(strings.TrimRight(head, "\n"), "\n") {
		if d := w.parseLine(line); d != nil {
			d.Message = "witness line " + strconv.Itoa(i+1) + ": " + d.Message
			return nil, d
		}
	}
	for {
		at := strings.LastIndex("\n"+tail, "\n\n")
		last := tail
		if at >= 0 {
			last = ("\n" + tail)[at+2:]
		}
		if value, ok := strings.CutPrefix(last, "property: "); ok && at >= 0 {
			w.Property = strings.TrimSpace(value)
		} else if value, ok := strings.CutPrefix(last, "decisive: "); ok && at >= 0 {
			w.Decisive = strings.TrimSpace(value)
		} else if value, ok := strings.CutPrefix(last, "fails: "); ok && at >= 0 {
			w.Fails = strings.TrimSpace(value)
		} else {
			break
		}
		tail = ("\n" + tail)[1 : at+1]
	}
	w.Trace = tail
	return w, nil
}

func (w *Witness) parseLine(line string) *diagnostic.Diagnostic {
	keep := func(list *[]string, prefix string) bool {
		rest, ok := strings.CutPrefix(line, prefix)
		if ok {
			*list = append(*list, rest)
		}
		return ok
	}
	var d *diagnostic.Diagnostic
	switch rest := ""; {
	case line == "":
	case keep(&w.Objects, "object "), keep(&w.Inputs, "input "), keep(&w.Drawn, "draw "):
	case strings.HasPrefix(line, roundBegins):
		n, err := strconv.ParseInt(strings.TrimPrefix(line, roundBegins), 10, 31)
		if w.Round, w.Behind = int(n), len(w.Choices); err != nil || n < 1 {
			d = diagnostic.New(ReplayRefused, source.Span{}, "expected a number of moves, got "+strconv.Quote(line))
		}
	case line == "granularity node":
		w.Nodes = true
	case strings.HasPrefix(line, "draws by "):
		w.Draws, d = parseDraws(strings.TrimPrefix(line, "draws by "))
	case strings.HasPrefix(line, "clock steps by "):
		rest = strings.TrimPrefix(line, "clock steps by ")
		var s Settings
		d = s.Set("clock-step", rest)
		w.ClockStep = s.ClockStep
	case strings.Contains(line, " first of ") || strings.Contains(line, " -> "):
		w.Choices = append(w.Choices, line)
	default:
		d = diagnostic.New(ReplayRefused, source.Span{}, "expected a choice (\"step 1: 3@b first of 2@a, 3@b\"), got "+strconv.Quote(line))
	}
	return d
}
