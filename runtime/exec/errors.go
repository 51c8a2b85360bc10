package exec

import (
	"fmt"
	"strings"

	"github.com/orrery-sysml/orrery/runtime/budget"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// The codes of what running can fail with, beside those of runtime/value.
var (
	Uninitialized = diagnostic.Register("uninitialized",
		"A feature is read that has no value: nothing gives it one by default, and nobody assigned one. Give it a value with `= e`, or set it with %set.")
	NoValue = diagnostic.Register("no-value",
		"A name is read that denotes something without a value.")
	Cyclic = diagnostic.Register("cyclic-value",
		"The value of a feature depends on itself.")
	NoMember = diagnostic.Register("no-member",
		"A feature chain or a qualified name leads to something that the element or object before the dot does not have.")
	NotAnInstance = diagnostic.Register("not-an-instance",
		"A feature chain leads through a value that has no features.")
	NoVariant = diagnostic.Register("no-variant",
		"A variation is read of which no variant was selected, or a value is given to it that is none of its variants. Select one: `attribute :>> x = x::a;`.")
	NotAssignable = diagnostic.Register("not-assignable",
		"The target of an assignment is no feature that can be written.")
	NotCallable = diagnostic.Register("not-callable",
		"What is invoked is no calculation, function or type.")
	NoResult = diagnostic.Register("no-result",
		"A calculation ended without a value to return.")
	Unbound = diagnostic.Register("unbound-parameter",
		"A call leaves a parameter without an argument, and the parameter has no default.")
	BindingConflict = diagnostic.Register("binding-conflict",
		"A binding connector makes two features equal whose values differ.")
	BindingCycle = diagnostic.Register("binding-cycle",
		"Binding connectors lead from one feature to another, and none of them has a value.")
	NotHere = diagnostic.Register("not-here",
		"Something that only a running behavior can do is asked for where nothing runs.")
	Broken = diagnostic.Register("broken-program",
		"The executor met code that it does not know. This is a fault of Orrery.")
)

func fail(code diagnostic.Code, format string, args ...any) *diagnostic.Diagnostic {
	return diagnostic.New(code, source.Span{}, fmt.Sprintf(format, args...))
}

func failure(w *Failure) error {
	return &diagnostic.Diagnostic{Code: w.Code, Message: w.Message, Hint: w.Hint}
}

// What an instruction calls a value that is no Boolean: see Instr.D.
const (
	IfCondition uint16 = iota
	AndLeft
	AndRight
	OrLeft
	OrRight
	ImpliesLeft
	ImpliesRight
	WhileCondition
	UntilCondition
	SelectPredicate
	RejectPredicate
	SelectOnePredicate
	ForAllPredicate
	ExistsPredicate
	ConditionValue
	BranchCondition
	GuardValue
	WhenCondition
)

var booleans = [...]string{
	IfCondition: "condition of 'if' must be Boolean", AndLeft: "left operand of 'and' must be Boolean",
	AndRight: "right operand of 'and' must be Boolean", OrLeft: "left operand of 'or' must be Boolean",
	OrRight: "right operand of 'or' must be Boolean", ImpliesLeft: "left operand of 'implies' must be Boolean",
	ImpliesRight: "right operand of 'implies' must be Boolean", WhileCondition: "condition of 'while' must evaluate to a Boolean",
	UntilCondition: "condition of 'until' must evaluate to a Boolean", SelectPredicate: "ControlFunctions::select: predicate must return boolean",
	RejectPredicate: "ControlFunctions::reject: predicate must return boolean", SelectOnePredicate: "ControlFunctions::selectOne: predicate must return boolean",
	ForAllPredicate: "ControlFunctions::forAll: predicate must return boolean", ExistsPredicate: "ControlFunctions::exists: predicate must return boolean",
	ConditionValue: "condition must evaluate to boolean", BranchCondition: "condition of 'if' must evaluate to a Boolean",
	GuardValue: "guard must evaluate to boolean", WhenCondition: "accept when: condition must evaluate to boolean",
}

func notBoolean(v value.Value, what uint16) error {
	return fail(value.TypeMismatch, "type mismatch: %s, got %s", booleans[what], v.TypeName())
}

func notCollection(v value.Value) error {
	name := v.TypeName()
	if name != "" && !v.IsNull() {
		name = strings.ToLower(name[:1]) + name[1:]
	}
	return fail(value.TypeMismatch, "type mismatch: 'for' iterates a collection, and %s is not one", name)
}

func noResult(u *Unit) error {
	return fail(NoResult, "calculation returned no value: calc %s ended without a return", u.Name)
}

func unbound(u *Unit, i int) error {
	return fail(Unbound, "unbound parameter: calc %s parameter %q has no argument and no default", u.Name, u.Params[i].Name)
}

// tooDeep is the error of a call beyond the depth budget. A feature's value
// that is asked for so deep is asked for by itself.
func (r *Runner) tooDeep(callee *Unit) error {
	if callee.Kind == PlainUnit && callee.Name != "" {
		return fail(Cyclic, "cyclic feature value dependency: %s", callee.Name)
	}
	n := budget.Depth
	limit := r.Meter.Budget.Limit(n)
	d := fail(diagnostic.BudgetSpent, "calc recursion limit exceeded: calc %s nested %d deep (unbounded recursion?; raise %s to allow more)",
		callee.Name, limit, n.Environment())
	return d.WithHint(fmt.Sprintf("does every way through %s end without calling it again? If so, %%budget %s=%d doubles the bound",
		callee.Name, n, 2*limit))
}

// wrap says of d that it happened in unit u, where u is a calculation. A
// calculation that meets its own error again counts its frames instead.
func (r *Runner) wrap(u *Unit, d *diagnostic.Diagnostic) *diagnostic.Diagnostic {
	if u.Kind != CalcUnit || d.Code == diagnostic.Interrupted {
		return d
	}
	prefix := "calc " + u.Name + ": "
	rest, again := strings.CutPrefix(d.Message, prefix)
	if !again {
		d.Message = prefix + d.Message
		return d
	}
	n := 1
	if counted, ok := strings.CutPrefix(rest, "… "); ok {
		if k, _ := fmt.Sscanf(counted, "%d frames: ", &n); k == 1 {
			_, rest, _ = strings.Cut(counted, " frames: ")
		}
	}
	d.Message = fmt.Sprintf("%s… %d frames: %s", prefix, n+1, rest)
	return d
}
