package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// open makes a session of the model files at paths. Where that fails it has
// said why, and the status is not held.
func (o *sessionOptions) open(ctx context.Context, paths []string) (*runtime.Session, int) {
	files, err := modelFiles(paths)
	if err != nil {
		complain(err)
		return nil, unusable
	}
	lib, err := o.source()
	if err != nil {
		complain(err)
		return nil, unusable
	}
	session := runtime.New(runtime.Options{Library: lib, Files: true, Settings: o.settings, Budget: o.budget})
	var texts []runtime.Text
	var found diagnostic.List
	for _, f := range files {
		tree, list := syntax.Parse(f, syntax.Options{Extensions: !o.strict})
		found = append(found, list...)
		texts = append(texts, runtime.Text{File: f, Tree: tree, Owner: f.Name})
	}
	if !found.HasErrors() {
		_, list := session.Declare(ctx, texts...)
		found = append(found, list...)
	}
	if found.HasErrors() {
		complain(found)
		return nil, failed
	}
	return session, held
}

func runInstantiate(ctx context.Context, c *invocation) int {
	var asJSON bool
	depth := 8
	c.set.BoolVar(&asJSON, "json", false, "print JSON")
	countOf(c, &depth, "depth", 0, "show objects in objects as deep as `N`")
	o := c.sessionFlags()
	if status, ok := c.parse(2, -1); !ok {
		return status
	}
	ctx, stop := interruptible(ctx)
	defer stop()
	session, status := o.open(ctx, c.rest[1:])
	if status != held {
		return status
	}
	object, err := session.Instantiate(ctx, c.rest[0], "")
	if err != nil {
		complain(err)
		return cut(ctx, failed)
	}
	tree, err := session.Features(ctx, fmt.Sprintf("#%d", object.Number), depth)
	if err != nil {
		complain(err)
		return cut(ctx, failed)
	}
	if asJSON {
		printJSON(map[string]any{"version": 1, "object": render.ObjectJSON(tree)})
	} else {
		fmt.Fprint(stdout, render.Object(tree).Text())
	}
	if unread(tree) {
		return failed
	}
	return held
}

// unread reports whether a feature value in the tree could not be read.
func unread(t *runtime.ObjectTree) bool {
	for _, f := range t.Features {
		if f.Err != nil {
			return true
		}
		if slices.ContainsFunc(f.Objects, unread) {
			return true
		}
	}
	return false
}

// cut is status, or stopped where the work was interrupted.
func cut(ctx context.Context, status int) int {
	if ctx.Err() != nil {
		return stopped
	}
	return status
}

// validateObject judges every assertion of an object of name.
func (c *invocation) validateObject(ctx context.Context, o *sessionOptions, name string, asJSON bool) int {
	session, status := o.open(ctx, c.rest)
	if status != held {
		return status
	}
	object, err := session.Instantiate(ctx, name, "")
	if err != nil {
		complain(err)
		return cut(ctx, failed)
	}
	v, err := session.Validate(ctx, fmt.Sprintf("#%d", object.Number))
	if err != nil {
		complain(err)
		return cut(ctx, failed)
	}
	if asJSON {
		printJSON(validationJSON(v))
	} else {
		fmt.Fprint(stdout, render.Validation(v).PlainText())
	}
	switch {
	case v.Valid():
		return held
	case v.Violated():
		return failed
	}
	return undecided
}

type verdictJSON struct {
	Kind      string                 `json:"kind"`
	Assertion string                 `json:"assertion"`
	Object    string                 `json:"object,omitempty"`
	Status    string                 `json:"status"`
	Condition string                 `json:"condition,omitempty"`
	Operands  []operandJSON          `json:"operands,omitempty"`
	Error     *diagnostic.Diagnostic `json:"error,omitempty"`
}

type operandJSON struct {
	Text  string `json:"text"`
	Value string `json:"value"`
}

// validationJSON is v as docs/schemas/validation.schema.json has it.
func validationJSON(v *runtime.Validation) any {
	verdicts := []verdictJSON{}
	for _, x := range v.Verdicts {
		one := verdictJSON{Kind: x.Kind, Assertion: x.Assertion, Object: x.Object, Status: x.Status.String(), Condition: x.Condition, Error: x.Err}
		for _, operand := range x.Operands {
			one.Operands = append(one.Operands, operandJSON(operand))
		}
		verdicts = append(verdicts, one)
	}
	unread := v.Unread
	if unread == nil {
		unread = []*diagnostic.Diagnostic{}
	}
	return map[string]any{"version": 1, "object": v.Object.Name, "type": v.Object.Type, "valid": v.Valid(),
		"verdicts": verdicts, "bounded": v.Bounded, "unread": unread}
}
