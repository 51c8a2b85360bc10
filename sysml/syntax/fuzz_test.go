package syntax_test

import (
	"testing"

	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

var fuzzSeeds = []string{
	benchmarkModel,
	"part def A { attribute x : Real = 1 + 2 * 3 [kg]; }",
	"state s parallel { state a; entry; then a; accept T via p if g do action { } then b; }",
	"calc f { in x; if x > 0 ? x else -x }",
	"action { if a { } else if b { } else { } while c { } until d; for i : T in (1, 2) { assign x.y := z; } }",
	"%run a\nx + 1\n-2\npart y;",
	"#m part <'a b'> 'c\\'d' :> $::A::b.c, d [0..*] ordered default := null;",
	"connection c connect ([1] a ::> b, c.d); flow of T[2] from a.b to c.d; message a to b;",
	"private import all a::*::**[@m and x == \"s\"]; alias <b> c for d; filter @M;",
	"/* text */ //* note */ // note\ndoc /* */",
	"association", "assoc struct A all specializes B { end feature a [1] featured by C; } subset a.b :> c; inv { x->exists{in y; y} }",
}

// FuzzParse checks that parsing ends without a panic, and that every node
// lies inside the one that holds it.
func FuzzParse(f *testing.F) {
	for _, seed := range fuzzSeeds {
		f.Add(seed, false, false)
		f.Add(seed, true, false)
		f.Add(seed, true, true)
	}
	f.Fuzz(func(t *testing.T, text string, extensions, kerml bool) {
		file := source.NewFile("fuzz", text)
		if kerml {
			file.Language = source.KerML
		}
		opts := syntax.Options{Extensions: extensions, MaxDepth: 50}
		tree, diagnostics := syntax.Parse(file, opts)
		for _, d := range diagnostics {
			if d.Span.Start < 0 || d.Span.End < d.Span.Start || int(d.Span.End) > len(text) {
				t.Errorf("diagnostic at [%d, %d) of %d bytes: %s", d.Span.Start, d.Span.End, len(text), d.Message)
			}
		}
		checkSpans(t, tree.Members, 0, int32(len(text)))
		syntax.ParseExpression(file, 0, opts)
	})
}

func checkSpans(t *testing.T, members []*syntax.Decl, start, end int32) {
	t.Helper()
	for _, d := range members {
		if d.Metaclass == syntax.NoMetaclass {
			t.Errorf("a member without metaclass")
		}
		if d.Span.Start < start || d.Span.End > end || d.Span.End < d.Span.Start {
			t.Errorf("%s [%d, %d) outside of [%d, %d)", d.Metaclass, d.Span.Start, d.Span.End, start, end)
		}
		start = d.Span.End
		if d.Body != nil {
			if d.Body.Start < d.Span.Start || d.Body.End > d.Span.End {
				t.Errorf("body [%d, %d) outside of %s [%d, %d)", d.Body.Start, d.Body.End, d.Metaclass, d.Span.Start, d.Span.End)
			}
			checkSpans(t, d.Body.Members, d.Body.Start, d.Body.End)
		}
	}
}

// FuzzParsePart checks that a cell is read to its end in parts that follow
// each other.
func FuzzParsePart(f *testing.F) {
	for _, seed := range fuzzSeeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		file := source.NewFile("cell", text)
		for at := 0; ; {
			part := syntax.ParsePart(file, at, syntax.Options{Extensions: true, MaxDepth: 50})
			if part.Kind == syntax.PartEnd {
				break
			}
			if part.End <= at || part.End > len(text) {
				t.Fatalf("a part at %d ends at %d of %d", at, part.End, len(text))
			}
			if part.Kind == syntax.PartExpression && part.Expr == nil {
				t.Fatalf("no expression at %d", at)
			}
			at = part.End
		}
	})
}
