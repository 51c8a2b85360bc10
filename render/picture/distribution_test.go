package picture

import (
	"fmt"
	"math"
	"testing"
)

func TestDistribute(t *testing.T) {
	for _, test := range []struct {
		name   string
		values []float64
		want   Distribution // but for its classes
		counts []int
	}{
		{"none", nil, Distribution{}, nil},
		{"one", []float64{3}, Distribution{Numbers: 1, Mean: 3, Least: 3, Greatest: 3}, []int{0, 1}},
		{"two classes", []float64{0, 1, 9, 10}, Distribution{Numbers: 4, Mean: 5, Deviation: 5.228129, Least: 0, Greatest: 10}, []int{2, 2}},
		{"what no axis can show", []float64{1, math.NaN(), math.Inf(1), -1e200, 2}, Distribution{Numbers: 2, LeftOut: 3, Mean: 1.5, Deviation: 0.707107, Least: 1, Greatest: 2}, nil},
		{"nothing else", []float64{math.NaN()}, Distribution{LeftOut: 1}, nil},
		{"apart by less than rounding", []float64{1e17, 1e17 + 16}, Distribution{Numbers: 2, Mean: 1e17, Deviation: 16, Least: 1e17, Greatest: 1e17 + 16}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := Distribute(test.values)
			sum := 0
			for i, c := range got.Classes {
				sum += c.Count
				if !(c.From < c.To) {
					t.Errorf("class %d is %s", i, c.Label())
				}
				if test.counts != nil && (len(got.Classes) != len(test.counts) || c.Count != test.counts[i]) {
					t.Errorf("got %v, want %v", got.Classes, test.counts)
				}
			}
			if sum != got.Numbers || got.Numbers != test.want.Numbers || got.LeftOut != test.want.LeftOut ||
				got.Mean != test.want.Mean || math.Abs(got.Deviation-test.want.Deviation) > 1e-6 || got.Least != test.want.Least || got.Greatest != test.want.Greatest {
				t.Errorf("got %+v, %d in classes, want %+v", got, sum, test.want)
			}
		})
	}
}

// TestExtremeNumbers draws what floating point can just tell apart, or cannot.
func TestExtremeNumbers(t *testing.T) {
	const least = math.SmallestNonzeroFloat64
	for _, values := range [][]float64{{1e17, 1e17, 1e17}, {1e17, 1e17 + 16}, {-math.MaxFloat64, 0, math.MaxFloat64}, {-1e150, 1e150},
		{0, least}, {1e-300, 2e-300}, {math.NaN(), math.Inf(-1)}, {1, 1 + 1e-15}} {
		var points, turned []Point
		for i, v := range values {
			points, turned = append(points, Point{float64(i), v}), append(turned, Point{v, float64(i)})
		}
		for _, p := range []*Picture{
			Histogram("h", "s", values),
			Plot("p", "x", "y", []Series{{Name: "s", Points: points}}),
			Plot("p", "x", "y", []Series{{Name: "s", Dots: true, Points: turned}}),
		} {
			if p.Text(80) == "" || p.VegaLite() == "" {
				t.Errorf("%v: no drawing", values)
			}
			checkSVG(t, fmt.Sprint(values), p)
		}
	}
}
