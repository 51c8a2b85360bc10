package exec

import (
	"reflect"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/runtime/value"
)

// layouts is a Program with one type of two slots and one of none.
func layouts() *Program {
	p := &Program{Names: []string{"a", "x", "y", "part"}, Globals: make([]*Global, 3)}
	p.Types = []*Type{
		{ID: 0, Name: "A", Qualified: "P::A", Constants: make([]value.Value, 2),
			Features: []Feature{{Name: 1, Slot: 0}, {Name: 2, Slot: 1}},
			Slots:    []Slot{{Name: 1, Label: "A.x", Upper: 1, Fill: NoUnit, Type: NoType}, {Name: 2, Label: "A.y", Upper: -1, Many: true, Fill: NoUnit, Type: NoType}}},
		{ID: 1, Name: "B", Qualified: "P::B"},
	}
	for _, t := range p.Types {
		t.Index()
	}
	return p.Seal()
}

// pointers are the types outside a World that its rows may point to.
var pointers = map[string]bool{"*exec.Program": true, "*value.Heap": true, "*exec.owner": true, "*exec.Reads": true, "*exec.rowSet": true}

// A World is plain data: no function, channel, map or interface is reachable
// from it, and no pointer but those to pages, to memory that nobody uses, and to what
// never changes.
func TestAWorldIsPlainData(t *testing.T) {
	seen := map[reflect.Type]bool{}
	var walk func(path string, x reflect.Type)
	walk = func(path string, x reflect.Type) {
		if seen[x] {
			return
		}
		seen[x] = true
		switch x.Kind() {
		case reflect.Func, reflect.Chan, reflect.Map, reflect.Interface, reflect.UnsafePointer:
			t.Errorf("%s is a %s", path, x)
		case reflect.Pointer:
			if !pointers[x.String()] && !strings.HasPrefix(x.String(), "*exec.page[") && !strings.HasPrefix(x.String(), "*exec.memory[") {
				t.Errorf("%s is a %s", path, x)
				return
			}
			if !pointers[x.String()] {
				walk(path, x.Elem())
			}
		case reflect.Slice, reflect.Array:
			walk(path+"[]", x.Elem())
		case reflect.Struct:
			for i := range x.NumField() {
				walk(path+"."+x.Field(i).Name, x.Field(i).Type)
			}
		}
	}
	walk("World", reflect.TypeFor[World]())
	_ = schedule.Settings{}
}

// Every Table of a World is in the list that copying, hashing and encoding
// go by.
func TestTablesListsEveryTable(t *testing.T) {
	w := NewWorld(layouts())
	listed := map[uintptr]bool{}
	for _, x := range w.tables() {
		listed[reflect.ValueOf(x).Pointer()] = true
	}
	var walk func(path string, v reflect.Value)
	walk = func(path string, v reflect.Value) {
		if strings.HasPrefix(v.Type().Name(), "Table[") {
			if !listed[v.Addr().Pointer()] {
				t.Errorf("%s is not in the list", path)
			}
			return
		}
		if v.Kind() == reflect.Struct {
			for i := range v.NumField() {
				walk(path+"."+v.Type().Field(i).Name, v.Field(i))
			}
		}
	}
	walk("World", reflect.ValueOf(w).Elem())
}

// populated is a World with objects, data, a paused body, an occurrence.
func populated() *World {
	w := NewWorld(layouts())
	a := w.NewRoot(0, 0)
	w.NewObject(1, a, 3, 0)
	w.SetSlot(a, 0, value.Int(1), Written)
	w.SetSlot(a, 1, value.SequenceOf(value.ObjectRef(a)), Derived)
	env := w.NewEnv(0, NoEnv, 2)
	w.SetEnv(w.NewEnv(1, env, 1), 0, value.Float(2))
	w.SetGlobal(2, a)
	return w
}

// Whatever is changed in a World changes its encoding and never reaches a
// copy; what a future can observe changes the hash and the canonical bytes
// too.
func TestEveryChangeShowsAndStaysInOneWorld(t *testing.T) {
	for _, c := range []struct {
		name      string
		canonical bool
		change    func(w *World)
	}{
		{"slot", true, func(w *World) { w.SetSlot(0, 0, value.Int(2), Written) }},
		{"kind of a number", true, func(w *World) { w.SetSlot(0, 0, value.Float(1), Written) }},
		{"state of a slot", true, func(w *World) { w.SetSlot(0, 0, value.Int(1), Derived) }},
		{"new object", true, func(w *World) { w.NewObject(1, 0, 3, 1) }},
		{"new root", true, func(w *World) { w.NewRoot(1, 0) }},
		{"destroyed object", true, func(w *World) { w.Objects.edit(w.owner, 1).Gone = true }},
		{"display number", false, func(w *World) { w.Objects.edit(w.owner, 1).Number = 9 }},
		{"next number", false, func(w *World) { w.Numbers++ }},
		{"data", false, func(w *World) { w.SetEnv(1, 0, value.Float(3)) }}, // by what performs in it
		{"freed data", false, func(w *World) { w.FreeEnv(0) }},
		{"occurrence", false, func(w *World) { w.SetGlobal(1, 1) }},
	} {
		w := populated()
		copied, before := w.Copy(), w.Copy()
		hash, canonical := w.Hash(), string(w.Canonical(nil))
		c.change(w)
		if !copied.Equal(before) || copied.Hash() != hash {
			t.Errorf("%s: the change reached a copy", c.name)
		}
		if w.Equal(copied) {
			t.Errorf("%s: the Worlds are still equal", c.name)
		}
		if changed := w.Hash() != hash; changed != c.canonical {
			t.Errorf("%s: the hash changed: %v", c.name, changed)
		}
		if c.canonical && string(w.Canonical(nil)) == canonical {
			t.Errorf("%s: the canonical bytes are the same", c.name)
		}
		loaded, err := Load(w.Program, w.Save())
		if err != nil || !loaded.Equal(w) || loaded.Hash() != w.Hash() || string(loaded.Canonical(nil)) != string(w.Canonical(nil)) {
			t.Errorf("%s: the World does not survive its encoding: %v", c.name, err)
		}
		c.change(copied)
		if !copied.Equal(w) || copied.Hash() != w.Hash() {
			t.Errorf("%s: the same change in a copy gives another World", c.name)
		}
	}
}

// Numbers of rows do not show in the canonical form: the same objects made in
// another order are the same World to any future.
func TestCanonicalFormLeavesOutNumbers(t *testing.T) {
	make := func(swap bool) *World {
		w := NewWorld(layouts())
		root := w.NewRoot(0, 0)
		order := []int32{0, 1}
		if swap {
			order = []int32{1, 0}
		}
		var parts [2]value.ObjectID
		for _, i := range order {
			parts[i] = w.NewObject(1, root, 3, i)
		}
		w.SetSlot(root, 1, value.SequenceOf(value.ObjectRef(parts[0]), value.ObjectRef(parts[1])), Derived)
		return w
	}
	a, b := make(false), make(true)
	if a.Equal(b) {
		t.Error("two orders of creation are exactly equal")
	}
	if a.Hash() != b.Hash() || string(a.Canonical(nil)) != string(b.Canonical(nil)) {
		t.Error("two orders of creation differ in canonical form")
	}
}

func TestLoadRefusesDamage(t *testing.T) {
	w := populated()
	data := w.Save()
	for i := range data {
		for _, change := range []byte{1, 0x80, 0xff} {
			damaged := append([]byte(nil), data...)
			damaged[i] ^= change
			if loaded, err := Load(w.Program, damaged); err == nil {
				loaded.Hash()
				loaded.Canonical(nil)
			}
		}
		if _, err := Load(w.Program, data[:i]); err == nil {
			t.Fatalf("the first %d of %d bytes load", i, len(data))
		}
	}
}

func FuzzLoad(f *testing.F) {
	w := populated()
	f.Add(w.Save())
	f.Fuzz(func(t *testing.T, data []byte) {
		if loaded, err := Load(w.Program, data); err == nil && string(loaded.Save()) != string(data) {
			t.Error("what loads is not what was saved")
		}
	})
}

// A copy costs the pages, not the rows: 100 objects and 50 Envs.
func BenchmarkCopy(b *testing.B) {
	w := NewWorld(layouts())
	for range 100 {
		w.NewRoot(0, 0)
	}
	for range 50 {
		w.NewEnv(0, NoEnv, 4)
	}
	b.ReportAllocs()
	for b.Loop() {
		w.Copy()
	}
}

func BenchmarkCopyWriteHash(b *testing.B) {
	w := NewWorld(layouts())
	for range 100 {
		w.NewRoot(0, 0)
	}
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		c := w.Copy()
		c.SetSlot(value.ObjectID(n%100), 0, value.Int(int64(n)), Written)
		c.Hash()
	}
}

// What nothing refers to is swept; what a message, a slot or a register holds
// stays, and the Worlds before and after many such objects are one.
func TestSweepForgetsWhatNothingRefersTo(t *testing.T) {
	w := NewWorld(layouts())
	root := w.NewRoot(0, 0)
	kept := w.NewTransient(1, 3)
	w.SetSlot(root, 0, value.SequenceOf(value.ObjectRef(kept)), Written)
	w.Sweep()
	before := string(w.Canonical(nil))
	hash := w.Hash()
	for range 5 {
		lost := w.NewTransient(0, 3)
		part := w.NewObject(1, lost, 3, 0)
		w.SetSlot(lost, 0, value.ObjectRef(part), Derived)
		w.SetSlot(lost, 1, value.SequenceOf(value.ObjectRef(kept)), Derived)
		if w.Hash() == hash {
			t.Error("an object that is there does not show")
		}
		w.Sweep()
		if string(w.Canonical(nil)) != before || w.Hash() != hash {
			t.Error("a World after a sweep is another one")
		}
		if loaded, err := Load(w.Program, w.Save()); err != nil || !loaded.Equal(w) {
			t.Errorf("a World after a sweep cannot be read: %v", err)
		}
	}
	if n := w.Objects.Len(); n != 4 {
		t.Errorf("%d rows for two objects and two at a time beside them", n)
	}
	w.SetSlot(root, 0, value.Value{}, Unread)
	w.Sweep()
	if !w.Object(kept).Gone {
		t.Error("an object that is no longer referred to is there")
	}
}

// Sweep knows every place of Behavior that may refer to an object.
func TestSweepKnowsEveryReference(t *testing.T) {
	known := map[string]bool{"Rest.ClockObject": true, "Run.Self": true, "Run.Occurrence": true, "Firing.Values": true,
		"Write.Object": true, "Write.Value": true, "Message.Object": true, "Message.Values": true, "Event.Values": true}
	seen := map[reflect.Type]bool{}
	var walk func(x reflect.Type)
	walk = func(x reflect.Type) {
		for x.Kind() == reflect.Slice || x.Kind() == reflect.Array || x.Kind() == reflect.Pointer {
			x = x.Elem()
		}
		if x.Kind() != reflect.Struct || seen[x] {
			return
		}
		seen[x] = true
		for i := range x.NumField() {
			f := x.Field(i)
			switch f.Type {
			case reflect.TypeFor[value.ObjectID](), reflect.TypeFor[value.Value](), reflect.TypeFor[[]value.Value]():
				if name := x.Name() + "." + f.Name; !known[name] {
					t.Errorf("%s may refer to an object, and Sweep does not look there", name)
				}
			case reflect.TypeFor[*owner](), reflect.TypeFor[*Program]():
			default:
				walk(f.Type)
			}
		}
	}
	walk(reflect.TypeFor[Behavior]())
}
