package conform

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/runtime/budget"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/runtime/trace"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/library"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// Options say how cases are judged.
type Options struct {
	// Library is the standard library, for cases that ask for it.
	Library model.Library
	// Policies are the schedules under which cases run that pin none; none
	// stands for reverse, declared and seed:1.
	Policies []schedule.Policy
	// Traces judges goldens and orders too.
	Traces bool
	// Update writes the goldens that cases own.
	Update bool
	Known  Known
	// Oracle is the page that cases cite; nil stands for the one beside the
	// folder of each case.
	Oracle Oracle
	// Workers is how many cases are judged at one time; 0 stands for 1.
	Workers int
}

// DefaultPolicies are the schedules of a sweep: reverse, declared and seed:1.
func DefaultPolicies() []schedule.Policy {
	return []schedule.Policy{{}, {Kind: schedule.Declared}, {Kind: schedule.Seeded, Seed: 1}}
}

// corpusBudget is what a case may use: less than a session, so that a case which
// does not end fails soon.
func corpusBudget() budget.Budget {
	return budget.Budget{}.With(budget.Steps, 10_000).With(budget.Multiple, 1_000).With(budget.Nesting, 8).With(budget.Reads, 1_000)
}

// Run judges cases and reports in their order.
func Run(ctx context.Context, cases []*Case, o Options) *Report {
	if len(o.Policies) == 0 {
		o.Policies = DefaultPolicies()
	}
	r := &Report{Cases: make([]*CaseReport, len(cases))}
	next := make(chan int)
	var wg sync.WaitGroup
	for range max(o.Workers, 1) {
		wg.Go(func() {
			for i := range next {
				r.Cases[i] = examine(ctx, cases[i], o)
			}
		})
	}
	for i := range cases {
		next <- i
	}
	close(next)
	wg.Wait()
	r.sum()
	return r
}

func examine(ctx context.Context, c *Case, o Options) (r *CaseReport) {
	r = &CaseReport{Name: c.Name}
	if c.Expect != nil {
		r.Type = c.Expect.Type
	}
	part := func(name, policy string, reasons []string) {
		p := Part{Part: name, Policy: policy, Status: Passed, Reasons: reasons}
		known := o.Known.Reason(c.Name, name)
		switch {
		case len(reasons) > 0 && known != "":
			p.Status = KnownFailure
			p.Reasons = append(p.Reasons, "known: "+known)
		case len(reasons) > 0:
			p.Status = Failed
		case known != "":
			p.Status = Surprise
			p.Reasons = []string{"is on the list of known failures, and passes"}
		}
		r.Parts = append(r.Parts, p)
	}
	if c.Err != nil {
		part(PartResult, "", []string{c.Err.Error()})
		return r
	}
	if c.Language != nil {
		lib, _ := o.Library.(library.Source)
		part(PartResult, "", c.Language.Judge(lib))
		return r
	}
	policies := o.Policies
	if c.Expect.Pinned {
		policies = []schedule.Policy{c.Expect.Settings.Schedule}
	}
	for _, p := range policies {
		b := newBench(ctx, c, p, o)
		part(PartResult, p.String(), b.judge())
		if name := b.goldenName(); o.Traces && c.ownsGolden(name) && c.Expect.Error == "" {
			part(PartGolden, p.String(), b.golden(name, o.Update))
		}
		if len(c.Order) > 0 && o.Traces {
			part(PartOrder, p.String(), trace.CheckOrder(strings.Split(strings.TrimSuffix(b.trace, "\n"), "\n"), c.Order))
		}
	}
	if len(c.Expect.Outcomes) > 0 {
		oracle := o.Oracle
		if oracle == nil {
			oracle = findOracle(c.Dir)
		}
		reasons, checked := oracle.citation(c)
		r.Uncited = !checked
		part(PartResult, "explore", append(reasons, newBench(ctx, c, schedule.Policy{}, o).outcomes()...))
		if c.hasWitness() {
			part(PartResult, "replay", witnesses(ctx, c, o))
		}
	}
	if c.Check != nil {
		part(PartCheck, "check", newBench(ctx, c, schedule.Policy{}, o).check())
	}
	return r
}

// A bench runs one case under one policy in a session of its own.
type bench struct {
	ctx      context.Context
	c        *Case
	expect   *Expectation
	settings schedule.Settings
	session  *runtime.Session
	roots    []*model.Element
	// trace is what was traced, from where the kind of case begins to.
	trace   string
	problem []string
}

func newBench(ctx context.Context, c *Case, p schedule.Policy, o Options) *bench {
	b := &bench{ctx: ctx, c: c, expect: c.Expect, settings: c.Expect.Settings}
	b.settings.Schedule = p
	options := runtime.Options{Files: true, Lenient: true, Settings: b.settings, Budget: corpusBudget()}
	if c.Expect.Libraries {
		options.Library = o.Library
	} else if o.Library != nil {
		options.Library = extensions{o.Library}
	}
	b.session = runtime.New(options)
	b.load()
	return b
}

// extensions is the part of the library that a case without libraries sees:
// none of it, but for what implied relationships need.
type extensions struct{ model.Library }

// load declares the texts of the case. Diagnostics have to be those that the
// case declares.
func (b *bench) load() {
	var found diagnostic.List
	var texts []runtime.Text
	for _, f := range b.c.Files {
		tree, list := syntax.Parse(f, syntax.Options{Extensions: true})
		found = append(found, list...)
		texts = append(texts, runtime.Text{File: f, Tree: tree, Owner: f.Name})
	}
	d, list := b.session.Declare(b.ctx, texts...)
	found = append(found, list...)
	if d != nil {
		b.roots = d.Elements
	}
	want := slices.Clone(b.expect.Diagnostics)
	for _, x := range found {
		if x.Severity == diagnostic.Information {
			continue
		}
		i := slices.IndexFunc(want, func(w string) bool { return strings.Contains(x.Message, w) })
		if i < 0 {
			b.problem = append(b.problem, "undeclared diagnostic: "+diagnostic.Text(x, diagnostic.Style{}))
			continue
		}
		want = slices.Delete(want, i, i+1)
	}
	for _, w := range want {
		b.problem = append(b.problem, "no diagnostic says: "+w)
	}
}

// judges are the judges of behaviours, by the type of the case. Each says
// what is wrong, one line each, and leaves the trace in the bench. Those of
// the other types are in declarative; their cases are traced from the start.
var judges = map[string]func(b *bench) []string{}

func (b *bench) judge() (reasons []string) {
	if len(b.problem) > 0 {
		return b.problem
	}
	defer func() {
		if r := recover(); r != nil {
			reasons = append(reasons, fmt.Sprintf("panic: %v", r))
		}
	}()
	judge := judges[b.expect.Type]
	if judge == nil {
		return []string{"no judge for cases of type " + b.expect.Type}
	}
	reasons = judge(b)
	if _, ok := declarative[b.expect.Type]; ok {
		b.session.SetObserver(nil)
		b.behaviours()
	}
	return reasons
}

// behaviours runs the first action and the first state machine at the top of
// a package as well, which appends to the trace.
func (b *bench) behaviours() {
	for _, kind := range []func(syntax.Metaclass) bool{isAction, isState} {
		e, problem := b.first(kind)
		if problem != nil {
			continue
		}
		run, err := b.session.Run(b.ctx, "", runtime.RunOptions{Element: e, Settings: &b.settings, Trace: true, FromStart: true})
		if err == nil {
			b.trace += run.Trace
		}
	}
}

// goldenName is the name of the policy in the file names of goldens.
func (b *bench) goldenName() string {
	if b.expect.Pinned {
		return "reverse"
	}
	return b.settings.Schedule.FileName()
}

// golden compares the trace, or writes it.
func (b *bench) golden(policy string, update bool) []string {
	if update {
		text := strings.TrimSpace(b.trace) + "\n"
		if text == "\n" {
			return []string{"the case owns a golden and leaves no trace"}
		}
		if err := os.WriteFile(b.c.goldenFile(policy), []byte(text), 0o666); err != nil {
			return []string{err.Error()}
		}
		b.c.Goldens[policy] = text
		return nil
	}
	want, ok := b.c.Goldens[policy]
	if !ok {
		return nil
	}
	return difference(strings.TrimSpace(want), strings.TrimSpace(b.trace))
}

// difference is where two texts differ first, with what stands around it.
func difference(want, got string) []string {
	if want == got {
		return nil
	}
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	line := func(list []string, i int) string {
		if i < len(list) {
			return list[i]
		}
		return "(end)"
	}
	reasons := []string{fmt.Sprintf("line %d of the trace differs", i+1)}
	if i > 0 {
		reasons = append(reasons, "      "+a[i-1])
	}
	for k := range 3 {
		if i+k < len(a) {
			reasons = append(reasons, "want  "+line(a, i+k))
		}
	}
	for k := range 3 {
		if i+k < len(b) {
			reasons = append(reasons, "got   "+line(b, i+k))
		}
	}
	return reasons
}

// entry is the element that the case is about: what evaluate names, or the
// first of kind, by packages, each package's own members, then the members of
// the root.
func (b *bench) entry(kind func(syntax.Metaclass) bool) (*model.Element, []string) {
	if b.expect.Evaluate != "" {
		if e := b.session.Model().Find(b.expect.Evaluate); e != nil {
			return e, nil
		}
		return nil, []string{"no element " + b.expect.Evaluate}
	}
	return b.first(kind)
}

func (b *bench) first(kind func(syntax.Metaclass) bool) (*model.Element, []string) {
	for _, root := range b.roots {
		if m := root.Metaclass(); m != syntax.Package && m != syntax.LibraryPackage {
			continue
		}
		for _, e := range root.Members() {
			if kind(e.Metaclass()) {
				return e, nil
			}
		}
	}
	for _, root := range b.roots {
		if kind(root.Metaclass()) {
			return root, nil
		}
	}
	return nil, []string{"the document declares no element of the kind the case asks for"}
}

// values compares named values with those of a run.
func (b *bench) values(what string, want Values, got func(name string) (runtime.Output, error)) []string {
	var reasons []string
	for i := range want {
		n := &want[i]
		o, err := got(n.Name)
		switch {
		case n.Error != "" && (err == nil || !strings.Contains(err.Error(), n.Error)):
			reasons = append(reasons, fmt.Sprintf("%s %s: got %v, want the error %q", what, n.Name, err, n.Error))
		case n.Error != "":
		case err != nil:
			reasons = append(reasons, fmt.Sprintf("%s %s: %v", what, n.Name, err))
		default:
			if why := n.Mismatch(o.Value, nil); why != "" {
				reasons = append(reasons, fmt.Sprintf("%s %s: %s", what, n.Name, why))
			}
		}
	}
	return reasons
}
