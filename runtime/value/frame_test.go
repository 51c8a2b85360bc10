package value_test

import (
	"math"
	"testing"

	"github.com/orrery-sysml/orrery/runtime/value"
)

// A target moved by (1, 2, 0) metres and turned a quarter about z: what lies
// one metre beyond its origin along y of the source lies along its x.
func TestTransform(t *testing.T) {
	source, target := value.FrameOf("world", metre, metre, metre), value.FrameOf("body", mm, mm, mm)
	quarter, ok := value.InPlace.Translated([3]float64{1, 2, 0}).Rotated([3]float64{0, 0, 5}, math.Pi/2, true)
	if !ok {
		t.Fatal("no rotation about z")
	}
	about, _ := value.InPlace.Translated([3]float64{1, 0, 0}).Rotated([3]float64{0, 0, 1}, math.Pi/2, false)
	f, _ := value.LookupFunction("VectorCalculations::transform")
	for _, c := range []struct {
		name      string
		placement value.Placement
		vector    string
		want      string
	}{
		{"in place", value.InPlace, "<1.0; 2.0; 3.0> [m]", "⟨1000.0, 2000.0, 3000.0⟩ [mm]"},
		{"moved", value.InPlace.Translated([3]float64{1, 2, 0}), "<1.0; 2.0; 3.0> [km]", "⟨999000.0, 1.998e+06, 3e+06⟩ [mm]"},
		{"moved and turned", quarter, "<1.0; 3.0; 0.0> [m]", "⟨1000.0, 0.0, 0.0⟩ [mm]"},
		{"turned about the source", about, "<0.0; 1.0; 0.0> [m]", "⟨0.0, 0.0, 0.0⟩ [mm]"},
		{"without numbers", value.Unplaced, "<0.0; 1.0; 0.0> [m]", "error: library function is not evaluable: VectorCalculations::transform: the transformation has no numbers"},
		{"a time", value.InPlace, "<0.0; 1.0; 0.0> [s]", "error: function VectorCalculations::transform: incommensurable units: cannot express s (SI::second) in m (SI::metre)"},
		{"two numbers", value.InPlace, "<0.0; 1.0> [m]", `error: type mismatch: function VectorCalculations::transform parameter "sourceVector" requires a vector quantity of three numbers, and frames of three axes`},
	} {
		v, err := f.Call([]value.Value{value.TransformationOf("tr", source, target, c.placement), parse(t, c.vector)})
		if numbers, unit, ok := v.AsTensor(); ok { // away with rounding dust
			var rounded []value.Value
			for e := range numbers.All() {
				x, _ := e.AsFloat()
				rounded = append(rounded, value.Float(math.Round(x*1e6)/1e6+0))
			}
			v, _ = value.TensorQuantityOf([]int{3}, unit, rounded...)
		}
		if got := outcome(v, err); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	if _, ok := value.InPlace.Rotated([3]float64{}, 1, true); ok {
		t.Error("an axis of length zero turns")
	}
}

// A matrix of quantities times a vector, and times itself.
func TestTensorProducts(t *testing.T) {
	matrix, _ := value.TensorQuantityOf([]int{2, 2}, metre, value.Int(1), value.Int(2), value.Int(3), value.Int(4))
	vector := parse(t, "<1.0; 10.0> [s]")
	for name, c := range map[string]struct {
		a, b value.Value
		want string
	}{
		"TensorCalculations::tensorVectorMult": {matrix, vector, "⟨21.0, 43.0⟩ [m*s]"},
		"TensorCalculations::vectorTensorMult": {vector, matrix, "⟨31.0, 42.0⟩ [s*m]"},
		"TensorCalculations::tensorTensorMult": {matrix, matrix, "[[7.0, 10.0], [15.0, 22.0]] [m*m]"},
	} {
		f, _ := value.LookupFunction(name)
		if got := outcome(f.Call([]value.Value{c.a, c.b})); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
