package runtime

import (
	"context"
	"sync"

	"github.com/orrery-sysml/orrery/runtime/budget"
	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/lower"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/runtime/trace"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/model"
)

// Options are what a Session is made of.
type Options struct {
	// Library gives library texts; nil for none.
	Library model.Library
	// Files says that the documents are a set of files under the rules of the
	// standard; otherwise they are cells, of which a later one replaces what
	// an earlier one declared.
	Files bool
	// Lenient reports no name that leads to nothing before it is evaluated.
	Lenient  bool
	Settings schedule.Settings
	Budget   budget.Budget
}

// A Session is a model and a World that live as long as its user works. The
// methods of a Session may be called by many goroutines; they take turns.
type Session struct {
	mu       sync.Mutex
	options  Options
	model    *model.Model
	lowering *lower.Lowering
	world    *exec.World
	settings schedule.Settings
	budget   budget.Budget
	observer trace.Observer
	covered  *exec.Coverage
	typings  *typings
	held     []heldValue
	// replaced says that elements of the model were replaced or removed since
	// the lowering was made.
	replaced bool
	names    map[string]value.ObjectID // objects that %instantiate named
	run      running
}

// New makes a Session without documents.
func New(o Options) *Session {
	s := &Session{options: o, settings: o.Settings, budget: o.Budget}
	s.clear()
	return s
}

// Reset forgets documents, objects and runs; settings and budget stay.
func (s *Session) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clear()
}

func (s *Session) clear() {
	s.model = model.New(s.options.Library, model.Options{Cells: !s.options.Files, Lenient: s.options.Lenient})
	s.lowering, s.typings = lower.New(s.model), newTypings()
	s.clearWorld()
}

// Model is the session's model. It may be read until the next Declare,
// Forget or Reset.
func (s *Session) Model() *model.Model { return s.model }

// World is the session's World, for observers of this package's users that
// render it. It must not be written, and not be read while an operation runs.
func (s *Session) World() *exec.World { return s.world }

// Settings are the session's schedule, seed, draws and clock step.
func (s *Session) Settings() schedule.Settings {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.settings
}

// orOwn is the settings that are given, or those of the session. The lock is
// held.
func (s *Session) orOwn(given *schedule.Settings) schedule.Settings {
	if given != nil {
		return *given
	}
	return s.settings
}

// SetSettings changes the settings; what runs keeps those it began with.
func (s *Session) SetSettings(t schedule.Settings) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settings = t
}

// Reseed begins the random stream of the session anew by the seed of its
// settings: what is evaluated outside of a run draws from it, each run from a
// stream of its own. An open stepped run, whose stream the World holds, keeps
// it.
func (s *Session) Reseed() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.run.on {
		return
	}
	w := s.world.Copy()
	w.Behavior.Seeded, w.Behavior.Model = s.settings.Seeded, value.Stream{}
	if s.settings.Seeded {
		w.Behavior.Model = value.ModelStream(uint64(s.settings.Seed))
	}
	s.world = w
}

// Budget is what one operation may use.
func (s *Session) Budget() budget.Budget {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.budget
}

// SetBudget changes the budget of the operations to come.
func (s *Session) SetBudget(b budget.Budget) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.budget = b
}

// SetObserver makes o hear what operations do; nil for nobody.
func (s *Session) SetObserver(o trace.Observer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.observer = o
}

// SetCoverage makes c note what operations execute; nil for nobody.
func (s *Session) SetCoverage(c *exec.Coverage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.covered = c
}

// meter starts the count of one operation.
func (s *Session) meter(ctx context.Context) *budget.Meter { return budget.NewMeter(ctx, s.budget) }

// runner is a Runner on w for one operation.
func (s *Session) runner(w *exec.World, m *budget.Meter) *exec.Runner {
	return &exec.Runner{World: w, Meter: m, Observer: s.observer, Covered: s.covered}
}

// clearWorld makes the World one without objects.
func (s *Session) clearWorld() {
	s.world = exec.NewWorld(s.lowering.Program())
	s.held, s.names, s.run = nil, map[string]value.ObjectID{}, running{}
}
