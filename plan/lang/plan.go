package lang

import (
	"context"
	"fmt"
	"sort"
	"strings"
	"sync"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/orrery-sysml/orrery/plan/axis"
	"github.com/orrery-sysml/orrery/plan/leaf"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/spell"
)

// Options are what a plan is loaded with.
type Options struct {
	// Builtins and Values are what the plan can name beside the operators.
	Builtins []Builtin
	Values   starlark.StringDict
	// Subject makes what the Builtins keep for one leaf, or for the top level,
	// where the request is empty; nil where they keep nothing.
	Subject func(r leaf.Request) Subject
	Limits  Limits
	// FanAnonymous makes leaves of anonymous axes in every test.
	FanAnonymous bool
	// MaxOptions bounds the options of one axis; 0 for 10,000.
	MaxOptions int
	// MaxDepth bounds the axes of one leaf that fan out; 0 for 64.
	MaxDepth int
	// VerifyPredicates evaluates every predicate twice: one that says something
	// else the second time is an error of its leaf.
	VerifyPredicates bool
	// Opened are the files that executions of the top level have read so far;
	// nil where none does.
	Opened func() []Opened
	// Open reads the file that load() names; nil forbids load.
	Open func(name string) (*source.File, error)
	// Modules are what load() finds under a name that is no file.
	Modules map[string]starlark.StringDict
}

// The defaults of Options.
const (
	DefaultMaxOptions = 10_000
	DefaultMaxDepth   = 64
)

// An Opened is files that the top level read, and the call that did.
type Opened struct {
	leaf.Source
	At syntax.Position
}

// A Subject is what builtins keep for one leaf: the leaf's models and Worlds.
type Subject interface {
	// Account is what the leaf has used so far.
	Account() Account
	// Close drops the Worlds of the leaf.
	Close()
}

// An Account is what a leaf did with its models.
type Account struct {
	Steps   int64    // evaluation steps
	Runs    int64    // runs of behaviours and calls of calculations
	Witness []string // settings and choices of the runs
	Trace   []string
	Touched []string       // qualified names of executed elements, sorted
	Sources []leaf.Source  // that were read in the leaf, or whose models it ran
	Covered []leaf.Covered // sorted by model
}

// A Plan is one plan file, compiled. It may be used by many goroutines.
type Plan struct {
	File    *source.File
	options Options
	texts   *Texts
	text    *Text
	program *starlark.Program
	env     starlark.StringDict

	memo  memo
	mu    sync.Mutex
	axes  map[string][]*axis.Axis
	trie  *moduleNode
	first *module
	tests []*Test
}

// PlanLoad is the code of a plan that cannot be used as it stands.
var PlanLoad = diagnostic.Register("plan-load",
	"The plan registers something that cannot be: a test without a name or twice, a predicate that is none, an assumption that no assignment meets.")

// Load compiles file, executes its top level once with the first option of
// every axis, and checks what it registers. The error is a diagnostic.
func Load(ctx context.Context, file *source.File, o Options) (*Plan, error) {
	if o.MaxOptions <= 0 {
		o.MaxOptions = DefaultMaxOptions
	}
	if o.MaxDepth <= 0 {
		o.MaxDepth = DefaultMaxDepth
	}
	p := &Plan{File: file, options: o, texts: NewTexts(), axes: map[string][]*axis.Axis{}, trie: &moduleNode{}}
	p.env = bounded()
	for n, v := range o.Values {
		p.env[n] = v
	}
	for _, list := range [][]Builtin{Operators(), o.Builtins} {
		for _, b := range list {
			p.env[b.Name] = b.Value()
		}
	}
	var err error
	if p.text, p.program, err = p.compile(file); err != nil {
		return nil, err
	}
	if err := p.definedTwice(); err != nil {
		return nil, err
	}
	p.first, err = p.moduleFor(ctx, func(*axis.Axis) (int, error) { return 0, nil })
	if err != nil {
		return nil, err
	}
	if err := p.checkAssumptions(ctx); err != nil {
		return nil, err
	}
	for _, def := range p.first.tests {
		p.tests = append(p.tests, newTest(p, def))
	}
	sort.SliceStable(p.tests, func(i, j int) bool { return p.tests[i].def.name < p.tests[j].def.name })
	return p, nil
}

// definedTwice refuses a plan of which one test hides another: two functions at
// the top level, of which Starlark would keep the last.
func (p *Plan) definedTwice() error {
	seen := map[string]bool{}
	for _, x := range p.text.Tree.Stmts {
		def, ok := x.(*syntax.DefStmt)
		if !ok || !strings.HasPrefix(def.Name.Name, "test_") {
			continue
		}
		if seen[def.Name.Name] {
			return twoTests(def.Name.Name, p.texts.Span(def.Name.NamePos))
		}
		seen[def.Name.Name] = true
	}
	return nil
}

func twoTests(name string, span source.Span) error {
	return diagnostic.New(PlanLoad, span, "two tests are called "+name).WithHint("rename one of them")
}

func (p *Plan) compile(file *source.File) (*Text, *starlark.Program, error) {
	text, err := p.texts.Parse(file)
	if err != nil {
		return nil, nil, err
	}
	if err := resolve.File(text.Tree, p.env.Has, starlark.Universe.Has); err != nil {
		return nil, nil, resolved(text, err, func(name string) string { return spell.First(name, p.names()) })
	}
	tree, err := dialect().Parse(text.Path, file.Text, 0)
	if err != nil {
		return nil, nil, syntaxError(text, err)
	}
	boundGrowth(tree)
	program, err := starlark.FileProgram(tree, p.env.Has)
	if err != nil {
		return nil, nil, resolved(text, err, nil)
	}
	return text, program, nil
}

func (p *Plan) names() []string {
	var names []string
	for n := range p.env {
		if n[0] != '$' {
			names = append(names, n)
		}
	}
	for n := range starlark.Universe {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// Loaded are the files that the plan loads, by name.
func (p *Plan) Loaded() []*source.File {
	p.texts.mu.Lock()
	defer p.texts.mu.Unlock()
	seen := map[string]*source.File{}
	var names []string
	for _, t := range p.texts.all {
		if t != p.text && seen[t.File.Name] == nil {
			seen[t.File.Name] = t.File
			names = append(names, t.File.Name)
		}
	}
	sort.Strings(names)
	var out []*source.File
	for _, n := range names {
		out = append(out, seen[n])
	}
	return out
}

// Tests are the tests of the plan by name.
func (p *Plan) Tests() []*Test { return p.tests }

// intern is the axis that is the same as a; a itself where it is new.
func (p *Plan) intern(a *axis.Axis) *axis.Axis {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, b := range p.axes[a.ID] {
		if b.Same(a) && b.Scope == a.Scope && b.Site == a.Site {
			return b
		}
	}
	p.axes[a.ID] = append(p.axes[a.ID], a)
	return a
}

// maxAssignments bounds the assignments of module axes that are tried before
// an assumption of the top level is called impossible.
const maxAssignments = 10_000

// checkAssumptions refuses a plan whose top level assumes what is false for
// every assignment of its module axes.
func (p *Plan) checkAssumptions(ctx context.Context) error {
	for i, pred := range p.first.assumes {
		possible, err := p.possible(ctx, i)
		if err != nil {
			return err
		}
		if !possible {
			return diagnostic.New(PlanLoad, pred.Site, fmt.Sprintf("assume(%s) violated at spec load.", pred.Name)).
				WithHint("it is false for every assignment of the module axes, so that no test could run")
		}
	}
	return nil
}

// possible reports whether predicate i of the top level is anything but false
// for some assignment of the module axes.
func (p *Plan) possible(ctx context.Context, i int) (bool, error) {
	var prefix []int
	for n := 0; n < maxAssignments; n++ {
		var taken []int
		var sizes []int
		m, err := p.moduleFor(ctx, func(a *axis.Axis) (int, error) {
			k := 0
			if len(taken) < len(prefix) {
				k = prefix[len(taken)]
			}
			size := 1
			if a.Fans {
				size = len(a.Options)
			}
			taken, sizes = append(taken, k), append(sizes, size)
			return k, nil
		})
		if err != nil {
			return false, err
		}
		if i >= len(m.assumes) {
			return true, nil
		}
		j, _, _ := p.judge(ctx, m.assumes[i], m.choices(true))
		if j != fails {
			return true, nil
		}
		k := len(taken) - 1
		for k >= 0 && taken[k]+1 >= sizes[k] {
			k--
		}
		if k < 0 {
			return false, nil
		}
		prefix = append(append([]int(nil), taken[:k]...), taken[k]+1)
	}
	return true, nil
}

// A module is the top level of a plan, executed for one assignment of its
// axes. It is frozen.
type module struct {
	plan    *Plan
	path    axis.Path
	values  []starlark.Value
	tests   []*testDef
	assumes []*Predicate
	monitor []*monitorDef
	globals starlark.StringDict
	loaded  map[string]starlark.StringDict
	met     map[place]int // calls of each site, for the names of anonymous axes
	pick    func(a *axis.Axis) (int, error)
}

// A moduleNode is an axis of the top level, with what its options lead to.
type moduleNode struct {
	axis     *axis.Axis // nil at the end of a path
	children map[int]*moduleNode
	module   *module
}

// at is what is known at a node of the tree of modules: the axis that comes
// next, or the module that the path to it leads to; neither at a new node.
// Leaves are walked by several goroutines, which add to the tree.
func (p *Plan) at(node *moduleNode) (next *axis.Axis, known *module) {
	if node == nil {
		return nil, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return node.axis, node.module
}

// moduleFor is the module whose axes take what pick says. pick is called once
// for every axis, in the order met.
func (p *Plan) moduleFor(ctx context.Context, pick func(*axis.Axis) (int, error)) (*module, error) {
	p.mu.Lock()
	node := p.trie
	p.mu.Unlock()
	var forced []int
	for {
		next, known := p.at(node)
		if known != nil {
			return known, nil
		}
		if next == nil {
			break
		}
		k, err := pick(next)
		if err != nil {
			return nil, err
		}
		forced = append(forced, k)
		p.mu.Lock()
		node = node.children[k]
		p.mu.Unlock()
	}
	m := &module{plan: p, met: map[place]int{}, loaded: map[string]starlark.StringDict{}}
	m.pick = func(a *axis.Axis) (int, error) {
		if n := len(m.path); n < len(forced) {
			return forced[n], nil
		}
		return pick(a)
	}
	if err := m.execute(ctx); err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	node = p.trie
	for _, x := range m.path {
		node.axis = x.Axis
		if node.children == nil {
			node.children = map[int]*moduleNode{}
		}
		if node.children[x.Index] == nil {
			node.children[x.Index] = &moduleNode{}
		}
		node = node.children[x.Index]
	}
	if node.module == nil {
		node.module = m
	}
	return node.module, nil
}

// execute runs the top level.
func (m *module) execute(ctx context.Context) error {
	p := m.plan
	c := &Context{Ctx: ctx, Phase: AtModule, texts: p.texts, module: m}
	if p.options.Subject != nil {
		s := p.options.Subject(leaf.Request{})
		defer s.Close()
		c.Environment = s
	}
	thread, release := NewThread(p.File.Name, c, p.options.Limits)
	defer release()
	thread.Load = m.load
	globals, err := p.program.Init(thread, p.env)
	if err != nil {
		return p.texts.Fault(thread, err)
	}
	if err := freezeGlobals(globals); err != nil {
		return invalid(source.Span{File: p.File}, "%v", err)
	}
	m.globals = globals
	if err := m.collect(); err != nil {
		return err
	}
	return m.checkSandbox()
}

// load executes a file that the plan loads, once for each module.
func (m *module) load(thread *starlark.Thread, name string) (starlark.StringDict, error) {
	if g, ok := m.plan.options.Modules[name]; ok {
		return g, nil
	}
	if g, ok := m.loaded[name]; ok {
		if g == nil {
			return nil, fmt.Errorf("%s loads itself", name)
		}
		return g, nil
	}
	if m.plan.options.Open == nil {
		return nil, fmt.Errorf("no files can be loaded here")
	}
	file, err := m.plan.options.Open(name)
	if err != nil {
		return nil, err
	}
	m.loaded[name] = nil
	_, program, err := m.plan.compile(file)
	if err != nil {
		return nil, err
	}
	globals, err := program.Init(thread, m.plan.env)
	if err != nil {
		return nil, err
	}
	if err := freezeGlobals(globals); err != nil {
		return nil, err
	}
	m.loaded[name] = globals
	return globals, nil
}

// freezeGlobals freezes the values of a text that has been executed.
func freezeGlobals(g starlark.StringDict) error {
	values := make([]starlark.Value, 0, len(g))
	for _, n := range g.Keys() {
		values = append(values, g[n])
	}
	return freeze(values...)
}

// collect registers the functions that are tests by their name.
func (m *module) collect() error {
	registered := map[string]bool{}
	for _, t := range m.tests {
		registered[t.name] = true
	}
	names := m.globals.Keys() // in alphabetical order
	for _, n := range names {
		f, ok := m.globals[n].(*starlark.Function)
		if !ok || !strings.HasPrefix(n, "test_") || f.Name() != n {
			continue
		}
		span := m.plan.texts.Span(f.Position())
		if registered[n] {
			return twoTests(n, span)
		}
		if required(f) > 0 {
			return diagnostic.New(PlanLoad, span, n+" takes arguments, and a test is called without").
				WithHint("a function whose name does not begin with test_ is no test")
		}
		m.tests = append(m.tests, &testDef{name: n, kind: "def", body: f, site: span, function: n})
	}
	return nil
}

// required is how many arguments f must be given.
func required(f *starlark.Function) int {
	n := 0
	for i := range f.NumParams() {
		if f.ParamDefault(i) == nil {
			n++
		}
	}
	return n - count(f.HasVarargs()) - count(f.HasKwargs())
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// choices is the module's path as predicates see it.
func (m *module) choices(partial bool) *choices {
	c := &choices{values: map[string]starlark.Value{}, partial: partial}
	for i, x := range m.path {
		if x.Axis.Named || x.Axis.Fans {
			c.names = append(c.names, x.Axis.ID)
			c.values[x.Axis.ID] = m.values[i]
		}
	}
	return c
}

// find is the test called name; nil for none.
func (m *module) find(name string) *testDef {
	for _, t := range m.tests {
		if t.name == name {
			return t
		}
	}
	return nil
}
