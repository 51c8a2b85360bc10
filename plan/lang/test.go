package lang

import (
	"context"
	"fmt"
	"math"
	"sort"
	"strings"
	"time"

	"go.starlark.net/starlark"

	"github.com/orrery-sysml/orrery/plan/axis"
	"github.com/orrery-sysml/orrery/plan/leaf"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// DefaultTimeout is how long a leaf of a test() may take by the clock on the
// wall; a test that is a function has no such limit.
const DefaultTimeout = 30 * time.Second

// A testDef is one registration of a test by one module.
type testDef struct {
	name     string // with its prefix: test_endurance
	kind     string // "def" or "test"
	function string // of the body, for places
	site     source.Span
	setup    starlark.Callable
	body     starlark.Callable
	assumes  []*Predicate
	expect   []*property
	until    *ending       // terminate_when; nil for none
	timeout  time.Duration // 0 for none
	axes     []string      // nil where the plan does not say
	fan      bool
	prune    string // "", "record", "drop" or "entry"
	cover    Cover
	sample   int
	doc      string
	tags     []string
	at       place
}

// A Cover is a wish for a covering array. The zero Cover wishes none.
type Cover struct {
	Strength int
	// Groups are sets of axes that are covered to a strength of their own.
	Groups []CoverGroup
}

// A CoverGroup covers Axes to Strength.
type CoverGroup struct {
	Axes     []string
	Strength int
}

// A registration is the arguments of test().
type registration struct {
	name                        string
	body, setup, assume, expect starlark.Value
	timeout, until, clock, axes starlark.Value
	cover, tags                 starlark.Value
	anonymous, prune, doc       string
	sample                      int
}

// register is test(name, body=, ...).
func register(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var r registration
	if err := starlark.UnpackArgs("test", args, kwargs, "name", &r.name, "body?", &r.body, "setup?", &r.setup, "assume?", &r.assume,
		"expect?", &r.expect, "timeout?", &r.timeout, "terminate_when?", &r.until, "clock?", &r.clock, "axes?", &r.axes,
		"anonymous?", &r.anonymous, "prune?", &r.prune, "cover?", &r.cover, "sample?", &r.sample, "doc?", &r.doc, "tags?", &r.tags); err != nil {
		return nil, err
	}
	c := Of(thread)
	if c.module == nil {
		return nil, fmt.Errorf("test: a test is registered at the top level of a plan")
	}
	if r.name == "" {
		return nil, fmt.Errorf("test: the name is empty")
	}
	def := &testDef{name: "test_" + strings.TrimPrefix(r.name, "test_"), kind: "test", timeout: DefaultTimeout, prune: r.prune, doc: r.doc, sample: r.sample}
	if c.module.find(def.name) != nil {
		return nil, fmt.Errorf("test(%q): a test of this name is registered already", r.name)
	}
	err := r.functions(def)
	if err == nil {
		err = r.options(def)
	}
	if err == nil {
		site, _ := c.texts.callerSite(thread)
		frame := thread.CallFrame(1)
		def.site, def.at, def.function = c.texts.Span(frame.Pos), at(frame.Pos), site.function
		if f, ok := def.body.(*starlark.Function); ok {
			def.function = f.Name()
		}
		if def.assumes, err = predicates(c.texts, r.name, r.assume, def.site); err != nil {
			err = fmt.Errorf("assume: %v", err)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("test(%q): %v", r.name, err)
	}
	c.module.tests = append(c.module.tests, def)
	return starlark.None, nil
}

// functions reads the body and the setup, which are called without arguments.
func (r *registration) functions(def *testDef) error {
	var ok bool
	if def.body, ok = r.body.(starlark.Callable); !ok {
		return fmt.Errorf("body must be a function, not %s", typeOf(r.body))
	}
	if r.setup != nil && r.setup != starlark.None {
		if def.setup, ok = r.setup.(starlark.Callable); !ok {
			return fmt.Errorf("setup must be a function, not %s", typeOf(r.setup))
		}
	}
	for _, f := range []starlark.Callable{def.body, def.setup} {
		if f, ok := f.(*starlark.Function); ok && required(f) > 0 {
			return fmt.Errorf("%s takes arguments, and is called without", f.Name())
		}
	}
	return nil
}

// options reads what says how the test is enumerated, judged and bounded.
func (r *registration) options(def *testDef) (err error) {
	switch r.anonymous {
	case "", "first":
	case "fan_out":
		def.fan = true
	default:
		return fmt.Errorf("anonymous is \"first\" or \"fan_out\", not %q", r.anonymous)
	}
	switch r.prune {
	case "", "record", "drop", "entry":
	default:
		return fmt.Errorf("prune is \"record\", \"drop\" or \"entry\", not %q", r.prune)
	}
	if r.sample < 0 {
		return fmt.Errorf("sample must not be negative")
	}
	if r.clock != nil && r.clock != starlark.None {
		return fmt.Errorf("clock is reserved; the clock of a model is simulated")
	}
	if def.expect, err = properties(r.expect); err != nil {
		return err
	}
	if def.until, err = endingOf(r.until); err != nil {
		return err
	}
	if def.timeout, err = duration(r.timeout, def.timeout); err != nil {
		return err
	}
	if def.axes, err = texts(r.axes); err != nil {
		return fmt.Errorf("axes: %v", err)
	}
	if def.tags, err = texts(r.tags); err != nil {
		return fmt.Errorf("tags: %v", err)
	}
	if def.cover, err = coverOf(r.cover); err != nil {
		return fmt.Errorf("cover: %v", err)
	}
	return nil
}

func typeOf(v starlark.Value) string {
	if v == nil {
		return "nothing"
	}
	return v.Type()
}

// predicates reads assume=[...].
func predicates(t *Texts, test string, v starlark.Value, site source.Span) ([]*Predicate, error) {
	if v == nil || v == starlark.None {
		return nil, nil
	}
	list, ok := v.(starlark.Sequence)
	if _, text := v.(starlark.String); !ok || text {
		return nil, fmt.Errorf("expected a list of predicates, not %s", v.Type())
	}
	var out []*Predicate
	it := list.Iterate()
	defer it.Done()
	var x starlark.Value
	for i := 0; it.Next(&x); i++ {
		p, err := newPredicate(x, fmt.Sprintf("%s.assume[%d]", test, i), placeOf(t, x, site))
		if err != nil {
			return nil, fmt.Errorf("element %d: %v", i, err)
		}
		out = append(out, p)
	}
	return out, nil
}

// placeOf is where v was written, if it is a function, else other.
func placeOf(t *Texts, v starlark.Value, other source.Span) source.Span {
	if f, ok := v.(*starlark.Function); ok {
		if s := t.Span(f.Position()); !s.IsZero() {
			return s
		}
	}
	return other
}

// duration reads "10s", or a number of seconds; 0 is no limit.
func duration(v starlark.Value, other time.Duration) (time.Duration, error) {
	switch v := v.(type) {
	case nil, starlark.NoneType:
		return other, nil
	case starlark.String:
		d, err := time.ParseDuration(string(v))
		if err != nil || d < 0 {
			return 0, fmt.Errorf("timeout is a duration such as \"10s\", not %s", brief(v))
		}
		return d, nil
	case starlark.Int, starlark.Float:
		f, _ := starlark.AsFloat(v)
		if f < 0 || f > math.MaxInt32 {
			return 0, fmt.Errorf("timeout must be a number of seconds, not %s", v)
		}
		return time.Duration(f * float64(time.Second)), nil
	}
	return 0, fmt.Errorf("timeout is a duration such as \"10s\", not %s", v.Type())
}

// texts reads a list of texts; nil for none.
func texts(v starlark.Value) ([]string, error) {
	if v == nil || v == starlark.None {
		return nil, nil
	}
	list, ok := v.(starlark.Iterable)
	if !ok {
		return nil, fmt.Errorf("expected a list of texts, not %s", v.Type())
	}
	out := []string{}
	it := list.Iterate()
	defer it.Done()
	for x := starlark.Value(nil); it.Next(&x); {
		s, ok := starlark.AsString(x)
		if !ok {
			return nil, fmt.Errorf("expected a list of texts, found %s", x.Type())
		}
		out = append(out, s)
	}
	return out, nil
}

// coverOf reads cover=2 and cover={"default": 2, ("a", "b"): 3}.
func coverOf(v starlark.Value) (Cover, error) {
	switch v := v.(type) {
	case nil, starlark.NoneType:
		return Cover{}, nil
	case starlark.Int:
		n, err := strength(v)
		return Cover{Strength: n}, err
	case *starlark.Dict:
		var c Cover
		for _, item := range v.Items() {
			n, err := strength(item[1])
			if err != nil {
				return Cover{}, err
			}
			if item[0] == starlark.Value(starlark.String("default")) {
				c.Strength = n
				continue
			}
			names, err := texts(item[0])
			if err != nil {
				return Cover{}, err
			}
			if len(names) < n {
				return Cover{}, fmt.Errorf("%d axes cannot be covered to strength %d", len(names), n)
			}
			c.Groups = append(c.Groups, CoverGroup{Axes: names, Strength: n})
		}
		return c, nil
	}
	return Cover{}, fmt.Errorf("expected a strength or a dict of strengths, not %s", v.Type())
}

func strength(v starlark.Value) (int, error) {
	n, err := starlark.AsInt32(v)
	if err != nil || n < 1 || n > 6 {
		return 0, fmt.Errorf("a strength is an integer from 1 to 6, not %s", brief(v))
	}
	return n, nil
}

// A Test is one test of a plan. It implements leaf.Test.
type Test struct {
	plan    *Plan
	def     *testDef
	reached *reach
	visible func(a *axis.Axis) bool // of module axes
	quiet   map[*axis.Axis]*axis.Axis
	ignored map[int]bool // predicates of the top level that say nothing of this test
}

func newTest(p *Plan, def *testDef) *Test {
	t := &Test{plan: p, def: def}
	t.see()
	return t
}

// Name is the registered name: test_endurance.
func (t *Test) Name() string { return t.def.name }

// Info is what a test says of itself.
type Info struct {
	Name, Kind, Doc string
	Site            axis.Site
	Span            source.Span
	Timeout         time.Duration
	Prune           string
	Cover           Cover
	Sample          int
	Tags            []string
	FanAnonymous    bool
	Assumes         []AssumeInfo
	// ModuleAxes are the axes of the top level that the test sees.
	ModuleAxes []string
}

// AssumeInfo is one predicate that constrains a test.
type AssumeInfo struct {
	Name string
	Site axis.Site
}

// Info describes t as its first module registers it.
func (t *Test) Info() Info {
	d := t.def
	i := Info{Name: d.name, Kind: d.kind, Doc: d.doc, Site: siteOf(d.site, d.function), Span: d.site, Timeout: d.timeout,
		Prune: d.prune, Cover: d.cover, Sample: d.sample, Tags: d.tags, FanAnonymous: d.fan || t.plan.options.FanAnonymous}
	for k, p := range t.plan.first.assumes {
		if !t.ignored[k] {
			i.Assumes = append(i.Assumes, AssumeInfo{p.Name, siteOf(p.Site, "")})
		}
	}
	for _, p := range d.assumes {
		i.Assumes = append(i.Assumes, AssumeInfo{p.Name, siteOf(p.Site, "")})
	}
	for _, x := range t.plan.first.path {
		if x.Axis.Fans && t.visible(x.Axis) {
			i.ModuleAxes = append(i.ModuleAxes, x.Axis.ID)
		}
	}
	return i
}

// siteOf is span as a place in a plan.
func siteOf(span source.Span, function string) axis.Site {
	if span.IsZero() {
		return axis.Site{Function: function}
	}
	pos := span.StartPosition()
	return axis.Site{File: baseName(span.File.Name), Line: pos.Line, Column: pos.Column, Function: function}
}

// Run runs the test once. See leaf.Test.
func (t *Test) Run(ctx context.Context, r leaf.Request) *leaf.Run {
	return (&running{test: t, plan: t.plan, request: r, ctx: ctx}).run()
}

// Select finds the tests that pattern names: a name with or without its
// prefix, a glob, or ~ and a regular expression.
func (p *Plan) Select(pattern string) ([]*Test, error) {
	match, err := matcher(pattern)
	if err != nil {
		return nil, err
	}
	var out []*Test
	for _, t := range p.tests {
		if match(t.Name()) || match(strings.TrimPrefix(t.Name(), "test_")) {
			out = append(out, t)
		}
	}
	if len(out) == 0 {
		return nil, diagnostic.New(PlanLoad, source.Span{}, "no test matches "+pattern).WithHint("the tests are " + strings.Join(p.TestNames(), ", "))
	}
	return out, nil
}

// TestNames lists the names of the tests.
func (p *Plan) TestNames() []string {
	var names []string
	for _, t := range p.tests {
		names = append(names, t.Name())
	}
	sort.Strings(names)
	return names
}
