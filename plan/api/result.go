package api

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"

	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/runtime/schedule"
)

// A Result is what a run or a judgement gives: attributes that never change.
type Result struct {
	kind   string
	names  []string // in the order to list them
	fields starlark.StringDict
	truth  bool
	text   string // how it prints
}

func (r *Result) String() string { return r.text }

// Type is "verdict", "run" or "validation".
func (r *Result) Type() string { return r.kind }

// Freeze does nothing: a result never changes.
func (r *Result) Freeze() {}

// Truth is whether it holds, or succeeded.
func (r *Result) Truth() starlark.Bool { return starlark.Bool(r.truth) }

// Hash is refused.
func (r *Result) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable type: %s", r.kind) }

// AttrNames lists the attributes.
func (r *Result) AttrNames() []string { return r.names }

// Attr is one of the attributes.
func (r *Result) Attr(name string) (starlark.Value, error) {
	if v, ok := r.fields[name]; ok {
		return v, nil
	}
	hint := ""
	if _, ok := r.fields["outputs"]; ok {
		hint = fmt.Sprintf("what it put out is read as x.outputs[%q]; beside that it has %s", name, strings.Join(r.names, ", "))
	}
	return nil, lacks(r, name, hint)
}

// Bundle shows the result with its attributes.
func (r *Result) Bundle() render.Bundle {
	var out strings.Builder
	out.WriteString(r.text + "\n")
	for _, n := range r.names {
		v := r.fields[n]
		if _, method := v.(starlark.Callable); method {
			continue
		}
		if v != starlark.None && v.Truth() {
			text := v.String()
			if s, ok := starlark.AsString(v); ok {
				text = s
			}
			fmt.Fprintf(&out, "  %s: %s\n", n, strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n    "))
		}
	}
	return render.Text(out.String())
}

func newResult(kind, text string, truth bool) *Result {
	return &Result{kind: kind, text: text, truth: truth, fields: starlark.StringDict{}}
}

func (r *Result) set(name string, v starlark.Value) {
	v.Freeze()
	r.names = append(r.names, name)
	r.fields[name] = v
}

func texts(list []string) *starlark.List {
	out := make([]starlark.Value, len(list))
	for i, s := range list {
		out[i] = starlark.String(s)
	}
	return frozen(out)
}

func newVerdict(v *runtime.Verdict) *Result {
	name := v.Assertion
	if name == "" {
		name = strings.TrimSpace(v.Kind + " " + v.Name)
	}
	r := newResult("verdict", name+": "+v.Status.String(), v.Status == runtime.Holds)
	r.set("satisfied", starlark.Bool(v.Status == runtime.Holds))
	r.set("undecided", starlark.Bool(v.Status == runtime.Undecided))
	r.set("error", starlark.String(""))
	if v.Err != nil {
		r.fields["error"] = starlark.String(v.Err.Message)
	}
	r.set("name", starlark.String(v.Name))
	r.set("object", starlark.String(v.Object))
	r.set("condition", starlark.String(v.Condition))
	operands := starlark.NewDict(len(v.Operands))
	for _, o := range v.Operands {
		operands.SetKey(starlark.String(o.Text), starlark.String(o.Value)) // texts are hashable
	}
	r.set("operands", operands)
	return r
}

// newVerdicts sums several verdicts up; some says that there are any.
func newVerdicts(list []runtime.Verdict, some bool) *Result {
	holds, undecided := some, false
	reason := ""
	var each []starlark.Value
	for i := range list {
		v := newVerdict(&list[i])
		each = append(each, v)
		holds = holds && v.truth
		undecided = undecided || list[i].Status == runtime.Undecided
		if reason == "" && list[i].Err != nil {
			reason = list[i].Err.Message
		}
	}
	text := fmt.Sprintf("%d verdicts, all hold", len(list))
	if !holds {
		text = fmt.Sprintf("%d verdicts, not all hold", len(list))
	}
	r := newResult("verdict", text, holds)
	r.set("satisfied", starlark.Bool(holds))
	r.set("undecided", starlark.Bool(undecided))
	r.set("error", starlark.String(reason))
	r.set("verdicts", frozen(each))
	return r
}

// outputs are the named values of a run.
func (e *Environment) outputs(m *Model, s *runtime.Session, list []runtime.Output) *starlark.Dict {
	d := starlark.NewDict(len(list))
	for _, o := range list {
		d.SetKey(starlark.String(o.Name), e.toStarlark(m, s, o.Value)) // texts are hashable
	}
	return d
}

func (e *Environment) newCaseResult(m *Model, s *runtime.Session, c *runtime.CaseRun) *Result {
	verdict := c.Verdict
	text := c.Name
	if verdict != "" {
		text += ": " + verdict
	}
	r := newResult("run", text, c.Err == nil && (verdict == "" || verdict == "pass"))
	r.set("ok", starlark.Bool(c.Err == nil))
	r.set("verdict", starlark.String(verdict))
	r.set("detail", starlark.String(c.Detail))
	r.set("outputs", e.outputs(m, s, c.Outputs))
	r.set("error", starlark.String(""))
	if c.Err != nil {
		r.fields["error"] = starlark.String(c.Err.Message)
	}
	r.set("verdicts", newVerdicts(c.Verdicts, true).fields["verdicts"])
	var sub []starlark.Value
	for _, x := range c.Subcases {
		y := newResult("run", x.Name+": "+x.Verdict, x.Verdict == "pass")
		y.set("name", starlark.String(x.Name))
		y.set("verdict", starlark.String(x.Verdict))
		y.set("detail", starlark.String(x.Detail))
		sub = append(sub, y)
	}
	r.set("subcases", frozen(sub))
	return r
}

// newRunResult is what a behaviour's run gives.
func (e *Environment) newRunResult(m *Model, s *runtime.Session, x *runtime.Run, settings schedule.Settings) *Result {
	text := x.Behavior + " ran"
	switch {
	case x.Err != nil:
		text = x.Behavior + " failed: " + x.Err.Message
	case x.FinalState != "":
		text = x.Behavior + " rests in " + x.FinalState
	}
	r := newResult("run", text, x.Err == nil)
	r.set("ok", starlark.Bool(x.Err == nil))
	r.set("outputs", e.outputs(m, s, x.Outputs))
	r.set("error", starlark.String(""))
	if x.Err != nil {
		r.fields["error"] = starlark.String(x.Err.Message)
	}
	if x.Kind == "state" {
		r.set("current", starlark.String(x.FinalState))
		r.set("visits", texts(x.Visits))
	}
	r.set("done", starlark.Bool(x.Ended))
	r.set("steps", starlark.MakeInt64(x.Steps))
	r.set("time", starlark.Float(x.Time))
	r.set("choices", texts(takenTexts(x.Choices)))
	r.set("witness", texts(schedule.WitnessOf(x.Choices)))
	r.set("trace", starlark.String(x.Trace))
	r.set("schedule", starlark.String(settings.Schedule.String()))
	return r
}

func takenTexts(list []schedule.Taken) []string {
	out := make([]string, len(list))
	for i, t := range list {
		out[i] = t.Text()
	}
	return out
}
