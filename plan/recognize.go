package plan

import (
	"go.starlark.net/syntax"

	"github.com/orrery-sysml/orrery/plan/lang"
)

// IsStarlark reports whether text is a Starlark program with something in it
// that no other language would have by chance: more than names and literals.
// It resolves nothing and runs nothing.
func IsStarlark(text string) bool {
	file, err := lang.Dialect().Parse("cell", text, 0)
	if err != nil {
		return false
	}
	for _, statement := range file.Stmts {
		x, ok := statement.(*syntax.ExprStmt)
		if !ok {
			return true
		}
		switch x.X.(type) {
		case *syntax.CallExpr, *syntax.Comprehension:
			return true
		}
	}
	return false
}
