package syntax_test

import (
	"bufio"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// The tests of this file read models that are not part of the repository. The
// environment variable ORRERY_SHARED names the folder that holds them; without
// it they have nothing to read and pass.

func shared(t *testing.T, path string) string {
	t.Helper()
	if dir := os.Getenv("ORRERY_SHARED"); dir != "" {
		return filepath.Join(dir, path)
	}
	return ""
}

// models calls f with every model below root.
func models(t *testing.T, root string, f func(t *testing.T, file *source.File)) {
	t.Helper()
	if root == "" {
		return
	}
	n := 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		language := source.SysML
		switch filepath.Ext(path) {
		case ".kerml":
			language = source.KerML
		case ".sysml":
		default:
			return nil
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(root, path)
		n++
		t.Run(name, func(t *testing.T) {
			f(t, &source.File{Name: name, Text: string(content), Language: language})
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n == 0 {
		t.Errorf("no models below %s", root)
	}
}

func wantNone(t *testing.T, diagnostics diagnostic.List) {
	t.Helper()
	for _, d := range diagnostics {
		t.Errorf("%s", diagnostic.Text(d, diagnostic.Style{}))
	}
}

func TestPublishedModelsParse(t *testing.T) {
	models(t, shared(t, "omg"), func(t *testing.T, file *source.File) {
		_, diagnostics := syntax.Parse(file, syntax.Options{})
		wantNone(t, diagnostics)
	})
}

func TestExecutionModelsParseWithExtensions(t *testing.T) {
	models(t, shared(t, "corpus/execution"), func(t *testing.T, file *source.File) {
		_, diagnostics := syntax.Parse(file, syntax.Options{Extensions: true})
		wantNone(t, diagnostics)
	})
}

// TestSyntaxCorpus checks each verdict and, for rejected models, that the
// first error stands on the line of the index or, where an end mark is
// missing, on the line before it.
func TestSyntaxCorpus(t *testing.T) {
	index := shared(t, "corpus/syntax-index.tsv")
	if index == "" {
		return
	}
	f, err := os.Open(index)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		if len(fields) < 6 || fields[0] == "file" {
			continue
		}
		t.Run(fields[0], func(t *testing.T) {
			checkVerdict(t, fields[0], fields[2], fields[1] == "accept")
		})
	}
}

func checkVerdict(t *testing.T, name, line string, accept bool) {
	content, err := os.ReadFile(shared(t, filepath.Join("corpus/syntax", name)))
	if err != nil {
		t.Fatal(err)
	}
	file := source.NewFile(name, string(content))
	if strings.HasSuffix(name, ".kerml") {
		file.Language = source.KerML
	}
	_, diagnostics := syntax.Parse(file, syntax.Options{})
	if accept {
		wantNone(t, diagnostics)
		return
	}
	if len(diagnostics) == 0 {
		t.Fatalf("accepted:\n%s", content)
	}
	if line == "end" {
		if !diagnostics[0].Incomplete {
			t.Errorf("not reported as incomplete: %s", diagnostics[0].Message)
		}
		return
	}
	want, err := strconv.Atoi(line)
	if err != nil {
		t.Fatal(err)
	}
	if got := diagnostics[0].Span.StartPosition().Line; got != want && got != want-1 {
		t.Errorf("error on line %d, want %d or the line before:\n%s", got, want, diagnostic.Text(diagnostics[0], diagnostic.Style{}))
	}
	if len(diagnostics) > 1 {
		t.Logf("%d errors", len(diagnostics))
	}
}

// TestLanguageCorpusSyntax checks that the models of the language corpus have
// syntax errors where, and only where, one is expected.
func TestLanguageCorpusSyntax(t *testing.T) {
	models(t, shared(t, "corpus/language"), func(t *testing.T, file *source.File) {
		base := strings.TrimSuffix(file.Name, filepath.Ext(file.Name))
		expected, err := os.ReadFile(shared(t, filepath.Join("corpus/language", base+".expected.json")))
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		want := strings.Contains(string(expected), `"class": "syntax"`)
		if _, diagnostics := syntax.Parse(file, syntax.Options{}); diagnostics.HasErrors() != want {
			t.Errorf("syntax error expected: %v, found: %v", want, diagnostics)
		}
	})
}
