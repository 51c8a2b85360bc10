package magics

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/orrery-sysml/orrery/plan"
	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// This file walks plans: those of %%plan cells and those in files.

const planFamily = "Plans"

// A keptPlan is a plan that a cell declared or a magic opened, and the report
// of its last walk.
type keptPlan struct {
	name     string
	file     *plan.File
	report   render.Bundle
	manifest *bundle.Manifest // of the last walk; nil before it
	// journal is the file with the leaves of a walk that was stopped.
	journal string
}

func planMagics() []*magic {
	walk := []flag{
		{name: "test", kind: kindWord, summary: "only the tests that a pattern with * names"},
		{name: "leaf", kind: kindWord, summary: "only a leaf, by its id or as axis=option"},
		{name: "cover", kind: kindCount, summary: "leaves that cover every combination of so many axes"},
		{name: "sample", kind: kindCount, summary: "so many leaves, drawn by --seed"},
		{name: "seed", kind: kindInteger, fallback: "0", summary: "the seed of --sample"},
		{name: "max-leaves", kind: kindCount, summary: "stop behind so many leaves of a test"},
		{name: "jobs", kind: kindCount, fallback: "1", summary: "how many leaves are walked at one time"},
		{name: "coverage", kind: kindSwitch, summary: "list what of the model was executed as well, and tests for what was not"},
	}
	return []*magic{
		{
			name: "plan", cell: true, family: planFamily,
			arguments: []argument{{name: "NAME", kind: kindWord, optional: true}},
			flags:     walk,
			summary:   "the cell is a plan: walk its tests and show the report",
			help:      "model.session() is the model of the session; every leaf works on a copy of its state. %plan finds the plan again under NAME.",
			example:   "%%plan demo\nm = model.session()\ndef test_double():\n    n = choose(\"n\", [1, 2])\n    expect_equal(calc(m, \"Demo::Double\")(n), 2 * n)",
			run:       runPlanCell,
		},
		{
			name: "plan", family: planFamily,
			arguments: []argument{{name: "WHAT", kind: kindOneOf, values: []string{"list", "show", "run", "resume", "replay", "report", "adopt"}}, {name: "NAME|FILE", kind: kindPath, optional: true}},
			flags:     walk,
			summary:   "list plans, show what one would walk, walk it, resume a walk, replay a leaf, show the last report, or adopt a leaf",
			help:      "NAME is that of a %%plan cell, or a plan in a file; without it, the last one. A walk that was stopped keeps its leaves for resume, also when the plan was edited since. adopt makes the objects that the leaf --leaf ends with the session's.",
			example:   "%%plan demo\ndef test_one():\n    expect_equal(choose(\"n\", [1]), 1)\n---\n%plan list",
			run:       runPlan,
		},
	}
}

// fileOptions are those that plans of the session are opened with.
func (c *call) fileOptions() plan.FileOptions {
	settings := map[string]string{}
	current := c.shell.session.Settings()
	for _, name := range schedule.Names() {
		if text := current.Get(name); text != (schedule.Settings{}).Get(name) {
			settings[name] = text
		}
	}
	return plan.FileOptions{Library: c.shell.library, Settings: settings, Budget: c.shell.session.Budget(),
		Session: c.shell.session, Version: c.shell.version()}
}

func runPlanCell(c *call) error {
	name := c.text("NAME")
	if name == "" {
		name = "plan"
	}
	file, err := plan.Open(c.ctx, blanked(c.body), c.shell.dir, c.fileOptions())
	if err != nil {
		return placed(err, c.span())
	}
	kept := &keptPlan{name: name, file: file}
	c.shell.plans = slices.DeleteFunc(c.shell.plans, func(p *keptPlan) bool {
		if p.name == name {
			kept.journal = p.journal
		}
		return p.name == name
	})
	c.shell.plans = append(c.shell.plans, kept)
	return c.walk(kept, bundle.Anew)
}

// forgetPlans drops the plans of the session and what they left behind.
func (s *Shell) forgetPlans() {
	for _, p := range s.plans {
		if p.journal != "" {
			os.Remove(p.journal)
		}
	}
	s.plans = nil
}

// adopt makes the end of a leaf of the plan that was walked last the session's.
func (s *Shell) adopt(ctx context.Context, leaf string) (string, error) {
	for i := len(s.plans) - 1; i >= 0; i-- {
		if p := s.plans[i]; p.manifest != nil {
			return p.adopt(ctx, leaf)
		}
	}
	return "", diagnostic.New(codeMagicUsage, source.Span{}, "no plan was walked yet").WithHint("a %%plan cell walks one")
}

func (p *keptPlan) adopt(ctx context.Context, leaf string) (string, error) {
	row, err := p.file.Adopt(ctx, p.manifest, leaf)
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(fmt.Sprintf("the session goes on from the end of %s %s", row.Test, row.LeafPath)), nil
}

// walk walks a plan with the flags of the line and shows the report. A walk
// that is stopped leaves a journal for the next one to go on from.
func (c *call) walk(p *keptPlan, r bundle.Resumption) error {
	o := plan.WalkOptions{File: c.fileOptions(), Jobs: int(c.integer("jobs", 1)), Cover: int(c.integer("cover", 0)),
		Sample: int(c.integer("sample", 0)), Seed: c.integer("seed", 0), MaxLeaves: int(c.integer("max-leaves", 0)), Resume: r}
	if p.journal == "" {
		if f, err := os.CreateTemp("", "orrery-journal-"); err == nil { // without one, a stopped walk begins anew
			p.journal = f.Name()
			f.Close()
		}
	}
	o.Journal = p.journal
	if test := c.text("test"); test != "" {
		o.Tests = []string{test}
	}
	if leaf := c.text("leaf"); leaf != "" {
		o.Leaves = []string{leaf}
	}
	done := 0
	o.Progress = func(n int, last *bundle.Row) {
		done = n
		c.cell.sink.Progress(Progress{Label: "walking " + p.name, Done: int64(n), Unit: "leaves"})
	}
	m, err := p.file.Walk(c.ctx, p.name, o)
	if done > 0 {
		c.cell.sink.Progress(Progress{Label: "walking " + p.name, Done: int64(done), Unit: "leaves", Ended: true})
	}
	if err != nil {
		return placed(err, c.span())
	}
	if !m.Partial {
		p.journal = "" // the walk has removed it
	}
	if p.manifest != nil {
		p.manifest.Close()
	}
	p.report, p.manifest = plan.Report(m), m
	c.showReport(p)
	c.cell.verdict(plan.Status(m))
	return c.ctx.Err()
}

// showReport shows how the last walk of p came out.
func (c *call) showReport(p *keptPlan) {
	c.display(p.report)
	if c.has("coverage") {
		c.display(plan.Coverage(p.manifest))
	}
}

// planCalled is the plan that NAME means: one that is kept, a file, or, without
// a name, the last one.
func (c *call) planCalled() (*keptPlan, error) {
	w := c.word("NAME|FILE")
	for i := len(c.shell.plans) - 1; i >= 0; i-- {
		if p := c.shell.plans[i]; w.text == "" || p.name == w.plain() {
			return p, nil
		}
	}
	if ext := filepath.Ext(w.plain()); ext == ".plan" || ext == ".star" {
		file, err := plan.OpenFile(c.ctx, c.shell.path(w.plain()), c.fileOptions())
		if err != nil {
			return nil, placed(err, w.span)
		}
		p := &keptPlan{name: w.plain(), file: file}
		c.shell.plans = append(c.shell.plans, p)
		return p, nil
	}
	message := "there is no plan yet"
	if w.text != "" {
		message = "no plan is called " + w.plain()
	}
	return nil, diagnostic.New(codeMagicUsage, w.span.To(c.span()), message).
		WithHint("a %%plan cell declares one; a plan in a file ends in .plan or .star")
}

func runPlan(c *call) error {
	what := c.choice("WHAT")
	if what == "list" {
		t := &render.Table{Columns: []render.Column{{Title: "plan", Tone: render.Code}, {Title: "tests", Tone: render.Code}}, Empty: "there is no plan yet; a %%plan cell declares one"}
		for _, p := range c.shell.plans {
			t.Row(p.name, strings.Join(p.file.TestNames(), " "))
		}
		c.display(t.Bundle())
		return nil
	}
	p, err := c.planCalled()
	if err != nil {
		return err
	}
	switch what {
	case "show":
		var tests []string
		if test := c.text("test"); test != "" {
			tests = []string{test}
		}
		b, err := p.file.Describe(c.ctx, tests, true)
		if err != nil {
			return placed(err, c.span())
		}
		c.display(b)
		return nil
	case "report":
		if p.report.IsEmpty() {
			return diagnostic.New(codeMagicUsage, c.span(), p.name+" was not walked yet").WithHint("%plan run " + p.name)
		}
		c.showReport(p)
		return nil
	case "resume":
		if p.journal == "" {
			return diagnostic.New(codeMagicUsage, c.span(), "no walk of "+p.name+" was stopped before its end").WithHint("%plan run " + p.name)
		}
		return c.walk(p, bundle.KeepMatching)
	case "replay", "adopt":
		if !c.has("leaf") {
			return usageError(c.line.magic, c.span(), what+" needs --leaf")
		}
	}
	if what != "adopt" {
		return c.walk(p, bundle.Anew)
	}
	if p.manifest == nil {
		return diagnostic.New(codeMagicUsage, c.span(), p.name+" was not walked yet").WithHint("%plan run " + p.name)
	}
	text, err := p.adopt(c.ctx, c.text("leaf"))
	if err != nil {
		return placed(err, c.span())
	}
	c.display(render.Text(text + "\n"))
	return nil
}
