package explore

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/orrery-sysml/orrery/runtime/exec"
)

func TestVectorsArePackedAndUnpacked(t *testing.T) {
	for _, v := range [][]uint32{{}, {0}, {1, 127, 128, 300}, {1 << 31, 5, 1<<32 - 1}} {
		got, ok := unpack(nil, asVector, pack(nil, asVector, v))
		if !ok || !slices.Equal(got, v) {
			t.Errorf("%v came back as %v, %v", v, got, ok)
		}
	}
	for _, key := range [][]byte{nil, {asCanonical}, {asCanonical, 1, 2}} {
		if v, ok := unpack(nil, asVector, key); ok {
			t.Errorf("%v was read as the vector %v", key, v)
		}
	}
}

// TestEffectsMakeWhatTheyWereMadeFrom applies what was learned of one move to
// another vector, in which another token stands and another place has changed.
func TestEffectsMakeWhatTheyWereMadeFrom(t *testing.T) {
	a := &alphabet{places: 3, touched: map[int32][]int32{7: {1}}, standing: make([]exec.Standing, 9)}
	for _, c := range []struct {
		name          string
		before, after []uint32
		labels        []uint32
		other, want   []uint32
		unexpected    bool
	}{
		{"a token moves and writes", []uint32{0, 0, 0, 2, 5}, []uint32{0, 4, 0, 3, 5}, []uint32{2}, []uint32{9, 0, 0, 2, 8}, []uint32{9, 4, 0, 3, 8}, false},
		{"a token becomes two", []uint32{0, 0, 0, 5}, []uint32{0, 0, 0, 1, 6}, []uint32{5}, []uint32{0, 0, 1, 3, 5, 8}, []uint32{0, 0, 1, 1, 3, 6, 8}, false},
		{"one of twins ends", []uint32{0, 0, 0, 4, 4}, []uint32{0, 0, 0, 4}, []uint32{4}, []uint32{0, 0, 0, 4, 4, 7}, []uint32{0, 0, 0, 4, 7}, false},
		{"two join", []uint32{0, 0, 0, 1, 2, 6}, []uint32{0, 0, 0, 3, 6}, []uint32{1, 2}, []uint32{0, 0, 0, 1, 2}, []uint32{0, 0, 0, 3}, false},
		{"it writes what its node does not touch", []uint32{0, 0, 0, 2}, []uint32{0, 0, 1, 3}, []uint32{2}, nil, nil, true},
		{"it moves a token that is not its own", []uint32{0, 0, 0, 2, 5}, []uint32{0, 0, 0, 3, 6}, []uint32{2}, nil, nil, true},
	} {
		e := a.effectOf(c.before, c.after, c.labels, 7)
		if c.unexpected {
			if e != nil {
				t.Errorf("%s, and that was learned: %+v", c.name, e)
			}
			continue
		}
		if e == nil {
			t.Errorf("%s: nothing was learned", c.name)
			continue
		}
		if got := e.on(nil, c.before, a.places); !slices.Equal(got, c.after) {
			t.Errorf("%s: %v became %v, want %v", c.name, c.before, got, c.after)
		}
		if got := e.on(nil, c.other, a.places); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v became %v, want %v", c.name, c.other, got, c.want)
		}
	}
}

func TestTablesFindWhatTheyWereGiven(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	x := &Search{}
	var known locals
	var keys [][]uint32
	for i := range 5000 {
		v := []uint32{uint32(i), r.Uint32() % 3, r.Uint32() % 3}
		keys = append(keys, v)
		key := pack(nil, asVector, v)
		hash := hashWords(v) % 64 // so that many collide
		if x.find(hash, key) >= 0 || known.find(v) != nil {
			t.Fatalf("%v is known before it was given", v)
		}
		x.nodes = append(x.nodes, node{key: x.keys.add(key)})
		x.remember(int32(i), hash)
		known.add(&local{key: v})
	}
	for i, v := range keys {
		if got := x.find(hashWords(v)%64, pack(nil, asVector, v)); got != int32(i) {
			t.Fatalf("%v is node %d, found as %d", v, i, got)
		}
		if l := known.find(v); l == nil || !slices.Equal(l.key, v) {
			t.Fatalf("%v is found as %v", v, l)
		}
	}
}

// TestShuffles counts the shuffles of ways of several groups.
func TestShuffles(t *testing.T) {
	end := func(counts ...int64) *partEnd {
		e := &partEnd{}
		for _, n := range counts {
			e.counts = append(e.counts, big.NewInt(n))
		}
		return e
	}
	for _, c := range []struct {
		ends []*partEnd
		want int64
	}{
		{[]*partEnd{end(0, 0, 0, 1), end(0, 0, 0, 1)}, 20}, // 6! / (3! 3!)
		{[]*partEnd{end(0, 1), end(0, 1), end(0, 1)}, 6},   // 3!
		{[]*partEnd{end(1), end(0, 0, 5)}, 5},              // one does not move at all
		{[]*partEnd{end(0, 2, 1), end(0, 1)}, 2*2 + 3},     // two ways of one move, one of two
	} {
		if got := shuffled(c.ends); got.Int64() != c.want {
			t.Errorf("%v shuffles, want %d", got, c.want)
		}
	}
}
