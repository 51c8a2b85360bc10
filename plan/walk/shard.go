package walk

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/orrery-sysml/orrery/plan/axis"
	"github.com/orrery-sysml/orrery/plan/leaf"
)

// A Shard is one part of a walk that several machines share. The zero Shard
// is the whole.
//
// Every shard runs the first leaf below each of the upper axes, to learn what
// they lead to, and of the subtrees further down those that are its own.
type Shard struct{ Index, Count int } // Index from 1

// spread is how many subtrees a shard should get at least, for balance.
const spread = 16

// depth is how many axes of the first leaf it takes to have enough subtrees.
func (s Shard) depth(first *leaf.Run) int {
	if s.Count < 2 {
		return 0
	}
	n, product := 0, 1
	for _, x := range first.Path.Fanned() {
		if product >= s.Count*spread {
			break
		}
		product *= len(x.Axis.Options)
		n++
	}
	return max(n, 1)
}

// owns reports whether leaves of test whose path begins with p are of s.
func (s Shard) owns(test string, p axis.Path) bool {
	return s.Owner(p.ID(test)) == s.Index
}

// Owner is the index of the shard that leaves with id belong to.
func (s Shard) Owner(id string) int {
	sum := sha256.Sum256([]byte(id))
	return int(binary.BigEndian.Uint64(sum[:8])%uint64(s.Count)) + 1
}
