package runtime

import (
	"context"
	"fmt"
	"strings"

	"github.com/orrery-sysml/orrery/runtime/lower"
	"github.com/orrery-sysml/orrery/runtime/trace"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// The codes of judgements.
var (
	violated = diagnostic.Register("violated",
		"A constraint, a requirement or an assertion was evaluated, and a condition of it is false.")
	noCondition = diagnostic.Register("no-condition",
		"A constraint or a requirement states nothing that could be evaluated: it has no condition, or only text.")
	ambiguous = diagnostic.Register("ambiguous-subject",
		"Several objects carry what is to be checked. Name the one to check it on.")
	noSubject = diagnostic.Register("no-subject",
		"What is to be checked has a subject, and nothing says which object that is.")
)

// Constraint judges a constraint on an object, "" for the one that carries it
// or, where none does, for the declarations alone. Judging changes nothing.
func (s *Session) Constraint(ctx context.Context, name, on string) (*Verdict, error) {
	return s.judged(ctx, name, on, nil)
}

// Requirement judges a requirement as Constraint does.
func (s *Session) Requirement(ctx context.Context, name, on string) (*Verdict, error) {
	return s.judged(ctx, name, on, nil)
}

// Judge is Constraint or Requirement with values for the subject, the actors
// and other parameters by name.
func (s *Session) Judge(ctx context.Context, name, on string, bindings []Argument) (*Verdict, error) {
	return s.judged(ctx, name, on, bindings)
}

func (s *Session) judged(ctx context.Context, name, on string, bindings []Argument) (*Verdict, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var v *Verdict
	err := s.look(ctx, func(t *turn) error {
		e, err := s.find(name)
		if err != nil {
			return err
		}
		if !lower.IsCondition(e) {
			return diagnostic.New(noCondition, e.NameSpan(), e.QualifiedName()+" is no constraint or requirement")
		}
		self, err := t.carrier(e, on)
		if err != nil {
			return err
		}
		v = t.judge(e, self, bindings)
		if v.Status == Undecided && v.Err.Code == noCondition {
			return v.Err
		}
		return nil
	})
	return v, err
}

// Satisfactions judges the satisfaction assertions that scope states, or those
// below it where it states none; "" for all of the model.
func (s *Session) Satisfactions(ctx context.Context, scope string) ([]Verdict, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Verdict
	err := s.look(ctx, func(t *turn) error {
		var scopes []*model.Element
		if scope == "" {
			scopes = s.model.Roots()
		} else {
			e, err := s.find(scope)
			if err != nil {
				return err
			}
			scopes = []*model.Element{e}
		}
		for _, e := range scopes {
			for _, a := range assertions(e) {
				all = append(all, *t.satisfied(a))
			}
		}
		return nil
	})
	return all, err
}

// assertions are the satisfaction assertions in e: its named members, its
// anonymous ones, then those of its members.
func assertions(e *model.Element) []*model.Element {
	if e.Metaclass() == syntax.SatisfyRequirementUsage {
		return []*model.Element{e}
	}
	var named, anonymous, deeper []*model.Element
	for _, m := range e.Members() {
		switch {
		case m.Metaclass() == syntax.SatisfyRequirementUsage && m.Name() != "":
			named = append(named, m)
		case m.Metaclass() == syntax.SatisfyRequirementUsage:
			anonymous = append(anonymous, m)
		case m.Metaclass().IsNamespace():
			deeper = append(deeper, assertions(m)...)
		}
	}
	return append(append(named, anonymous...), deeper...)
}

// assertion is a satisfaction assertion as written.
func assertion(e *model.Element) (text, by string) {
	if e.Is(syntax.Negated) {
		text = "not "
	}
	text += "satisfy"
	d := e.Decl()
	for _, r := range d.Relationships {
		if r.Kind == syntax.References || r.Kind == syntax.TypedBy || r.Kind == syntax.Subsets {
			text += " " + strings.TrimSpace(r.Target.In(d.Span.File).Text())
			break
		}
	}
	if part, ok := d.Detail.(*syntax.SatisfyPart); ok {
		by = part.By.In(d.Span.File).Text()
		text += " by " + by
	}
	return text, by
}

// satisfied judges one satisfaction assertion on a new object of what it names.
func (t *turn) satisfied(e *model.Element) *Verdict {
	text, by := assertion(e)
	v := &Verdict{Kind: "satisfaction", Assertion: text, Name: e.Name(), Span: e.Span()}
	undecided := func(err error) *Verdict {
		v.Status, v.Err = Undecided, diagnostic.Of(err)[0]
		return v
	}
	self := value.NoObject
	if by != "" {
		part := e.Decl().Detail.(*syntax.SatisfyPart)
		links, why := t.model.ResolveReference(&part.By, e)
		if len(links) == 0 {
			return undecided(diagnostic.New(noSubject, e.Span(), text+": no subject to satisfy the requirement: "+by).WithHint(why.Hint))
		}
		id, err := t.instantiate(links[len(links)-1], "")
		if err != nil {
			return undecided(err)
		}
		self = id
	}
	return t.satisfiedBy(e, v, self)
}

// requirement is what a satisfaction assertion names: not another assertion,
// which has the name of what it names.
func (t *turn) requirement(e *model.Element) *model.Element {
	for i, r := range e.Decl().Relationships {
		if r.Kind != syntax.References && r.Kind != syntax.TypedBy && r.Kind != syntax.Subsets {
			continue
		}
		if links := e.Target(i); len(links) > 0 && links[len(links)-1].Metaclass() != syntax.SatisfyRequirementUsage {
			return links[len(links)-1]
		}
		for scope := e.Owner(); scope != nil; scope = scope.Owner() {
			links, _ := t.model.ResolveReference(&r.Target, scope)
			if len(links) > 0 && links[len(links)-1].Metaclass() != syntax.SatisfyRequirementUsage {
				return links[len(links)-1]
			}
		}
	}
	return nil
}

func (t *turn) satisfiedBy(e *model.Element, v *Verdict, self value.ObjectID) *Verdict {
	on := self
	judged := e
	if target := t.requirement(e); target != nil {
		if len(e.Members()) == 0 {
			judged = target
		}
		if o := target.Owner(); o != nil && o.Metaclass().IsType() && self != value.NoObject {
			if inner := t.nested(self, o); len(inner) == 1 {
				on = inner[0]
			}
		}
	}
	r := t.judgeOn(judged, on, self, nil)
	r.Kind, r.Assertion, r.Name, r.Span = v.Kind, v.Assertion, v.Name, v.Span
	if e.Is(syntax.Negated) && r.Status != Undecided {
		if r.Status == Holds {
			r.Status = Violated
			r.Err = diagnostic.New(violated, e.Span(), v.Assertion+": the requirement is satisfied")
		} else {
			r.Status, r.Err = Holds, nil
		}
	}
	return r
}

// carrier is the object that e is judged on: the one called on or the unique
// one in it that carries e; without on the only one of all that does.
func (t *turn) carrier(e *model.Element, on string) (value.ObjectID, error) {
	owner := e.Owner()
	typed := owner != nil && owner.Metaclass().IsType() && !lower.IsCondition(owner)
	if on != "" {
		id, err := t.lookup(on)
		if err != nil || !typed {
			return id, err
		}
		return t.oneOf(e, t.nested(id, owner), on)
	}
	if !typed {
		return value.NoObject, nil
	}
	var found []value.ObjectID
	for i := range t.world.Objects.Len() {
		if o := t.world.Object(value.ObjectID(i)); o.Owner == value.NoObject && !o.Gone {
			found = append(found, t.nested(value.ObjectID(i), owner)...)
		}
	}
	if len(found) == 0 {
		return value.NoObject, nil
	}
	return t.oneOf(e, found, "")
}

func (t *turn) oneOf(e *model.Element, found []value.ObjectID, on string) (value.ObjectID, error) {
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return value.NoObject, diagnostic.New(noSubject, e.NameSpan(), on+" neither carries "+label(e)+" nor holds an object that does")
	}
	var names []string
	for _, id := range found {
		names = append(names, t.object(t.world, id).Name)
	}
	return value.NoObject, diagnostic.New(ambiguous, e.NameSpan(), "ambiguous subject: "+label(e)+" is carried by "+
		strings.Join(names, ", ")+": check it on one of them")
}

// nested are id, where it is an instance of owner, or else the objects it
// holds that are.
func (t *turn) nested(id value.ObjectID, owner *model.Element) []value.ObjectID {
	name := t.lowering.QualifiedName(owner)
	var found []value.ObjectID
	var walk func(id value.ObjectID, depth int)
	walk = func(id value.ObjectID, depth int) {
		typ := t.world.Program.Types[t.world.Object(id).Type]
		if typ.Conforms(name) {
			found = append(found, id)
			return
		}
		if depth == 0 {
			return
		}
		for i := range typ.Slots {
			if !typ.Slots[i].Composite {
				continue
			}
			v, err := t.feature(id, t.world.Program.Name(typ.Slots[i].Name))
			if err != nil {
				continue
			}
			for held := range v.All() {
				if h, ok := held.AsObject(); ok && t.world.Object(h).Owner == id {
					walk(h, depth-1)
				}
			}
		}
	}
	t.unobserved(func() { walk(id, 8) })
	return found
}

func (t *turn) judge(e *model.Element, self value.ObjectID, bindings []Argument) *Verdict {
	return t.judgeOn(e, self, self, bindings)
}

// judgeOn judges e with its conditions on self and its subject bound to
// subject, where nothing else binds it.
func (t *turn) judgeOn(e *model.Element, self, subject value.ObjectID, bindings []Argument) *Verdict {
	j := t.lowering.Judgement(e)
	v := &Verdict{Kind: j.Kind, Name: label(e), Span: e.Span(), Assertion: assertedText(e, j.Kind)}
	name := label(e)
	if e.Metaclass() == syntax.SatisfyRequirementUsage {
		name, _ = assertion(e)
	}
	if len(j.Conditions) == 0 || j.Negated && !j.Required() {
		v.Status = Undecided
		v.Err = diagnostic.New(noCondition, e.NameSpan(), fmt.Sprintf("%s %s: no condition to evaluate", j.Kind, name))
		return v
	}
	args := bound(j.Subjects, bindings)
	for i, p := range j.Subjects {
		_, valued := p.Element.Value()
		if p.Subject && args[i].IsAbsent() && !valued && subject != value.NoObject {
			args[i] = value.ObjectRef(subject)
		}
	}
	result, err := t.perform(j.Unit, self, args...)
	n, _ := result.AsInt()
	var read operands
	if err != nil || n >= 0 { // once more, to hear what decided
		t.observedBy(&read, func() { t.perform(j.Unit, self, args...) })
	}
	if err != nil {
		v.Status = Undecided
		d := *diagnostic.Of(err)[0]
		word := j.Conditions[0].Word
		d.Message = fmt.Sprintf("%s %s: %s evaluation failed: %s", j.Kind, name, word, d.Message)
		v.Err, v.Operands = &d, read.list
		return v
	}
	failed := n >= 0
	if failed {
		c := j.Conditions[n]
		v.Condition, v.Operands = c.Text, read.list
		v.Err = diagnostic.New(violated, c.Span, fmt.Sprintf("%s %s: %s evaluated to false: %s", j.Kind, name, c.Word, c.Text))
		v.Status = Violated
	}
	if j.Negated {
		negate(v, j, name, e.Span())
	}
	return v
}

// negate makes of the verdict on the conditions of j that on their negation.
func negate(v *Verdict, j *lower.Judgement, name string, at source.Span) {
	if v.Status == Violated {
		v.Status, v.Err = Holds, nil
		return
	}
	var texts []string
	for _, c := range j.Conditions {
		texts = append(texts, c.Text)
	}
	v.Status = Violated
	v.Condition = "not (" + strings.Join(texts, " and ") + ")"
	v.Err = diagnostic.New(violated, at, fmt.Sprintf("%s %s: assertion evaluated to false: %s", j.Kind, name, v.Condition))
}

// assertedText is the assertion of e as declared.
func assertedText(e *model.Element, kind string) string {
	text := kind
	if e.Metaclass() == syntax.AssertConstraintUsage {
		text = "assert constraint"
		if e.Is(syntax.Negated) {
			text = "assert not constraint"
		}
	}
	if n := label(e); n != "" {
		text += " " + n
	}
	return text
}

// operands hears which features the evaluation of a condition reads last.
type operands struct{ list []Operand }

// Observe keeps the values of names and chains.
func (o *operands) Observe(e trace.Event) {
	if e.Kind != trace.Eval || e.Err != "" {
		return
	}
	if e.Word != "feature" && e.Word != "chain" || strings.HasPrefix(e.Value, "instance#") {
		return
	}
	for i := range o.list {
		if o.list[i].Text == e.Name {
			o.list[i].Value = e.Value
			return
		}
	}
	o.list = append(o.list, Operand{e.Name, e.Value})
}
