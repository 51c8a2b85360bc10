package labextension

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/magics"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// src/words.js holds what the scanner reserves and what Starlark cells name: `go test -update` writes it
// anew, and otherwise the file must be what the scanner's table gives.

var update = flag.Bool("update", false, "write the table of words anew")

// table is a set of words as JavaScript, lines of at most 100 letters.
func table(name, comment string, words []string) string {
	slices.Sort(words)
	words = slices.Compact(words)
	var b strings.Builder
	fmt.Fprintf(&b, "\n// %s\nexport const %s = new Set((\n", comment, name)
	line := ""
	for i, w := range words {
		line += w
		if i == len(words)-1 {
			fmt.Fprintf(&b, "  %q\n", line)
		} else if line += " "; len(line)+len(words[i+1]) > 94 {
			fmt.Fprintf(&b, "  %q +\n", line)
			line = ""
		}
	}
	return b.String() + ").split(\" \"));\n"
}

// wordsOfTables is the text of src/words.js.
func wordsOfTables() []byte {
	var sysml, kerml, expression []string
	for _, k := range syntax.Keywords() {
		if k.SysML {
			sysml = append(sysml, k.Word)
		}
		if k.KerML {
			kerml = append(kerml, k.Word)
		}
		if k.Use&syntax.InExpression != 0 {
			expression = append(expression, k.Word)
		}
	}
	return []byte("// Written by `go test -update`: do not edit.\n" +
		table("sysml", "What SysML reserves.", sysml) +
		table("kerml", "What KerML reserves.", kerml) +
		"\nexport const reserved = { sysml, kerml };\n" +
		table("expression", "What of both can begin an expression.", expression) +
		table("builtins", "What a Starlark cell can name before it has declared anything.", builtins()))
}

// builtins are the names that a Starlark cell of a new session completes.
func builtins() (names []string) {
	const cell = "%%starlark\n"
	for _, m := range magics.New(magics.Options{}).Complete(context.Background(), cell, len(cell)).Matches {
		if m.Type != "keyword" {
			names = append(names, m.Text)
		}
	}
	return names
}

func TestWordsAreThoseOfTheScanner(t *testing.T) {
	const file = "src/words.js"
	want := wordsOfTables()
	if *update {
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what the scanner reserves and Starlark names: run go test ./kernel/labextension -update, then ./build.sh", file)
	}
}
