package picture

import (
	"fmt"
	"testing"
)

// lattice is the graph of Worlds of two branches of n nodes each: every World
// but those at the rim has two ways on.
func lattice(n int) ([]World, []Way) {
	var worlds []World
	var ways []Way
	for i := range n {
		for k := range n {
			worlds = append(worlds, World{Title: "token order", Start: i+k == 0, Lines: []string{fmt.Sprintf("x: %d → %d", i, k)}, Tip: []string{fmt.Sprintf("at 2@a%d, 3@b%d", i, k)}})
			at := len(worlds) - 1
			if i+1 < n {
				ways = append(ways, Way{From: at, To: at + n, Label: []string{fmt.Sprintf("2@a%d", i)}, Marked: k == 0})
			}
			if k+1 < n {
				ways = append(ways, Way{From: at, To: at + 1, Label: []string{fmt.Sprintf("3@b%d", k)}})
			}
		}
	}
	return worlds, ways
}

// TestLatticesOfWorldsAreDrawn: every World once, and every way once with its
// label, of a graph as dense as interleavings make it.
func TestLatticesOfWorldsAreDrawn(t *testing.T) {
	for _, n := range []int{1, 2, 5, 10} {
		worlds, ways := lattice(n)
		p := Worlds("lattice", worlds, ways)
		name := fmt.Sprintf("lattice of %d", n)
		checkSVG(t, name, p)
		checkText(t, name, p)
	}
}

func BenchmarkDrawWorlds100(b *testing.B) {
	worlds, ways := lattice(10)
	for b.Loop() {
		if Worlds("lattice", worlds, ways).SVG() == "" {
			b.Fatal("nothing is drawn")
		}
	}
}
