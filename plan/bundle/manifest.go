package bundle

import (
	"regexp"
	"strings"

	"github.com/orrery-sysml/orrery/plan/axis"
	"github.com/orrery-sysml/orrery/plan/leaf"
)

// SchemaVersion is the version of manifest and plan that this package writes,
// and the newest it reads.
const SchemaVersion = 1

// A Summary counts the leaves of a walk by outcome.
type Summary struct {
	MatchedTests int `json:"matched_tests"`
	Leaves       int `json:"leaves"`
	Passed       int `json:"passed"`
	Failed       int `json:"failed"`
	Errored      int `json:"errored"`
	Inconclusive int `json:"inconclusive"`
	Halted       int `json:"halted"`
	NotRun       int `json:"not_run"`
	// Unlisted are halted leaves that have no row.
	Unlisted int `json:"unlisted,omitempty"`
}

// Add counts n leaves of outcome o.
func (s *Summary) Add(o leaf.Outcome, n int) {
	s.Leaves += n
	*s.of(o) += n
}

func (s *Summary) of(o leaf.Outcome) *int {
	switch o {
	case leaf.Pass:
		return &s.Passed
	case leaf.Fail:
		return &s.Failed
	case leaf.Error:
		return &s.Errored
	case leaf.Inconclusive:
		return &s.Inconclusive
	case leaf.Halted:
		return &s.Halted
	}
	return &s.NotRun
}

// Count is the number of leaves of outcome o.
func (s Summary) Count(o leaf.Outcome) int { return *s.of(o) }

// Plus adds the counts of t.
func (s *Summary) Plus(t Summary) {
	s.MatchedTests += t.MatchedTests
	s.Unlisted += t.Unlisted
	for _, o := range leaf.Outcomes() {
		s.Add(o, t.Count(o))
	}
}

// Decided is the number of leaves with a verdict.
func (s Summary) Decided() int { return s.Passed + s.Failed + s.Errored }

// A ChoiceValue is one pick in a row.
type ChoiceValue struct {
	Axis  string `json:"axis"`
	Index int    `json:"index"`
	Key   string `json:"key"`
	Label string `json:"label,omitempty"` // where it is not the key
	Fans  bool   `json:"fans,omitempty"`
	// Of is the number of options.
	Of int `json:"of"`
}

// A Row is one leaf in a manifest.
type Row struct {
	Test         string        `json:"test"`
	Outcome      leaf.Outcome  `json:"outcome"`
	LeafID       string        `json:"leaf_id,omitempty"`
	LeafPath     string        `json:"leaf_path,omitempty"`
	Choices      []ChoiceValue `json:"choices,omitempty"`
	Reason       string        `json:"reason,omitempty"`
	PrunedBy     string        `json:"pruned_by,omitempty"`
	Reads        []string      `json:"reads,omitempty"` // axes that PrunedBy read
	BodyRan      bool          `json:"body_ran"`
	Predicted    bool          `json:"predicted,omitempty"`
	Open         bool          `json:"open,omitempty"` // the merge of shards completes it
	Shrunk       bool          `json:"shrunk,omitempty"`
	Site         string        `json:"site,omitempty"`
	Model        string        `json:"model,omitempty"`
	Fingerprint  string        `json:"fingerprint,omitempty"`
	Expectations int           `json:"expectations,omitempty"`
	Runs         int64         `json:"runs,omitempty"`
	Steps        int64         `json:"steps,omitempty"`
	Witness      []string      `json:"witness,omitempty"`
	Touched      []string      `json:"touched,omitempty"`
	Detail       string        `json:"detail,omitempty"`
	Output       string        `json:"output,omitempty"`
	Trace        []string      `json:"trace,omitempty"`
	Replay       string        `json:"replay,omitempty"`
}

// A TestSummary is the counts and findings of one test.
type TestSummary struct {
	Name     string         `json:"name"`
	Summary  Summary        `json:"summary"`
	Removed  []Removed      `json:"removed,omitempty"`
	Halts    []Removed      `json:"halts,omitempty"`
	BodyRuns int            `json:"body_runs"`
	Assumes  []string       `json:"assumes,omitempty"` // names of the predicates
	Prune    string         `json:"prune,omitempty"`
	Left     []string       `json:"left,omitempty"`
	Fails    []FailsWhen    `json:"fails_when,omitempty"`
	Minimal  []Minimal      `json:"minimal,omitempty"`
	Sampled  *SampleSummary `json:"sampled,omitempty"`
	Covered  *CoverSummary  `json:"covered,omitempty"`
	Coverage *Coverage      `json:"coverage,omitempty"`
	Warnings []Warning      `json:"warnings,omitempty"`
}

// A Coverage says which options a leaf with a verdict had.
type Coverage struct {
	Axes []AxisCoverage `json:"axes"`
	// Pairs are the pairs of options of axes that some leaf has both of, without
	// those that are known to occur in no leaf; 0 where leaves have too many axes
	// to count.
	Pairs        int `json:"pairs"`
	PairsCovered int `json:"pairs_covered"`
	// PairsInfeasible are the pairs that no leaf can have, since predicates
	// remove every one or since one option keeps the other axis from being met;
	// Infeasible are the first of them, "a=1 b=2".
	PairsInfeasible int      `json:"pairs_infeasible,omitempty"`
	Infeasible      []string `json:"infeasible,omitempty"`
}

// An AxisCoverage is the Coverage of one axis.
type AxisCoverage struct {
	Axis    string   `json:"axis"`
	Options int      `json:"options"`
	Covered int      `json:"covered"`
	Missing []string `json:"missing,omitempty"` // options that were met without a verdict
}

// Removed is how many leaves one predicate, or one halt, took away.
type Removed struct {
	Name   string   `json:"name"`
	Reads  []string `json:"reads,omitempty"`
	Leaves int      `json:"leaves"`
}

// A Warning is a finding about the plan.
type Warning struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// FailsWhen is a set of choices with which every leaf fails.
type FailsWhen struct {
	Choices []string `json:"choices"` // axis=label
	Failing int      `json:"failing"`
	Of      int      `json:"of"`
}

// Minimal is the least assignment that fails as a leaf failed.
type Minimal struct {
	Fingerprint string   `json:"fingerprint"`
	LeafID      string   `json:"leaf_id"`
	LeafPath    string   `json:"leaf_path"`
	Free        []string `json:"free,omitempty"` // axes whose option does not matter
	Runs        int      `json:"runs"`           // made to find it
}

// SampleSummary says what a sample was of.
type SampleSummary struct {
	Asked     int  `json:"asked"`
	Drawn     int  `json:"drawn"` // different leaves
	Exhausted bool `json:"exhausted,omitempty"`
}

// CoverSummary says what a covering array covers.
type CoverSummary struct {
	Strength   int      `json:"strength"`
	Tuples     int      `json:"tuples"` // that must be covered
	Covered    int      `json:"covered"`
	Infeasible int      `json:"infeasible"`
	Uncovered  []string `json:"uncovered,omitempty"`
	Impossible []string `json:"impossible,omitempty"` // the first that are infeasible
}

// A Shard says which part of a walk a bundle is.
type Shard struct {
	Index int `json:"index"`
	Count int `json:"count"`
}

// A Manifest is the result of a walk. Rows holds the first of its rows alone
// where there are many; Each visits all.
type Manifest struct {
	SchemaVersion int               `json:"schema_version"`
	Plan          string            `json:"plan"`   // file name
	Digest        string            `json:"digest"` // of plan, models and options
	Engine        string            `json:"engine"`
	Seed          int64             `json:"seed"`
	Options       map[string]string `json:"options,omitempty"`
	Partial       bool              `json:"partial,omitempty"` // stopped before its end
	Shard         *Shard            `json:"shard,omitempty"`
	Regressions   []Regression      `json:"regressions,omitempty"`
	Rows          []Row             `json:"rows"`
	Tests         []TestSummary     `json:"tests"`
	Models        []ModelCoverage   `json:"models,omitempty"`
	Summary       Summary           `json:"summary"`

	more *spool // rows behind Rows; see Add
}

// A Regression is what came of a leaf that failed once, run before the walk.
// The leaves of the walk do not count it.
type Regression struct {
	Test    string       `json:"test"`
	Leaf    string       `json:"leaf,omitempty"` // options, as a selector
	Outcome leaf.Outcome `json:"outcome"`        // not_run where there is no such leaf any more
	Reason  string       `json:"reason,omitempty"`
	LeafID  string       `json:"leaf_id,omitempty"`
	Replay  string       `json:"replay,omitempty"`
}

// Fails reports whether the leaf fails again.
func (r Regression) Fails() bool { return r.Outcome.Fails() }

// Choices are the picks of p as rows have them.
func Choices(p axis.Path) []ChoiceValue {
	var out []ChoiceValue
	for _, x := range p {
		if !x.Axis.Named && !x.Axis.Fans {
			continue
		}
		o := x.Option()
		c := ChoiceValue{Axis: x.Axis.ID, Index: x.Index, Key: o.Key, Fans: x.Axis.Fans, Of: len(x.Axis.Options)}
		if o.Label != o.Key {
			c.Label = o.Label
		}
		out = append(out, c)
	}
	return out
}

// Path is the choices as picks of axes, which know the option taken alone.
func Path(choices []ChoiceValue) axis.Path {
	var p axis.Path
	for _, c := range choices {
		label := c.Label
		if label == "" {
			label = c.Key
		}
		a := &axis.Axis{ID: c.Axis, Fans: c.Fans, Named: !strings.HasPrefix(c.Axis, "@"), Options: make([]axis.Option, c.Of)}
		a.Options[c.Index] = axis.Option{Key: c.Key, Label: label}
		p = append(p, axis.Pick{Axis: a, Index: c.Index})
	}
	return p
}

// literals are what differs between two failures of one kind: numbers and
// quoted texts.
var literals = regexp.MustCompile(`"[^"]*"|'[^']*'|-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?`)

// Fingerprint tells one kind of failure from another: outcome, place in the
// plan, message without its values, model element. "" for a leaf that holds.
func Fingerprint(r *leaf.Run) string {
	if !r.Outcome.Fails() {
		return ""
	}
	reason := r.Claim
	if reason == "" {
		reason = r.Reason
	}
	return strings.Join([]string{r.Outcome.String(), r.Site, literals.ReplaceAllString(reason, "_"), r.Model}, " | ")
}
