package runtime

import (
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// A Declaration is what one text declared.
type Declaration struct {
	// Elements are the root members of the text, in order.
	Elements []*model.Element
	// Replaced are root members of earlier texts that these replace.
	Replaced []*model.Element
	// Rebuilt are the objects that are built anew at their next use, Dropped
	// those whose declaration is gone.
	Rebuilt, Dropped []*Object
	// Unstarted is why behaviours of rebuilt objects could not start.
	Unstarted diagnostic.List
	// Ended says that a stepped run of what changed has ended, Cut that the
	// one that goes on cannot be taken back behind the declaration.
	Ended, Cut bool
}

// An Object is an instance as a user sees it.
type Object struct {
	ID     value.ObjectID
	Number int    // #n
	Name   string // of a root: as instantiated or declared; of another: its path from its root
	Type   string // simple name of its type
	// Root is the number of the root that holds the object, its own where it
	// is one itself.
	Root int
}

// An ObjectTree is an object with the values of its features.
type ObjectTree struct {
	Object
	// States are the active states of an object that is a machine of another,
	// outer before inner.
	States   []string
	Features []FeatureValue
	// Bounded says that deeper levels were not read.
	Bounded bool
}

// A FeatureValue is one feature of an object as it was read.
type FeatureValue struct {
	Name     string
	Type     string // declared types, comma-separated
	Value    value.Value
	Text     string                 // the value as a user reads it
	Err      *diagnostic.Diagnostic // why it could not be read; nil where it could
	Assigned bool                   // by hand or by a behaviour, not by the model
	Objects  []*ObjectTree          // the objects in it, as deep as was asked
	Span     source.Span            // the declaration
}

// Status is how a judgement came out.
type Status uint8

// The statuses.
const (
	Holds     Status = iota
	Violated         // a condition evaluated to false
	Undecided        // a condition could not be evaluated
)

// String is "holds", "violated" or "undecided".
func (s Status) String() string { return [...]string{"holds", "violated", "undecided"}[s] }

// A Verdict is the judgement of one constraint, requirement or satisfaction.
type Verdict struct {
	Kind      string // "constraint", "requirement", "satisfaction"
	Assertion string // as declared: assert constraint massOk
	Name      string // its name; "" for one without
	Object    string // path from the root, "" for the root itself
	Status    Status
	// Err is the violation, or why it is undecided; nil where it holds.
	Err *diagnostic.Diagnostic
	// Condition is the text of the condition that decided; "" where none did.
	Condition string
	// Operands are the features that the condition read, with their values.
	Operands []Operand
	Span     source.Span
}

// An Operand is a part of a condition and the value it had.
type Operand struct{ Text, Value string }

// A Validation is the verdicts over an object and all that it holds.
type Validation struct {
	Object   Object
	Verdicts []Verdict
	// Bounded says that objects were nested deeper than was read; Unread are
	// the feature values that could not be read, each message behind the
	// path of its feature.
	Bounded bool
	Unread  []*diagnostic.Diagnostic
}

// Valid reports whether the object is shown valid: there is a verdict, every
// one holds, and everything was read.
func (v *Validation) Valid() bool {
	if len(v.Verdicts) == 0 || v.Bounded || len(v.Unread) > 0 {
		return false
	}
	for _, x := range v.Verdicts {
		if x.Status != Holds {
			return false
		}
	}
	return true
}

// Violated reports whether some verdict is a violation.
func (v *Validation) Violated() bool {
	for _, x := range v.Verdicts {
		if x.Status == Violated {
			return true
		}
	}
	return false
}

// A Derivation says where a value comes from.
type Derivation struct {
	// Label is what has the value: an expression as written, or a feature.
	Label string
	// Kind is "binding", "default", "redefinition", "assignment",
	// "calculation", "argument", "expression", "literal" or "object".
	Kind  string
	Value value.Value
	Text  string
	Err   *diagnostic.Diagnostic
	Span  source.Span
	Parts []*Derivation
}

// An Output is one named value of a run.
type Output struct {
	Name  string
	Value value.Value
	Text  string
}

// A CaseRun is a run of an analysis or a verification case.
type CaseRun struct {
	Name    string // qualified
	Outputs []Output
	// Verdicts are those of the objective and of the assertions of the case.
	Verdicts []Verdict
	// Verdict is pass, fail, inconclusive or error; "" for an analysis.
	// Detail says why, where it is neither pass nor fail.
	Verdict, Detail string
	Subcases        []Subcase
	// Evaluations are the calls of function values that the run made.
	Evaluations []Evaluation
	// Err is why an output could not be computed; nil where all could.
	Err *diagnostic.Diagnostic
}

// A Subcase is a verification case that another performed.
type Subcase struct{ Name, Verdict, Detail string }

// An Evaluation is one call of a function value.
type Evaluation struct {
	Function  string
	Arguments []value.Value
	Result    value.Value
	Selected  bool
}
