package exec

import "github.com/orrery-sysml/orrery/sysml/source"

// This file is what lowering makes of the body of an action: a graph through
// which tokens move. It is part of a Program and never changes.

// Numbers of what behaviours add to a Program.
type (
	GraphID   int32 // flow of an action
	MachineID int32 // state machine
	LayoutID  int32 // data of a performance
)

// NoGraph, NoMachine and NoLayout stand where there is none.
const (
	NoGraph   GraphID   = -1
	NoMachine MachineID = -1
	NoLayout  LayoutID  = -1
)

// A Layout is the slots of the Env of a performance.
type Layout struct {
	Slots []DataSlot
}

// A DataSlot is one slot of a Layout.
type DataSlot struct {
	// Name is how results name it: a simple name, or "node.pin" for what the
	// latest performance of a node left in its pin.
	Name string
	Kind DataKind
	// Feature is the name of a local when it differs from what a result
	// would print; unused otherwise.
	In, Out bool // an input (in, inout), an output (out, inout)
}

// DataKind is why a slot is there.
type DataKind uint8

// The kinds of slot.
const (
	AttributeData DataKind = iota // a declared attribute or item
	ParameterData                 // a declared parameter
	PayloadData                   // what an accept binds
	ImplicitData                  // an undeclared name that is assigned
	LocalData                     // a local of a block or a loop; no result
	PinData                       // what a node left in its pin: "node.pin"
)

// A Graph is the body of one action.
type Graph struct {
	ID GraphID
	// Name is the simple name; Qualified the qualified one.
	Name, Qualified string
	Kind            GraphKind
	Layout          LayoutID
	// Outer is the layout whose Env encloses that of a performance: the body
	// is written inside the action that has it. NoLayout where it is not.
	Outer LayoutID
	// Params are the parameters in the order in which arguments bind.
	Params []GraphParam
	// Init evaluates the values of attributes, in order, in the Env of the
	// performance; NoUnit where there are none.
	Init UnitID
	// Leaf says that the body has statements and no node: its only node
	// performs them.
	Leaf  bool
	Nodes []GraphNode
	Edges []Edge
	// Starts are the nodes that get a token at first, in order.
	Starts []int32
	Pins   []PinFlow
	// Owner is how a line announces a flow: "loop body of action node x".
	Owner string
	// Announced says that a behaviour of a state is a flow, announced behind
	// the line that says that it is a body.
	Announced bool
	// Links are the connections of the body, for routing.
	Links []Link
	// Fault is why the action cannot be performed; nil where it can.
	Fault *Failure
	Span  source.Span
}

// GraphKind says of what a Graph is the body.
type GraphKind uint8

// The kinds of graph.
const (
	ActionGraph GraphKind = iota
	SubflowGraph
	StateGraph // a behaviour of a state or a transition: its steps leave no lines
)

// A GraphParam is a parameter of an action.
type GraphParam struct {
	Name    string
	Slot    int32
	In, Out bool
}

// NodeKind is what a token does at a node.
type NodeKind uint8

// The kinds of node.
const (
	InitialNode NodeKind = iota
	FinalNode
	ForkNode
	JoinNode
	MergeNode
	DecideNode
	ActionNode // a nested action, or statements
)

// A GraphNode is one node of a Graph.
type GraphNode struct {
	Kind NodeKind
	// Name is how traces call the node: its name, else its kind.
	Name string
	// Unit is what performing the node runs: attribute values, what it
	// accepts, the action that it performs, its statements. NoUnit for none.
	Unit UnitID
	// Layout is the frame of a performance of the node; NoLayout where it
	// works on the Env of the flow.
	Layout LayoutID
	// Results say which slots of the frame are kept in the Env of the flow
	// when the performance ends.
	Results []Copy
	// Pending say which slots of the Env of the flow hold what flows have
	// brought for pins of the frame.
	Pending []Copy
	// Flow is the flow that the node owns; NoGraph for none. Its Env is the
	// frame of the node.
	Flow GraphID
	// Times is the multiplicity of the node, 1 where it has none.
	Times int32
	// In and Out are the edges that end and begin at the node, in order.
	In, Out []int32
	// Awaits has, for each edge of In, the set of nodes from which a token
	// could still come along it without passing the node: bit i%64 of word
	// i/64. It is nil where at most one edge ends at the node.
	Awaits [][]uint64
	// Accept is what the node waits for before all else, an index of the
	// Program's Accepts; -1 for none.
	Accept int32
	// Weighted says that the edges of Out carry probabilities.
	Weighted bool
	// Statements says that the node is statements without a name.
	Statements bool
	// Orders are the statements of the body that nothing orders, for the
	// policies that draw their order; nil where there is nothing to draw.
	Orders []UnorderedStatement
	Span   source.Span
}

// An UnorderedStatement is one of several statements of a body that no
// succession orders.
type UnorderedStatement struct {
	Label string // "2 assign x"
	Unit  UnitID
}

// A Copy takes a value from one slot to another.
type Copy struct{ From, To int32 }

// An Edge is a succession between two nodes.
type Edge struct {
	From, To int32
	Guard    UnitID // NoUnit for none
	Else     bool   // the branch taken where no guard holds
	Weight   UnitID // probability; NoUnit for none
	// Number is the place among the edges out of From, from 1, as choices
	// number branches.
	Number int32
	Span   source.Span
}

// A PinFlow is a flow between pins: when node From has been performed, what
// slot Source of the Env of the flow holds goes to its slot Target, where node
// To finds it when it is performed.
type PinFlow struct {
	Name           string
	From, To       int32 // nodes; -1 stands for the action itself
	Source, Target int32 // slots
	SourceName     string
	// Succession says that the value goes when the source has ended.
	Succession bool
	Span       source.Span
}

// A Link is a connection between ports, each end a path as written: "a.p".
type Link struct {
	Ends []LinkEnd
	// Variation and Variant are set where the connection counts only if the
	// variation, read by Selection on the performer, is bound to the variant.
	Variation NameID
	Variant   string
	Selection UnitID
}

// A LinkEnd is one end of a Link.
type LinkEnd struct {
	// Path is the end as written.
	Path string
	// Port is the path of the port at the object that Object reads, run on
	// the performer; NoUnit where the performer has the port itself.
	Port   string
	Object UnitID
	// Receives says that the port can take messages; Accepts are the
	// qualified names of the types it takes, nil where it takes all.
	Receives bool
	Accepts  []string
}
