package render

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/runtime/explore"
)

// This file shows what exploring and checking every order found.

const shareBar = 20 // characters of a bar of text

// Exploration is the outcomes of a behaviour with their numbers of
// linearizations and their shares of the schedule space.
func Exploration(x *runtime.Exploration) *Table {
	t := &Table{Title: fmt.Sprintf("%s: %s over every order", x.Behavior, plural(len(x.Outcomes), "outcome", "outcomes")),
		Columns: []Column{{Title: "K", Right: true}, {Title: "outcome", Tone: Code}, {Title: "linearizations", Right: true}, {Title: "share", Right: true}, {}},
		Empty:   "no run came to an end"}
	for i, o := range x.Outcomes {
		tone := Plainly
		if o.Err != nil {
			tone = Bad
		}
		text := o.Text()
		if len(o.Visits) > 0 {
			text += "\nvisited: " + visits(o.Visits)
		}
		share, bar := "", ""
		if o.Share != nil {
			share = decimal(o.Share)
			f, _ := o.Share.Float64()
			bar = strings.Repeat("█", int(f*shareBar+0.5))
		}
		t.Rows = append(t.Rows, []Cell{{Text: fmt.Sprint(i + 1)}, {Text: text, Tone: tone}, {Text: count(o.Linearizations, x.Uncounted)}, {Text: share}, {Text: bar, Tone: Muted}})
	}
	t.Note = completeness(x.Complete, x.Interrupted, x.Bounds) + fmt.Sprintf(": %s, %s, %s; granularity %s",
		linearizations(x.Linearizations, x.Uncounted), plural(x.Worlds, "distinct World", "distinct Worlds")+apart(x.Apart), plural(x.Moves, "move", "moves"), x.Granularity)
	return t
}

// apart says that the Worlds are those of independent parts.
func apart(is bool) string {
	if is {
		return " of independent parts"
	}
	return ""
}

func linearizations(n *big.Int, uncounted bool) string {
	if n != nil && n.IsInt64() && n.Int64() == 1 {
		return "1 linearization"
	}
	return count(n, uncounted) + " linearizations"
}

// count is a number of linearizations; there is none where a cycle makes it
// infinite, or where an interrupt left no time to count them.
func count(n *big.Int, uncounted bool) string {
	switch {
	case uncounted:
		return "uncounted"
	case n == nil:
		return "unbounded"
	}
	return n.String()
}

// decimal is r as a decimal: exactly where that takes ten digits or less, else
// rounded to six behind a sign for it.
func decimal(r *big.Rat) string {
	if n, exact := r.FloatPrec(); exact && n <= 10 {
		return r.FloatString(n)
	}
	return "≈" + r.FloatString(6)
}

func completeness(complete, interrupted bool, bounds []explore.Bound) string {
	switch {
	case interrupted:
		return "interrupted"
	case complete:
		return "complete"
	}
	var texts []string
	for _, b := range bounds {
		texts = append(texts, b.String())
	}
	return "incomplete (" + strings.Join(texts, "; ") + ")"
}

// Checking is what can go wrong in some order, and what the orders decide.
func Checking(c *runtime.Checking) Bundle {
	tone := Good
	switch {
	case len(c.Violations) > 0:
		tone = Bad
	case len(c.Divergent) > 0 || !c.Complete:
		tone = Open
	}
	var d document
	d.head(c.Behavior+": "+c.Text, tone)
	found := &Table{Columns: []Column{{Title: "K", Right: true}, {Title: "kind"}, {Title: "what", Tone: Code}, {Title: "moves", Right: true}}}
	k := 0
	for _, list := range [][]*explore.Violation{c.Violations, c.Reached} {
		for _, v := range list {
			k++
			row := []Cell{{Text: fmt.Sprint(k)}, {Text: v.Kind, Tone: Bad}, {Text: v.Text}, {Text: fmt.Sprint(v.Moves)}}
			if v.NoWitness {
				row[3].Text = ""
			} else if v.Kind == explore.Reachable.String() {
				row[1].Tone = Good
			}
			found.Rows = append(found.Rows, row)
		}
	}
	d.table(found)
	divergent := &Table{Columns: []Column{{Title: "K", Right: true}, {Title: "depends on the order", Tone: Code}, {Title: "values", Tone: Code}}}
	for _, f := range c.Divergent {
		k++
		divergent.Row(fmt.Sprint(k), f.Name, strings.Join(f.Values, " or "))
	}
	d.table(divergent)
	agreed := &Table{Columns: []Column{{Title: "the same in every order", Tone: Code}, {Title: "value", Tone: Code}}}
	for _, f := range c.Agreed {
		agreed.Row(f.Name, strings.Join(f.Values, ", "))
	}
	d.table(agreed)
	note := completeness(c.Complete, c.Interrupted, c.Bounds) + fmt.Sprintf(": %s, %s; granularity %s",
		plural(c.Worlds, "distinct World", "distinct Worlds"), plural(c.Moves, "move", "moves"), c.Granularity)
	d.wrapped(note, 0, Aside(note))
	return d.bundle()
}
