package exec

import (
	"slices"
	"sort"
	"strings"

	"github.com/orrery-sysml/orrery/runtime/budget"
	"github.com/orrery-sysml/orrery/runtime/trace"
	"github.com/orrery-sysml/orrery/runtime/value"
)

// execute runs an instruction that loop does not: next is where to go on,
// unless a frame was pushed, popped or the body halted.
func (r *Runner) execute(in *Instr, u *Unit, f *Frame, regs []value.Value, resumed bool) (next int32, halted bool, err error) {
	consts, pc := u.Consts, f.PC
	to := func(v value.Value, e error) (int32, bool, error) {
		if e != nil {
			return pc, false, e
		}
		regs[in.A] = v
		return pc + 1, false, nil
	}
	switch in.Op {
	case OpJumpPresent, OpJumpAbsent:
		if get(regs, consts, in.B).IsAbsent() == (in.Op == OpJumpAbsent) {
			return in.A, false, nil
		}
	case OpJumpNull:
		if get(regs, consts, in.B).IsNull() {
			return in.A, false, nil
		}
	case OpJumpSome:
		if get(regs, consts, in.B).Len() > 0 {
			return in.A, false, nil
		}
	case OpCheckBool:
		if b := *get(regs, consts, in.B); b.Kind() != value.Boolean {
			return pc, false, notBoolean(b, in.D)
		}
	case OpBinary:
		b, c := *get(regs, consts, in.B), *get(regs, consts, in.C)
		if op := value.Operator(in.D); op == value.Range {
			return to(r.rangeOf(b, c))
		}
		return to(value.Binary(value.Operator(in.D), b, c))
	case OpUnary:
		return to(value.Unary(value.Operator(in.D), *get(regs, consts, in.B)))
	case OpSequence:
		v := value.SequenceExpression(regs[in.B : in.B+int32(in.D)])
		return to(v, r.Meter.Hold(v.Len()))
	case OpCollection:
		return to(collection(value.Kind(in.D), *get(regs, consts, in.B), *get(regs, consts, in.C)))
	case OpRun:
		return to(value.SequenceOf(regs[in.B:in.B+int32(in.D)]...), nil)
	case OpIndex:
		return to(index(*get(regs, consts, in.B), *get(regs, consts, in.C)))
	case OpAppend:
		e := *get(regs, consts, in.B)
		if n := e.Len(); n == 1 && !e.Kind().IsCollection() {
			return to(regs[in.A].Append(e), r.Meter.Hold(1))
		} else if n > 0 {
			return to(regs[in.A].Concat(e), r.Meter.Hold(n))
		}
	case OpLoopable:
		if b := *get(regs, consts, in.B); !b.IsNull() && !b.Kind().IsCollection() {
			return pc, false, notCollection(b)
		}
	case OpLibrary:
		return r.library(in, regs, pc)
	case OpQuantity:
		unit, _ := get(regs, consts, in.C).AsReference()
		return to(value.QuantityOf(*get(regs, consts, in.B), unit))
	case OpJoin:
		return to(r.join(u, in, regs))
	case OpClassify:
		return to(r.classify(*get(regs, consts, in.B), &u.Tests[in.C], in.D), nil)
	case OpCast:
		return to(r.cast(*get(regs, consts, in.B), &u.Tests[in.C]), nil)
	case OpVariant:
		named, _ := consts[^in.B].AsNamed()
		object := value.NoObject
		if in.C != NoOperand {
			object, _ = get(regs, consts, in.C).AsObject()
		}
		return to(value.VariantOf(named, object), nil)
	case OpFail:
		w := &u.Fails[in.B]
		return pc, false, failure(w)
	case OpRequest:
		r.halt(Stop{Kind: Requested, Request: &u.Requests[in.B], Args: regs[in.C : in.C+int32(in.D)]})
		return pc, true, nil
	case OpBind:
		if !regs[in.A].IsAbsent() {
			if r.Observer != nil {
				r.observe(trace.Event{Kind: trace.Bind, Depth: r.depths[len(r.depths)-1], Name: u.Params[in.B].Name,
					Note: "argument", Value: r.World.Text(regs[in.A])})
			}
			return pc + 2, false, nil
		}
	case OpUnbound:
		return pc, false, unbound(u, int(in.B))
	case OpEnv:
		env := r.World.EnvAt(f.Env, in.B)
		if env == NoEnv { // nothing around performs what declares it
			return pc + 1, false, nil
		}
		v := r.World.Env(env).slots[in.C]
		if v.IsAbsent() {
			return pc + 1, false, nil
		}
		regs[in.A] = v
		return pc + 2, false, nil
	case OpSetEnv:
		env, v := r.World.EnvAt(f.Env, in.B), *get(regs, consts, in.A)
		if env == NoEnv {
			return pc, false, fail(NotAssignable, "nothing around performs the action whose feature is assigned")
		}
		r.World.SetEnv(env, int(in.C), v)
		if !r.Init {
			r.World.wrote(Write{Env: env, Slot: in.C, Value: v})
		}
	case OpOwner:
		if f.Self != value.NoObject && r.World.Object(f.Self).Owner != value.NoObject {
			regs[in.A] = value.ObjectRef(r.World.Object(f.Self).Owner)
			return pc + 2, false, nil
		}
	case OpSelf:
		if f.Self != value.NoObject {
			regs[in.A] = value.ObjectRef(f.Self)
			return pc + 2, false, nil
		}
	default:
		return r.executeCall(in, u, f, regs, resumed)
	}
	return pc + 1, false, nil
}

// executeCall runs an instruction that may push a frame.
func (r *Runner) executeCall(in *Instr, u *Unit, f *Frame, regs []value.Value, resumed bool) (next int32, halted bool, err error) {
	consts, pc := u.Consts, f.PC
	switch in.Op {
	case OpSelfFeature:
		return r.selfFeature(in, f, regs, resumed)
	case OpFeature:
		return r.feature(in, u, f, regs, resumed)
	case OpIntrinsic:
		return r.intrinsic(in, u, f, regs)
	case OpGlobal:
		return r.global(in, regs, pc)
	case OpMake:
		return r.make(in, f, regs)
	case OpChoose:
		return r.choose(in, u, f, regs)
	case OpMakeRoot:
		if err := r.room(); err != nil {
			return pc, false, err
		}
		make := r.World.NewRoot
		if in.D == 1 {
			make = r.World.NewTransient
		}
		return r.made(in, regs, pc, make(TypeID(in.B), NameID(in.C)))
	case OpSetFeature:
		id, ok := regs[in.A].AsObject()
		if !ok {
			return pc, false, fail(NotAssignable, "cannot assign a feature of %s", regs[in.A].TypeName())
		}
		_, err := r.World.Assign(id, NameID(in.B), *get(regs, consts, in.C))
		return pc + 1, false, err
	case OpSetSelf:
		if f.Self != value.NoObject {
			if _, has := r.typeOf(f.Self).SlotOf(NameID(in.B)); has {
				_, err := r.World.Assign(f.Self, NameID(in.B), *get(regs, consts, in.C))
				return pc + 2, false, err
			}
		}
		return pc + 1, false, nil
	case OpCount:
		v, err := r.typeOf(f.Self).Slots[in.C].Check(*get(regs, consts, in.B))
		if err == nil {
			regs[in.A] = v
		}
		return pc + 1, false, err
	case OpUnit, OpUnitOn:
		callee := r.World.Program.Units[in.B]
		self := f.Self
		if in.Op == OpUnitOn {
			id, ok := get(regs, consts, in.C).AsObject()
			if !ok {
				id = value.NoObject
			}
			self = id
		}
		if err := r.deeper(callee); err != nil {
			return pc, false, err
		}
		r.push(callee, Frame{Unit: UnitID(in.B), Base: f.Base + u.Registers, Env: NoEnv, Self: self, Return: ToRegister, A: in.A, Failing: in.D == 1}, 0)
		return 0, false, nil
	case OpCallValue, OpCallNamed:
		return r.callValue(in, u, f, regs)
	case OpCallOn:
		callee := r.World.Program.Units[in.B]
		if err := r.deeper(callee); err != nil {
			return pc, false, err
		}
		self, ok := regs[in.C-1].AsObject()
		if !ok {
			self = value.NoObject
		}
		r.push(callee, Frame{Unit: UnitID(in.B), Base: f.Base + in.C, Env: f.Env, Self: self, Return: ToRegister, A: in.A}, int32(in.D))
		return 0, false, nil
	case OpStart:
		return r.start(in, u, f, regs)
	case OpFresh:
		if memo := regs[in.A]; !memo.IsAbsent() && !value.Same(memo.At(0), *get(regs, consts, in.B)) {
			regs[in.A] = value.Value{}
		}
		return pc + 1, false, nil
	case OpKept:
		read := u.Reads[in.C]
		spec := r.World.Program.Units[read.Unit].Outputs[read.Output]
		if v := regs[in.B].At(int(spec.Cache) + RunHead); !v.IsAbsent() {
			regs[in.A] = v
			return pc + 2, false, nil
		}
		return pc + 1, false, nil
	case OpOutput:
		return r.output(in, u, f, regs, resumed)
	}
	return pc, false, fail(Broken, "instruction %d of %s is not known", in.Op, u.Name)
}

// NoOperand stands for an operand that is not there.
const NoOperand = int32(-1 << 30)

// RunHead is how many values a run has before its registers: the object it
// was made on, and what it returned.
const RunHead = 2

// start begins a run of a calculation usage.
func (r *Runner) start(in *Instr, u *Unit, f *Frame, regs []value.Value) (int32, bool, error) {
	callee := r.World.Program.Units[in.B]
	if err := r.deeper(callee); err != nil {
		return f.PC, false, err
	}
	self, n := f.Self, int32(in.D&0x7fff)
	if in.D&0x8000 != 0 {
		id, ok := regs[in.C-1].AsObject()
		if !ok {
			id = value.NoObject
		}
		self = id
	}
	r.push(callee, Frame{Unit: UnitID(in.B), Base: f.Base + in.C, Env: f.Env, Self: self, Return: ToMemo, A: in.A, B: -1}, n)
	r.frames[len(r.frames)-1].PC = 0
	if r.Observer != nil {
		r.depths[len(r.depths)-1]++
	}
	return 0, false, nil
}

// run is what a frame that returns to a memo leaves there: the run of a
// usage, or a run with one output more.
func (r *Runner) run(f Frame, u *Unit, v value.Value) value.Value {
	regs := r.values[f.Base : f.Base+u.Locals]
	if u.Kind == RunUnit {
		head := []value.Value{value.NullValue, v}
		if f.Self != value.NoObject {
			head[0] = value.ObjectRef(f.Self)
		}
		return value.SequenceOf(append(head, regs...)...)
	}
	caller := &r.frames[len(r.frames)-2]
	code := r.World.Program.Units[caller.Unit]
	read := code.Reads[code.Code[caller.PC].C]
	spec := r.World.Program.Units[read.Unit].Outputs[read.Output]
	old := r.values[caller.Base+f.A]
	kept := make([]value.Value, 0, old.Len())
	kept = append(kept, old.At(0), old.At(1))
	kept = append(kept, regs[:old.Len()-RunHead]...)
	kept[spec.Cache+RunHead] = v
	return value.SequenceOf(kept...)
}

// output reads an output of a run: what was read before, what its expression
// gives over the registers of the run, or what the body assigned.
func (r *Runner) output(in *Instr, u *Unit, f *Frame, regs []value.Value, resumed bool) (int32, bool, error) {
	read := u.Reads[in.C]
	owner := r.World.Program.Units[read.Unit]
	spec := owner.Outputs[read.Output]
	memo := regs[in.B]
	if v := memo.At(int(spec.Cache) + RunHead); !v.IsAbsent() {
		regs[in.A] = v
		return f.PC + 1, false, nil
	}
	if spec.Unit != NoUnit && !resumed {
		callee := r.World.Program.Units[spec.Unit]
		if err := r.deeper(callee); err != nil {
			return f.PC, false, err
		}
		self := value.NoObject
		if id, ok := memo.At(0).AsObject(); ok {
			self = id
		}
		base := f.Base + u.Registers
		r.push(callee, Frame{Unit: spec.Unit, Base: base, Env: f.Env, Self: self, Return: ToMemo, A: in.B, B: 0}, 0)
		for i := range memo.Len() - RunHead {
			r.values[int(base)+i] = memo.At(i + RunHead)
		}
		return 0, false, nil
	}
	v := memo.At(int(spec.Register) + RunHead)
	if v.IsAbsent() && spec.Result {
		v = memo.At(1)
	}
	if v.IsAbsent() {
		return f.PC, false, fail(NoValue, "no value: output never assigned: output %s of calc %s", spec.Name, owner.Name)
	}
	kept := make([]value.Value, memo.Len())
	for i := range kept {
		kept[i] = memo.At(i)
	}
	kept[spec.Cache+RunHead] = v
	regs[in.B], regs[in.A] = value.SequenceOf(kept...), v
	return f.PC + 1, false, nil
}

// deeper refuses a call beyond the depth budget.
func (r *Runner) deeper(callee *Unit) error {
	if len(r.frames) >= int(r.Meter.Budget.Limit(budget.Depth)) {
		return r.tooDeep(callee)
	}
	return nil
}

// callValue calls the function that register B holds.
func (r *Runner) callValue(in *Instr, u *Unit, f *Frame, regs []value.Value) (_ int32, _ bool, err error) {
	fn := regs[in.B]
	named, ok := fn.AsNamed()
	if !ok || fn.Kind() != value.Function {
		return f.PC, false, fail(NotCallable, "%s cannot be invoked", fn.TypeName())
	}
	id, ok := r.World.Program.Callables[named.Qualified()]
	if !ok {
		return f.PC, false, fail(NotCallable, "%s is no calculation that can be invoked", named.Qualified())
	}
	callee := r.World.Program.Units[id]
	if err := r.deeper(callee); err != nil {
		return f.PC, false, err
	}
	n := int32(in.D)
	if in.Op == OpCallNamed {
		if n, err = r.place(callee, &u.Named[in.D], f.Base+in.C); err != nil {
			return f.PC, false, err
		}
	} else if int(n) > len(callee.Params) {
		return f.PC, false, fail(value.ArgumentCount, "calc argument count mismatch: calc %s takes %d argument(s), got %d",
			callee.Name, len(callee.Params), n)
	}
	self := f.Self
	if bound, ok := fn.AsObject(); ok {
		self = bound
	}
	base := f.Base + in.C
	r.push(callee, Frame{Unit: id, Base: base, Env: f.Env, Self: self, Return: ToRegister, A: in.A}, n)
	if r.Calls != nil {
		r.pending = append(r.pending, pendingCall{len(r.frames), FunctionCall{Function: callee.Name,
			Arguments: append([]value.Value(nil), r.values[base:base+n&^Gaps]...)}})
	}
	return 0, false, nil
}

// place moves the arguments of a call, which stand from register base in the
// order written, to the registers of their parameters.
func (r *Runner) place(callee *Unit, call *NamedCall, base int32) (int32, error) {
	given := append([]value.Value(nil), r.values[base:int(base)+call.Positional+len(call.Names)]...)
	args := make([]value.Value, len(callee.Params))
	copy(args, given[:min(call.Positional, len(args))])
	for i, name := range call.Names {
		at := -1
		for k := range callee.Params {
			if callee.Params[k].Name == name {
				at = k
			}
		}
		if at < 0 {
			return 0, fail(value.UnknownParameter, "unknown parameter: calc %s has no input parameter %q", callee.Name, name)
		}
		args[at] = given[call.Positional+i]
	}
	r.grow(int(base) + len(args))
	copy(r.values[base:], args)
	return int32(len(args)) | Gaps, nil
}

func (r *Runner) rangeOf(b, c value.Value) (value.Value, error) {
	lo, hi, err := value.RangeBounds(b, c)
	if err != nil {
		return value.Value{}, err
	}
	if hi >= lo {
		n := uint64(hi) - uint64(lo) + 1
		if n > uint64(r.Meter.Budget.Limit(budget.Elements)) {
			return value.Value{}, r.Meter.Budget.Spent(budget.Elements)
		}
		if err := r.Meter.Hold(int(n)); err != nil {
			return value.Value{}, err
		}
	}
	return value.Binary(value.Range, b, c)
}

// collection makes a value of a collection kind of the elements of v.
func collection(kind value.Kind, v, dims value.Value) (value.Value, error) {
	elements := slices.Collect(v.All())
	switch kind {
	case value.Set:
		return value.SetOf(elements...), nil
	case value.OrderedSet:
		return value.OrderedSetOf(elements...), nil
	case value.Bag:
		return value.BagOf(elements...), nil
	case value.Array:
		var sizes []int
		for d := range dims.All() {
			n, ok := d.AsInt()
			if !ok || n < 0 {
				return value.Value{}, fail(value.TypeMismatch, "type mismatch: a dimension of an array is a natural number, got %s", d.TypeName())
			}
			sizes = append(sizes, int(n))
		}
		if len(sizes) == 0 {
			sizes = []int{len(elements)}
		}
		a, ok := value.ArrayOf(sizes, elements...)
		if !ok {
			return value.Value{}, fail(value.MultiplicityError, "multiplicity violation: %d element(s) do not fill an array of dimensions %s", len(elements), value.Trace(dims))
		}
		return a, nil
	}
	return value.SequenceOf(elements...), nil
}

func index(s, i value.Value) (value.Value, error) {
	n, ok := i.AsInt()
	if !ok {
		return value.Value{}, fail(value.TypeMismatch, "type mismatch: sequence index requires an Integer index, got %s", i.TypeName())
	}
	if n < 1 || n > int64(s.Len()) {
		return value.Value{}, fail(value.IndexOutOfRange, "index out of range: sequence index %d is outside 1..%d", n, s.Len())
	}
	if !s.Kind().IsCollection() {
		return s, nil
	}
	return s.At(int(n - 1)), nil
}

// library calls a function of the library.
func (r *Runner) library(in *Instr, regs []value.Value, pc int32) (int32, bool, error) {
	fn := r.World.Program.Functions[in.C]
	args := regs[in.B : in.B+int32(in.D)]
	depth := 0
	if r.Observer != nil && !fn.Builtin {
		depth = r.level(&r.frames[len(r.frames)-1]) + 1
		r.observe(trace.Event{Kind: trace.EnterCalc, Depth: depth, Name: fn.Name})
		for i, a := range args {
			if !a.IsAbsent() && i < len(fn.Parameters) {
				r.observe(trace.Event{Kind: trace.Bind, Depth: depth + 1, Name: fn.Parameters[i].Name, Note: "argument", Value: r.World.Text(a)})
			}
		}
	}
	var v value.Value
	var err error
	switch {
	case !fn.Random:
		v, err = fn.Call(args)
	case r.Draws == nil:
		v, _, err = value.Draw(fn, args, value.DrawRandom, nil)
	default:
		v, err = r.Draws(fn, args)
	}
	if r.Observer != nil && !fn.Builtin {
		e := trace.Event{Kind: trace.ExitCalc, Depth: depth, Name: fn.Name}
		if err != nil {
			e.Err = asDiagnostic(err).Message
		} else {
			e.Value = r.World.Text(v)
		}
		r.observe(e)
	}
	if err != nil {
		return pc, false, err
	}
	if n := v.Len(); v.Kind().IsCollection() && n > 0 {
		if err := r.Meter.Hold(n); err != nil {
			return pc, false, err
		}
	}
	if s, ok := v.AsText(); ok {
		if err := r.Meter.Text(len(s)); err != nil {
			return pc, false, err
		}
	}
	regs[in.A] = v
	return pc + 1, false, nil
}

// cast keeps the elements of v that are of a type; null is none.
func (r *Runner) cast(v value.Value, test *TypeTest) value.Value {
	if !v.Kind().IsCollection() {
		if is, _ := r.classify(v, test, 0).AsBool(); is {
			return v
		}
		return value.NullValue
	}
	kept := value.EmptySequence
	for e := range v.All() {
		if is, _ := r.classify(e, test, 0).AsBool(); is {
			kept = kept.Append(e)
		}
	}
	return kept
}

// classify says whether v is of a type, has it as its own (how is 1), or is
// of a type that is annotated (how is 2).
func (r *Runner) classify(v value.Value, test *TypeTest, how uint16) value.Value {
	exact := how == 1
	if v.Kind().IsCollection() || v.IsNull() {
		for e := range v.All() {
			if is, _ := r.classify(e, test, how).AsBool(); !is {
				return value.False
			}
		}
		return value.True
	}
	if n, _, ok := v.AsQuantity(); ok && v.Kind() == value.Quantity {
		v = n
	}
	if named, ok := v.AsNamed(); ok && (v.Kind() == value.Enumeration || v.Kind() == value.Variant) {
		q := named.Qualified()
		if cut := strings.LastIndex(q, "::"); v.Kind() == value.Enumeration && cut >= 0 {
			q = q[:cut]
		}
		i := sort.SearchStrings(test.Elements, q)
		return value.Bool(q == test.Qualified || !exact && i < len(test.Elements) && test.Elements[i] == q)
	}
	if id, ok := v.AsObject(); ok {
		t := r.typeOf(id)
		if how == 2 {
			i := sort.SearchStrings(test.Elements, t.Qualified)
			return value.Bool(i < len(test.Elements) && test.Elements[i] == t.Qualified)
		}
		if exact {
			return value.Bool(t.Declared == test.Qualified)
		}
		return value.Bool(t.Conforms(test.Qualified))
	}
	kinds := test.Kinds
	if exact {
		kinds = test.Exact
	}
	return value.Bool(kinds&(1<<v.Kind()) != 0)
}
