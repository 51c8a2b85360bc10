package value

import (
	"fmt"
	"math"
	"strings"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// The codes of draws that cannot be made.
var (
	NoDistribution = diagnostic.Register("no-distribution",
		"The arguments of a random function bound no distribution: the lower bound exceeds the upper one, or a deviation is negative.")
	NoSeed = diagnostic.Register("no-seed",
		"A model draws a random value and the run has no seed. Set one with %seed or --seed, or choose a draw policy that needs none (%draws average).")
	NoDrawValue = diagnostic.Register("no-draw-value",
		"The draw policy asks for an end of a distribution that has none.")
)

// A DrawPolicy says how a modelled random value is chosen. The zero value
// draws it from the stream.
type DrawPolicy uint8

// The draw policies. All but DrawRandom take a fixed point of the
// distribution and leave the stream untouched.
const (
	DrawRandom DrawPolicy = iota
	DrawMin
	DrawMax
	DrawAverage
)

// String is the policy as users spell it.
func (p DrawPolicy) String() string { return [...]string{"random", "min", "max", "average"}[p] }

// ParseDrawPolicy reads the spelling of a policy; "" is random.
func ParseDrawPolicy(text string) (DrawPolicy, bool) {
	for p := DrawRandom; p <= DrawAverage; p++ {
		if text == p.String() || text == "" {
			return p, true
		}
	}
	return DrawRandom, false
}

// Draw is one call of a function of RandomFunctions: the value and the call as
// a trace spells it, "uniform(1, 80)". stream moves on under DrawRandom only; nil means that
// the run has no seed.
func Draw(f *LibraryFunction, args []Value, policy DrawPolicy, stream *Stream) (v Value, call string, err error) {
	if err := f.checkCount(len(args)); err != nil {
		return Value{}, "", err
	}
	call = drawCall(f.local(), args)
	if f.local() == "uniformInteger" {
		v, err = drawInteger(f, call, args, policy, stream)
	} else {
		v, err = drawReal(f, call, args, policy, stream)
	}
	if err != nil {
		return Value{}, "", err
	}
	return v, call, nil
}

func drawCall(name string, args []Value) string {
	texts := make([]string, len(args))
	for i, a := range args {
		texts[i] = Trace(a)
	}
	return name + "(" + strings.Join(texts, ", ") + ")"
}

func errNoDistribution(call, why string) error {
	return fail(NoDistribution, "random function arguments bound no distribution: %s: %s", call, why)
}

func errNoSeed(call string) error {
	text := fmt.Sprintf("modeled randomness needs a seed: %s draws a random value; seed the run, as -seed <n> or %%seed <n>, or schedule it under seed:<n>", call)
	return diagnostic.New(NoSeed, source.Span{}, text).WithHint("--seed N or %seed N seeds the draws; a schedule of seed:N alone decides orders, and draws nothing")
}

func drawInteger(f *LibraryFunction, call string, args []Value, policy DrawPolicy, stream *Stream) (Value, error) {
	var bounds [2]int64
	for i, a := range args {
		n, ok := a.AsInt()
		if !ok {
			return Value{}, f.errParameter(i, "an Integer value")
		}
		bounds[i] = n
	}
	lo, hi := bounds[0], bounds[1]
	if lo > hi {
		return Value{}, errNoDistribution(call, "lo exceeds hi")
	}
	span := uint64(hi) - uint64(lo)
	switch policy {
	case DrawMin:
		return Int(lo), nil
	case DrawMax:
		return Int(hi), nil
	case DrawAverage:
		return Int(int64(uint64(lo) + span - span/2)), nil // halves toward hi
	}
	if stream == nil {
		return Value{}, errNoSeed(call)
	}
	r := stream.Rand()
	switch {
	case span < math.MaxInt64:
		return Int(lo + r.Int64N(int64(span)+1)), nil
	case span < math.MaxUint64:
		return Int(int64(uint64(lo) + r.Uint64N(span+1))), nil
	}
	return Int(int64(r.Uint64())), nil
}

func drawReal(f *LibraryFunction, call string, args []Value, policy DrawPolicy, stream *Stream) (Value, error) {
	x := make([]float64, len(args))
	for i, a := range args {
		var ok bool
		if x[i], ok = a.AsFloat(); !ok {
			return Value{}, f.errParameter(i, "a numeric value")
		}
		if x[i]-x[i] != 0 {
			return Value{}, errNoDistribution(call, Trace(a)+" is not a finite number")
		}
	}
	switch f.local() {
	case "uniform":
		return drawUniform(call, x[0], x[1], policy, stream)
	case "triangular":
		return drawTriangular(call, x[0], x[1], x[2], policy, stream)
	}
	return drawNormal(call, x[0], x[1], policy, stream)
}

func drawUniform(call string, lo, hi float64, policy DrawPolicy, stream *Stream) (Value, error) {
	switch {
	case lo > hi:
		return Value{}, errNoDistribution(call, "lo exceeds hi")
	case policy == DrawMin:
		return Float(lo), nil
	case policy == DrawMax:
		return Float(hi), nil
	case policy == DrawAverage:
		return Float(lo/2 + hi/2), nil
	case stream == nil:
		return Value{}, errNoSeed(call)
	}
	u := stream.Rand().Float64()
	x := lo + float64(u*(hi-lo))
	if x >= hi && lo < hi {
		x = math.Nextafter(hi, lo)
	}
	return Float(max(x, lo)), nil
}

func drawTriangular(call string, lo, mode, hi float64, policy DrawPolicy, stream *Stream) (Value, error) {
	switch {
	case lo > mode || mode > hi || lo >= hi:
		return Value{}, errNoDistribution(call, "needs lo <= mode <= hi with lo < hi")
	case policy == DrawMin:
		return Float(lo), nil
	case policy == DrawMax:
		return Float(hi), nil
	case policy == DrawAverage:
		return Float(lo/3 + mode/3 + hi/3), nil
	case stream == nil:
		return Value{}, errNoSeed(call)
	}
	u, c := stream.Rand().Float64(), (mode-lo)/(hi-lo)
	if u < c {
		return Float(lo + float64((hi-lo)*math.Sqrt(u*c))), nil
	}
	return Float(lo + float64((hi-lo)*(1-math.Sqrt((1-u)*(1-c))))), nil
}

func drawNormal(call string, mean, sd float64, policy DrawPolicy, stream *Stream) (Value, error) {
	switch {
	case sd < 0:
		return Value{}, errNoDistribution(call, "sd is negative")
	case sd == 0 || policy == DrawAverage:
		return Float(mean), nil
	case policy != DrawRandom:
		return Value{}, fail(NoDrawValue, "random function has no value: %s under %s: the distribution is unbounded", call, policy)
	case stream == nil:
		return Value{}, errNoSeed(call)
	}
	r := stream.Rand()
	for {
		if x := mean + float64(sd*r.NormFloat64()); x-x == 0 {
			return Float(x), nil
		}
	}
}
