package picture

import "math"

// This file sums numbers up: what range an axis for them has, in which classes
// they fall, and their moments.

// largest bounds the numbers that are drawn: sums of their squares are finite.
const largest = 1e150

// drawable reports whether an axis can show v.
func drawable(v float64) bool { return math.Abs(v) <= largest } // NaN is not

// axisRange is the range of an axis for numbers between from and to. It has a
// width that can be told from rounding; without numbers, from is above to.
func axisRange(from, to float64) (low, high float64) {
	if from > to {
		return 0, 1
	}
	least := 1e-9 * max(math.Abs(from), math.Abs(to))
	if to-from <= max(least, 1e-150) {
		half := max(0.5, least)
		return from - half, to + half
	}
	return from, to
}

// A Distribution is how numbers are spread over classes of one width between
// round numbers. The zero Distribution is that of no numbers.
type Distribution struct {
	Numbers int // without those left out
	LeftOut int // that no axis can show: NaN, infinities and what is near them
	// Mean, Least, Greatest and the standard deviation of a sample, 0 for fewer
	// than two numbers.
	Mean, Deviation, Least, Greatest float64
	Classes                          []Class

	low, step float64 // of Classes
}

// A Class is an interval, without its upper end unless it is the last one, and
// how many numbers lie in it.
type Class struct {
	From, To float64
	Count    int
}

// Label is the interval: "0.5 to 1".
func (c Class) Label() string { return short(c.From) + " to " + short(c.To) }

// Distribute sums values up.
func Distribute(values []float64) *Distribution {
	d := &Distribution{}
	sum := 0.0
	for _, v := range values {
		switch {
		case !drawable(v):
			d.LeftOut++
			continue
		case d.Numbers == 0:
			d.Least, d.Greatest = v, v
		}
		d.Numbers++
		d.Least, d.Greatest = min(d.Least, v), max(d.Greatest, v)
		sum += v
	}
	if d.Numbers == 0 {
		return d
	}
	d.Mean = sum / float64(d.Numbers)
	squares := 0.0
	for _, v := range values {
		if drawable(v) {
			x := v - d.Mean
			squares += float64(x * x) // the conversion keeps the product from being fused
		}
	}
	d.Deviation = math.Sqrt(squares / float64(max(d.Numbers-1, 1)))
	d.classify(values)
	return d
}

// classify counts values in classes, as many as Sturges would have.
func (d *Distribution) classify(values []float64) {
	low, high := axisRange(d.Least, d.Greatest)
	wanted := int(math.Ceil(math.Log2(float64(d.Numbers)))) + 1
	d.step = high - low
	if edges := ticks(low, high, max(wanted, 4)); len(edges) > 1 {
		d.step = edges[1] - edges[0]
	}
	d.low = math.Floor(low/d.step+1e-9) * d.step
	d.Classes = make([]Class, max(int(math.Ceil((high-d.low)/d.step-1e-9)), 1))
	for i := range d.Classes {
		d.Classes[i] = Class{From: d.edge(i), To: d.edge(i + 1)}
	}
	for _, v := range values {
		if drawable(v) {
			d.Classes[min(max(int((v-d.low)/d.step), 0), len(d.Classes)-1)].Count++
		}
	}
}

// edge is the lower end of class i, on the grid of steps, so that 0.1 does not
// become 0.30000000000000004.
func (d *Distribution) edge(i int) float64 { return (math.Round(d.low/d.step) + float64(i)) * d.step }
