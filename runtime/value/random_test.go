package value_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/runtime/value"
)

// A Stream is bit for bit what Go's generator over its own PCG is.
func TestStreamIsGosPCG(t *testing.T) {
	for _, seed := range [][2]uint64{{0, 0}, {1, 0}, {7, 7 ^ 0xD1B54A32D192ED03}, {1 << 63, 12345678901234567890}} {
		want := rand.New(rand.NewPCG(seed[0], seed[1]))
		stream := value.Stream{Hi: seed[0], Lo: seed[1]}
		for i := range 2000 {
			got := stream.Rand()
			var g, w string
			switch i % 7 {
			case 0:
				g, w = fmt.Sprint(got.Uint64()), fmt.Sprint(want.Uint64())
			case 1:
				g, w = fmt.Sprint(got.IntN(i+1)), fmt.Sprint(want.IntN(i+1))
			case 2:
				g, w = fmt.Sprint(got.Float64()), fmt.Sprint(want.Float64())
			case 3:
				g, w = fmt.Sprint(got.NormFloat64()), fmt.Sprint(want.NormFloat64())
			case 4:
				g, w = fmt.Sprint(got.Int64N(1<<40+int64(i))), fmt.Sprint(want.Int64N(1<<40+int64(i)))
			case 5:
				g, w = fmt.Sprint(got.Uint64N(1<<63+uint64(i))), fmt.Sprint(want.Uint64N(1<<63+uint64(i)))
			case 6:
				g, w = fmt.Sprint(got.Perm(i%9)), fmt.Sprint(want.Perm(i%9))
			}
			if g != w {
				t.Fatalf("seed %v, draw %d: %s, want %s", seed, i, g, w)
			}
		}
	}
}

// The first draws of the schedule seed:1.
func TestScheduleStream(t *testing.T) {
	s := value.ScheduleStream(1)
	var picks []string
	for range 12 {
		picks = append(picks, fmt.Sprint(s.Rand().IntN(2)))
	}
	if got := strings.Join(picks, " "); got != "1 0 0 0 0 0 0 0 1 0 1 0" {
		t.Errorf("IntN(2) gives %s", got)
	}
	for n, want := range map[int]string{2: "[2 3]", 3: "[4 2 3]", 4: "[3 4 2 5]", 5: "[3 2 5 6 4]"} {
		s, list := value.ScheduleStream(1), make([]int, n)
		for i := range list {
			list[i] = i + 2
		}
		s.Rand().Shuffle(n, func(i, j int) { list[i], list[j] = list[j], list[i] })
		if got := fmt.Sprint(list); got != want {
			t.Errorf("a shuffle of %d gives %s, want %s", n, got, want)
		}
	}
}

func TestDraw(t *testing.T) {
	for _, c := range []struct {
		seed uint64
		call string
		want string
	}{
		{1, "uniform 0.0 1.0", "draw uniform(0.0, 1.0) = 0.626281375908274"},
		{2, "uniform 0.0 1.0", "draw uniform(0.0, 1.0) = 0.11869985175654307"},
		{7, "uniform 0.0 1.0", "draw uniform(0.0, 1.0) = 0.774817894359002"},
		{42, "uniform 0.0 1.0", "draw uniform(0.0, 1.0) = 0.013834572419870628"},
		{7, "uniform 0.0 10.0", "draw uniform(0.0, 10.0) = 7.74817894359002"},
		{7, "uniform 1 80", "draw uniform(1, 80) = 62.210613654361154"},
		{1, "uniformInteger 1 6", "draw uniformInteger(1, 6) = 6"},
		{2, "uniformInteger 1 6", "draw uniformInteger(1, 6) = 2"},
		{7, "uniformInteger 1 6", "draw uniformInteger(1, 6) = 1"},
		{42, "uniformInteger 1 6", "draw uniformInteger(1, 6) = 4"},
		{1, "triangular 0 1 4", "draw triangular(0, 1, 4) = 1.8823070361592285"},
		{2, "triangular 0 1 4", "draw triangular(0, 1, 4) = 0.6890568967989308"},
		{7, "triangular 0 1 4", "draw triangular(0, 1, 4) = 2.356167506194145"},
		{42, "triangular 0 1 4", "draw triangular(0, 1, 4) = 0.23524091837833508"},
		{1, "normal 10.0 2.0", "draw normal(10.0, 2.0) = 13.305586852609203"},
		{2, "normal 10.0 2.0", "draw normal(10.0, 2.0) = 6.930550449743368"},
		{7, "normal 10.0 2.0", "draw normal(10.0, 2.0) = 9.285769774947244"},
		{42, "normal 10.0 2.0", "draw normal(10.0, 2.0) = 11.478291490817213"},
		{1, "normal 10.0 0", "draw normal(10.0, 0) = 10.0"},
		{1, "uniform 3.0 1.0", "error: random function arguments bound no distribution: uniform(3.0, 1.0): lo exceeds hi"},
		{1, "triangular 3.0 1.0 4", "error: random function arguments bound no distribution: triangular(3.0, 1.0, 4): needs lo <= mode <= hi with lo < hi"},
		{1, "triangular 1 1 1", "error: random function arguments bound no distribution: triangular(1, 1, 1): needs lo <= mode <= hi with lo < hi"},
		{1, "normal 0 -1", "error: random function arguments bound no distribution: normal(0, -1): sd is negative"},
		{1, "uniformInteger 3 1", "error: random function arguments bound no distribution: uniformInteger(3, 1): lo exceeds hi"},
		{1, "uniformInteger 1 6.5", `error: type mismatch: function RandomFunctions::uniformInteger parameter "hi" requires an Integer value`},
		{1, "uniform true 1", `error: type mismatch: function RandomFunctions::uniform parameter "lo" requires a numeric value`},
		{1, "uniform 1", "error: calc argument count mismatch: function RandomFunctions::uniform takes 2 argument(s), got 1"},
	} {
		stream := value.ModelStream(c.seed)
		if got := draw(t, c.call, value.DrawRandom, &stream); got != c.want {
			t.Errorf("seed %d, %s: %s, want %s", c.seed, c.call, got, c.want)
		}
	}
}

func draw(t *testing.T, call string, policy value.DrawPolicy, stream *value.Stream) string {
	t.Helper()
	words := strings.Fields(call)
	f, ok := value.LookupFunction("RandomFunctions::" + words[0])
	if !ok {
		t.Fatalf("no function %s", words[0])
	}
	var args []value.Value
	for _, w := range words[1:] {
		args = append(args, parse(t, w))
	}
	v, made, err := value.Draw(f, args, policy, stream)
	if err != nil {
		return "error: " + err.Error()
	}
	return "draw " + made + " = " + value.Trace(v)
}

func TestDrawPolicies(t *testing.T) {
	for _, c := range []struct{ policy, call, want string }{
		{"min", "uniform 2.5 7.5", "draw uniform(2.5, 7.5) = 2.5"},
		{"max", "uniform 1 80", "draw uniform(1, 80) = 80.0"},
		{"average", "uniform 2.0 7.0", "draw uniform(2.0, 7.0) = 4.5"},
		{"min", "uniformInteger 3 9", "draw uniformInteger(3, 9) = 3"},
		{"max", "uniformInteger 3 9", "draw uniformInteger(3, 9) = 9"},
		{"average", "uniformInteger 1 6", "draw uniformInteger(1, 6) = 4"},
		{"average", "uniformInteger -6 -1", "draw uniformInteger(-6, -1) = -3"},
		{"average", "uniformInteger -9223372036854775808 9223372036854775807", "draw uniformInteger(-9223372036854775808, 9223372036854775807) = 0"},
		{"average", "triangular 1.0 4.0 10.0", "draw triangular(1.0, 4.0, 10.0) = 5.0"},
		{"average", "normal 12.0 3.0", "draw normal(12.0, 3.0) = 12.0"},
		{"max", "normal 12.0 0", "draw normal(12.0, 0) = 12.0"},
		{"max", "normal 12.0 3.0", "error: random function has no value: normal(12.0, 3.0) under max: the distribution is unbounded"},
		{"random", "uniform 0.0 10.0", "error: modeled randomness needs a seed: uniform(0.0, 10.0) draws a random value; seed the run, as -seed <n> or %seed <n>, or schedule it under seed:<n>"},
		{"random", "uniformInteger 1 6", "error: modeled randomness needs a seed: uniformInteger(1, 6) draws a random value; seed the run, as -seed <n> or %seed <n>, or schedule it under seed:<n>"},
	} {
		policy, ok := value.ParseDrawPolicy(c.policy)
		if !ok || policy.String() != c.policy {
			t.Errorf("%s is read as %s", c.policy, policy)
		}
		if got := draw(t, c.call, policy, nil); got != c.want {
			t.Errorf("%s under %s: %s, want %s", c.call, c.policy, got, c.want)
		}
	}
}

// The widest spans of uniformInteger draw without overflow and move the
// stream on by one word or more.
func TestDrawWideIntegers(t *testing.T) {
	for _, call := range []string{"uniformInteger -9223372036854775808 9223372036854775807", "uniformInteger -9223372036854775807 9223372036854775807", "uniformInteger -5 9223372036854775800"} {
		stream := value.ModelStream(3)
		before := stream
		if got := draw(t, call, value.DrawRandom, &stream); !strings.HasPrefix(got, "draw ") || stream == before {
			t.Errorf("%s: %s", call, got)
		}
	}
}
