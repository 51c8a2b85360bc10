package value

import (
	"math/bits"
	"math/rand/v2"
)

// A Stream is a source of random numbers as two plain words, which a World
// copies, compares and saves. It gives, bit for bit, what a [rand.Rand] over
// a [rand.PCG] gives, so that a seed means the same run everywhere.
//
// Go's own PCG hides its state; the numbers derived from it (IntN, Float64,
// NormFloat64, Shuffle) are Go's.
type Stream struct{ Hi, Lo uint64 }

// ScheduleStream is the stream of the schedule seed:n.
func ScheduleStream(n uint64) Stream { return Stream{n, 0} }

// ModelStream is the stream of modelled randomness under seed.
func ModelStream(seed uint64) Stream { return Stream{seed, seed ^ 0xD1B54A32D192ED03} }

// Uint64 moves s on and is the next 64 bits. It makes a *Stream a
// [rand.Source]. The generator is PCG-DXSM with a 128-bit state: O'Neill,
// "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms
// for Random Number Generation", and numpy's choice of output function.
func (s *Stream) Uint64() uint64 {
	const (
		multiplierHi, multiplierLo = 2549297995355413924, 4865540595714422341
		incrementHi, incrementLo   = 6364136223846793005, 1442695040888963407
		output                     = 0xda942042e4dd58b5
	)
	hi, lo := bits.Mul64(s.Lo, multiplierLo)
	hi += s.Hi*multiplierLo + s.Lo*multiplierHi
	lo, carry := bits.Add64(lo, incrementLo, 0)
	hi, _ = bits.Add64(hi, incrementHi, carry)
	s.Hi, s.Lo = hi, lo

	hi ^= hi >> 32
	hi *= output
	hi ^= hi >> 48
	return hi * (lo | 1)
}

// Rand is Go's generator over s: every draw from it moves s on.
func (s *Stream) Rand() *rand.Rand { return rand.New(s) }
