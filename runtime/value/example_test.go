package value_test

import (
	"fmt"

	"github.com/orrery-sysml/orrery/runtime/value"
)

// Operators take any two values and give a value or a diagnostic.
func Example() {
	nine, two := value.Int(9), value.Int(2)
	quotient, _ := value.Binary(value.Divide, nine, two)
	fmt.Println(value.Trace(quotient), quotient.Kind())

	_, err := value.Binary(value.Add, nine, value.Text("a"))
	fmt.Println(err)
	// Output:
	// 4.5 Rational
	// type mismatch: operator '+' is not defined for an Integer and a string
}
