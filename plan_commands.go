package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/orrery-sysml/orrery/magics"
	"github.com/orrery-sysml/orrery/plan"
	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/plan/report"
	"github.com/orrery-sysml/orrery/repl"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
)

// planOptions are the flags with which a plan is loaded.
type planOptions struct {
	*sessionOptions
	file plan.FileOptions
}

func (c *invocation) planFlags() *planOptions {
	o := &planOptions{sessionOptions: c.sessionFlags()}
	c.set.Func("anonymous", "fan_out: make leaves of anonymous axes in every test", func(text string) error {
		if text != "fan_out" && text != "first" {
			return fmt.Errorf("want fan_out or first")
		}
		o.file.Anonymous = text == "fan_out"
		return nil
	})
	countOf(c, &o.file.MaxOptions, "max-options", 1, "admit `N` options on one axis (10,000)")
	countOf(c, &o.file.MaxDepth, "max-depth", 1, "admit `N` axes in one leaf (64)")
	c.set.BoolVar(&o.file.VerifyPredicates, "verify-predicates", false, "ask every predicate twice and compare")
	return o
}

// options are o as package plan takes them; only the settings that were given
// are passed on, so that an axis may take the others.
func (o *planOptions) options(set *flag.FlagSet) (plan.FileOptions, error) {
	lib, err := o.source()
	if err != nil {
		return o.file, err
	}
	o.file.Library, o.file.Budget, o.file.Version = lib, o.budget, version
	o.file.Settings = map[string]string{}
	set.Visit(func(f *flag.Flag) {
		if slices.Contains(schedule.Names(), f.Name) {
			o.file.Settings[f.Name] = o.settings.Get(f.Name)
		}
	})
	return o.file, nil
}

func runPlan(ctx context.Context, c *invocation) int {
	o := c.planFlags()
	e := plan.EnumerateOptions{Jobs: 1}
	c.set.Var((*several)(&e.Tests), "test", "only the tests that `PATTERN` names; may be repeated")
	c.set.StringVar(&e.Format, "format", "text", "`text`, json, dot or mermaid")
	asJSON := c.set.Bool("json", false, "the same as --format json")
	c.set.BoolVar(&e.Discover, "discover", false, "run bodies to find the axes that only they tell")
	countOf(c, &e.Jobs, "jobs", 1, "discover, and estimate the time, with `N` workers")
	c.set.Var((*several)(&e.History), "history", "estimate the time by the walk that wrote `BUNDLE`; may be repeated")
	countOf(c, &e.Max, "max", 1, "fail where the plan has more than `N` leaves")
	if status, ok := c.parse(1, 1); !ok {
		return status
	}
	if *asJSON {
		e.Format = "json"
	}
	var err error
	if e.File, err = o.options(&c.set); err != nil {
		complain(err)
		return unusable
	}
	ctx, stop := interruptible(ctx)
	defer stop()
	return ended(plan.Enumerate(ctx, c.rest[0], e, stdout))
}

// detail is a flag for what a page keeps of traces.
type detail report.Detail

var details = []string{report.Thinned: "thinned", report.Full: "full", report.Brief: "none"}

func (d *detail) String() string { return details[*d] }

// Set takes one of details.
func (d *detail) Set(text string) error {
	i := slices.Index(details, text)
	if i < 0 {
		return fmt.Errorf("want %s", strings.Join(details, ", "))
	}
	*d = detail(i)
	return nil
}

// ended is the status of an operation, whose error is printed.
func ended(status int, err error) int {
	if err != nil {
		complain(err)
	}
	return status
}

// walkFlags are the flags that say what a walk walks and what it writes.
func (c *invocation) walkFlags(w *plan.WalkOptions) {
	c.set.Var((*several)(&w.Tests), "test", "only the tests that `PATTERN` names; may be repeated")
	c.set.Var((*several)(&w.Leaves), "leaf", "only the leaf with this `ID`, or those with axis=option; may be repeated")
	c.set.Var((*several)(&w.Set), "set", "fix an axis: `AXIS=OPTION`; may be repeated")
	w.Jobs = 1
	countOf(c, &w.Jobs, "jobs", 1, "walk with `N` workers")
	c.set.StringVar(&w.Prune, "prune", "", "what becomes of leaves that a predicate removes: `record`, drop or entry")
	countOf(c, &w.Cover, "cover", 1, "walk leaves that cover every combination of options of `T` axes")
	c.set.StringVar(&w.Order, "order", "", "which leaves run first: `leaf` (as plans list options) or likely (by their weights)")
	countOf(c, &w.Sample, "sample", 1, "walk `N` leaves drawn by --seed")
	countOf(c, &w.MaxLeaves, "max-leaves", 1, "stop behind `N` leaves of a test")
	countOf(c, &w.MaxFailures, "max-failures", 1, "stop behind `N` failing leaves of a test")
	c.period(&w.MaxTime, "max-time", "stop after `TIME`, such as 90s")
	countOf(c, &w.MaxSteps, "max-steps", 1, "`N` interpreter steps for each leaf (50,000,000)")
	countOf(c, &w.MaxRuns, "max-runs", 1, "`N` runs of models for each leaf")
	c.set.StringVar(&w.Shard, "shard", "", "walk one part of n: `i/n`")
	c.set.BoolVar(&w.Trace, "trace", false, "keep the traces of leaves")
	c.set.BoolVar(&w.VerifyReplay, "verify-replay", false, "run every leaf twice and compare")
	c.set.BoolVar(&w.NoShrink, "no-shrink", false, "do not look for least failing leaves")
	c.set.BoolVar(&w.RequireVerdict, "require-verdict", false, "exit with 5 where a test has no verdict")
	c.set.BoolVar(&w.SaveRegressions, "save-regressions", false, "add leaves that fail to the file PLAN.regressions, whose leaves every walk runs first")
	c.set.StringVar(&w.Bundle, "bundle", "", "write the bundle to `FILE`, and a journal beside it while walking")
	c.set.StringVar(&w.Report, "report", "", "write a page of HTML to `FILE`.html, or into the folder of the name")
	c.set.Var((*detail)(&w.Detail), "report-traces", "what the page keeps of traces: `thinned`, full or none")
	c.set.StringVar(&w.JUnit, "junit", "", "write JUnit XML to `FILE`")
	c.coverageFlags(&w.Coverage)
	c.set.BoolVar(&w.JSON, "json", false, "print the manifest as JSON")
}

// coverageFlags are the flags about what leaves executed of the models.
func (c *invocation) coverageFlags(o *plan.CoverageOptions) {
	c.set.BoolVar(&o.List, "coverage", false, "list what of the models was executed, and tests for what was not")
	c.set.StringVar(&o.Stubs, "stubs", "", "write tests for what of the models was not executed to `FILE`")
	c.set.Var((*several)(&o.Min), "min-coverage", "fail where less is executed: `KIND=PERCENT`, such as transitions=90; may be repeated")
}

// pageFile is the file of a page: name, or, where that has another ending than
// HTML, index.html in the folder of the name, which is made.
func pageFile(name string) string {
	if ext := strings.ToLower(filepath.Ext(name)); name == "" || ext == ".html" || ext == ".htm" {
		return name
	}
	os.MkdirAll(name, 0o777) // a folder that cannot be made is reported when the page is written
	return filepath.Join(name, "index.html")
}

func runWalk(ctx context.Context, c *invocation) int {
	o := c.planFlags()
	w := plan.WalkOptions{}
	resume := ""
	c.walkFlags(&w)
	c.set.StringVar(&resume, "resume", "", "go on with the walk that stopped before it wrote bundle `FILE`")
	keep := c.set.Bool("keep-matching", false, "with --resume: the plan or models may have changed; keep the leaves that do not depend on what has")
	apart := isolation{}
	c.set.Func("isolate", "walk in a `process` of its own, which is ended where --max-memory or --max-time do not hold it", func(text string) error {
		if apart.how = text; text != "process" {
			return fmt.Errorf("want process")
		}
		return nil
	})
	mebibytes := int64(1024)
	countOf(c, &mebibytes, "max-memory", 0, "`MIB` that an isolated process may hold; 0 for no bound")
	stop := c.set.Bool("break", false, "run one leaf and open a prompt where it ends or fails")
	if status, ok := c.parse(1, 1); !ok {
		return status
	}
	if apart.how != "" {
		apart.memory = min(mebibytes, math.MaxInt64>>20) << 20
		ctx, unnotify := interruptible(ctx)
		defer unnotify()
		return apart.run(ctx, c.args, w.MaxTime)
	}
	var err error
	if w.File, err = o.options(&c.set); err != nil {
		complain(err)
		return unusable
	}
	w.Seed, w.Color = o.settings.Seed, colored(os.Stdout)
	switch {
	case *keep && resume == "":
		return usage("--keep-matching needs --resume BUNDLE", "the journal lies beside the bundle")
	case *keep:
		w.Resume, w.Bundle = bundle.KeepMatching, resume
	case resume != "":
		w.Resume, w.Bundle = bundle.Continue, resume
	}
	w.Report = pageFile(w.Report)
	w.Note = func(d *diagnostic.Diagnostic) { complain(d) }
	if *stop {
		return breakLeaf(ctx, c.rest[0], w)
	}
	if terminal(os.Stderr) {
		w.Progress = progressLine()
	}
	ctx, unnotify := interruptible(ctx)
	defer unnotify()
	status, err := plan.Walk(ctx, c.rest[0], w, stdout)
	return ended(status, err)
}

// breakLeaf opens a prompt in the session of one leaf. With input that is no
// terminal, it runs it as cells.
func breakLeaf(ctx context.Context, name string, w plan.WalkOptions) int {
	session, text, err := plan.Break(ctx, name, w)
	if err != nil {
		complain(err)
		return unusable
	}
	shell := magics.New(magics.Options{Dir: filepath.Dir(name), Version: version, Session: session})
	options := terminalOptions(true)
	if !options.Interactive {
		fmt.Fprint(os.Stderr, text)
	}
	options.Banner = text + "This is the session of the leaf where it ended; Ctrl-D leaves.\n"
	return repl.Run(ctx, shell, options)
}

// progressLine shows how many leaves are walked, at most ten times a second.
func progressLine() func(int, *bundle.Row) {
	var last time.Time
	return func(done int, row *bundle.Row) {
		if time.Since(last) < 100*time.Millisecond {
			return
		}
		last = time.Now()
		fmt.Fprintf(os.Stderr, "\r\033[K%d leaves, %s\r", done, row.Test)
	}
}

func runMerge(_ context.Context, c *invocation) int {
	m := plan.MergeOptions{}
	c.set.StringVar(&m.Bundle, "bundle", "", "write the joined bundle to `FILE`")
	c.set.StringVar(&m.Report, "report", "", "write a page of HTML to `FILE`.html, or into the folder of the name")
	c.set.Var((*detail)(&m.Detail), "report-traces", "what the page keeps of traces: `thinned`, full or none")
	c.set.StringVar(&m.JUnit, "junit", "", "write JUnit XML to `FILE`")
	c.coverageFlags(&m.Coverage)
	c.set.BoolVar(&m.RequireVerdict, "require-verdict", false, "exit with 5 where a test has no verdict")
	c.set.BoolVar(&m.JSON, "json", false, "print the manifest as JSON")
	c.set.Var(colorFlag{}, "color", "auto, always or never")
	if status, ok := c.parse(1, -1); !ok {
		return status
	}
	m.Report, m.Color = pageFile(m.Report), colored(os.Stdout)
	return ended(plan.Merge(c.rest, m, stdout))
}
