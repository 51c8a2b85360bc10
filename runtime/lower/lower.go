package lower

import (
	"crypto/sha256"
	"maps"
	"strings"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// A Lowering holds what was lowered of one model so far. What it gives out
// refers to the Program of the last call of Program or of a later one. One
// goroutine at a time; the Programs may be used by many.
type Lowering struct {
	model      *model.Model
	generation uint32
	// open says that what was lowered and is kept depends on names that led
	// nowhere, or on all that the model declares.
	open      bool
	program   exec.Program
	sealed    *exec.Program
	callables map[string]exec.UnitID // of the last sealed Program

	names     map[string]exec.NameID
	elements  map[elementKey]int32
	types     map[*model.Element]exec.TypeID
	globals   map[*model.Element]exec.GlobalID
	calcs     map[*model.Element]*calc
	values    map[unitKey]exec.UnitID
	functions map[string]int32
	units     map[*model.Element]*reduction
	conds     map[*model.Element]*Judgement
	readings  map[string]exec.UnitID
	// expressions are those that a session asked for before.
	expressions map[expressionKey]exec.UnitID
	cases       map[*model.Element]*Case
	layouts     map[*calc]*block // the names of the registers of a run
	behaviours

	// queue is what was given a number and is not lowered yet.
	queue []func()
	// journal is what l was asked; asking counts the questions under way.
	journal []Request
	asking  int
}

type elementKey struct {
	kind    value.Kind
	element *model.Element
}

// unitKey is an expression as it is evaluated by itself.
type unitKey struct {
	expr  syntax.Expr
	scope *model.Element
	self  bool
}

// New makes a Lowering of m.
func New(m *model.Model) *Lowering {
	l := &Lowering{model: m, generation: m.Generation(),
		names: map[string]exec.NameID{}, elements: map[elementKey]int32{}, types: map[*model.Element]exec.TypeID{},
		globals: map[*model.Element]exec.GlobalID{}, calcs: map[*model.Element]*calc{},
		values: map[unitKey]exec.UnitID{}, functions: map[string]int32{}, units: map[*model.Element]*reduction{},
		conds: map[*model.Element]*Judgement{}, readings: map[string]exec.UnitID{},
		expressions: map[expressionKey]exec.UnitID{},
		cases:       map[*model.Element]*Case{}, layouts: map[*calc]*block{}}
	l.program.Callables = map[string]exec.UnitID{}
	h := sha256.New()
	for _, d := range m.Documents() {
		digest := d.File.Digest()
		h.Write(digest[:])
	}
	l.program.Base = [32]byte(h.Sum(nil))
	l.start()
	return l
}

// Model is what l lowers.
func (l *Lowering) Model() *model.Model { return l.model }

// Current reports whether the model still gives the answers that l was made
// of; otherwise a new Lowering has to take its place.
func (l *Lowering) Current() bool { return l.generation == l.model.Generation() }

// Renew makes l current where documents were only added to the model, and
// nothing that l keeps could depend on them; otherwise it reports false.
func (l *Lowering) Renew() bool {
	if l.open {
		return false
	}
	l.generation = l.model.Generation()
	return true
}

// Program is all that was lowered so far. It has what earlier calls gave
// under the same numbers.
func (l *Lowering) Program() *exec.Program {
	if len(l.queue) > 0 {
		defer l.asked("program", nil, "")()
	}
	for len(l.queue) > 0 {
		next := l.queue[0]
		l.queue = l.queue[1:]
		next()
		l.sealed = nil
		if len(l.queue) == 0 {
			l.connect()
		}
	}
	if l.sealed == nil {
		p := l.program
		if len(l.callables) != len(p.Callables) { // Programs share it while it is the same
			l.callables = maps.Clone(p.Callables)
		}
		p.Callables = l.callables
		l.sealed = p.Seal()
		l.program.Sealed(l.sealed)
	}
	return l.sealed
}

// later lowers something when the Program is next asked for.
func (l *Lowering) later(do func()) { l.queue = append(l.queue, do) }

// name is the number of a simple name.
func (l *Lowering) name(text string) exec.NameID {
	if n, ok := l.names[text]; ok {
		return n
	}
	n := exec.NameID(len(l.program.Names))
	l.program.Names = append(l.program.Names, text)
	l.names[text] = n
	l.sealed = nil
	return n
}

// unit gives a number to a unit that is lowered later.
func (l *Lowering) unit(name string, kind exec.UnitKind) *exec.Unit {
	u := &exec.Unit{ID: exec.UnitID(len(l.program.Units)), Name: name, Kind: kind}
	l.program.Units = append(l.program.Units, u)
	l.sealed = nil
	return u
}

// named is the value part of an element, made once per kind of value.
func (l *Lowering) named(kind value.Kind, e *model.Element) *value.Named {
	return l.namedAs(kind, e, plainName(e))
}

// namedAs is named for an element that has no name of its own.
func (l *Lowering) namedAs(kind value.Kind, e *model.Element, name string) *value.Named {
	key := elementKey{kind, e}
	if i, ok := l.elements[key]; ok {
		return l.program.Elements[i]
	}
	i := int32(len(l.program.Elements))
	owner := ""
	switch {
	case kind == value.Metaobject:
		owner = metaclassName(e)
	case e.Owner() != nil:
		owner = e.Owner().EffectiveName()
	}
	n := value.NewNamed(name, e.EffectiveName(), owner, i)
	l.program.Elements = append(l.program.Elements, n)
	l.program.Denotes = append(l.program.Denotes, exec.NoGlobal)
	l.elements[key] = i
	l.sealed = nil
	return n
}

// global gives a number to the object that element e denotes.
func (l *Lowering) global(e *model.Element) exec.GlobalID {
	if g, ok := l.globals[e]; ok {
		return g
	}
	g := exec.GlobalID(len(l.program.Globals))
	l.globals[e] = g
	l.program.Globals = append(l.program.Globals, &exec.Global{
		Name: l.name(label(e)), Qualified: plainName(e), Type: l.Type(e)})
	l.sealed = nil
	return g
}

// Global is the object that a usage denotes: see Program.Globals.
func (l *Lowering) Global(e *model.Element) exec.GlobalID {
	defer l.asked("global", e, "")()
	return l.global(e)
}

// function gives a number to a library function.
func (l *Lowering) function(f *value.LibraryFunction) int32 {
	if i, ok := l.functions[f.Name]; ok {
		return i
	}
	i := int32(len(l.program.Functions))
	l.program.Functions = append(l.program.Functions, f)
	l.functions[f.Name] = i
	l.sealed = nil
	return i
}

// label is the simple name of an element, or its short name.
func label(e *model.Element) string {
	if n := e.EffectiveName(); n != "" {
		return n
	}
	return e.ShortName()
}

// plainName is the qualified name of e without quotes, as traces print it.
func plainName(e *model.Element) string {
	var parts []string
	for ; e != nil && e.Owner() != nil; e = e.Owner() {
		if e.Role() != model.Member && label(e) == "" {
			continue
		}
		n := label(e)
		if n == "" {
			n = "_"
		}
		parts = append(parts, n)
	}
	for i, j := 0, len(parts)-1; i < j; i, j = i+1, j-1 {
		parts[i], parts[j] = parts[j], parts[i]
	}
	return strings.Join(parts, "::")
}

// metaclassName is how a metaobject names the metaclass of e.
func metaclassName(e *model.Element) string {
	m := e.Metaclass()
	if m.IsDefinition() || m.IsUsage() {
		return "SysML::Systems::" + m.String()
	}
	return "KerML::" + m.String()
}
