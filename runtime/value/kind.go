package value

// A Kind says what a Value is. The order of the constants is the encoding of
// saved Worlds: add new kinds at the end only.
type Kind uint8

// The kinds. The zero Kind is Absent: no value at all, which is what a slot
// holds that was never read or written; it is not the language's null.
const (
	Absent          Kind = iota
	Null                 // the language's null
	Boolean              // true or false
	Integer              // 64 bits, signed
	Rational             // exact: decimal literals and quotients of Integers
	Real                 // IEEE 754 binary64
	Unbounded            // *
	String               // text, compared by code points
	Enumeration          // a literal that declares no value of its own
	Variant              // a variant of a variation, with the object it stands for
	Object               // a reference to an object of the World
	Sequence             // ordered, may repeat; the empty one is ()
	Set                  // unordered, distinct
	Bag                  // unordered, may repeat
	OrderedSet           // ordered, distinct
	Array                // elements with dimensions
	Map                  // distinct keys, each with a value
	Quantity             // a number and a measurement unit
	TensorQuantity       // numbers with dimensions and one unit; vector quantities too
	MeasurementRef       // a measurement unit as a value
	CoordinateFrame      // axes with a unit each; measurement scales too
	Transformation       // between two coordinate frames
	Complex              // two Reals
	Vector               // numbers
	Function             // a calculation as a value
	Body                 // a body expression, as an argument
	Metaobject           // the reflection of an element
	Type                 // a definition named as a value
	Undetermined         // a condition that could not be decided

	kinds // how many there are
)

var kindNames = [kinds]string{"Absent", "Null", "Boolean", "Integer", "Rational", "Real", "Infinity", "String",
	"EnumLiteral", "Variant", "Instance", "Sequence", "Set", "Bag", "OrderedSet", "Array", "Map", "Quantity",
	"TensorQuantity", "MeasurementRef", "CoordinateFrame", "CoordinateTransformation", "Complex", "Vector",
	"Function", "Body", "Metaobject", "Type", "Undetermined"}

// String is the word for k in the conformance schema, where it has one.
func (k Kind) String() string {
	if k < kinds {
		return kindNames[k]
	}
	return "Kind?"
}

// IsNumber reports whether values of k are Integer, Rational or Real.
func (k Kind) IsNumber() bool { return k == Integer || k == Rational || k == Real }

// IsCollection reports whether values of k are seen element by element by
// the collection functions.
func (k Kind) IsCollection() bool { return k >= Sequence && k <= Map || k == Vector }
