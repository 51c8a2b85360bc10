package lang

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"go.starlark.net/starlark"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// A Predicate is one condition of assume.
type Predicate struct {
	Name string
	Site source.Span
	// constant is the truth of a bare boolean, function nil then.
	constant bool
	function starlark.Callable
}

// predicateSteps bounds one evaluation of a predicate.
const predicateSteps = 100_000

// A judgement is what a predicate says of an assignment.
type judgement uint8

const (
	undecided judgement = iota // the assignment is partial, and the rest matters
	holds
	fails
	raised
)

// String is j as a predicate says it.
func (j judgement) String() string {
	return [...]string{"nothing", "true", "false", "an error"}[j]
}

// newPredicate makes a predicate of the value that assume was given.
func newPredicate(v starlark.Value, lambdaName string, site source.Span) (*Predicate, error) {
	switch v := v.(type) {
	case starlark.Bool:
		return &Predicate{Name: v.String(), Site: site, constant: bool(v)}, nil
	case *starlark.Function:
		if !takesOne(v) {
			return nil, fmt.Errorf("a predicate takes one argument, the choices; %s does not", v.Name())
		}
		name := v.Name()
		if name == "lambda" {
			name = lambdaName
		}
		return &Predicate{Name: name, Site: site, function: v}, nil
	case starlark.Callable:
		return &Predicate{Name: v.Name(), Site: site, function: v}, nil
	}
	return nil, fmt.Errorf("a predicate is a function of the choices or a boolean, not %s", v.Type())
}

// takesOne reports whether f can be called with one positional argument.
func takesOne(f *starlark.Function) bool {
	positional := f.NumParams() - f.NumKwonlyParams() - count(f.HasVarargs()) - count(f.HasKwargs())
	if positional < 1 {
		return f.HasVarargs() && required(f) == 0
	}
	first := count(f.ParamDefault(0) == nil)
	return required(f) == first
}

// judge evaluates p on c. The reads are the axes it looked at, in
// alphabetical order.
func (p *Predicate) judge(ctx context.Context, texts *Texts, c *choices) (j judgement, reads []string, err error) {
	if p.function == nil {
		if p.constant {
			return holds, nil, nil
		}
		return fails, nil, nil
	}
	c.reads = map[string]bool{}
	thread, release := NewThread("assume:"+p.Name, &Context{Ctx: ctx, Phase: AtPredicate}, Limits{Steps: predicateSteps})
	defer release()
	v, err := starlark.Call(thread, p.function, starlark.Tuple{c}, nil)
	whole := c.reads[wholeRead]
	delete(c.reads, wholeRead)
	for n := range c.reads {
		reads = append(reads, n)
	}
	sort.Strings(reads)
	if errors.Is(err, ErrUndecided) || whole {
		return undecided, reads, nil
	}
	if err == nil && v == starlark.None {
		err = fmt.Errorf("%s returned None; is a return missing?", p.Name)
	}
	if err != nil {
		return raised, reads, texts.Fault(thread, err)
	}
	if v.Truth() {
		return holds, reads, nil
	}
	return fails, reads, nil
}

// judge evaluates pred on c, and once more where predicates are verified.
func (p *Plan) judge(ctx context.Context, pred *Predicate, c *choices) (j judgement, reads []string, err error) {
	j, reads, err = pred.judge(ctx, p.texts, c)
	if !p.options.VerifyPredicates {
		return j, reads, err
	}
	k, others, _ := pred.judge(ctx, p.texts, c)
	impure := func(what string) (judgement, []string, error) {
		return raised, reads, diagnostic.New(ImpurePredicate, pred.Site, "asked twice about the same choices, "+pred.Name+" "+what)
	}
	switch {
	case k != j:
		return impure(fmt.Sprintf("said %s and then %s", j, k))
	case !slices.Equal(others, reads):
		return impure(fmt.Sprintf("looked at %s and then at %s", strings.Join(reads, " and "), strings.Join(others, " and ")))
	}
	return j, reads, err
}

// ImpurePredicate is the code of a predicate that does not depend on the
// choices alone.
var ImpurePredicate = diagnostic.Register("impure-predicate",
	"With --verify-predicates every predicate of a plan is asked twice, and one said something else the second time. A predicate must depend on the choices that it is given, and on nothing else.")

// raisedReason is the reason of a leaf whose predicate p raised err.
func (p *Predicate) raisedReason(err error) string {
	return fmt.Sprintf("assume(%s) raised: %s", p.Name, diagnostic.Of(err)[0].Message)
}

func (p *Predicate) falseReason() string { return fmt.Sprintf("assume(%s) is false", p.Name) }
