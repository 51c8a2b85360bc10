package notebooks

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/orrery-sysml/orrery/magics"
	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// echo is a Shell whose cells are a word and its text: each line of a cell is
// one output.
type echo struct{}

func (echo) Execute(ctx context.Context, cell magics.Cell, sink magics.Sink) magics.Outcome {
	for line := range strings.Lines(strings.TrimSuffix(cell.Code, "\n")) {
		word, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch word {
		case "print":
			sink.Stream(magics.Stdout, rest+"\n")
		case "write":
			sink.Stream(magics.Stdout, rest)
		case "warn":
			sink.Stream(magics.Stderr, rest+"\n")
		case "show":
			sink.Display(render.Text(rest).With(render.HTML, "<b>"+rest+"</b>\n<i/>").With(render.JSON, `{"b":1.50,"a":[]}`), "")
		case "live":
			sink.Display(render.Text("0 %"), "bar")
		case "done":
			sink.Update("bar", render.Text("100 %"))
		case "clear":
			sink.Clear(rest == "wait")
		case "value":
			sink.Result(render.Text(rest))
		case "ask":
			if _, err := sink.Ask(ctx, "name? ", false); err != nil {
				return failure(diagnostic.Of(err)[0])
			}
		case "fail":
			return failure(diagnostic.New("sample", source.Span{}, rest))
		case "sleep":
			<-ctx.Done()
			return failure(diagnostic.New(diagnostic.Interrupted, source.Span{}, "stopped"))
		case "violated":
			return magics.Outcome{Verdict: 1}
		case "undecided":
			return magics.Outcome{Verdict: 3}
		case "attribute", "%%starlark", "n":
		default:
			return failure(diagnostic.New("sample", source.Span{}, "unknown word "+word))
		}
	}
	return magics.Outcome{}
}

func failure(d *diagnostic.Diagnostic) magics.Outcome {
	return magics.Outcome{Err: &magics.CellError{Name: string(d.Code), Value: d.Message, Diagnostics: diagnostic.List{d}}, Verdict: 1}
}

// document is a notebook of code cells; a cell may start with its tags in
// brackets.
func document(minor int, cells ...string) string {
	var list []any
	for _, c := range cells {
		cell := object{"cell_type": "code", "metadata": object{"kept": "yes"}, "source": c, "outputs": []any{}, "execution_count": 7}
		if strings.HasPrefix(c, "[") {
			tags, rest, _ := strings.Cut(c[1:], "]")
			cell["metadata"], cell["source"] = object{"tags": []any{tags}}, rest
		}
		if minor >= 5 {
			cell["id"] = fmt.Sprintf("id-%d", len(list))
		}
		list = append(list, cell)
	}
	text, _ := json.Marshal(object{"nbformat": 4, "nbformat_minor": minor, "cells": list, "metadata": object{"mine": 1.0}})
	return string(text)
}

func run(t *testing.T, text string, o Options) (status int, out, errs, executed string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "nb.ipynb")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	o.Out, o.Err = &stdout, &stderr
	o.Output = path + ".out"
	status = Run(context.Background(), path, echo{}, o)
	written, _ := os.ReadFile(o.Output)
	return status, stdout.String(), stderr.String(), string(written)
}

func TestExecutedNotebookIsStoredAsJupyterStoresIt(t *testing.T) {
	status, out, errs, executed := run(t, document(4,
		"print one\nwrite tw\nwrite o\nwarn careful\nvalue 42",
		"show <me>\nlive",
		"",
		"print old\nclear wait\nprint new\ndone",
		"[raises-exception]print before\nfail on purpose",
		"print \u2028 and \\u2028"), Options{})
	if status != Held {
		t.Errorf("status %d, want %d", status, Held)
	}
	golden(t, "stored.golden", "-- out --\n"+out+"-- err --\n"+errs+"-- notebook --\n"+executed)
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (rewrite with -args -update):\n%s", name, got)
	}
}

func TestStatusOfARun(t *testing.T) {
	for _, c := range []struct {
		name, text string
		o          Options
		status     int
		errs       string // wanted in what is printed as an error
		executed   string // wanted in the executed notebook
	}{
		{"failing cell ends the run", document(5, "print a", "fail x", "print never"), Options{}, Failed, "error[sample]: x", `"output_type": "error"`},
		{"undecided cell", document(5, "undecided", "print on"), Options{}, Undecided, "", `"on\n"`},
		{"a violation is a failure and the run goes on", document(5, "violated", "undecided", "print on"), Options{}, Failed, "", `"on\n"`},
		{"an expected violation", document(5, "[expected-violation]violated", "print on"), Options{}, Held, "", `"on\n"`},
		{"out of time", document(5, "sleep", "print never"), Options{Timeout: 20 * time.Millisecond}, Stopped, "longer than 20ms", "cell-timeout"},
		{"asking nobody", document(5, "ask"), Options{}, Failed, "nobody is there to answer", "cannot-ask"},
		{"no JSON", "{\n \"cells\": [,]}", Options{}, Unusable, "nb.ipynb:2:12", ""},
		{"a byte order mark", "\ufeff" + document(5, "print on"), Options{}, Held, "", `"on\n"`},
		{"half a notebook", `{"nbformat": 4, "cells": [`, Options{}, Unusable, "ends inside", ""},
		{"empty file", " \n", Options{}, Unusable, "the file is empty", ""},
		{"a list", "[]", Options{}, Unusable, "not a JSON object", ""},
		{"more behind", document(5) + "x", Options{}, Unusable, "behind the end", ""},
		{"no format", "{}", Options{}, Unusable, "no nbformat", ""},
		{"old format", `{"nbformat": 3, "worksheets": []}`, Options{}, Unusable, "format 3", ""},
		{"format of the far future", `{"nbformat": 4e99, "cells": []}`, Options{}, Unusable, "format 4e99", ""},
		{"no cells", `{"nbformat": 4, "nbformat_minor": 5}`, Options{}, Unusable, "no list of cells", ""},
		{"cell is a number", `{"nbformat": 4, "cells": [1]}`, Options{}, Unusable, "cell 1 is not an object", ""},
		{"cell of no type", `{"nbformat": 4, "cells": [{}]}`, Options{}, Unusable, "cell 1 has no cell_type", ""},
		{"cell of unknown type", `{"nbformat": 4, "cells": [{"cell_type": "x"}]}`, Options{}, Unusable, `unknown cell_type "x"`, ""},
		{"source is a number", `{"nbformat": 4, "cells": [{"cell_type": "code", "source": 1}]}`, Options{}, Unusable, "source that is no text", ""},
		{"another kernel", `{"nbformat": 4, "cells": [], "metadata": {"kernelspec": {"name": "py", "language": "python"}}}`, Options{}, Unusable, "language is python", ""},
		{"no parameters cell", document(5, "print"), Options{Parameters: []Parameter{{"n", "1"}}}, Unusable, `no cell tagged "parameters"`, ""},
		{"unknown parameter", document(5, "[parameters]attribute m = 1;"), Options{Parameters: []Parameter{{"n", "1"}}}, Unusable, "it has m", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, _, errs, executed := run(t, c.text, c.o)
			if status != c.status {
				t.Errorf("status %d, want %d", status, c.status)
			}
			if !strings.Contains(errs, c.errs) {
				t.Errorf("printed %q, want %q in it", errs, c.errs)
			}
			if !strings.Contains(executed, c.executed) {
				t.Errorf("executed notebook lacks %q:\n%s", c.executed, executed)
			}
			if strings.Contains(executed, "never") && strings.Contains(executed, `"never\n"`) {
				t.Error("a cell behind the failing one was executed")
			}
		})
	}
}

func TestParametersFillTheTaggedCell(t *testing.T) {
	for _, c := range []struct{ text, name, value, want string }{
		{"attribute n : Integer = 3; // three", "n", "5", "attribute n : Integer = 5; // three"},
		{"private attribute 'a b' := 1;\nattribute b = 2;", "a b", "-1.5", "private attribute 'a b' := -1.5;\nattribute b = 2;"},
		{`attribute s : String = "x; y";`, "s", `it's`, `attribute s : String = "it's";`},
		{"%%starlark\nn = 3  # three\nm = 4", "n", "[1, 2]", "%%starlark\nn = [1, 2]  # three\nm = 4"},
		{"%%starlark\ns = 'a'", "s", `b"c`, `%%starlark` + "\n" + `s = "b\"c"`},
	} {
		nb, err := read("nb", []byte(document(5, "[parameters]"+c.text)))
		if err != nil {
			t.Fatal(err)
		}
		if err := nb.fill([]Parameter{{c.name, c.value}}); err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if got, _ := joined(nb.cells[0]["source"]); got != c.want {
			t.Errorf("%s = %s in\n%s\ngives\n%s\nwant\n%s", c.name, c.value, c.text, got, c.want)
		}
	}
}

func TestInPlaceKeepsTheNotebookOfAKilledRun(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "nb.ipynb")
	if err := os.WriteFile(path, []byte(document(5, "print a")), 0o640); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link.ipynb")
	if err := os.Symlink("nb.ipynb", link); err != nil {
		t.Fatal(err)
	}
	if status := Run(context.Background(), link, echo{}, Options{InPlace: true}); status != Held {
		t.Fatalf("status %d", status)
	}
	info, err := os.Lstat(path)
	if err != nil || info.Mode() != 0o640 {
		t.Errorf("mode %v, want 0640 (%v)", info.Mode(), err)
	}
	text, _ := os.ReadFile(path)
	if !strings.Contains(string(text), `"a\n"`) {
		t.Errorf("not executed in place:\n%s", text)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".orrery-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(document(4, "print a", "[parameters]attribute n = 1;")))
	f.Add([]byte(`{"nbformat":4,"cells":[{"cell_type":"code","source":["a"]}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		nb, err := read("nb", text)
		if err != nil {
			return
		}
		again, err := read("nb", nb.bytes())
		if err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
		if !bytes.Equal(nb.bytes(), again.bytes()) {
			t.Fatal("writing twice gives different bytes")
		}
	})
}
