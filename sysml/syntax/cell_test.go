package syntax_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// TestParts reads testdata/cell/parts.txt: cells parted by lines of ====, each
// with a line of ---- and the parts that it is read in.
func TestParts(t *testing.T) {
	const path = "testdata/cell/parts.txt"
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for cell := range strings.SplitSeq(string(content), "====\n") {
		text, want, ok := strings.Cut(cell, "----\n")
		if !ok {
			t.Fatalf("no ---- in %q", cell)
		}
		got := parts(text)
		if got != want && !*update {
			t.Errorf("cell:\n%sgot:\n%swant:\n%s", text, got, want)
		}
		all = append(all, text+"----\n"+got)
	}
	if *update {
		if err := os.WriteFile(path, []byte(strings.Join(all, "====\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func parts(text string) string {
	var b strings.Builder
	file := source.NewFile("cell", text)
	kinds := map[syntax.PartKind]string{syntax.PartDeclaration: "declaration", syntax.PartExpression: "expression",
		syntax.PartMagic: "magic"}
	for at := 0; ; {
		part := syntax.ParsePart(file, at, syntax.Options{Extensions: true})
		if part.Kind == syntax.PartEnd {
			return b.String()
		}
		fmt.Fprintf(&b, "%s: %q\n", kinds[part.Kind], part.Span.Text())
		for _, d := range part.Diagnostics {
			incomplete := ""
			if d.Incomplete {
				incomplete = "incomplete: "
			}
			fmt.Fprintf(&b, "  %s%s\n", incomplete, d.Message)
		}
		at = part.End
	}
}

// TestIncompleteCells checks that every beginning of a model is either a
// model, or reported as incomplete, or ends inside a token.
func TestIncompleteCells(t *testing.T) {
	for end := range benchmarkModel {
		file := source.NewFile("cell", benchmarkModel[:end])
		_, diagnostics := syntax.Parse(file, syntax.Options{})
		if diagnostics.HasErrors() && !diagnostics.Incomplete() && endsToken(end) {
			t.Errorf("after %q: %v", benchmarkModel[max(end-20, 0):end], diagnostic.Text(diagnostics[0], diagnostic.Style{}))
		}
	}
}

// endsToken reports whether no token of the model is cut at offset end.
func endsToken(end int) bool {
	for _, token := range syntax.Tokens(source.NewFile("model", benchmarkModel)) {
		if int(token.Start) < end && end < int(token.End) {
			return token.Kind == syntax.CommentToken && end > int(token.Start)+1
		}
	}
	return true
}
