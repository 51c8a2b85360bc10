package api

import (
	"context"
	"fmt"
	"sort"
	"strings"

	"go.starlark.net/starlark"

	"github.com/orrery-sysml/orrery/plan/lang"
	"github.com/orrery-sysml/orrery/plan/leaf"
	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/runtime/trace"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// An Environment is what the builtins of one leaf, or of the cells of one
// session, share. One goroutine at a time.
type Environment struct {
	models  *Models
	session *runtime.Session // of cells; nil in a plan file
	// trace says that runs keep their trace.
	trace bool
	// maxRuns bounds the runs of models; 0 for no bound.
	maxRuns int64

	ctx      context.Context // of the last call
	forks    map[*Model]*fork
	own      []*Model          // opened in the leaf
	used     map[string]string // settings given by use()
	maxSteps int64             // of a run, given by use(); 0 for no other bound than the budget
	account  lang.Account
	touched  map[string]bool
	exempt   map[string]bool // behaviours and objects that nondet() exempted
}

// A fork is the session of one model in one leaf.
type fork struct {
	session *runtime.Session
	base    *runtime.Session // goes back to the model when the leaf ends
	// covered is what the leaf executed of what is coverable; nil where nobody
	// asks.
	covered   *exec.Coverage
	coverable *runtime.Coverable
}

// ForCells is the Environment of the cells of session.
func ForCells(session *runtime.Session, models *Models) *Environment {
	return &Environment{models: models, session: session, forks: map[*Model]*fork{}}
}

// ForLeaf is the Environment of one leaf of a plan, or of its top level.
func ForLeaf(models *Models, trace bool, maxRuns int64) *Environment {
	return &Environment{models: models, trace: trace, maxRuns: maxRuns, forks: map[*Model]*fork{}}
}

// API is e. What has an Environment on a thread has this method.
func (e *Environment) API() *Environment { return e }

// Account is what the leaf has done so far.
func (e *Environment) Account() lang.Account {
	a := e.account
	for n := range e.touched {
		a.Touched = append(a.Touched, n)
	}
	sort.Strings(a.Touched)
	for m, f := range e.forks {
		if f.covered != nil {
			a.Covered = append(a.Covered, leaf.Covered{Model: m.Digest, Sites: f.coverable.Of(f.covered)})
		}
	}
	sort.Slice(a.Covered, func(i, j int) bool { return a.Covered[i].Model < a.Covered[j].Model })
	return a
}

// Forked is the session in which the leaf runs the model of the session, or
// else its only model; nil where there is none.
func (e *Environment) Forked() *runtime.Session {
	for m, f := range e.forks {
		if m.live != nil || len(e.forks) == 1 {
			return f.session
		}
	}
	return nil
}

// Close gives the sessions back to their models.
func (e *Environment) Close() {
	for m, f := range e.forks {
		m.put(f.base)
	}
	e.forks = nil
}

// of is the Environment of thread.
func of(thread *starlark.Thread) (*Environment, error) {
	if h, ok := lang.Of(thread).Environment.(interface{ API() *Environment }); ok {
		e := h.API()
		e.ctx = lang.Of(thread).Ctx
		return e, nil
	}
	return nil, fmt.Errorf("there is no model here")
}

// sessionOf is the session in which the leaf runs m.
func (e *Environment) sessionOf(ctx context.Context, m *Model) (*runtime.Session, error) {
	if m.live != nil {
		if m.live == e.session {
			return e.session, nil
		}
		return e.forkOf(m, func() (*runtime.Session, error) { return m.live, nil })
	}
	return e.forkOf(m, func() (*runtime.Session, error) { return m.take(ctx, e.models) })
}

func (e *Environment) forkOf(m *Model, take func() (*runtime.Session, error)) (*runtime.Session, error) {
	if f := e.forks[m]; f != nil {
		return f.session, nil
	}
	base, err := take()
	if err != nil {
		return nil, err
	}
	f := &fork{session: base.Fork(), base: base}
	e.depends(m.sources...)
	if !m.loaded && m.live == nil {
		e.depends(m.source)
	}
	if e.session == nil {
		f.coverable = m.measured(base, e.models)
	}
	if f.coverable != nil {
		f.covered = &exec.Coverage{}
		f.session.SetCoverage(f.covered)
	}
	e.forks[m] = f
	return f.session, nil
}

// settingNames are the settings that calls, use() and axes can give.
var settingNames = schedule.Names()

// settings are those of a call: its own arguments, else those of use(), else
// those of an axis of the name, else the session's.
func (e *Environment) settings(thread *starlark.Thread, s *runtime.Session, given map[string]string) (*schedule.Settings, error) {
	t := s.Settings()
	for _, name := range settingNames {
		text, ok := given[name]
		if !ok {
			if text, ok = e.setting(thread, name); !ok {
				continue
			}
		}
		if d := t.Set(name, text); d != nil {
			return nil, d
		}
	}
	return &t, nil
}

// Seed is the seed in force where thread is: that of use(), of an axis of the
// name, of the command line, or of the session of cells; 0 where none is.
func (e *Environment) Seed(thread *starlark.Thread) int64 {
	t := schedule.Settings{}
	if e.session != nil {
		t = e.session.Settings()
	}
	if text, ok := e.setting(thread, "seed"); ok && t.Set("seed", text) != nil {
		return 0 // a run of a model says what is wrong
	}
	return t.Seed
}

// setting is what use(), an axis of its name or the command line says of a
// setting, and whether one of them does.
func (e *Environment) setting(thread *starlark.Thread, name string) (text string, ok bool) {
	if text, ok := e.used[name]; ok {
		return text, true
	}
	if v, picked := lang.Picked(thread, strings.ReplaceAll(name, "-", "_")); picked {
		return settingText(v), true
	}
	text, ok = e.models.Settings[name]
	return text, ok
}

// settingText is v as a setting is spelled.
func settingText(v starlark.Value) string {
	if s, ok := starlark.AsString(v); ok {
		return s
	}
	if f, ok := v.(starlark.Float); ok && float64(f) == float64(int64(f)) {
		return fmt.Sprint(int64(f))
	}
	return lang.Printed(v)
}

// began notes a run of a model and refuses one too many.
func (e *Environment) began() error {
	if e.maxRuns > 0 && e.account.Runs >= e.maxRuns {
		return &lang.BudgetError{Message: fmt.Sprintf("the leaf made more than %d runs; --max-runs raises the limit", e.maxRuns)}
	}
	e.account.Runs++
	return nil
}

func (e *Environment) touch(names ...string) {
	if e.touched == nil {
		e.touched = map[string]bool{}
	}
	for _, n := range names {
		e.touched[n] = true
	}
}

// listener collects the events of one operation for the monitors of a leaf.
type listener struct{ events []trace.Event }

// Observe keeps e.
func (l *listener) Observe(e trace.Event) { l.events = append(l.events, e) }

// watched runs do on s and tells the monitors what happened in it.
func (e *Environment) watched(thread *starlark.Thread, s *runtime.Session, do func() error) error {
	if !lang.Watched(thread) {
		return do()
	}
	l := &listener{}
	s.SetObserver(l)
	err := do()
	s.SetObserver(nil)
	for _, event := range l.events {
		v, ok := eventOf(event)
		if !ok {
			continue
		}
		if err := lang.Observe(thread, v); err != nil {
			return err
		}
	}
	return err
}

// modelError is an error of a model, at element; errors of use stay as they
// are.
func modelError(element string, err error) error {
	if err == nil {
		return nil
	}
	list := diagnostic.Of(err)
	if list[0].Code == diagnostic.Interrupted || list[0].Code == diagnostic.UnresolvedName && list[0].Span == (source.Span{}) {
		return err
	}
	return &lang.ModelError{Element: element, Err: err}
}
