package render

import (
	"reflect"
	"testing"

	"github.com/orrery-sysml/orrery/runtime/explore"
)

// TestWhatIsSaidOfWorldsTogether: nothing is claimed of Worlds that nobody has
// looked at.
func TestWhatIsSaidOfWorldsTogether(t *testing.T) {
	outcome := listed{"outcome", "in others", func(int) string { return "" }}
	finding := listed{"finding", "without a fault", func(int) string { return "" }}
	for _, c := range []struct {
		node explore.GraphNode
		list listed
		want []string
	}{
		{explore.GraphNode{Size: 3, Reach: []int{2}}, outcome, []string{"always end in outcome 2"}},
		{explore.GraphNode{Size: 3, Reach: []int{1, 2, 4}}, outcome, []string{"can end in outcome 1, 2 or 4"}},
		{explore.GraphNode{Size: 3, Reach: []int{1}, Others: 1}, finding, []string{"can end in finding 1 or without a", "fault"}},
		{explore.GraphNode{Size: 3, Others: 1}, finding, []string{"always end without a fault"}},
		{explore.GraphNode{Size: 3, Reach: []int{1}, Unknown: true}, finding, []string{"can end in finding 1", "not all followed"}},
		{explore.GraphNode{Size: 3, Unknown: true}, finding, []string{"not all followed"}},
		{explore.GraphNode{Size: 3, Endless: true}, outcome, []string{"go on for ever"}},
		{explore.GraphNode{Size: 3, Cut: true}, outcome, []string{"in the middle of the way"}},
	} {
		if got := groupLines(&c.node, c.list); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v: %q, want %q", c.node, got, c.want)
		}
	}
}

// TestWhatStandsBesideWays: alternatives first, then what happens where nothing
// is open.
func TestWhatStandsBesideWays(t *testing.T) {
	for _, c := range []struct {
		edge explore.GraphEdge
		want []string
	}{
		{explore.GraphEdge{Ways: 1}, nil},
		{explore.GraphEdge{Ways: 3}, []string{"3 ways"}},
		{explore.GraphEdge{Ways: 1, Labels: []string{"2@a"}, Steps: []string{"b", "done"}}, []string{"2@a", "then b, done"}},
		{explore.GraphEdge{Ways: 6, Labels: []string{"2@a", "3@b"}}, []string{"2@a", "or 3@b", "and 4 more"}},
		{explore.GraphEdge{Ways: 1, Steps: []string{"a", "b", "c", "d", "e"}}, []string{"a, … 3 more …, e"}},
	} {
		if got := wayLabel(&c.edge); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v: %q, want %q", c.edge, got, c.want)
		}
	}
}
