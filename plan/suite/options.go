package suite

import (
	"time"

	"github.com/orrery-sysml/orrery/plan/axis"
	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/plan/leaf"
	"github.com/orrery-sysml/orrery/plan/walk"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
)

// WalkUsage is the code of a walk that is asked for what cannot be.
var WalkUsage = diagnostic.Register("walk-usage",
	"The walk of a plan was asked for a test, leaf, axis or option that the plan has not, or for settings that exclude each other.")

// Options say which leaves are walked and how. The zero Options walk all, one
// at a time.
type Options struct {
	Tests  []string        // patterns; none for all
	Leaves []axis.Selector // rows wanted; none for all
	Pins   []axis.Pin      // options fixed by --set
	// Recorded finds the test and the path of the leaf with an id in an earlier
	// walk; nil where there was none. The name of the test is "" for no leaf.
	Recorded func(id string) (test string, p axis.Path)
	Jobs     int
	// Prune is "record", "drop" or "entry"; "" for what the test says, else
	// record.
	Prune string
	// Cover is the strength of a covering array, Sample the number of leaves
	// to draw; 0 for what the test says.
	Cover, Sample int
	// Likely runs the leaves of each test in the order of their probability.
	Likely bool
	Seed   int64
	// MaxLeaves and MaxFailures bound each test, MaxTime the whole walk;
	// 0 for no bound.
	MaxLeaves, MaxFailures int
	MaxTime                time.Duration
	MaxSteps, MaxRuns      int64 // of a leaf; 0 for the default and no bound
	Shard                  walk.Shard
	Trace                  bool // rows carry the traces of their leaves
	NoShrink               bool // no search for minimal failing assignments
	// VerifyReplay runs every leaf twice and compares.
	VerifyReplay bool
	// Journal, where there is one, keeps finished runs and gives back those
	// of an earlier walk.
	Journal *bundle.Journal
	// Keep reports whether what a leaf of the earlier walk depends on is as it
	// was, so that the leaf is not run again; nil where that is known.
	Keep func([]leaf.Source) bool
	// Uses hears of what each leaf that has a row depends on, in order; nil for
	// nobody.
	Uses func([]leaf.Source)
	// Row hears of each row as it is written, in order; nil for nobody.
	Row func(*bundle.Row)
	// Ended hears of what the builtins of each leaf kept, before that is dropped;
	// nil for nobody. It is called by several goroutines where there are Jobs.
	Ended func(subject any)
	// Took hears how long each run of a leaf took, in no order; nil for nobody.
	Took func(test string, d time.Duration)
	// Engine is the name and version of the program.
	Engine string
	// Replay is the command that replays one leaf, to which --test and --leaf
	// are added.
	Replay string
	// Digest is that of everything the walk depends on.
	Digest string
	// Models are those of which leaves note what they execute.
	Models []bundle.ModelCoverage
	// Measured gives such a model that a leaf itself has opened; nil for none.
	Measured func(leaf.Covered) *bundle.ModelCoverage
	// Texts are the settings as the user gave them, for the manifest.
	Texts map[string]string
}
