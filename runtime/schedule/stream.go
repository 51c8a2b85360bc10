package schedule

import "math/rand/v2"

// A Stream is the state of a pseudo-random sequence as two plain words, so
// that it can live in a World: the same numbers as math/rand/v2 gives over
// its PCG source. The zero Stream is the sequence of NewStream(0, 0).
type Stream struct{ Hi, Lo uint64 }

// NewStream is the stream of rand.NewPCG(seed1, seed2).
func NewStream(seed1, seed2 uint64) Stream { return Stream{seed1, seed2} }

// SeedModel is the model's own stream for a seed. It shares no state with
// the stream of a schedule of the same seed.
func SeedModel(seed int64) Stream {
	return Stream{uint64(seed), uint64(seed) ^ 0xD1B54A32D192ED03}
}

// Uint64 is the next word. The state advances.
func (s *Stream) Uint64() uint64 { return s.draw((*rand.PCG).Uint64) }

// IntN is a number in [0, n), n > 0.
func (s *Stream) IntN(n int) int {
	var v int
	s.with(func(r *rand.Rand) { v = r.IntN(n) })
	return v
}

// Float64 is a number in [0, 1).
func (s *Stream) Float64() float64 {
	var v float64
	s.with(func(r *rand.Rand) { v = r.Float64() })
	return v
}

// Shuffle permutes n things with swap.
func (s *Stream) Shuffle(n int, swap func(i, j int)) {
	s.with(func(r *rand.Rand) { r.Shuffle(n, swap) })
}

func (s *Stream) with(use func(*rand.Rand)) {
	source := rand.NewPCG(s.Hi, s.Lo)
	use(rand.New(source))
	s.store(source)
}

func (s *Stream) draw(next func(*rand.PCG) uint64) uint64 {
	source := rand.NewPCG(s.Hi, s.Lo)
	v := next(source)
	s.store(source)
	return v
}

// store takes the state back out of source, which spells it as "pcg:" and
// the two words, high byte first.
func (s *Stream) store(source *rand.PCG) {
	var buffer [20]byte
	text, err := source.AppendBinary(buffer[:0])
	if err != nil || len(text) != 20 {
		panic("schedule: rand.PCG spells its state in another way")
	}
	s.Hi, s.Lo = word(text[4:]), word(text[12:])
}

func word(b []byte) uint64 {
	var w uint64
	for _, c := range b[:8] {
		w = w<<8 | uint64(c)
	}
	return w
}
