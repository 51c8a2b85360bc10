package layout

import "slices"

// This file draws a graph more than once where edges cross. The inside of a
// composite is drawn before what surrounds it, so that the order of the ends
// at its border is chosen blindly at first; the second drawing knows from the
// first where each edge goes outside.

// A crossing is where an edge crosses the border of a composite.
type crossing struct{ edge, container int }

// An attempt is a way to begin the search for orders with few crossings.
type attempt struct {
	mirrored bool                 // beginning with the last node instead of the first
	wants    map[crossing]float64 // order of the ends at borders: as edges went on outside in another drawing
}

// tangled is how many crossings make further attempts idle.
const tangled = 40

// draw places g in a few attempts, until no edges cross, and leaves it as the
// first of those with the fewest crossings has it.
func (g *Graph) draw() {
	sizes := make([]Point, len(g.Nodes))
	for i := range g.Nodes {
		sizes[i] = Point{g.Nodes[i].W, g.Nodes[i].H}
	}
	try := func(a attempt) *placement {
		for i := range g.Nodes {
			g.Nodes[i].W, g.Nodes[i].H = sizes[i].X, sizes[i].Y
		}
		p := newPlacement(g)
		p.attempt = a
		p.place()
		return p
	}
	best, fewest, last := attempt{}, -1, attempt{}
	for _, mirrored := range []bool{false, true} {
		a := attempt{mirrored: mirrored}
		for range 2 {
			p := try(a)
			last = a
			if c := p.crossed(); fewest < 0 || c < fewest {
				best, fewest = a, c
			}
			if a.wants = p.outsideOf(); fewest == 0 || len(a.wants) == 0 {
				break
			}
		}
		if fewest == 0 || fewest > tangled {
			break
		}
	}
	if best.mirrored != last.mirrored || (best.wants == nil) != (last.wants == nil) {
		try(best)
	}
}

// crossed counts the crossings of all composites.
func (p *placement) crossed() int {
	count := 0
	for _, groups := range p.groups {
		for _, l := range groups {
			count += l.crossed
		}
	}
	return count
}

// outsideOf tells for every border that an edge crosses where the edge goes
// next outside of it.
func (p *placement) outsideOf() map[crossing]float64 {
	wants := map[crossing]float64{}
	for i, way := range p.ways {
		for k, q := range way {
			if q.direct || q.from != border && q.to != border {
				continue
			}
			next := k + 1
			if q.from == border {
				next = k - 1
			}
			for next > 0 && next < len(way)-1 && way[next].container >= 0 && p.Nodes[way[next].container].Split {
				next += (next - k) / max(next-k, k-next)
			}
			if next < 0 || next >= len(way) {
				continue
			}
			points := slices.Clone(way[next].points)
			if q.from == border {
				slices.Reverse(points)
			}
			wants[crossing{i, q.container}] = ahead(points)
		}
	}
	return wants
}

// ahead is where points have come to in the gap behind their first layer.
func ahead(points []Point) float64 {
	if len(points) == 0 {
		return 0
	}
	return points[min(6, len(points)-1)].X
}
