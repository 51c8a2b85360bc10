package lower

import (
	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// An operand is what an instruction reads: a register where not negative,
// else constant ^operand.
type operand = int32

// absent is an operand that is not there.
const absent = exec.NoOperand

// A body is a unit in the making.
type body struct {
	l *Lowering
	u *exec.Unit
	// scope is where names are resolved.
	scope  *model.Element
	outers []*model.Element // of enterBlock
	// blocks are the names that registers have, the innermost last.
	blocks []*block
	// self says that the unit may run on an object.
	self bool
	// calc is the calculation that the unit computes, or computes an output
	// of; nil for none. computing are the outputs and features whose value is
	// being lowered, against values that depend on themselves.
	calc      *calc
	computing []*model.Element
	// checked are the constraints and requirements whose conditions the unit
	// has, the innermost last: their valued features are names of the body.
	checked []*model.Element
	// datas are the Envs around a statement of a behaviour, the innermost
	// first; host is who lowers statements that only behaviours have.
	datas []*data
	host  statements
	// mark is the C of the next OpStatement: whether a behaviour may pause
	// there.
	mark int32

	// memos are the runs that the body reads, known those of an earlier pass.
	memos, known []*memo

	quiet bool  // leave no lines in traces
	top   int32 // registers in use
	cost  int   // nodes visited since the last instruction
	depth int   // of the next node
	node  int32 // the open one; -1 for none
	notes []exec.Note
	span  source.Span
}

// A block is one scope of local names.
type block struct {
	locals map[string]*local
	top    int32 // registers in use before it
}

// A local is what a name means in a block.
type local struct {
	kind     localKind
	register int32
	element  *model.Element
}

type localKind uint8

const (
	registerLocal localKind = iota // the value is in register
	valueLocal                     // the value is that of element, evaluated when read
	usageLocal                     // a calculation usage, its run in register
	functionLocal                  // a calculation, as a value
	outputLocal                    // an output of the calculation, assigned in register, read in the one behind it
	givenLocal                     // a parameter in register that nobody may have given
)

func (l *Lowering) body(u *exec.Unit, scope *model.Element) *body {
	b := &body{l: l, u: u, scope: scope, node: -1}
	b.enter()
	return b
}

func (b *body) enter() *block {
	k := &block{locals: map[string]*local{}, top: b.top}
	b.blocks = append(b.blocks, k)
	return k
}

// leave ends the innermost block. Its registers are emptied when it is
// entered again, not here.
func (b *body) leave() {
	last := len(b.blocks) - 1
	b.top = b.blocks[last].top
	b.blocks = b.blocks[:last]
}

// alloc gives a register.
func (b *body) alloc() int32 {
	r := b.top
	b.top++
	b.u.Registers = max(b.u.Registers, b.top)
	return r
}

// declare gives a local its register.
func (b *body) declare(name string, l *local) *local {
	if l.kind != valueLocal && l.kind != functionLocal {
		l.register = b.alloc()
		b.u.Locals = max(b.u.Locals, b.top)
	}
	if name != "" {
		b.blocks[len(b.blocks)-1].locals[name] = l
	}
	return l
}

func (b *body) lookup(name string) *local {
	for i := len(b.blocks) - 1; i >= 0; i-- {
		if l := b.blocks[i].locals[name]; l != nil {
			return l
		}
	}
	return nil
}

// konst is v as an operand.
func (b *body) konst(v value.Value) operand {
	for i, c := range b.u.Consts {
		if value.Same(c, v) {
			return ^int32(i)
		}
	}
	b.u.Consts = append(b.u.Consts, v)
	return ^int32(len(b.u.Consts) - 1)
}

// emit adds an instruction and gives its pc. What a trace prints before it is
// what was noted since the last one.
func (b *body) emit(in exec.Instr) int {
	in.Cost = uint8(min(b.cost, 255))
	b.cost = 0
	pc := len(b.u.Code)
	b.u.Code = append(b.u.Code, in)
	b.u.Spans = append(b.u.Spans, b.span)
	b.u.Open = append(b.u.Open, b.node)
	b.u.NotesAt = append(b.u.NotesAt, int32(len(b.u.Notes)))
	b.u.Notes = append(b.u.Notes, b.notes...)
	b.notes = b.notes[:0]
	return pc
}

// here is the pc of the next instruction, as the target of jumps. What is
// noted so far is printed before, by those alone who come from above.
func (b *body) here() int32 {
	if len(b.notes) > 0 || b.cost > 0 {
		b.emit(exec.Instr{Op: exec.OpNop})
	}
	return int32(len(b.u.Code))
}

// jump emits a jump whose target land sets.
func (b *body) jump() int { return b.emit(exec.Instr{Op: exec.OpJump}) }

// land makes the jumps at pcs lead to the next instruction.
func (b *body) land(pcs ...int) {
	at := b.here()
	for _, pc := range pcs {
		b.u.Code[pc].A = at
	}
}

// finish closes the tables of the unit.
func (b *body) finish() {
	b.emit(exec.Instr{Op: exec.OpNop}) // no jump leads behind the code
	b.u.NotesAt = append(b.u.NotesAt, int32(len(b.u.Notes)))
	b.u.Locals = max(b.u.Locals, int32(len(b.u.Params)))
	b.u.Registers = max(b.u.Registers, b.u.Locals)
	fuse(b.u)
	b.l.sealed = nil
}

// fuse makes a comparison whose result only decides the next instruction one
// that decides itself. The two keep their places, so that a traced run and an
// untraced one have the same pcs.
func fuse(u *exec.Unit) {
	for pc := 0; pc+1 < len(u.Code); pc++ {
		in, next := &u.Code[pc], &u.Code[pc+1]
		if in.Op >= exec.OpLess && in.Op <= exec.OpNotEqual && next.Op == exec.OpJumpIfNot && next.B == in.A {
			in.Op += exec.OpLessJump - exec.OpLess
		}
	}
}

// open begins the node of an expression; shut ends it with its value.
func (b *body) open(word, name string, span source.Span) (outer int32) {
	outer = b.node
	b.node = int32(len(b.u.Nodes))
	b.u.Nodes = append(b.u.Nodes, exec.Node{Label: exec.Label{Word: word, Name: name}, Depth: int16(b.depth), Parent: outer, Span: span})
	b.depth++
	b.cost++
	b.span = span
	return outer
}

func (b *body) shut(outer int32, v operand) operand {
	n := b.node
	b.depth--
	if b.quiet {
		b.node = outer
		return v
	}
	b.notes = append(b.notes, exec.Note{Kind: exec.EvalNote, Depth: int16(b.depth), Node: n, B: v})
	b.node = outer
	if outer >= 0 {
		b.span = b.u.Nodes[outer].Span
	}
	return v
}

// atLeft makes the lines of the calculations that the unit runs itself begin
// at the level of the unit.
func (b *body) atLeft() {
	b.depth = -1
	b.node = int32(len(b.u.Nodes))
	b.u.Nodes = append(b.u.Nodes, exec.Node{Depth: -1, Parent: -1})
}

// note adds a line at the depth of what the open node has below it.
func (b *body) note(kind exec.NoteKind, text string, v operand) {
	b.notes = append(b.notes, exec.Note{Kind: kind, Depth: int16(b.depth), Text: text, B: v})
}

// fail emits an error that happens when it is reached.
func (b *body) fail(code diagnostic.Code, message, hint string) {
	if code == diagnostic.UnresolvedName || code == exec.NoMember {
		b.l.open = true
	}
	b.u.Fails = append(b.u.Fails, exec.Failure{Code: code, Message: message, Hint: hint})
	b.emit(exec.Instr{Op: exec.OpFail, B: int32(len(b.u.Fails) - 1)})
}

// failed is fail as the value of an expression.
func (b *body) failed(code diagnostic.Code, message, hint string) operand {
	b.fail(code, message, hint)
	return b.konst(value.NullValue)
}

// result is the register for a result: want, or a new one.
func (b *body) result(want int32) int32 {
	if want >= 0 {
		return want
	}
	return b.alloc()
}

// move puts an operand into a register.
func (b *body) move(to int32, v operand) int32 {
	if v != to {
		b.emit(exec.Instr{Op: exec.OpMove, A: to, B: v})
	}
	return to
}

// into evaluates x into register to.
func (b *body) into(x syntax.Expr, to int32) int32 { return b.move(to, b.expr(x, to)) }

// statements lowers the statements that only behaviours have: see body.host.
type statements interface {
	// statement lowers member e of a block, or says that it is none of those.
	statement(b *body, e *model.Element) bool
	// block lowers all members of block e, where they are a flow, or says
	// that they are none.
	block(b *body, e *model.Element) bool
}
