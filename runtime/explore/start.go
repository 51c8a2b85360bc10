package explore

import (
	"fmt"

	"github.com/orrery-sysml/orrery/runtime/budget"
	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/schedule"
)

// A Start is what is explored: a World, and how the behaviour begins in it.
type Start struct {
	// World is the World before the behaviour begins. It is left as it is.
	World *exec.World
	// Run is the number that Begin gives the run.
	Run exec.RunID
	// Begin starts the run and posts what it is sent. What it chooses is
	// explored as well.
	Begin     func(*exec.Engine) error
	Draws     schedule.Draws
	ClockStep float64
	// Budget bounds each move.
	Budget budget.Budget
	// Covered notes what moves execute; nil for nobody.
	Covered *exec.Coverage

	// others is Engine.Others.
	others bool
}

// Granularity is what one move is.
type Granularity uint8

// The granularities.
const (
	Statement Granularity = iota // a statement of a body
	Node                         // the performance of a node
)

// String is "statement" or "node".
func (g Granularity) String() string { return [...]string{"statement", "node"}[g] }

// ParseGranularity reads what String writes; "" is Statement.
func ParseGranularity(text string) (Granularity, bool) {
	switch text {
	case "", "statement":
		return Statement, true
	case "node":
		return Node, true
	}
	return Statement, false
}

// Options say how far and with how many hands a Search goes.
type Options struct {
	Granularity Granularity
	// Runs bounds the path segments executed from a branching point to an end
	// or a World known already, Depth the choice points on one path, Worlds
	// the distinct Worlds kept; 0 is no bound.
	Runs, Depth, Worlds int
	// Apart is how many Worlds tokens that have nothing to do with each other
	// have to have together before each group of them is explored apart; 0
	// stands for a million. It is not done under Runs or Depth.
	Apart int
	// Plain has every move made on a World and none remembered. That is slow, and
	// what the other ways can be compared with: Worlds may be more, since it tells
	// apart in which order messages to different objects were sent.
	Plain bool
	// Workers is how many moves are made at one time, at least 1. The result
	// is the same for any number.
	Workers int
	// Progress is told how far the search is, a few times a second; nil for
	// nobody. It is called by the goroutine that called Run.
	Progress func(Progress)
}

// A Progress says how far a Search is.
type Progress struct {
	Worlds, Moves int
	// Waiting is how many Worlds are known whose moves were not made.
	Waiting int
	// Depth is the number of moves from the start to the Worlds under way.
	Depth int
	// Outcomes counts the ends found, which differ in outputs or error.
	Outcomes int
	// PerSecond is the number of new Worlds a second since the report before.
	PerSecond float64
	// Estimate is how many Worlds there may be in all; 0 while their number
	// grows too fast to say.
	Estimate int
}

// String is p on a line: "5000 worlds of about 8000, 120000 a second, ...".
func (p Progress) String() string {
	text := fmt.Sprintf("%d worlds", p.Worlds)
	if p.Estimate > 0 {
		text += fmt.Sprintf(" of about %d", p.Estimate)
	}
	return text + ", " + p.Detail()
}

// Detail is what String says behind the number of Worlds.
func (p Progress) Detail() string {
	return fmt.Sprintf("%.0f a second, %d outcomes, %d waiting, %d moves deep", p.PerSecond, p.Outcomes, p.Waiting, p.Depth)
}

// A Bound is a bound that made a search incomplete.
type Bound struct {
	// Name is "runs", "depth" or "worlds", and Limit what it was; "" stands for
	// the budget of one move, of which Text says all.
	Name  string
	Limit int64
	// Text says how to raise it.
	Text string
}

// String is b for a reader: "worlds budget 1000 hit; --worlds 2000 doubles it".
func (b Bound) String() string {
	if b.Name == "" {
		return b.Text
	}
	return fmt.Sprintf("%s budget %d hit; %s", b.Name, b.Limit, b.Text)
}
