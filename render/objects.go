package render

import (
	"fmt"
	"strings"

	"github.com/orrery-sysml/orrery/runtime"
)

// This file shows objects and what is judged of them.

// Objects lists objects by number.
func Objects(list []*runtime.Object) *Table {
	t := &Table{Columns: []Column{{Title: "#", Right: true}, {Title: "object", Tone: Code}, {Title: "type", Tone: Code}},
		Empty: "there are no objects yet; %instantiate makes one"}
	for _, o := range list {
		t.Row(fmt.Sprint(o.Number), objectName(o), o.Type)
	}
	return t
}

func objectName(o *runtime.Object) string {
	if o.Name != "" {
		return o.Name
	}
	return fmt.Sprintf("#%d", o.Number)
}

// ObjectLine is an object in a few words: "kettle : Kettle (#1)".
func ObjectLine(o *runtime.Object) string {
	return fmt.Sprintf("%s : %s (#%d)", objectName(o), o.Type, o.Number)
}

// Object is the values of an object as a tree.
func Object(t *runtime.ObjectTree) *Node {
	n := &Node{Label: objectName(&t.Object) + " : " + t.Type, Note: fmt.Sprintf("#%d", t.Number)}
	if len(t.States) > 0 {
		n.Note += ", in " + strings.Join(t.States, ", ")
	}
	for i := range t.Features {
		n.Children = append(n.Children, feature(&t.Features[i]))
	}
	if t.Bounded {
		n.Add("…", "").Note = "deeper objects are not read; --depth N, or %features of one of them, reads on"
	}
	return n
}

func feature(f *runtime.FeatureValue) *Node {
	n := &Node{Label: f.Name}
	if f.Type != "" {
		n.Label += " : " + f.Type
	}
	switch {
	case f.Err != nil && f.Text != "":
		n.Value, n.Tone = "= "+f.Text, Muted
	case f.Err != nil:
		n.Value, n.Tone = "cannot be read: "+f.Err.Message, Bad
	case len(f.Objects) == 0:
		n.Value, n.Tone = "= "+f.Text, Good
	case len(f.Objects) == 1:
		inner := Object(f.Objects[0])
		n.Note, n.Children = inner.Note, inner.Children
	default:
		for i, o := range f.Objects {
			inner := Object(o)
			inner.Label = fmt.Sprintf("%s[%d] : %s", f.Name, i+1, o.Type)
			n.Children = append(n.Children, inner)
		}
	}
	if f.Assigned {
		n.Note = strings.TrimPrefix(n.Note+", assigned", ", ")
	}
	return n
}

// Validation is the verdicts over an object and what they come to.
func Validation(v *runtime.Validation) Bundle {
	t := verdictTable(v.Verdicts, objectName(&v.Object))
	t.Title = ObjectLine(&v.Object)
	t.Empty = "nothing is asserted of it"
	tone, conclusion := validationVerdict(v)
	var d document
	d.add(t.Text, t.HTML())
	d.fixed(conclusion+"\n", element("div", tone.style()+";font-weight:600", escape(conclusion)))
	for _, unread := range v.Unread {
		d.fixed("not read: "+unread.Message+"\n", element("div", styleMuted, "not read: "+escape(unread.Message)))
	}
	return d.bundle()
}

// validationVerdict is the one verdict for the whole, as a line.
func validationVerdict(v *runtime.Validation) (Tone, string) {
	var counts [3]int
	for _, x := range v.Verdicts {
		counts[x.Status]++
	}
	all := len(v.Verdicts)
	switch {
	case counts[runtime.Violated] > 0:
		return Bad, fmt.Sprintf("violated: %d of %s not hold", counts[runtime.Violated], plural(all, "assertion does", "assertions do"))
	case v.Valid():
		return Good, fmt.Sprintf("valid: %s", plural(all, "assertion holds", "assertions hold"))
	case counts[runtime.Undecided] > 0:
		return Open, fmt.Sprintf("undecided: %d of %s be decided", counts[runtime.Undecided], plural(all, "assertion cannot", "assertions cannot"))
	case v.Bounded:
		return Open, "undecided: objects are nested deeper than was read"
	case len(v.Unread) > 0:
		return Open, "undecided: " + plural(len(v.Unread), "feature", "features") + " could not be read"
	}
	return Open, "undecided: nothing is asserted"
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Verdicts is several judgements as a table.
func Verdicts(list []runtime.Verdict) *Table { return verdictTable(list, "") }

func verdictTable(list []runtime.Verdict, root string) *Table {
	t := &Table{Columns: []Column{{Title: "status"}, {Title: "assertion", Tone: Code}, {Title: "of", Tone: Code}, {Title: "because", Tone: Code}}}
	for i := range list {
		v := &list[i]
		of := v.Object
		if of == "" {
			of = root
		}
		t.Rows = append(t.Rows, []Cell{{v.Status.String(), statusTone(v.Status)}, {Text: v.Assertion}, {Text: of}, {Text: because(v)}})
	}
	return t.DropEmpty()
}

func statusTone(s runtime.Status) Tone { return [...]Tone{Good, Bad, Open}[s] }

// because is the condition that decided, with the values it read, and what
// kept it from being decided.
func because(v *runtime.Verdict) string {
	var parts []string
	if v.Condition != "" {
		parts = append(parts, v.Condition)
	}
	var values []string
	for _, o := range v.Operands {
		values = append(values, o.Text+" = "+o.Value)
	}
	if len(values) > 0 {
		parts = append(parts, "where "+strings.Join(values, ", "))
	}
	if v.Err != nil && (v.Status == runtime.Undecided || len(parts) == 0) {
		parts = append(parts, v.Err.Message)
	}
	return strings.Join(parts, "\n")
}

// jsonObject is an object as %features --json has it.
type jsonObject struct {
	Number   int           `json:"number"`
	Name     string        `json:"name"`
	Type     string        `json:"type"`
	Features []jsonFeature `json:"features,omitempty"`
	Bounded  bool          `json:"bounded,omitempty"`
}

type jsonFeature struct {
	Name     string       `json:"name"`
	Type     string       `json:"type,omitempty"`
	Value    string       `json:"value,omitempty"`
	Error    string       `json:"error,omitempty"`
	Assigned bool         `json:"assigned,omitempty"`
	Objects  []jsonObject `json:"objects,omitempty"`
}

// ObjectJSON is an object as a value that encoding/json takes.
func ObjectJSON(t *runtime.ObjectTree) any { return objectJSON(t) }

func objectJSON(t *runtime.ObjectTree) jsonObject {
	o := jsonObject{Number: t.Number, Name: t.Name, Type: t.Type, Bounded: t.Bounded}
	for i := range t.Features {
		f := &t.Features[i]
		j := jsonFeature{Name: f.Name, Type: f.Type, Value: f.Text, Assigned: f.Assigned}
		if f.Err != nil {
			j.Error = f.Err.Message
		}
		for _, inner := range f.Objects {
			j.Objects = append(j.Objects, objectJSON(inner))
		}
		o.Features = append(o.Features, j)
	}
	return o
}
