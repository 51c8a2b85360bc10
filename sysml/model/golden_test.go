package model_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/sysml/model"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestElements: the elements of the models in testdata/golden, with what they
// specialize, are typed by and have, are those of the golden files.
func TestElements(t *testing.T) {
	paths, _ := filepath.Glob("testdata/golden/*.sysml")
	if len(paths) == 0 {
		t.Fatal("no models in testdata/golden")
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		m := session(string(text))
		for _, d := range m.Check() {
			t.Errorf("%s:%d: %s: %s", path, d.Span.StartPosition().Line, d.Code, d.Message)
		}
		var b strings.Builder
		for _, e := range m.Roots() {
			describe(&b, e, "")
		}
		golden := strings.TrimSuffix(path, ".sysml") + ".golden"
		if *update {
			if err := os.WriteFile(golden, []byte(b.String()), 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if b.String() != string(want) {
			t.Errorf("%s differs from %s; run with -update and look at the difference:\n%s", path, golden, b.String())
		}
	}
}

// describe writes e and all below it, one line each.
func describe(b *strings.Builder, e *model.Element, indent string) {
	name := e.EffectiveName()
	if name == "" {
		name = "-"
	}
	fmt.Fprintf(b, "%s%s %s", indent, e.Metaclass(), name)
	if s := e.ShortName(); s != "" {
		fmt.Fprintf(b, " <%s>", s)
	}
	if types := e.Types(); len(types) > 0 {
		fmt.Fprintf(b, " : %s", names(types))
	}
	if x := e.Multiplicity(); x.Declared {
		fmt.Fprintf(b, " [%d..%d]", x.Lower, x.Upper)
	}
	if v, ok := e.Value(); ok {
		fmt.Fprintf(b, " = %s", v.Expr.Span().Text())
	}
	if all := e.RedefinitionClosure(); len(all) > 0 {
		fmt.Fprintf(b, " redefines %s", names(all))
	}
	var features []string
	for _, f := range e.Features() {
		if f.Inherited && f.Label != "" {
			label := f.Label
			if f.Redefiner != nil {
				label += " by " + f.Redefiner.EffectiveName()
			}
			features = append(features, label)
		}
	}
	if len(features) > 0 {
		fmt.Fprintf(b, " inherits %s", strings.Join(features, ", "))
	}
	b.WriteString("\n")
	for _, c := range append(e.Header(), e.Members()...) {
		describe(b, c, indent+"  ")
	}
}
