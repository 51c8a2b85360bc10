package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// The bounds of what a reader has before their eyes at once.
const (
	longestFunction = 60  // lines, its longest switch or table counted as one
	longestFile     = 700 // lines
)

// TestFunctionsFitAScreen holds functions and files of the module, tests
// included, to the length that can be read as one thing. A switch whose cases
// call out, and a table of data, may be longer: they are read line by line.
func TestFunctionsFitAScreen(t *testing.T) {
	checked := 0
	walkSources(t, func(path string, fset *token.FileSet, f *ast.File) {
		if lines := lineCount(fset, f); lines > longestFile {
			t.Errorf("%s: %d lines, more than %d", path, lines, longestFile)
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			checked++
			if lines := lineCount(fset, fn) - longestTable(fset, fn.Body); lines > longestFunction {
				t.Errorf("%s: %s has %d lines beside its longest switch or table, more than %d",
					fset.Position(fn.Pos()), fn.Name.Name, lines, longestFunction)
			}
		}
	})
	if checked == 0 {
		t.Error("no function was looked at")
	}
}

// longestTable is how many lines the longest switch or composite literal in
// body has beyond its first.
func longestTable(fset *token.FileSet, body *ast.BlockStmt) int {
	longest := 1
	ast.Inspect(body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.CompositeLit:
			longest = max(longest, lineCount(fset, n))
		}
		return true
	})
	return longest - 1
}

func lineCount(fset *token.FileSet, n ast.Node) int {
	if f, ok := n.(*ast.File); ok {
		return fset.File(f.Pos()).LineCount()
	}
	return fset.Position(n.End()).Line - fset.Position(n.Pos()).Line + 1
}

// walkSources parses every Go file of the module.
func walkSources(t *testing.T, visit func(path string, fset *token.FileSet, f *ast.File)) {
	t.Helper()
	fset := token.NewFileSet()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules" || len(path) > 1 && strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".go":
			return nil
		}
		f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		visit(path, fset, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
