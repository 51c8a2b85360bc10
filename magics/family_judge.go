package magics

import (
	"context"

	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file judges: validation, constraints, requirements, satisfaction, cases.

const judgeFamily = "Judgements"

func judgeMagics() []*magic {
	on := flag{name: "on", kind: kindObject, summary: "the object that is judged"}
	return []*magic{
		{
			name: "validate", family: judgeFamily,
			arguments: []argument{{name: "OBJ", kind: kindObject, optional: true}},
			summary:   "judge every assertion of an object and of all that it holds",
			help:      "Each assertion holds, is violated by the values that are shown, or is undecided for the reason that is given. Without OBJ, reports the diagnostics of the model.",
			example:   "%instantiate Demo::Vehicle --as car\n%validate car",
			run:       runValidate,
		},
		{
			name: "constraint", family: judgeFamily,
			arguments: []argument{{name: "NAME", kind: kindName}},
			flags:     []flag{on},
			summary:   "judge a constraint",
			example:   "%instantiate Demo::Vehicle --as car\n%constraint Demo::Vehicle::massOk --on car",
			run:       judged((*runtime.Session).Constraint),
		},
		{
			name: "requirement", family: judgeFamily,
			arguments: []argument{{name: "NAME", kind: kindName}},
			flags:     []flag{on},
			summary:   "judge a requirement",
			example:   "%requirement Demo::light",
			run:       judged((*runtime.Session).Requirement),
		},
		{
			name: "satisfy", family: judgeFamily,
			arguments: []argument{{name: "NAME", kind: kindName, optional: true}},
			summary:   "judge the satisfaction of requirements that an element asserts, or all of them",
			example:   "%satisfy",
			run: func(c *call) error {
				list, err := c.shell.session.Satisfactions(c.ctx, c.word("NAME").text)
				if err != nil {
					return placed(err, c.word("NAME").span)
				}
				t := render.Verdicts(list)
				t.Empty = "nothing asserts the satisfaction of a requirement"
				if name := c.word("NAME").text; name != "" {
					t.Empty = name + " states no satisfaction of a requirement; %satisfy alone judges those of the whole model"
				}
				c.display(t.Bundle())
				c.verdicts(list...)
				return nil
			},
		},
		{
			name: "analysis", family: judgeFamily,
			arguments: []argument{{name: "NAME", kind: kindName}, {name: "p=EXPR", kind: kindAssignment, optional: true, repeated: true}},
			flags:     []flag{on},
			summary:   "run an analysis case",
			example:   "%analysis Demo::weigh",
			run:       runCaseMagic,
		},
		{
			name: "verify", family: judgeFamily,
			arguments: []argument{{name: "NAME", kind: kindName}, {name: "p=EXPR", kind: kindAssignment, optional: true, repeated: true}},
			flags:     []flag{on},
			summary:   "run a verification case",
			example:   "%verify Demo::checkMass",
			run:       runCaseMagic,
		},
	}
}

// judged is a magic that judges what NAME names with the given operation.
func judged(judge func(*runtime.Session, context.Context, string, string) (*runtime.Verdict, error)) func(*call) error {
	return func(c *call) error {
		v, err := judge(c.shell.session, c.ctx, c.word("NAME").text, c.word("on").text)
		if err != nil {
			return placed(err, c.word("NAME").span)
		}
		c.display(render.Verdicts([]runtime.Verdict{*v}).Bundle())
		c.verdicts(*v)
		return nil
	}
}

// verdicts makes judgements count for the status of the cell.
func (c *call) verdicts(list ...runtime.Verdict) {
	for i := range list {
		switch list[i].Status {
		case runtime.Violated:
			c.cell.verdict(1)
		case runtime.Undecided:
			c.cell.verdict(3)
		}
	}
}

// isCase reports whether e is an analysis or verification case.
func isCase(e *model.Element) bool {
	switch e.Metaclass() {
	case syntax.AnalysisCaseDefinition, syntax.AnalysisCaseUsage, syntax.VerificationCaseDefinition, syntax.VerificationCaseUsage:
		return true
	}
	return false
}

func runCaseMagic(c *call) error {
	inputs, err := c.inputs(c.words("p=EXPR"))
	if err != nil {
		return err
	}
	return c.runCase(c.word("NAME"), inputs)
}

// runCase runs the case that w names and shows what came of it.
func (c *call) runCase(w word, inputs []runtime.Argument) error {
	r, err := c.shell.session.Case(c.ctx, w.text, c.word("on").text, inputs)
	if err != nil {
		return placed(err, w.span)
	}
	c.display(render.Case(r))
	switch r.Verdict {
	case "", "pass":
	case "fail", "error":
		c.cell.verdict(1)
	default:
		c.cell.verdict(3)
	}
	if r.Err != nil {
		return placed(r.Err, w.span)
	}
	return nil
}

func runValidate(c *call) error {
	if !c.has("OBJ") {
		list := c.shell.session.Check("")
		if len(list) == 0 {
			c.printf("the model has no diagnostics\n")
			return nil
		}
		c.display(render.Diagnostics(list))
		if list.HasErrors() {
			c.cell.verdict(1)
		}
		return nil
	}
	v, err := c.shell.session.Validate(c.ctx, c.word("OBJ").text)
	if err != nil {
		return placed(err, c.word("OBJ").span)
	}
	c.display(render.Validation(v))
	switch {
	case v.Violated():
		c.cell.verdict(1)
	case !v.Valid():
		c.cell.verdict(3)
	}
	return nil
}
