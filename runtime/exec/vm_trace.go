package exec

import (
	"github.com/orrery-sysml/orrery/runtime/trace"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
)

// level is the depth of what the instruction at the pc of f, which is at the
// top, works for.
func (r *Runner) level(f *Frame) int {
	u := r.World.Program.Units[f.Unit]
	depth := r.depths[len(r.depths)-1]
	if int(f.PC) < len(u.Open) && u.Open[f.PC] >= 0 {
		depth += int(u.Nodes[u.Open[f.PC]].Depth)
	}
	return depth
}

// levels computes the depths of all frames anew, for a body taken up again.
func (r *Runner) levels() {
	depth := r.Depth
	for i := range r.frames {
		u := r.World.Program.Units[r.frames[i].Unit]
		if i > 0 {
			depth = r.level(&r.frames[i-1]) + 1
		}
		if u.Kind.Word() != "" || u.Kind == RunUnit {
			depth++
		}
		r.depths = append(r.depths, depth)
	}
}

func (r *Runner) observe(e trace.Event) {
	if top := len(r.frames) - 1; top >= 0 {
		if self := r.frames[top].Self; self != value.NoObject {
			e.Object = int64(r.World.Object(self).Number)
		}
	}
	r.Observer.Observe(e)
}

// notes prints what stands before the instruction at pc.
func (r *Runner) notes(u *Unit, pc int32, regs []value.Value) {
	if u.NotesAt == nil {
		return
	}
	base := r.depths[len(r.depths)-1]
	for i := u.NotesAt[pc]; i < u.NotesAt[pc+1]; i++ {
		n := &u.Notes[i]
		if r.Watch != nil && n.Kind == EvalNote {
			r.Watch.Evaluated(&u.Nodes[n.Node], base+int(n.Depth), *get(regs, u.Consts, n.B))
		}
		if r.Observer == nil {
			continue
		}
		e := trace.Event{Depth: base + int(n.Depth)}
		switch n.Kind {
		case EvalNote:
			e.Kind, e.Word, e.Name = trace.Eval, u.Nodes[n.Node].Word, u.Nodes[n.Node].Name
		case BindNote, DefaultNote:
			e.Kind, e.Name, e.Note = trace.Bind, n.Text, "argument"
			if n.Kind == DefaultNote {
				e.Note = "default"
			}
		case EnterNote:
			e.Kind, e.Name, e.Word = trace.EnterCalc, n.Text, n.Word
		case ExitNote:
			e.Kind, e.Name, e.Word = trace.ExitCalc, n.Text, n.Word
		case OutputNote:
			e.Kind, e.Name = trace.Output, n.Text
		case ReuseNote:
			e.Kind, e.Name = trace.Reuse, n.Text
		case StmtNote:
			e.Kind, e.Word = trace.Statement, n.Word
		case ExitValueNote:
			e.Kind, e.Name, e.Word = trace.ExitCalc, n.Text, n.Word
		}
		if n.Kind <= DefaultNote || n.Kind == OutputNote || n.Kind == ExitValueNote {
			e.Value = r.World.Text(*get(regs, u.Consts, n.B))
		}
		r.observe(e)
	}
}

// statement prints the label of statement B.
func (r *Runner) statement(u *Unit, in *Instr) {
	if in.B != NoStatement && r.Observer != nil {
		s := &u.Statements[in.B]
		r.observe(trace.Event{Kind: trace.Statement, Depth: r.depths[len(r.depths)-1] + int(in.D), Word: s.Word, Name: s.Name})
	}
}

func (r *Runner) iteration(u *Unit, in *Instr, n int64) {
	if r.Observer == nil {
		return
	}
	r.observe(trace.Event{Kind: trace.Iteration, Depth: r.depths[len(r.depths)-1] + int(in.D), Number: n})
}

// enter and exit print the lines around a calculation; the depth of its frame
// is that of the line.
func (r *Runner) enter(u *Unit) {
	r.observe(trace.Event{Kind: trace.EnterCalc, Depth: r.depths[len(r.depths)-1], Name: u.Name, Word: calcWord(u)})
}

func (r *Runner) exit(u *Unit, v value.Value) {
	e := trace.Event{Kind: trace.ExitCalc, Depth: r.depths[len(r.depths)-1] - 1, Name: u.Name, Word: calcWord(u)}
	if !v.IsAbsent() {
		e.Value = r.World.Text(v)
	}
	r.observe(e)
}

func calcWord(u *Unit) string {
	if w := u.Kind.Word(); w != "calc" && w != "" {
		return w
	}
	return u.Word
}

// bound prints the parameters of a call that gives every argument.
func (r *Runner) bound(u *Unit, regs []value.Value) {
	for i := range u.Params {
		r.observe(trace.Event{Kind: trace.Bind, Depth: r.depths[len(r.depths)-1], Name: u.Params[i].Name,
			Note: "argument", Value: r.World.Text(regs[i])})
	}
}

// failed prints that the expressions open at pc ended with an error, and the
// calculation with them.
func (r *Runner) failed(u *Unit, pc int32, top int, d *diagnostic.Diagnostic) {
	if top >= len(r.depths) {
		return
	}
	base := r.depths[top]
	if int(pc) < len(u.Open) {
		for n := u.Open[pc]; n >= 0; n = u.Nodes[n].Parent {
			if u.Nodes[n].Word == "" {
				continue
			}
			r.observe(trace.Event{Kind: trace.Eval, Depth: base + int(u.Nodes[n].Depth), Word: u.Nodes[n].Word, Name: u.Nodes[n].Name, Err: d.Message})
		}
	}
	if u.Kind.Word() != "" || u.Kind == RunUnit {
		r.observe(trace.Event{Kind: trace.ExitCalc, Depth: base - 1, Name: u.Name, Word: calcWord(u), Err: d.Message})
	}
	r.depths = r.depths[:top]
}

// materialized prints that an object was made.
func (r *Runner) materialized(id value.ObjectID) {
	if r.Observer != nil {
		o := r.World.Object(id)
		r.observe(trace.Event{Kind: trace.Materialize, Name: r.World.Program.Types[o.Type].Name, Number: int64(o.Number)})
	}
}

// begun tells the Watcher of a frame that is about to be pushed.
func (r *Runner) begun(u *Unit, f Frame) {
	object, slot := f.Self, -1
	if f.Return == ToSlot || f.Return == ToJoin {
		object, slot = value.ObjectID(f.A), int(f.B)
	}
	r.Watch.Begun(u, object, slot, f.Return == ToJoin, r.depths[len(r.depths)-1])
}
