package exec

import (
	"errors"

	"github.com/orrery-sysml/orrery/runtime/budget"
	"github.com/orrery-sysml/orrery/runtime/trace"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// A Runner runs one body on a World. The frames and registers of the body are
// in the Runner while it runs and in the World while it is paused: see Store
// and Restore. A Runner may be used again after it stopped; one goroutine at
// a time.
type Runner struct {
	World *World
	Meter *budget.Meter
	// Observer is told what the body does; nil for nobody.
	Observer trace.Observer
	// Depth is the level of the first line of the body in the trace.
	Depth int
	// Draws resolves a call of a random function; nil refuses it.
	Draws func(fn *value.LibraryFunction, args []value.Value) (value.Value, error)
	// Init says that the body gives features their first values, which are no
	// writes that could conflict.
	Init bool
	// Pause stops the body before every statement, Every before every
	// instruction.
	Pause, Every bool
	// Starts stops the body when an object with behaviours was made.
	Starts bool

	// Calls hears the calls of function values; nil for nobody.
	Calls interface{ Called(FunctionCall) }
	// Covered notes what is evaluated; nil for nobody.
	Covered *Coverage
	// Watch is told where values come from; nil for nobody.
	Watch Watcher

	read    []value.Value // of a chain over a collection
	pending []pendingCall
	frames  []Frame
	values  []value.Value
	depths  []int // of the frames, while there is an Observer
	cursor  value.Cursor
	stop    Stop
	passed  bool // the statement at the pc was stopped at before
}

// A Watcher is told where the values come from that a body computes. Depths
// are levels as in a trace.
type Watcher interface {
	// Begun and Ended enclose what a unit does: the default of slot of object
	// where it is a FillUnit, binding connectors where joined is set.
	Begun(u *Unit, object value.ObjectID, slot int, joined bool, depth int)
	Ended(u *Unit, v value.Value)
	// Evaluated tells the value of an expression, after those of its parts.
	Evaluated(n *Node, depth int, v value.Value)
	// Read tells the value that a slot had already.
	Read(object value.ObjectID, slot int, s SlotState, v value.Value, depth int)
}

// A FunctionCall is a call of a function value.
type FunctionCall struct {
	Function  string // qualified name
	Arguments []value.Value
	Result    value.Value
}

// A pendingCall is one that has not returned; depth counts the frames up to
// its own.
type pendingCall struct {
	depth int
	call  FunctionCall
}

// StopKind says why a Runner stopped.
type StopKind uint8

// The reasons.
const (
	Done      StopKind = iota // the body returned Value
	Paused                    // before a statement
	Requested                 // Request with Args is asked of the engine: Answer it
	Made                      // Object was made and has behaviours to start
)

// A Stop is why a Runner stopped.
type Stop struct {
	Kind    StopKind
	Value   value.Value // Absent where the body returned nothing
	Request *Request
	Args    []value.Value // valid until the Runner goes on
	Object  value.ObjectID
	// Self and Env are those of the frame that stopped.
	Self value.ObjectID
	Env  EnvID
	// Depth is the level of the trace where it stopped.
	Depth int
}

// Start makes the Runner stand at the beginning of unit id, called with args
// for its parameters, on the object self (NoObject for none) within env. An
// Absent argument takes the default.
func (r *Runner) Start(id UnitID, self value.ObjectID, env EnvID, args ...value.Value) {
	u := r.World.Program.Units[id]
	r.frames = append(r.frames[:0], Frame{Unit: id, Env: env, Self: self})
	r.grow(int(max(u.Registers, int32(len(args)))))
	clear(r.values[copy(r.values, args):u.Registers])
	r.depths = append(r.depths[:0], r.Depth)
	r.passed = false
	if r.Observer != nil && u.Kind.Word() != "" {
		r.enter(u)
		r.depths[0]++
	}
}

// Run runs unit id to its end and gives the value it returns, for callers
// that answer no requests.
func (r *Runner) Run(id UnitID, self value.ObjectID, env EnvID, args ...value.Value) (value.Value, error) {
	r.Start(id, self, env, args...)
	stop, err := r.Continue()
	if err != nil {
		return value.Value{}, err
	}
	if stop.Kind != Done {
		return value.Value{}, diagnostic.New(NotHere, stop.span(), "this happens only while a behavior runs")
	}
	return stop.Value, nil
}

func (s Stop) span() source.Span {
	if s.Request == nil {
		return source.Span{}
	}
	return s.Request.Span
}

// Register is register i of the outermost frame, for callers that read what a
// body left there.
func (r *Runner) Register(i int32) value.Value { return r.values[r.frames[0].Base+i] }

// Answer gives the value that the last Requested stop waits for; Continue
// goes on behind it.
func (r *Runner) Answer(v value.Value) {
	f := &r.frames[len(r.frames)-1]
	u := r.World.Program.Units[f.Unit]
	r.values[f.Base+u.Code[f.PC].A] = v
	f.PC++
	f.Resumed = false
}

// Store puts the paused body into the World, as row id or, with NoStack, a
// new one, and gives the row.
func (r *Runner) Store(id StackID) StackID {
	if id == NoStack {
		id = StackID(r.World.Stacks.add(r.World.owner))
	}
	s := r.World.Stacks.edit(r.World.owner, int32(id))
	s.frames = append([]Frame(nil), r.frames...)
	end := int32(0)
	for _, f := range r.frames {
		end = max(end, f.Base+r.World.Program.Units[f.Unit].Registers)
	}
	r.grow(int(end))
	s.values = append([]value.Value(nil), r.values[:end]...)
	return id
}

// Restore takes the paused body of row id up again; the row stays.
func (r *Runner) Restore(id StackID) {
	s := r.World.Stacks.At(int32(id))
	r.frames = append(r.frames[:0], s.frames...)
	r.grow(len(s.values))
	copy(r.values, s.values)
	r.passed = true
	r.depths = r.depths[:0]
	if r.Observer != nil || r.Watch != nil {
		r.levels()
	}
}

func get(regs, consts []value.Value, n int32) *value.Value {
	if n >= 0 {
		return &regs[n]
	}
	return &consts[^n]
}

// Continue runs on to the next stop. After an error the Runner stands
// nowhere, and slots whose default was being computed are unread again.
func (r *Runner) Continue() (Stop, error) {
	for {
		err := r.loop()
		if err == nil {
			return r.stop, nil
		}
		if err = r.unwind(err); err != nil {
			return Stop{}, err
		}
	}
}

// loop executes instructions until a stop or an error. What the frame at the
// top is and where its registers are is kept in locals, and written back
// before anything that looks at frames.
func (r *Runner) loop() error {
	program := r.World.Program
	meter := r.Meter
	traced := r.Observer != nil || r.Watch != nil
	limit := int(meter.Budget.Limit(budget.Depth))
	f := &r.frames[len(r.frames)-1]
	u := program.Units[f.Unit]
	regs := r.values[f.Base:]
	consts, code := u.Consts, u.Code
	pc := f.PC
	for {
		in := &code[pc]
		if r.Every {
			if !r.passed {
				f.PC, r.passed = pc, true
				r.halt(Stop{Kind: Paused})
				return nil
			}
			r.passed = in.Op == OpStatement
		}
		resumed := f.Resumed
		if resumed {
			f.Resumed = false
		} else {
			if meter.Fuel -= int64(in.Cost); meter.Fuel < 0 {
				if err := meter.Refill(); err != nil {
					f.PC = pc
					return err
				}
			}
			if traced {
				r.notes(u, pc, regs)
			}
		}
		var err error
		switch in.Op {
		case OpNop:
		case OpEvaluated:
			if r.Covered != nil {
				r.Covered.evaluated(u.Conditions[in.B])
			}
		case OpMove:
			regs[in.A] = *get(regs, consts, in.B)
		case OpJump:
			pc = in.A
			continue
		case OpJumpIf, OpJumpIfNot:
			truth, ok := get(regs, consts, in.B).AsBool()
			if !ok {
				err = notBoolean(*get(regs, consts, in.B), in.D)
				break
			}
			if truth == (in.Op == OpJumpIf) {
				pc = in.A
				continue
			}
		case OpAdd:
			b, c := get(regs, consts, in.B), get(regs, consts, in.C)
			x, ok1 := b.AsInt()
			y, ok2 := c.AsInt()
			if sum := x + y; ok1 && ok2 && (sum > x) == (y > 0) {
				regs[in.A] = value.Int(sum)
				break
			}
			if err = binary2(&regs[in.A], value.Add, b, c); err == nil {
				if s, ok := regs[in.A].AsText(); ok {
					err = r.Meter.Text(len(s))
				}
			}
		case OpSub:
			b, c := get(regs, consts, in.B), get(regs, consts, in.C)
			x, ok1 := b.AsInt()
			y, ok2 := c.AsInt()
			if diff := x - y; ok1 && ok2 && (diff < x) == (y > 0) {
				regs[in.A] = value.Int(diff)
				break
			}
			err = binary2(&regs[in.A], value.Subtract, b, c)
		case OpMul:
			err = binary2(&regs[in.A], value.Multiply, get(regs, consts, in.B), get(regs, consts, in.C))
		case OpLess, OpLessEqual, OpGreater, OpGreaterEqual, OpEqual, OpNotEqual:
			_, err = compare(in.Op, &regs[in.A], get(regs, consts, in.B), get(regs, consts, in.C))
		case OpLessJump, OpLessEqualJump, OpGreaterJump, OpGreaterEqualJump, OpEqualJump, OpNotEqualJump:
			var truth bool
			truth, err = compare(in.Op-OpLessJump+OpLess, &regs[in.A], get(regs, consts, in.B), get(regs, consts, in.C))
			if err != nil || traced {
				break
			}
			if truth {
				pc += 2
			} else {
				pc = code[pc+1].A
			}
			continue
		case OpCall:
			callee := program.Units[in.B]
			if len(r.frames) >= limit {
				f.PC = pc
				return r.tooDeep(callee)
			}
			f.PC = pc
			base := f.Base + in.C
			if n := len(r.frames); !traced && int(in.D) == len(callee.Params) && n < cap(r.frames) && int(base+callee.Registers) <= len(r.values) {
				clear(r.values[base+int32(in.D) : base+callee.Locals])
				r.frames = r.frames[:n+1]
				next := &r.frames[n]
				*next = Frame{Unit: UnitID(in.B), PC: callee.Entry, Base: base, Env: f.Env, Self: f.Self, Return: ToRegister, A: in.A}
				f, u, regs, consts, code, pc = next, callee, r.values[base:], callee.Consts, callee.Code, callee.Entry
				continue
			}
			r.push(callee, Frame{Unit: UnitID(in.B), Base: f.Base + in.C, Env: f.Env, Self: f.Self, Return: ToRegister, A: in.A}, int32(in.D))
			f = &r.frames[len(r.frames)-1]
			u, regs, consts, code, pc = callee, r.values[f.Base:], callee.Consts, callee.Code, f.PC
			continue
		case OpReturn, OpReturnNone:
			var v value.Value
			if in.Op == OpReturn {
				v = *get(regs, consts, in.B)
			}
			f.PC = pc
			if n := len(r.frames) - 1; f.Return == ToRegister && !traced && r.Calls == nil && in.Op == OpReturn {
				to := f.A
				r.frames = r.frames[:n]
				f = &r.frames[n-1]
				u = program.Units[f.Unit]
				regs, consts, code, pc = r.values[f.Base:], u.Consts, u.Code, f.PC+1
				regs[to] = v
				continue
			}
			if done, err := r.leave(u, v); err != nil {
				return err
			} else if done {
				return nil
			}
			f = &r.frames[len(r.frames)-1]
			u = program.Units[f.Unit]
			regs, consts, code, pc = r.values[f.Base:], u.Consts, u.Code, f.PC
			continue
		case OpStatement:
			if r.Pause && !r.passed {
				f.PC, r.passed = pc, true
				r.halt(Stop{Kind: Paused})
				return nil
			}
			r.passed = false
			if traced {
				r.statement(u, in)
			}
			meter.Release()
		case OpIterate:
			n, _ := regs[in.B].AsInt()
			regs[in.B] = value.Int(n + 1)
			if traced {
				r.iteration(u, in, n+1)
			}
		case OpNext:
			c := *get(regs, consts, in.B)
			n, _ := regs[in.C].AsInt()
			if n < int64(c.Len()) {
				regs[in.A] = r.cursor.At(c, int(n))
				regs[in.C] = value.Int(n + 1)
				pc += 2
				continue
			}
		default:
			// Everything else may look at frames, push one, or stop.
			f.PC = pc
			depth := len(r.frames)
			next, halted, err2 := r.execute(in, u, f, regs, resumed)
			if err2 != nil {
				return err2
			}
			if halted {
				return nil
			}
			if len(r.frames) != depth {
				f = &r.frames[len(r.frames)-1]
				u = program.Units[f.Unit]
				regs, consts, code, pc = r.values[f.Base:], u.Consts, u.Code, f.PC
				continue
			}
			pc = next
			continue
		}
		if err != nil {
			f.PC = pc
			return err
		}
		pc++
	}
}

// push begins a call. Arguments stand where the parameters of the callee are.
func (r *Runner) push(callee *Unit, f Frame, args int32) {
	r.grow(int(f.Base + callee.Registers))
	n := args &^ Gaps
	clear(r.values[f.Base+n : f.Base+callee.Locals])
	if int(args) == len(callee.Params) {
		f.PC = callee.Entry
	}
	if r.Observer != nil || r.Watch != nil {
		caller := &r.frames[len(r.frames)-1]
		r.depths = append(r.depths, r.level(caller)+1)
		if r.Watch != nil {
			r.begun(callee, f)
		}
		if r.Observer == nil {
		} else if callee.Kind.Word() != "" {
			r.enter(callee)
			r.depths[len(r.depths)-1]++
			if f.PC == callee.Entry {
				r.bound(callee, r.values[f.Base:])
			}
		}
	}
	r.frames = append(r.frames, f)
}

// grow makes room for need registers in all. There are as many as there is
// room for; those behind the registers of the frame at the top are nobody's.
func (r *Runner) grow(need int) {
	if need <= len(r.values) {
		return
	}
	grown := make([]value.Value, 2*need+64)
	copy(grown, r.values)
	r.values = grown
}

// leave ends the frame at the top with v and says whether it was the last.
func (r *Runner) leave(u *Unit, v value.Value) (done bool, err error) {
	top := len(r.frames) - 1
	f := r.frames[top]
	if u.Kind == CalcUnit && v.IsAbsent() && f.Return != ToMemo {
		return false, noResult(u)
	}
	if r.Watch != nil && top > 0 {
		r.Watch.Ended(u, v)
	}
	if r.Observer != nil || r.Watch != nil {
		if r.Observer != nil && (u.Kind.Word() != "" || u.Kind == RunUnit) {
			r.exit(u, v)
		}
		r.depths = r.depths[:top]
	}
	if n := len(r.pending); n > 0 && r.pending[n-1].depth == top+1 {
		c := r.pending[n-1].call
		r.pending = r.pending[:n-1]
		c.Result = v
		r.Calls.Called(c)
	}
	if top == 0 {
		r.halt(Stop{Kind: Done, Value: v})
		return true, nil
	}
	caller := &r.frames[top-1]
	switch f.Return {
	case ToHost:
	case ToRegister:
		r.values[caller.Base+f.A] = v
		caller.PC++
	case ToMemo:
		r.values[caller.Base+f.A] = r.run(f, u, v)
		if caller.PC++; f.B >= 0 {
			caller.PC--
			caller.Resumed = true
		}
	case ToSlot:
		r.World.SetSlot(value.ObjectID(f.A), int(f.B), v, Derived)
		caller.Resumed = true
	case ToJoin:
		return false, r.joined(f, caller, v)
	}
	r.frames = r.frames[:top]
	return false, nil
}

// joined ends the reading of the binding connectors at a slot: with a value it
// is what the slot holds for this read, without one the slot is read as if no
// connector ended there.
func (r *Runner) joined(f Frame, caller *Frame, v value.Value) error {
	id, slot := value.ObjectID(f.A), int(f.B)
	r.frames = r.frames[:len(r.frames)-1]
	caller.Resumed = true
	if !v.IsAbsent() {
		held, state := r.World.Object(id).Slot(slot)
		if state != Derived || r.typeOf(id).Slots[slot].Gathered && held.Len() == 0 {
			r.World.SetSlot(id, slot, v, Joined)
		}
		return nil
	}
	_, o, err := r.fill(id, slot, r.typeOf(id))
	if err == nil && o == empty {
		err = r.uninitialized(id, slot)
	}
	return err
}

func (r *Runner) halt(s Stop) {
	f := &r.frames[len(r.frames)-1]
	s.Self, s.Env = f.Self, f.Env
	if r.Observer != nil && s.Kind != Done {
		s.Depth = r.level(f)
	}
	r.stop = s
}

func binary2(to *value.Value, op value.Operator, b, c *value.Value) error {
	v, err := value.Binary(op, *b, *c)
	if err == nil {
		*to = v
	}
	return err
}

// compare computes a comparison into to.
func compare(op Op, to, b, c *value.Value) (bool, error) {
	x, ok1 := b.AsInt()
	y, ok2 := c.AsInt()
	if ok1 && ok2 {
		var truth bool
		switch op {
		case OpLess:
			truth = x < y
		case OpLessEqual:
			truth = x <= y
		case OpGreater:
			truth = x > y
		case OpGreaterEqual:
			truth = x >= y
		case OpEqual:
			truth = x == y
		default:
			truth = x != y
		}
		*to = value.Bool(truth)
		return truth, nil
	}
	v, err := value.Binary(comparisons[op-OpLess], *b, *c)
	if err != nil {
		return false, err
	}
	*to = v
	truth, _ := v.AsBool()
	return truth, nil
}

var comparisons = [...]value.Operator{value.Less, value.LessEqual, value.Greater, value.GreaterEqual, value.EqualTo, value.NotEqualTo}

// maxRelated is how many calls an error shows the places of.
const maxRelated = 3

// unwind takes every frame off the stack for err: the trace shows how it
// passed through expressions and calculations, each of which wraps it.
func (r *Runner) unwind(err error) error {
	d := asDiagnostic(err)
	for len(r.frames) > 0 {
		top := len(r.frames) - 1
		f := r.frames[top]
		u := r.World.Program.Units[f.Unit]
		if d.Span.IsZero() && int(f.PC) < len(u.Spans) {
			d.Span = u.Spans[f.PC]
		}
		if r.Observer != nil {
			r.failed(u, f.PC, top, d)
		}
		if f.Return == ToSlot {
			r.World.SetSlot(value.ObjectID(f.A), int(f.B), value.Value{}, Unread)
		}
		r.frames = r.frames[:top]
		if f.Failing && top > 0 && (d.Code == Uninitialized || d.Code == NoValue) {
			r.give(f, value.Value{})
			return nil
		}
		d = r.wrap(u, d)
		if u.Kind == CalcUnit && top > 0 && len(d.Related) < maxRelated && !d.Span.IsZero() { // else the call is the place of d
			caller := &r.frames[top-1]
			if spans := r.World.Program.Units[caller.Unit].Spans; int(caller.PC) < len(spans) && !spans[caller.PC].IsZero() {
				d.Related = append(d.Related[:len(d.Related):len(d.Related)], diagnostic.Related{Span: spans[caller.PC], Message: "calc " + u.Name + " is called here"})
			}
		}
	}
	r.pending = r.pending[:0]
	return d
}

// give hands v to the caller of f, which is no longer on the stack.
func (r *Runner) give(f Frame, v value.Value) {
	caller := &r.frames[len(r.frames)-1]
	r.values[caller.Base+f.A] = v
	caller.PC++
	caller.Resumed = false
}

// asDiagnostic is a copy of err that may be changed.
func asDiagnostic(err error) *diagnostic.Diagnostic {
	var d *diagnostic.Diagnostic
	if errors.As(err, &d) {
		c := *d
		return &c
	}
	return diagnostic.Of(err)[0]
}
