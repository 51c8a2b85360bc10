package plan

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/plan/report"
	"github.com/orrery-sysml/orrery/plan/suite"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// WalkOptions are the flags of `orrery walk`. The zero WalkOptions walk every
// leaf with one worker and write nothing but the summary.
type WalkOptions struct {
	File FileOptions
	// Tests are patterns, Leaves ids or selectors, Set axis=option pairs.
	Tests, Leaves, Set []string
	Jobs               int
	Prune              string // "record", "drop", "entry"; "" for what tests say
	Cover, Sample      int
	Order              string // "leaf", "likely"; "" for leaf
	Seed               int64
	MaxLeaves          int
	MaxFailures        int
	MaxTime            time.Duration
	MaxSteps, MaxRuns  int64
	Shard              string // "2/3"; "" for the whole
	Trace              bool
	VerifyReplay       bool
	NoShrink           bool
	RequireVerdict     bool
	// Bundle, Report and JUnit are files to write; "" for none. Beside a
	// bundle lies env.json with what belongs to the machine.
	Bundle, Report, JUnit string
	Detail                report.Detail // of Report
	// Journal is the file that keeps finished leaves; "" for the bundle's name
	// with .journal behind it, or none without a bundle. Resume says what
	// becomes of the one that is there.
	Journal string
	Resume  bundle.Resumption
	// Progress hears how many leaves are written; nil for nobody.
	Progress func(done int, last *bundle.Row)
	// Note hears of what is worth a word and stops nothing; nil for nobody.
	Note     func(*diagnostic.Diagnostic)
	Coverage CoverageOptions
	// SaveRegressions adds the leaves that fail to those that the next walks run
	// first.
	SaveRegressions bool
	// JSON writes the manifest to the output in place of the summary.
	JSON  bool
	Color bool

	took   *durations       // of leaves, for env.json
	walked *bundle.Manifest // of the bundle that is walked again; nil for a plan
}

// Walk walks the plan in the file called name, or the one that a bundle of that
// name holds, writes the summary to out and
// the files that o names. The status is that of the table of exit statuses;
// the error is a diagnostic of wrong use or an unreadable plan.
func Walk(ctx context.Context, name string, o WalkOptions, out io.Writer) (status int, err error) {
	f, clean, err := o.open(ctx, name)
	if err != nil {
		return 2, err
	}
	defer clean()
	begin := time.Now()
	again, err := o.again(ctx, f, name)
	if err != nil {
		return 2, err
	}
	o.took = newDurations()
	m, err := f.Walk(ctx, name, o)
	if err != nil {
		return 2, err
	}
	defer m.Close()
	m.Regressions = again
	if o.SaveRegressions {
		if err := o.keepFailures(name, m, out); err != nil {
			return 2, err
		}
	}
	if err := o.write(f, m, begin); err != nil {
		return 2, err
	}
	return conclude(out, m, o.JSON, o.Color, o.RequireVerdict, o.Coverage)
}

// conclude writes the result of a walk and gives its status.
func conclude(out io.Writer, m *bundle.Manifest, asJSON, color, requireVerdict bool, c CoverageOptions) (status int, err error) {
	if asJSON {
		if err := m.Write(out); err != nil {
			return 2, cannotWrite("the manifest")
		}
		out = io.Discard // the manifest has it
	} else {
		io.WriteString(out, report.Summary(m, color))
	}
	met, err := c.write(out, m)
	if err != nil {
		return 2, err
	}
	status = suite.Status(m, requireVerdict)
	if !met && status != 4 {
		status = 1
	}
	return status, nil
}

// keepFailures adds the failing leaves of m to the regressions of the plan, and
// says so where the output is for people.
func (o WalkOptions) keepFailures(name string, m *bundle.Manifest, out io.Writer) error {
	if o.walked != nil {
		return misuse("--save-regressions writes beside a plan, and %s is a bundle", name)
	}
	n, err := saveRegressions(name, m)
	if err == nil && n > 0 && !o.JSON {
		leaves := "leaves"
		if n == 1 {
			leaves = "leaf"
		}
		fmt.Fprintf(out, "%s: %d %s added\n", regressionsFile(name), n, leaves)
	}
	return err
}

// open loads the plan called name: a plan, or the bundle of a walk, whose
// sources are unpacked until clean is called.
func (o *WalkOptions) open(ctx context.Context, name string) (f *File, clean func(), err error) {
	clean = func() {}
	if strings.HasSuffix(name, ".star") {
		f, err = OpenFile(ctx, name, o.File)
		return f, clean, err
	}
	b, err := bundle.ReadFile(name)
	if err != nil {
		return nil, clean, err
	}
	dir, err := os.MkdirTemp("", "orrery-walk-")
	if err != nil {
		return nil, clean, cannotWrite(os.TempDir())
	}
	clean = func() { os.RemoveAll(dir) }
	o.walked = b.Manifest
	o.File.restore(b.Manifest.Options)
	if f, err = openBundle(ctx, b, dir, o.File); err != nil {
		clean()
		return nil, clean, err
	}
	if d := versionOf(b, o.File.Version); d != nil && o.Note != nil {
		o.Note(d)
	}
	return f, clean, nil
}

// Walk walks f. name is how the replay commands of rows call the plan.
func (f *File) Walk(ctx context.Context, name string, o WalkOptions) (*bundle.Manifest, error) {
	s, err := o.suite(f, name)
	if err != nil {
		return nil, err
	}
	if _, err := o.Coverage.gates(); err != nil {
		return nil, err
	}
	if o.Bundle != "" {
		if err := bundle.CheckPlace(o.Bundle); err != nil {
			return nil, err
		}
	}
	journal := o.Journal
	if journal == "" && o.Bundle != "" {
		journal = o.Bundle + ".journal"
	}
	if journal != "" {
		if s.Journal, err = bundle.OpenJournal(journal, f.inputs(o), o.Resume); err != nil {
			return nil, err
		}
	}
	if f.options.Session != nil {
		s.Jobs = 1 // leaves share what the session's model was lowered to
	}
	m, err := suite.Walk(ctx, f.plan, s)
	if err == nil {
		f.proposeStubs(m)
	}
	if s.Journal != nil {
		if err == nil && !m.Partial {
			s.Journal.Remove()
		} else {
			s.Journal.Close()
		}
	}
	return m, err
}

// inputs are the digests of what the runs of a walk of f depend on.
func (f *File) inputs(o WalkOptions) bundle.Inputs {
	texts := o.texts()
	for _, n := range bounds {
		delete(texts, n)
	}
	in := bundle.Inputs{Whole: f.Digest(texts), Tests: map[string]string{}}
	h := sha256.New()
	f.digestRest(h, texts)
	rest := h.Sum(nil)
	for _, t := range f.plan.Tests() {
		sum := sha256.Sum256(append([]byte(t.Inputs()), rest...))
		in.Tests[t.Name()] = hex.EncodeToString(sum[:16])
	}
	return in
}

// axes are the names of module axes and of those that the text names.
func (f *File) axes() []string {
	var names []string
	for _, t := range f.plan.Tests() {
		for _, a := range t.StaticAxes() {
			names = append(names, a.Axis.ID)
		}
	}
	return names
}

// write writes the files that o names.
func (o WalkOptions) write(f *File, m *bundle.Manifest, begin time.Time) error {
	if o.Bundle == "" && o.Report == "" && o.JUnit == "" {
		return nil
	}
	doc := suite.Describe(f.plan, f.describeOptions(o.texts()))
	data, err := bundle.Encode(doc)
	if err != nil {
		return err
	}
	b := &bundle.Bundle{Manifest: m, Plan: data, Sources: f.sources(), Replay: report.ReplayScript(m)}
	if o.Bundle != "" {
		if err := b.WriteFile(o.Bundle); err != nil {
			return cannotWrite(o.Bundle)
		}
		env, err := json.MarshalIndent(envDoc{1, time.Since(begin).Seconds(), time.Now().UTC().Format(time.RFC3339), max(o.Jobs, 1), o.took.times()}, "", " ")
		if err != nil {
			return err
		}
		if err := os.WriteFile(o.Bundle+envSuffix, append(env, '\n'), 0o666); err != nil {
			return cannotWrite(o.Bundle + envSuffix)
		}
	}
	return writeReports(m, doc, o.Report, o.Detail, o.JUnit)
}

// writeReports writes the page and the JUnit file that are named.
func writeReports(m *bundle.Manifest, doc *bundle.PlanDoc, page string, detail report.Detail, junit string) error {
	if page != "" {
		if err := os.WriteFile(page, report.HTML(m, doc, detail), 0o666); err != nil {
			return cannotWrite(page)
		}
	}
	if junit != "" {
		if err := os.WriteFile(junit, report.JUnit(m), 0o666); err != nil {
			return cannotWrite(junit)
		}
	}
	return nil
}

func cannotWrite(name string) error {
	return diagnostic.New(PlanUnreadable, source.Span{}, name+" cannot be written")
}

// describeOptions are what plan.json says beside the tests.
func (f *File) describeOptions(texts map[string]string) suite.DescribeOptions {
	d := suite.DescribeOptions{Engine: bundle.EngineDoc{Name: Engine, Version: f.options.Version}, Options: texts, Coverage: f.executable()}
	for _, m := range f.models.List() {
		if m.Digest != "" {
			d.Models = append(d.Models, bundle.FileDoc{Name: m.Name, Roots: m.Roots(), Digest: m.Digest})
		}
	}
	return d
}

// EnumerateOptions are the flags of `orrery plan`.
type EnumerateOptions struct {
	File  FileOptions
	Tests []string
	// Format is "text", "json", "dot" or "mermaid"; "" for text.
	Format string
	// Discover runs bodies to find the axes that only they tell.
	Discover bool
	Jobs     int
	// History are bundles of earlier walks, by which the time that the walk
	// takes with Jobs workers is estimated; none for no estimate.
	History []string
	// Max is how many leaves the plan may have; 0 for no bound.
	Max int
}

// Enumerate writes to out what the plan in the file called name would walk.
// Without Discover no body is run. The status is 1 where the plan has more
// leaves than Max.
func Enumerate(ctx context.Context, name string, o EnumerateOptions, out io.Writer) (status int, err error) {
	f, err := OpenFile(ctx, name, o.File)
	if err != nil {
		return 2, err
	}
	if _, err := suite.Select(f.plan, o.Tests); err != nil {
		return 2, err
	}
	d := f.describeOptions(nil)
	d.Tests = o.Tests
	doc := suite.Describe(f.plan, d)
	if o.Discover {
		if doc, err = suite.Discover(ctx, f.plan, d, o.Jobs); err != nil {
			return 4, err
		}
	}
	text, err := report.Plan(doc, o.Format)
	if err != nil {
		return 2, diagnostic.New(suite.WalkUsage, source.Span{}, err.Error())
	}
	out.Write(text)
	if o.History != nil && (o.Format == "" || o.Format == "text") {
		line, err := estimate(doc, o.History, o.Jobs)
		if err != nil {
			return 2, err
		}
		io.WriteString(out, line)
	}
	if o.Max > 0 && doc.Totals.Planned > o.Max {
		fmt.Fprintf(out, "the plan has %d leaves, more than %d\n", doc.Totals.Planned, o.Max)
		return 1, nil
	}
	return 0, nil
}
