package schedule

import (
	"strconv"
	"strings"
)

// Kind is what a Choice leaves open.
type Kind uint8

// The kinds of choice. The comment shows a place and how the choice reads.
const (
	TokenOrder   Kind = iota // step 2 · tokens 2@a, 3@b (unordered; took 3@b first)
	Write                    // step 2 · writes x := 1 by token 2, x := 2 by token 3 (unordered; ... stood)
	Decision                 // step 2: decision d · branches 1->a, 2->b hold (unordered; took 1->a)
	Weighted                 // step 2: decision d · branches 1->a p=0.7, 2->b p=0.3 hold (weighted; drew 0.1, took 1->a)
	Transition               // state s on accept Go, choice c, junction j · transitions 1->a, 2->b (unordered; took 1->a)
	RegionOrder              // on accept Go · next a1(exit), b1(exit) (unordered; took a1(exit) first)
	DoRound                  // do round at t=0.0 · states l, r react (unordered; took l first)
	JoinOrder                // join j · states l, r react (unordered; took l first)
	EntryOrder               // entering s · next l(entry), r(entry) (unordered; took l(entry) first)
	ExitOrder                // exiting s · next l(exit), r(exit) (unordered; took l(exit) first)
	ForkOrder                // fork f · next f->l(effect), f->r(effect) (unordered; took f->l(effect) first)
	Due                      // at t=5.0 · due action a, action b (unordered; ran action b first)
	Dispatch                 // events at t=2.0 · time a1 1->a2, time b1 1->b2 (unordered; dispatched time a1 1->a2 first)
	Statements               // statements in action node s · next 1 if, 2 assign x (unordered; took 2 assign x first)
	EntryAgainst             // entry at t=0.0 · next dispatch accept Ping, working(entry) (unordered; took ... first)
	StepOrder                // at t=0.0 · next do top, dispatch accept Stop (unordered; took do top first)
)

var kinds = [...]struct {
	name            string
	before, after   string // around the list of alternatives
	took            string // before the alternative taken
	first, weighted bool
}{
	TokenOrder:   {"token order", ": tokens ", "", "took ", true, false},
	Write:        {"write", ": writes ", "", "", false, false},
	Decision:     {"decision", " branches ", " hold", "took ", false, false},
	Weighted:     {"weighted decision", " branches ", " hold", "took ", false, true},
	Transition:   {"transition", ": transitions ", "", "took ", false, false},
	RegionOrder:  {"region order", ": next ", "", "took ", true, false},
	DoRound:      {"do round", ": states ", " react", "took ", true, false},
	JoinOrder:    {"join order", ": states ", " react", "took ", true, false},
	EntryOrder:   {"entry order", ": next ", "", "took ", true, false},
	ExitOrder:    {"exit order", ": next ", "", "took ", true, false},
	ForkOrder:    {"fork order", ": next ", "", "took ", true, false},
	Due:          {"due order", ": due ", "", "ran ", true, false},
	Dispatch:     {"dispatch", ": ", "", "dispatched ", true, false},
	Statements:   {"statement order", ": next ", "", "took ", true, false},
	EntryAgainst: {"entry or dispatch", ": next ", "", "took ", true, false},
	StepOrder:    {"step order", ": next ", "", "took ", true, false},
}

// String names the kind for a reader: "token order".
func (k Kind) String() string { return kinds[k].name }

// IsOrder reports whether a choice of kind k only says what comes first; the
// others exclude the alternatives that are not taken.
func (k Kind) IsOrder() bool { return kinds[k].first || k == Write }

// An Alternative is one way to resolve a Choice.
type Alternative struct {
	Label string // "3@b", "2->alarm", "left(entry)"
	// Weight is the share of a Weighted choice, in [0, 1]; 0 elsewhere.
	Weight float64
}

// A Choice is one point where the semantics leaves an order or an
// alternative open. Its alternatives stand in canonical order.
type Choice struct {
	Kind Kind
	// Step is the step of an action in which the choice opens; 0 elsewhere.
	Step         int64
	Where        string // "decision pick", "entering work"; "" where the step says it all
	Alternatives []Alternative
}

// Place is where c opens: "step 2", "step 2: decision pick", "entering work".
func (c Choice) Place() string {
	switch {
	case c.Step == 0:
		return c.Where
	case c.Where == "":
		return "step " + strconv.FormatInt(c.Step, 10)
	}
	return "step " + strconv.FormatInt(c.Step, 10) + ": " + c.Where
}

// A Taken is a Choice with the alternative that a run took.
type Taken struct {
	Choice
	Index int
	// Drew is the number in [0, 1) that a Weighted choice was resolved by,
	// where HasDrawn is set.
	Drew     float64
	HasDrawn bool
}

// Label is the label of the alternative taken.
func (t Taken) Label() string { return t.Alternatives[t.Index].Label }

// Text is how a trace and a listing spell t:
// "step 2: tokens 2@a, 3@b (unordered; took 3@b first)".
func (t Taken) Text() string {
	k := kinds[t.Kind]
	b := append([]byte(t.Place()), k.before...)
	b = append(t.appendList(b, false), k.after...)
	switch {
	case !k.weighted:
		b = append(b, " (unordered; "...)
	case t.HasDrawn:
		b = append(append(append(b, " (weighted; drew "...), Decimal(t.Drew)...), ", "...)
	default:
		b = append(b, " (weighted; "...)
	}
	b = append(append(b, k.took...), t.Label()...)
	switch {
	case t.Kind == Write:
		b = append(b, " stood"...)
	case k.first:
		b = append(b, " first"...)
	}
	return string(append(b, ')'))
}

// Witness is the line that a witness file spells t by:
// "step 3: 3@b first of 2@a, 3@b, 4@c".
func (t Taken) Witness() string {
	where := t.Place()
	if t.Kind == Due {
		where = strings.TrimPrefix(where, "at ")
	}
	b := []byte(where)
	if t.Kind.IsOrder() {
		b = append(append(b, ": "...), quoteLabel(t.Label())...)
		return string(t.appendList(append(b, " first of "...), true))
	}
	b = append(append(b, " -> "...), quoteLabel(t.Label())...)
	if t.Kind == Decision || t.Kind == Weighted {
		b = t.appendList(append(b, " among "...), true)
	}
	if t.HasDrawn {
		b = append(append(b, " drew "...), Decimal(t.Drew)...)
	}
	return string(b)
}

func (c Choice) appendList(b []byte, quoted bool) []byte {
	for i, a := range c.Alternatives {
		if i > 0 {
			b = append(b, ", "...)
		}
		if quoted {
			b = append(b, quoteLabel(a.Label)...)
		} else {
			b = append(b, a.Label...)
		}
		if kinds[c.Kind].weighted {
			b = append(append(b, " p="...), strconv.FormatFloat(a.Weight, 'g', -1, 64)...)
		}
	}
	return b
}

func quoteLabel(label string) string {
	if strings.ContainsAny(label, ",;\"\n") {
		return strconv.Quote(label)
	}
	return label
}

// Share is the part of the schedule space that alternative i carries: its
// weight among the weights of a Weighted choice, else one part of n.
func (c Choice) Share(i int) float64 {
	if c.Kind != Weighted {
		return 1 / float64(len(c.Alternatives))
	}
	var total float64
	for _, a := range c.Alternatives {
		total += a.Weight
	}
	if total == 0 {
		return 0
	}
	return c.Alternatives[i].Weight / total
}

// Decimal is the shortest text of f that reads back to it and shows that it
// is a Real: "5.0", "0.25", "1e+21". Instants and drawn numbers print so.
func Decimal(f float64) string {
	s := strconv.FormatFloat(f, 'g', -1, 64)
	if abs := max(f, -f); abs >= 1e-4 && abs < 1e21 {
		s = strconv.FormatFloat(f, 'f', -1, 64)
	}
	if !strings.ContainsAny(s, ".eEnN") {
		s += ".0"
	}
	return s
}

// At is how choices spell an instant of the clock: "t=5.0".
func At(seconds float64) string { return "t=" + Decimal(seconds) }
