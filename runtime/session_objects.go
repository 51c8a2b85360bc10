package runtime

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
)

var noObject = diagnostic.Register("no-object",
	"An object is asked for that there is not. Objects are named #3, by the name they were instantiated under, or by a path: car.wheels[2].tire.")

// A heldValue is a value that was set by hand and is set again when the
// object is rebuilt.
type heldValue struct {
	root value.ObjectID
	path []string
	to   value.Value
}

// Instantiate makes an object of definition or usage name. as is the name
// that it gets; "" for the simple name of the element.
func (s *Session) Instantiate(ctx context.Context, name, as string) (*Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var made *Object
	err := s.change(ctx, func(t *turn) error {
		e, err := s.find(name)
		if err != nil {
			return err
		}
		id, err := t.instantiate(e, as)
		if err != nil {
			return err
		}
		if as == "" {
			as = label(e)
		}
		s.names[as] = id
		made = s.object(t.world, id)
		return nil
	})
	return made, err
}

func label(e *model.Element) string {
	if n := e.EffectiveName(); n != "" {
		return n
	}
	return e.ShortName()
}

func (t *turn) instantiate(e *model.Element, as string) (value.ObjectID, error) {
	if !e.Metaclass().IsType() {
		return value.NoObject, diagnostic.New(noObject, source.Span{}, e.QualifiedName()+" is no definition or usage that has objects")
	}
	return t.made(t.lowering.Instance(e, as))
}

// made runs a unit that returns an object.
func (t *turn) made(u exec.UnitID) (value.ObjectID, error) {
	v, err := t.perform(u, value.NoObject)
	if err != nil {
		return value.NoObject, err
	}
	id, _ := v.AsObject()
	return id, nil
}

// Object finds an object: #3, a name, or a path from either.
func (s *Session) Object(ctx context.Context, ref string) (*Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var o *Object
	err := s.look(ctx, func(t *turn) error {
		id, err := t.lookup(ref)
		if err == nil {
			o = s.object(t.world, id)
		}
		return err
	})
	return o, err
}

// Objects are all objects in the order of their numbers.
func (s *Session) Objects() []*Object {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []*Object
	for i := range s.world.Objects.Len() {
		if o := s.world.Object(value.ObjectID(i)); !o.Gone {
			all = append(all, s.object(s.world, value.ObjectID(i)))
		}
	}
	slices.SortStableFunc(all, func(a, b *Object) int { return cmp.Compare(a.Number, b.Number) })
	return all
}

// Features is an object with the values of its features; objects in them are
// read so many levels deep. Reading changes nothing.
func (s *Session) Features(ctx context.Context, ref string, depth int) (*ObjectTree, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var tree *ObjectTree
	err := s.look(ctx, func(t *turn) error {
		id, err := t.lookup(ref)
		if err == nil {
			tree = t.tree(id, depth)
			err = t.runner.Meter.Cancelled()
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return tree, nil
}

// Set assigns v to the feature that path leads to: car.engine.power. What the
// model computes is computed anew when it is next read, so that everything
// follows what was set, as Why tells it.
func (s *Session) Set(ctx context.Context, path string, v value.Value) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.change(ctx, func(t *turn) error {
		cut := strings.LastIndexByte(path, '.')
		if cut < 0 {
			return diagnostic.New(noObject, source.Span{}, strconv.Quote(path)+" names no feature of an object").
				WithHint("write the object and the feature: car.mass")
		}
		id, err := t.lookup(path[:cut])
		if err != nil {
			return err
		}
		feature := path[cut+1:]
		if err := t.admits(t.elementOf(id), feature, v); err != nil {
			return err
		}
		if _, err := t.world.Assign(id, t.lowering.NameID(feature), v); err != nil {
			return err
		}
		t.world.Forget()
		root, names := t.rootPath(id)
		s.held = append(s.held, heldValue{root, append(names, feature), v})
		return nil
	})
}

// object is how a user sees object id of w.
func (s *Session) object(w *exec.World, id value.ObjectID) *Object {
	o := w.Object(id)
	shown := &Object{ID: id, Number: int(o.Number), Type: w.Program.Types[o.Type].Name, Root: int(o.Number)}
	if e := w.Program.Types[o.Type].Declared; e != "" {
		shown.Type = e[strings.LastIndex(e, ":")+1:]
	}
	var parts []string
	for at := id; ; {
		o := w.Object(at)
		if o.Owner == value.NoObject {
			shown.Root = int(o.Number)
			name := w.Program.Name(o.Feature)
			for n, named := range s.names {
				if named == at && (name == "" || n < name || s.names[name] != at) {
					name = n
				}
			}
			parts = append(parts, name)
			break
		}
		parts = append(parts, step(w, o))
		at = o.Owner
	}
	for i, j := 0, len(parts)-1; i < j; i, j = i+1, j-1 {
		parts[i], parts[j] = parts[j], parts[i]
	}
	shown.Name = strings.Join(parts, ".")
	return shown
}

// step is the last part of the path to a held object: wheels[2].
func step(w *exec.World, o *exec.Object) string {
	name := w.Program.Name(o.Feature)
	if !strings.HasPrefix(name, "(") { // the stand-in for one without a name
		name = model.Quote(name)
	}
	owner := w.Program.Types[w.Object(o.Owner).Type]
	if i, ok := owner.SlotOf(o.Feature); ok && owner.Slots[i].Many {
		return fmt.Sprintf("%s[%d]", name, o.Ordinal+1)
	}
	return name
}

// rootPath is the root that holds id and the names that lead from it to id.
func (t *turn) rootPath(id value.ObjectID) (value.ObjectID, []string) {
	var names []string
	for {
		o := t.world.Object(id)
		if o.Owner == value.NoObject {
			return id, names
		}
		names = append([]string{step(t.world, o)}, names...)
		id = o.Owner
	}
}

// lookup finds an object in the World of t, making those on the way that are
// not made yet.
func (t *turn) lookup(ref string) (value.ObjectID, error) {
	parts := pathParts(ref)
	name, index, err := indexed(parts[0])
	if err != nil {
		return value.NoObject, err
	}
	id, err := t.first(name)
	if err != nil {
		return id, err
	}
	if index > 1 {
		return id, diagnostic.New(value.IndexOutOfRange, source.Span{}, "index out of range: "+name+" is one object")
	}
	for i, part := range parts[1:] {
		if id, err = t.follow(id, part, strings.Join(parts[:i+2], ".")); err != nil {
			return id, err
		}
	}
	return id, nil
}

// follow is the object that one step of a path leads to from id; path is the
// way to it, for messages.
func (t *turn) follow(id value.ObjectID, part, path string) (value.ObjectID, error) {
	name, index, err := indexed(part)
	if err != nil {
		return id, err
	}
	v, err := t.feature(id, strings.Trim(name, "'"))
	if err != nil {
		return id, err
	}
	if index > 0 {
		if index > v.Len() {
			return id, diagnostic.New(value.IndexOutOfRange, source.Span{},
				fmt.Sprintf("index out of range: %s of %d element(s)", path, v.Len()))
		}
		if v.Kind().IsCollection() {
			v = v.At(index - 1)
		}
	}
	if v.Kind().IsCollection() && v.Len() > 1 {
		return id, diagnostic.New(noObject, source.Span{}, fmt.Sprintf("%s is %d objects", path, v.Len())).
			WithHint(fmt.Sprintf("name one: %s[1] to %s[%d]", path, path, v.Len()))
	}
	if v.Kind() == value.Sequence && v.Len() == 1 {
		v = v.At(0)
	}
	next, ok := v.AsObject()
	if !ok {
		return id, diagnostic.New(noObject, source.Span{}, path+" is no object but "+t.text(t.world, v))
	}
	return next, nil
}

// pathParts cuts a path at its dots, those in quotes left alone.
func pathParts(ref string) []string {
	var parts []string
	quoted, from := false, 0
	for i := range len(ref) {
		switch {
		case ref[i] == '\'':
			quoted = !quoted
		case ref[i] == '.' && !quoted:
			parts, from = append(parts, ref[from:i]), i+1
		}
	}
	return append(parts, ref[from:])
}

// indexed is the name and the index, from 1, of one step of a path: pump[2]
// as objects are shown, or pump#(2) as expressions have it; 0 for no index.
func indexed(part string) (name string, index int, err error) {
	open, end := strings.LastIndex(part, "["), "]"
	if i := strings.LastIndex(part, "#("); i > 0 {
		open, end = i, ")"
	}
	if open <= 0 || strings.HasSuffix(part, "'") {
		return part, 0, nil
	}
	digits := strings.TrimLeft(part[open:], "#([")
	index, bad := strconv.Atoi(strings.TrimSuffix(digits, end))
	if bad != nil || index < 1 || !strings.HasSuffix(part, end) {
		return part[:open], 0, diagnostic.New(noObject, source.Span{}, part+" has no index from 1 in its brackets")
	}
	return part[:open], index, nil
}

// first finds the object at the start of a path.
func (t *turn) first(name string) (value.ObjectID, error) {
	if number, ok := strings.CutPrefix(name, "#"); ok {
		n, err := strconv.Atoi(number)
		for i := range t.world.Objects.Len() {
			if o := t.world.Object(value.ObjectID(i)); err == nil && int(o.Number) == n && !o.Gone {
				return value.ObjectID(i), nil
			}
		}
		return value.NoObject, diagnostic.New(noObject, source.Span{}, "there is no object "+name).WithHint("%instances lists the objects")
	}
	if id, ok := t.names[name]; ok {
		return id, nil
	}
	e, err := t.find(name)
	if err != nil {
		return value.NoObject, diagnostic.New(noObject, source.Span{}, "no object is called "+name).WithHint(hintOf(err))
	}
	if !e.Metaclass().IsFeature() {
		return value.NoObject, diagnostic.New(noObject, source.Span{}, name+" is a definition and no object").
			WithHint("%instantiate " + name + " makes one")
	}
	return t.made(t.lowering.Denotation(e))
}

func hintOf(err error) string {
	for _, d := range diagnostic.Of(err) {
		if d.Hint != "" {
			return d.Hint
		}
	}
	return "%instances lists the objects"
}

// feature reads one feature of an object.
func (t *turn) feature(id value.ObjectID, name string) (value.Value, error) {
	return t.perform(t.lowering.Reading(name), value.NoObject, value.ObjectRef(id))
}

// statesOf are the active states of the machine that id is the occurrence of.
func (t *turn) statesOf(id value.ObjectID) []string {
	for _, r := range t.world.Behavior.Attached {
		if run := t.world.Run(r); run.Occurrence == id && run.Machine != exec.NoMachine {
			return t.world.ActiveStates(r)
		}
	}
	return nil
}

// tree reads the features of id, so many levels deep.
func (t *turn) tree(id value.ObjectID, depth int) *ObjectTree {
	tree := &ObjectTree{Object: *t.object(t.world, id), States: t.statesOf(id)}
	typ := t.world.Program.Types[t.world.Object(id).Type]
	for _, f := range typ.Features {
		if t.runner.Meter.Cancelled() != nil {
			break
		}
		slot := &typ.Slots[f.Slot]
		if slot.Kind == exec.ConditionFeature || slot.Kind == exec.CalculationFeature {
			continue
		}
		v := FeatureValue{Name: t.world.Program.Name(f.Name)}
		if e := t.model.Find(typ.Qualified); e != nil {
			if m, ok := e.LookupInside(v.Name); ok {
				v.Span = m.Span()
				var types []string
				for _, x := range m.Types() {
					if !(x.IsLibrary() && x.Owner() != nil && x.Owner().Name() == "Base") {
						types = append(types, label(x))
					}
				}
				v.Type = strings.Join(types, ", ")
			}
		}
		if slot.Kind == exec.BehaviourFeature {
			if held, _ := t.world.Object(id).Slot(int(f.Slot)); held.IsAbsent() {
				continue
			}
		}
		_, state := t.world.Object(id).Slot(int(f.Slot))
		v.Assigned = state == exec.Written
		read, err := t.feature(id, v.Name)
		if err != nil {
			v.Err = diagnostic.Of(err)[0]
			if v.Err.Code == exec.Uninitialized {
				v.Text = "unset"
			}
			tree.Features = append(tree.Features, v)
			continue
		}
		v.Value, v.Text = read, t.text(t.world, read)
		for e := range read.All() {
			held, ok := e.AsObject()
			if !ok || t.world.Object(held).Owner != id {
				continue
			}
			if depth <= 0 && t.statesOf(held) == nil { // a machine is no level: its states are read
				tree.Bounded = true
				continue
			}
			v.Objects = append(v.Objects, t.tree(held, depth-1))
		}
		tree.Features = append(tree.Features, v)
	}
	return tree
}

// Read is what path leads to from an object: a feature, or one of a feature.
// The zero Value stands for a feature of a value type that has no value.
// Objects on the way are made and stay.
func (s *Session) Read(ctx context.Context, ref, path string) (value.Value, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var v value.Value
	err := s.commit(ctx, func(t *turn) error {
		id, err := t.lookup(ref)
		if err != nil {
			return err
		}
		parts := strings.Split(path, ".")
		if len(parts) > 1 {
			base := value.ObjectRef(id)
			for _, p := range parts[:len(parts)-1] {
				if base, err = t.perform(t.lowering.Reading(strings.Trim(p, "'")), value.NoObject, base); err != nil {
					return err
				}
			}
			last := parts[len(parts)-1]
			if held, ok := base.AsObject(); ok {
				id = held
			} else {
				v, err = t.perform(t.lowering.Reading(strings.Trim(last, "'")), value.NoObject, base)
				return err
			}
		}
		v, err = t.readSlot(id, strings.Trim(parts[len(parts)-1], "'"))
		return err
	})
	return v, err
}

// readSlot reads a feature, a value type without a value as Absent.
func (t *turn) readSlot(id value.ObjectID, name string) (value.Value, error) {
	v, err := t.feature(id, name)
	if err == nil {
		if held, ok := v.AsObject(); ok && v.Kind() == value.Object {
			if typ := t.world.Program.Types[t.world.Object(held).Type]; typ.ValueType && len(typ.Features) == 0 {
				return value.Value{}, nil
			}
		}
		return v, nil
	}
	typ := t.world.Program.Types[t.world.Object(id).Type]
	if i, has := typ.SlotOf(t.lowering.NameID(name)); has && typ.Slots[i].Value && diagnostic.Of(err)[0].Code == exec.Uninitialized {
		return value.Value{}, nil
	}
	return v, err
}

// Condition judges the constraint or requirement that an object carries as
// feature name.
func (s *Session) Condition(ctx context.Context, ref, name string) (*Verdict, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var v *Verdict
	err := s.look(ctx, func(t *turn) error {
		id, err := t.lookup(ref)
		if err != nil {
			return err
		}
		for _, f := range t.elementOf(id).Features() {
			if f.Label == name {
				v = t.judge(f.Element, id, nil)
				return nil
			}
		}
		return diagnostic.New(noCondition, source.Span{}, "the object has no constraint or requirement called "+name)
	})
	return v, err
}
