package magics

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/orrery-sysml/orrery/plan"
	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
)

// This file walks plans: those of %%plan cells and those in files.

const planFamily = "Plans"

// A keptPlan is a plan that a cell declared or a magic opened, and the report
// of its last walk.
type keptPlan struct {
	name   string
	file   *plan.File
	report render.Bundle
}

func planMagics() []*magic {
	walk := []flag{
		{name: "test", kind: kindWord, summary: "only the tests that a pattern with * names"},
		{name: "leaf", kind: kindWord, summary: "only a leaf, by its id or as axis=option"},
		{name: "cover", kind: kindCount, summary: "leaves that cover every combination of so many axes"},
		{name: "sample", kind: kindCount, summary: "so many leaves, drawn by --seed"},
		{name: "seed", kind: kindInteger, fallback: "0", summary: "the seed of --sample"},
		{name: "jobs", kind: kindCount, fallback: "1", summary: "how many leaves are walked at one time"},
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
			arguments: []argument{{name: "WHAT", kind: kindOneOf, values: []string{"list", "show", "run", "replay", "report"}}, {name: "NAME|FILE", kind: kindPath, optional: true}},
			flags:     walk,
			summary:   "list plans, show what one would walk, walk it, replay a leaf, or show its last report",
			help:      "NAME is that of a %%plan cell, or a plan in a file; without it, the last one.",
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
	c.shell.plans = slices.DeleteFunc(c.shell.plans, func(p *keptPlan) bool { return p.name == name })
	c.shell.plans = append(c.shell.plans, kept)
	return c.walk(kept)
}

// walk walks a plan with the flags of the line and shows the report.
func (c *call) walk(p *keptPlan) error {
	o := plan.WalkOptions{File: c.fileOptions(), Jobs: int(c.integer("jobs", 1)), Cover: int(c.integer("cover", 0)),
		Sample: int(c.integer("sample", 0)), Seed: c.integer("seed", 0)}
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
	p.report = plan.Report(m)
	c.display(p.report)
	c.cell.verdict(plan.Status(m))
	return c.ctx.Err()
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
		c.display(p.report)
		return nil
	case "replay":
		if !c.has("leaf") {
			return usageError(c.line.magic, c.span(), "replay needs --leaf")
		}
	}
	return c.walk(p)
}
