package schedule

import (
	"math"
	"strconv"
	"strings"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// InvalidSetting is the code of a setting whose text cannot be read.
var InvalidSetting = diagnostic.Register("invalid-setting",
	"A setting (%schedule, %seed, %draws, %clock-step or the flag of the same name) was given a text that it cannot have. The message lists what it takes.")

// PolicyKind says how a Policy resolves choices. The zero value is Reverse.
type PolicyKind uint8

// The kinds of policy.
const (
	Reverse  PolicyKind = iota // tokens in reverse order of spawning, else the first alternative
	Declared                   // tokens in order of spawning, always the first alternative
	Seeded                     // drawn from the stream that a seed fixes
	Replayed                   // as a witness file says, then as Reverse
	Explored                   // every way
)

// The bounds of an exploration that states none.
const (
	DefaultRuns  = 1024
	DefaultDepth = 64
)

// A Policy is how the choices of a run are resolved. The zero Policy is
// reverse. Policies are comparable with ==.
type Policy struct {
	Kind PolicyKind
	// Seed fixes the stream of Seeded. It is at most math.MaxInt64.
	Seed uint64
	// File is the witness file of Replayed.
	File string
	// Runs and Depth bound Explored: segments executed, at least 1, and
	// choice points on one path, at least 0.
	Runs, Depth int
}

// ParsePolicy reads a spelling of a Policy: reverse (or nothing), declared,
// seed:<n>, replay:<file>, explore[:runs=N,depth=D].
func ParsePolicy(text string) (Policy, *diagnostic.Diagnostic) {
	name, rest, hasRest := strings.Cut(text, ":")
	switch {
	case text == "" || text == "reverse":
		return Policy{}, nil
	case text == "declared":
		return Policy{Kind: Declared}, nil
	case name == "seed":
		return parseSeed(text, rest)
	case name == "replay" && rest != "":
		return Policy{Kind: Replayed, File: rest}, nil
	case name == "explore":
		return parseExplore(text, rest, hasRest)
	}
	return Policy{}, policyError(text, "want one of declared, reverse, seed:<n>, explore[:runs=<n>,depth=<d>], replay:<file>")
}

func parseSeed(text, digits string) (Policy, *diagnostic.Diagnostic) {
	if digits == "" {
		return Policy{}, policyError(text, "seed: needs a number")
	}
	n, err := strconv.ParseUint(digits, 10, 63)
	if err != nil || digits[0] == '+' {
		return Policy{}, policyError(text, "seed "+strconv.Quote(digits)+" is not a non-negative decimal integer")
	}
	return Policy{Kind: Seeded, Seed: n}, nil
}

func parseExplore(text, rest string, hasRest bool) (Policy, *diagnostic.Diagnostic) {
	p := Policy{Kind: Explored, Runs: DefaultRuns, Depth: DefaultDepth}
	if !hasRest {
		return p, nil
	}
	seen := map[string]bool{}
	for part := range strings.SplitSeq(rest, ",") {
		key, digits, _ := strings.Cut(part, "=")
		n, err := strconv.ParseUint(digits, 10, 31)
		switch {
		case seen[key] || err != nil:
			return Policy{}, policyError(text, "explore takes runs=<n> and depth=<d>, each once and a decimal integer")
		case key == "runs" && n < 1:
			return Policy{}, policyError(text, "runs must be at least 1")
		case key == "runs":
			p.Runs = int(n)
		case key == "depth":
			p.Depth = int(n)
		default:
			return Policy{}, policyError(text, "explore has no bound "+strconv.Quote(key)+"; it takes runs=<n> and depth=<d>")
		}
		seen[key] = true
	}
	return p, nil
}

func policyError(text, why string) *diagnostic.Diagnostic {
	return diagnostic.New(InvalidSetting, source.Span{}, "invalid scheduling policy "+strconv.Quote(text)+": "+why)
}

// String is the spelling that ParsePolicy reads back to p.
func (p Policy) String() string {
	switch p.Kind {
	case Declared:
		return "declared"
	case Seeded:
		return "seed:" + strconv.FormatUint(p.Seed&math.MaxInt64, 10)
	case Replayed:
		return "replay:" + p.File
	case Explored:
		if p.Runs == DefaultRuns && p.Depth == DefaultDepth {
			return "explore"
		}
		return "explore:runs=" + strconv.Itoa(p.Runs) + ",depth=" + strconv.Itoa(p.Depth)
	}
	return "reverse"
}

// FileName is String without characters that a file name cannot hold:
// "seed-1". Goldens of a policy are named with it.
func (p Policy) FileName() string { return strings.ReplaceAll(p.String(), ":", "-") }
