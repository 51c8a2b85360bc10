package lang

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	"go.starlark.net/syntax"

	"github.com/orrery-sysml/orrery/plan/leaf"
)

// Inputs is a digest of the texts that the runs of t depend on: the statements
// of the plan that its setup, body, predicates and monitors reach, and all of
// the files that the plan loads. Other tests are no part of it, nor are
// comments and the places of statements. Models and settings are not in it:
// which files its leaves depend on, each says of itself.
func (t *Test) Inputs() string {
	h := sha256.New()
	r := t.reached
	text := t.plan.text
	for _, s := range text.Tree.Stmts {
		if r.all || t.depends(r, s) {
			start, end := s.Span()
			fmt.Fprintf(h, "%s\n", text.File.Text[text.offset(start):text.offset(end)])
		}
	}
	for _, f := range t.plan.Loaded() {
		fmt.Fprintf(h, "load %s %d\n", f.Name, len(f.Text))
		io.WriteString(h, f.Text)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// sources are the files that the top level read for t, as far as it has been
// executed.
func (t *Test) sources() []leaf.Source {
	if t.plan.options.Opened == nil {
		return nil
	}
	var list []leaf.Source
	for _, o := range t.plan.options.Opened() {
		if t.reached.all || o.At.Filename() != t.plan.text.Path || t.reached.places[at(o.At)] {
			list = append(list, o.Source)
		}
	}
	return list
}

// depends reports whether a statement of the top level says something about t.
// One that cannot be told counts.
func (t *Test) depends(r *reach, s syntax.Stmt) bool {
	switch s := s.(type) {
	case *syntax.DefStmt:
		return r.names[s.Name.Name] || s.Name.Name == t.def.name
	case *syntax.AssignStmt:
		targets := usesOf(s.LHS).names
		for n := range targets {
			if r.names[n] {
				return true
			}
		}
		return len(targets) == 0
	case *syntax.ExprStmt:
		call, ok := s.X.(*syntax.CallExpr)
		if !ok {
			return false // a text or another value that nobody takes
		}
		if id, ok := call.Fn.(*syntax.Ident); ok && id.Name == "test" {
			return at(call.Lparen) == t.def.at
		}
	}
	return true
}
