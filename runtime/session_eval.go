package runtime

import (
	"context"
	"fmt"
	"sort"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// An Argument is a named argument of a call.
type Argument struct {
	Name  string
	Value value.Value
}

// Evaluate is the value of an expression. scope says where it stands: "" for
// the root, the qualified name of a namespace, or an object (see Object), of
// which the names of features are then those values. Objects that it names
// are made where they are not yet, and stay.
func (s *Session) Evaluate(ctx context.Context, x syntax.Expr, scope string) (value.Value, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var v value.Value
	err := s.commit(ctx, func(t *turn) (err error) {
		v, err = t.evaluate(x, scope)
		return err
	})
	return v, err
}

// Peek is Evaluate that leaves the session as it was: objects that the
// expression makes are dropped. The value comes as text, since it may refer to
// them.
func (s *Session) Peek(ctx context.Context, x syntax.Expr, scope string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var text string
	err := s.look(ctx, func(t *turn) error {
		v, err := t.evaluate(x, scope)
		if err == nil {
			text = s.text(t.world, v)
		}
		return err
	})
	return text, err
}

// EvaluateText is Evaluate of an expression as text.
func (s *Session) EvaluateText(ctx context.Context, text, scope string) (value.Value, error) {
	x, list := syntax.ParseExpression(source.NewFile("expression", text), 0, syntax.Options{Extensions: true})
	if list.HasErrors() {
		return value.Value{}, list
	}
	return s.Evaluate(ctx, x, scope)
}

// Call is what calculation name returns for arguments by position, then by
// name.
func (s *Session) Call(ctx context.Context, name string, positional []value.Value, named []Argument) (value.Value, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var v value.Value
	err := s.commit(ctx, func(t *turn) error {
		e, err := s.find(name)
		if err != nil {
			return err
		}
		v, err = t.call(e, positional, named)
		return err
	})
	return v, err
}

// Text is v as a user reads it, objects by the name that leads to them.
func (s *Session) Text(v value.Value) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text(s.world, v)
}

func (s *Session) text(w *exec.World, v value.Value) string {
	return string(value.AppendTrace(nil, v, func(id value.ObjectID) string {
		o := s.object(w, id)
		return fmt.Sprintf("%s #%d", o.Name, o.Number)
	}))
}

// A turn is one operation on a World: the session's, or a copy of it.
type turn struct {
	*Session
	world  *exec.World
	runner *exec.Runner
	// evaluator is the Engine of what drive runs, made when it is needed.
	evaluator *exec.Engine
	// watch is told where values come from; nil for nobody.
	watch exec.Watcher
	// asserted is what conditions judges.
	asserted map[exec.TypeID][]*model.Element
	visits   []visit // the states that machines entered
	// quiet says that objects that are made start no behaviours.
	quiet bool
	// aside says that the stepped run was taken out of the World.
	aside bool
}

// commit runs an operation on a copy of the World that takes the World's
// place where the operation succeeds.
func (s *Session) commit(ctx context.Context, do func(*turn) error) error {
	t := s.turn(ctx)
	if err := do(t); err != nil {
		return err
	}
	s.world = t.world
	s.run.visit(t.visits, t.world.Program)
	return nil
}

// change is commit for what is done to the World by hand beside the stepped run.
// It ends the way ahead of the run: the moves that were taken back belong to the
// World that there was.
func (s *Session) change(ctx context.Context, do func(*turn) error) error {
	err := s.commit(ctx, do)
	if r := &s.run; err == nil && r.here < len(r.moves) {
		r.leave()
		r.cut = true
	}
	return err
}

// look runs an operation on a copy of the World that is dropped.
func (s *Session) look(ctx context.Context, do func(*turn) error) error { return do(s.turn(ctx)) }

func (s *Session) turn(ctx context.Context) *turn {
	s.refresh()
	s.world.Program = s.lowering.Program()
	w := s.world.Copy()
	return &turn{Session: s, world: w, runner: s.runner(w, s.meter(ctx))}
}

// perform runs a unit to its end, and the behaviours of the objects that it
// makes where they are made.
func (t *turn) perform(u exec.UnitID, self value.ObjectID, args ...value.Value) (value.Value, error) {
	t.world.Program = t.lowering.Program()
	if t.watch != nil || t.quiet { // what only looks starts no behaviours
		t.runner.Watch = t.watch
		return t.runner.Run(u, self, exec.NoEnv, args...)
	}
	return t.drive(u, self, args)
}

func (t *turn) evaluate(x syntax.Expr, scope string) (value.Value, error) {
	self, at := value.NoObject, t.scope()
	if scope != "" {
		if id, err := t.lookup(scope); err == nil {
			self, at = id, t.elementOf(id)
		} else if e, err := t.find(scope); err == nil {
			at = e
		} else {
			return value.Value{}, err
		}
	}
	names := make([]string, 0, len(t.names))
	for n := range t.names {
		names = append(names, n)
	}
	sort.Strings(names)
	var args []value.Value
	for _, n := range names {
		args = append(args, value.ObjectRef(t.names[n]))
	}
	return t.perform(t.lowering.Expression(x, at, names...), self, args...)
}

// elementOf is the element that an object was made of.
func (t *turn) elementOf(id value.ObjectID) *model.Element {
	if e := t.typings.named(t.model, t.world.Program.Types[t.world.Object(id).Type].Qualified); e != nil {
		return e
	}
	return t.scope()
}

func (t *turn) call(e *model.Element, positional []value.Value, named []Argument) (value.Value, error) {
	u, err := t.lowering.Calculation(e)
	if err != nil {
		return value.Value{}, err
	}
	t.world.Program = t.lowering.Program()
	unit := t.world.Program.Units[u]
	if len(positional) > len(unit.Params) {
		return value.Value{}, diagnostic.New(value.ArgumentCount, source.Span{},
			fmt.Sprintf("calc argument count mismatch: calc %s takes %d argument(s), got %d", unit.Name, len(unit.Params), len(positional)))
	}
	args := make([]value.Value, len(unit.Params))
	copy(args, positional)
	unknown := ""
	for _, a := range named {
		at := -1
		for i := range unit.Params {
			if unit.Params[i].Name == a.Name {
				at = i
			}
		}
		switch {
		case at < 0 && (unknown == "" || a.Name < unknown):
			unknown = a.Name
		case at >= 0:
			args[at] = a.Value
		}
	}
	if unknown != "" {
		return value.Value{}, diagnostic.New(value.UnknownParameter, source.Span{},
			fmt.Sprintf("unknown parameter: calc %s has no input parameter %q", unit.Name, unknown))
	}
	for i, v := range args {
		if v.IsAbsent() {
			continue
		}
		if err := t.admits(e, unit.Params[i].Name, v); err != nil {
			return value.Value{}, err
		}
	}
	return t.perform(u, value.NoObject, args...)
}
