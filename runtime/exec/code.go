package exec

import (
	"encoding/binary"
	"hash"

	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// A Unit is the code of one body: a calculation, the default of a feature,
// a condition, the statements of a node. Its frame has Registers registers;
// parameters come first, then locals, then temporaries.
type Unit struct {
	ID UnitID
	// Name is what traces and errors call the unit: the qualified name of a
	// calculation, or of the feature whose value it is; "" for most others.
	// Kind says what it is.
	Name string
	Kind UnitKind
	// Word stands behind exit in the trace of a RunUnit; "" for calc.
	Word string
	// Code ends with a return. Entry is where a call begins that gives every
	// argument; a call that does not begins at 0, where defaults are bound.
	Code      []Instr
	Entry     int32
	Consts    []value.Value
	Params    []Param
	Locals    int32 // parameters and locals
	Registers int32
	// Requests are what the unit asks of the engine that runs behaviours.
	Requests []Request
	// Fails are the errors that OpFail raises.
	Fails []Failure
	// Outputs are those of a calculation whose runs are read.
	Outputs []OutputSpec
	// Reads are the outputs that OpOutput reads; Tests the types that
	// OpClassify asks for.
	Reads []OutputRead
	Tests []TypeTest
	// Choosing are the variations that OpChoose selects from.
	Choosing []Choosing
	// Conditions are the constraints and requirements that OpEvaluated tells of.
	Conditions []Site
	// Names are those that OpFeature reads; Named how OpCallNamed calls.
	Names []NameID
	Named []NamedCall

	// Spans has the place of the instruction at each pc.
	Spans []source.Span
	// Open has the innermost node that each instruction works for; -1 for none.
	Open []int32
	// Nodes are the expressions, parents before children.
	Nodes []Node
	// Statements are what a trace calls statements.
	Statements []Label
	// Notes are what a trace prints before the instruction at a pc begins:
	// those of pc are Notes[NotesAt[pc]:NotesAt[pc+1]].
	Notes   []Note
	NotesAt []int32
}

// UnitKind says what a Unit is.
type UnitKind uint8

// The kinds of unit.
const (
	PlainUnit    UnitKind = iota // an expression or statements; leaves no line of its own
	CalcUnit                     // a calculation: enter and exit lines, counted against the depth
	FillUnit                     // the default of a feature
	AnalysisUnit                 // an analysis case, run as a calculation
	VerifyUnit                   // a verification case
	RunUnit                      // a calculation usage: its registers are kept as a run
)

// Word is what stands behind enter and exit in a trace; "" where the unit has
// no such lines.
func (k UnitKind) Word() string {
	return [...]string{"", "calc", "", "analysis", "verification", ""}[k]
}

// A Param is a parameter of a calculation.
type Param struct {
	Name string
	// Default says that the code before Entry evaluates a default.
	Default bool
	// Optional says that no argument and no default leave null.
	Optional bool
}

// An OutputSpec is one output of a calculation whose usages are read.
type OutputSpec struct {
	Name string
	// Register holds what the body assigned, Cache what was read before.
	Register, Cache int32
	// Unit evaluates the output over the registers of a run; NoUnit where
	// only the body gives it a value.
	Unit UnitID
	// Result marks the output that a call returns.
	Result bool
}

// An OutputRead is an output of the runs of a unit.
type OutputRead struct {
	Unit   UnitID
	Output int32
}

// A NamedCall says which arguments of a call are for which parameters: the
// first ones by place, the others by name.
type NamedCall struct {
	Positional int
	Names      []string
}

// Gaps is set in Instr.D of a call that leaves out parameters before others,
// whose registers are Absent.
const Gaps = 0x8000

// A Choosing is a variation as one slot holds it.
type Choosing struct {
	Name     NameID
	Label    string
	Variants []int32 // indices of Program.Elements
	Names    []string
	Types    []TypeID // of the object of each; NoType for none
}

// A TypeTest says which values are of a type.
type TypeTest struct {
	Qualified string
	Kinds     uint64   // bit k: every value of kind k conforms
	Exact     uint64   // bit k: it is the direct type of every value of kind k
	Elements  []string // qualified names of the enumerations and variants that conform, sorted
}

// A Label is what a trace calls an expression or a statement: what it does
// ("feature", "assign", "action body"), and the name of what it does that to.
type Label struct {
	Word string
	Name string // "" where the word says it all
}

// NoStatement stands in place of a statement that leaves no line.
const NoStatement = -1

// A Node is one expression of a Unit, for traces and derivations.
type Node struct {
	Label        // "" for one that leaves no line
	Depth  int16 // within the unit
	Parent int32 // -1 for none
	Span   source.Span
}

// NoteKind says what a Note prints.
type NoteKind uint8

// The kinds of note.
const (
	EvalNote      NoteKind = iota // node A has the value of operand B
	BindNote                      // parameter Text is bound to operand B
	DefaultNote                   // the same, by its default
	EnterNote                     // enter calc Text
	ExitNote                      // exit calc Text
	OutputNote                    // output Text = operand B
	ReuseNote                     // reuse calc Text
	StmtNote                      // stmt Word
	ExitValueNote                 // exit calc Text -> operand B
)

// A Note is a line of a trace.
type Note struct {
	Kind  NoteKind
	Depth int16 // within the unit
	Node  int32
	B     int32
	Text  string
	Word  string // behind enter, where it is not "calc"
}

// A Failure is an error that lowering knows will happen where it stands.
type Failure struct {
	Code    diagnostic.Code
	Message string
	Hint    string
}

// A Request is something that a Unit asks of the engine that runs behaviours.
// The Runner stops with it, and goes on when it is answered.
type Request struct {
	Kind RequestKind
	// Ref and Names mean what the kind says.
	Ref   int32
	Name  string
	Names []string
	Span  source.Span
}

// RequestKind is what is asked. Its constants are where behaviours are
// executed.
type RequestKind uint8

// Instr is one instruction. B and C are operands where the operation has
// them: a register where not negative, else constant ^B. A is the register of
// the result or the target of a jump.
type Instr struct {
	Op   Op
	Cost uint8  // evaluation steps
	D    uint16 // count, operator, or detail
	A    int32
	B, C int32
}

// Op is an operation.
type Op uint8

// The operations. "Skips" means that the instruction behind, a jump, is
// left out.
const (
	OpNop Op = iota
	// OpEvaluated tells that Conditions[B] was evaluated.
	OpEvaluated
	// OpMove: A := B.
	OpMove
	// OpStatement is the boundary before statement B, NoStatement for one that
	// leaves no line; a run may pause here.
	OpStatement
	// OpIterate begins pass B (a register with the count) of a loop; it
	// releases held elements.
	OpIterate
	// OpJump goes to A.
	OpJump
	// OpJumpIf and OpJumpIfNot go to A where Boolean B is true, false. D says
	// what to call B where it is no Boolean.
	OpJumpIf
	OpJumpIfNot
	// OpJumpPresent goes to A where B is not Absent. OpJumpAbsent the other.
	OpJumpPresent
	OpJumpAbsent
	// OpJumpNull goes to A where B is null, OpJumpSome where it has elements.
	OpJumpNull
	OpJumpSome
	// OpCheckBool fails where B is no Boolean; D as above.
	OpCheckBool

	// Arithmetic: A := B op C.
	OpAdd
	OpSub
	OpMul
	OpLess
	OpLessEqual
	OpGreater
	OpGreaterEqual
	OpEqual
	OpNotEqual
	// The same comparisons where the next instruction is a OpJumpIfNot on A.
	OpLessJump
	OpLessEqualJump
	OpGreaterJump
	OpGreaterEqualJump
	OpEqualJump
	OpNotEqualJump
	// OpBinary: A := B D C, for every other operator. OpUnary: A := D B.
	OpBinary
	OpUnary

	// OpSequence: A := the flat sequence of D registers from B.
	OpSequence
	// OpRun: A := the registers from B, D of them, as they are: a run.
	OpRun
	// OpCollection: A := the Set, OrderedSet, Bag or Array (as D says) of the
	// elements of B; C are the dimensions of an Array.
	OpCollection
	// OpIndex: A := B#(C).
	OpIndex
	// OpAppend: A := A with the elements of B.
	OpAppend
	// OpNext: A := element number C+1 of B, C counts on, and skips; where
	// there is none it does not skip.
	OpNext
	// OpLoopable fails where B is nothing that `for` iterates.
	OpLoopable
	// OpLibrary: A := library function C of D registers from B.
	OpLibrary
	// OpQuantity: A := number B with the unit in constant C.
	OpQuantity

	// OpCall: A := unit B called with D registers from C. OpCallValue: A :=
	// the function in register B called so.
	OpCall
	OpCallValue
	// OpCallOn is OpCall on the object in the register before C. OpCallNamed
	// is OpCallValue as Named[D] says.
	OpCallOn
	OpCallNamed
	// OpUnit: A := plain unit B, self as it is.
	OpUnit
	// OpUnitOn: A := plain unit B with the object in register C as self.
	OpUnitOn
	// OpReturn returns B. OpReturnNone returns nothing: a calculation that
	// ended without a return.
	OpReturn
	OpReturnNone
	// OpBind binds parameter B, whose register A has an argument or not; it
	// skips where it has.
	OpBind
	// OpUnbound fails: parameter B has no argument and no default.
	OpUnbound

	// OpStart: memo A := a run of usage unit B, called with D registers from
	// C. With the top bit of D set the run is on the object in the register
	// before C.
	OpStart
	// OpKept: A := output Reads[C] of the run in register B, and skips; where
	// it was not read before it does not skip. OpOutput: A := it; it may run
	// code.
	OpKept
	OpOutput
	// OpFresh makes memo A Absent where it is not a run on the object in B.
	OpFresh

	// OpSelf: A := self, and skips; where there is none it does not skip.
	OpSelf
	// OpOwner: A := the object that holds self, and skips; where there is none
	// it does not skip.
	OpOwner
	// OpSelfFeature: A := the feature named B of self, and skips; where self
	// has none it does not skip.
	OpSelfFeature
	// OpFeature: A := feature D-th name of B; C is two registers to count in.
	OpFeature
	// OpGlobal: A := the object of occurrence B.
	OpGlobal
	// OpMake: A := a new object of type B, held by self as feature C, at the
	// position in register D. OpMakeRoot: a new root of type B
	// named C, a transient one where D is 1.
	OpMake
	OpMakeRoot
	// OpSetFeature: feature B of the object in A := C.
	OpSetFeature
	// OpSetSelf: feature B of self := C, and skips; else it does not skip.
	OpSetSelf
	// OpCount fails where B does not fit the bounds of slot C of self.
	OpCount
	// OpIntrinsic: A := feature C of object B as it is without connectors;
	// Absent where it has no value.
	OpIntrinsic
	// OpJoin: A := the value that D registers from B agree on; Absent where
	// none has one. OpClassify: A := B is of the type Tests[C]; D is 1 for
	// hastype and 2 for the annotations of what it is. OpCast: A := the
	// elements of B that are of the type Tests[C].
	OpJoin
	OpClassify
	OpCast
	// OpEnv: A := slot C of the Env B hops out, and skips; where it is Absent
	// it does not skip. OpSetEnv: slot C of the Env B hops out := A.
	OpEnv
	OpSetEnv
	// OpFail raises Fails[B].
	OpFail
	// OpRequest asks Requests[B] of the engine with D registers from C; A is
	// the answer.
	OpRequest
	// OpVariant: A := variant of constant B, with the object in C.
	OpVariant
	// OpChoose: A := variant A as a selection of Choosing[B], with an object.
	OpChoose
	ops
)

// digest writes what decides how the unit runs.
func (u *Unit) digest(h hash.Hash) {
	var b []byte
	b = append(b, u.Name...)
	b = append(b, byte(u.Kind))
	for _, in := range u.Code {
		b = append(b, byte(in.Op), in.Cost)
		b = binary.LittleEndian.AppendUint16(b, in.D)
		b = binary.LittleEndian.AppendUint32(b, uint32(in.A))
		b = binary.LittleEndian.AppendUint32(b, uint32(in.B))
		b = binary.LittleEndian.AppendUint32(b, uint32(in.C))
	}
	for _, c := range u.Consts {
		b = value.AppendEncoding(b, c)
	}
	b = binary.LittleEndian.AppendUint64(b, uint64(u.Entry)<<32|uint64(u.Registers))
	h.Write(b)
}
