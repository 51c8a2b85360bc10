package value

import (
	"sort"
	"strconv"
	"strings"
)

// A LibraryFunction is a function of the model libraries that is computed
// here and not by a body. It is immutable.
type LibraryFunction struct {
	Name       string      // qualified, as RealFunctions::sqrt
	Parameters []Parameter // in the library's order, with its names

	// Builtin marks the functions over sequences and collections: they take
	// positional arguments only, and leave no enter and exit lines in a trace.
	Builtin bool
	// Random marks the functions of RandomFunctions: see [Draw].
	Random bool
	// Bodies is how many parameters the body argument has that the last
	// parameter takes; 0 for a function that takes none. Such a function is
	// computed by whoever can apply a body.
	Bodies int

	compute func(f *LibraryFunction, args []Value) (Value, error)
	why     string // why it cannot be computed; "" where it can
}

// A Parameter is an input of a LibraryFunction.
type Parameter struct {
	Name     string
	Optional bool
}

var (
	library   = map[string]*LibraryFunction{}
	byLocal   = map[string]*LibraryFunction{}
	constants = map[string]Value{}
)

// The order decides what a bare name means: see [UnqualifiedFunction].
func init() {
	defineSequences()
	defineControls()
	defineNumerical()
	defineComplexes()
	defineReal()
	defineRational()
	defineInteger()
	defineTrigonometric()
	defineTexts()
	defineVectors()
	defineTensors()
	defineExtensions()
	defineOperators()
	defineQuantities()
}

// LookupFunction finds a function by its qualified name.
func LookupFunction(qualified string) (*LibraryFunction, bool) {
	f, ok := library[qualified]
	return f, ok
}

// UnqualifiedFunction finds the function that a bare name means where the
// model does not declare it: abs is NumericalFunctions::abs.
func UnqualifiedFunction(name string) (*LibraryFunction, bool) {
	f, ok := byLocal[name]
	return f, ok
}

// LibraryFunctions lists the qualified names in alphabetical order.
func LibraryFunctions() []string {
	names := make([]string, 0, len(library))
	for name := range library {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// LibraryConstant is the value of a library feature that the library leaves
// to its implementation, as TrigFunctions::pi; found is false for any other
// name. A feature without a computable value is an error.
func LibraryConstant(qualified string) (v Value, found bool, err error) {
	if qualified == "VectorFunctions::cartesianZeroVector" {
		return Value{}, true, fail(NotEvaluable, "library function is not evaluable: %s: it has no one dimension", qualified)
	}
	v, found = constants[qualified]
	return v, found, nil
}

// define adds a function; a parameter's name ends in ? where it is optional.
// The first function of a local name is what the bare name means, unless the
// name is an operator.
func define(name, parameters string, compute func(*LibraryFunction, []Value) (Value, error)) *LibraryFunction {
	f := &LibraryFunction{Name: name, compute: compute}
	for p := range strings.FieldsSeq(parameters) {
		bare, optional := strings.CutSuffix(p, "?")
		f.Parameters = append(f.Parameters, Parameter{bare, optional})
	}
	library[name] = f
	local := f.local()
	if _, taken := byLocal[local]; !taken && (local[0]|0x20 >= 'a' && local[0]|0x20 <= 'z') {
		byLocal[local] = f
	}
	return f
}

// undefinable adds a function whose values cannot be represented, or whose
// result the library leaves open.
func undefinable(name, parameters, why string) {
	define(name, parameters, nil).why = why
}

// local is the name without its package.
func (f *LibraryFunction) local() string { return f.Name[strings.LastIndex(f.Name, "::")+2:] }

// kind is the word for f in an error text.
func (f *LibraryFunction) kind() string {
	if f.Builtin {
		return "builtin"
	}
	return "function"
}

func (f *LibraryFunction) required() int {
	n := 0
	for _, p := range f.Parameters {
		if !p.Optional {
			n++
		}
	}
	return n
}

func (f *LibraryFunction) checkCount(n int) error {
	least, most := f.required(), len(f.Parameters)
	if n >= least && n <= most {
		return nil
	}
	takes := strconv.Itoa(most)
	if least < most {
		takes = strconv.Itoa(least) + ".." + takes
	}
	return fail(ArgumentCount, "calc argument count mismatch: %s %s takes %s argument(s), got %d", f.kind(), f.Name, takes, n)
}

// Bind says which parameter each argument of a call is for: the first
// positional arguments by place, then one per name. Two arguments for one
// parameter, an unknown name, or a required parameter without an argument are
// errors.
func (f *LibraryFunction) Bind(positional int, names []string) ([]int, error) {
	if len(names) == 0 {
		if err := f.checkCount(positional); err != nil {
			return nil, err
		}
	}
	if f.Builtin && len(names) > 0 {
		return nil, fail(UnknownParameter, "unknown parameter: builtin %s takes positional arguments only", f.Name)
	}
	bound := make([]int, 0, positional+len(names))
	given := make([]bool, len(f.Parameters))
	for i := range min(positional, len(f.Parameters)) {
		bound = append(bound, i)
		given[i] = true
	}
	for _, name := range names {
		i := f.parameter(name)
		if i < 0 {
			return nil, fail(UnknownParameter, "unknown parameter: function %s has no input parameter %q (expected %s)", f.Name, name, f.expected())
		}
		if given[i] {
			return nil, fail(ArgumentCount, "calc argument count mismatch: function %s parameter %q is given twice", f.Name, name)
		}
		given[i] = true
		bound = append(bound, i)
	}
	for i, p := range f.Parameters {
		if !given[i] && !p.Optional {
			return nil, fail(ArgumentCount, "unbound parameter: function %s parameter %q has no argument and no default", f.Name, p.Name)
		}
	}
	return bound, nil
}

func (f *LibraryFunction) parameter(name string) int {
	for i, p := range f.Parameters {
		if p.Name == name {
			return i
		}
	}
	return -1
}

func (f *LibraryFunction) expected() string {
	quoted := make([]string, len(f.Parameters))
	for i, p := range f.Parameters {
		quoted[i] = strconv.Quote(p.Name)
	}
	return strings.Join(quoted, ", ")
}

// Call computes f of args, one per parameter and in their order; an optional
// one is Absent or left out at the end. A function with Bodies or Random is
// not for Call.
func (f *LibraryFunction) Call(args []Value) (Value, error) {
	if err := f.checkCount(len(args)); err != nil {
		return Value{}, err
	}
	if f.compute == nil {
		why := f.why
		if why == "" {
			why = "it needs the run that calls it"
		}
		return Value{}, fail(NotEvaluable, "library function is not evaluable: %s: %s", f.Name, why)
	}
	return f.compute(f, args)
}

// errParameter says that argument i is not of the kind that f requires.
func (f *LibraryFunction) errParameter(i int, requires string) error {
	return fail(TypeMismatch, "type mismatch: function %s parameter %q requires %s", f.Name, f.Parameters[min(i, len(f.Parameters)-1)].Name, requires)
}

func (f *LibraryFunction) errDomain() error {
	return fail(DomainError, "function %s: argument outside the function's domain", f.Name)
}

func (f *LibraryFunction) errNotFinite() error {
	return fail(DomainError, "function %s: result is not a finite Real", f.Name)
}

// finite is the Real x, or the error of a numeric function that has none.
func (f *LibraryFunction) finite(x float64) (Value, error) {
	switch {
	case x != x:
		return Value{}, f.errDomain()
	case x-x != 0:
		return Value{}, f.errNotFinite()
	}
	return Float(x), nil
}

// wrapped is err with f's name before it.
func (f *LibraryFunction) wrapped(v Value, err error) (Value, error) {
	if err != nil {
		return Value{}, fail(codeOf(err), "function %s: %s", f.Name, err.Error())
	}
	return v, nil
}

// reals is args as Reals.
func (f *LibraryFunction) reals(args []Value) ([]float64, error) {
	x := make([]float64, len(args))
	for i, a := range args {
		var ok bool
		if x[i], ok = a.AsFloat(); !ok {
			return nil, f.errParameter(i, "a numeric value")
		}
	}
	return x, nil
}
