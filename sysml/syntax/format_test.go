package syntax_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestFormatGolden lays out every testdata/format/*.sysml and .kerml and
// compares with the file beside it that ends in .golden.
func TestFormatGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/format/*ml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no test data: %v", err)
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			file := &source.File{Name: path, Text: string(content)}
			if strings.HasSuffix(path, ".kerml") {
				file.Language = source.KerML
			}
			checkFormat(t, file, syntax.Options{Extensions: true})
			tree, _ := syntax.Parse(file, syntax.Options{Extensions: true})
			got := syntax.Format(tree)
			if *update {
				if err := os.WriteFile(path+".golden", []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path + ".golden")
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

// checkFormat checks that file formatted has the same tree, that formatting
// again changes nothing, and that no comment or note is lost.
func checkFormat(t *testing.T, file *source.File, opts syntax.Options) {
	t.Helper()
	tree, diagnostics := syntax.Parse(file, opts)
	once := syntax.Format(tree)
	again := &source.File{Name: "formatted", Text: once, Language: file.Language}
	second, diagnosticsAgain := syntax.Parse(again, opts)
	if len(diagnostics) != len(diagnosticsAgain) {
		t.Errorf("%d diagnostics before, %d after: %v\n%s", len(diagnostics), len(diagnosticsAgain), diagnosticsAgain, once)
		return
	}
	if len(diagnostics) == 0 {
		if difference := differ(reflect.ValueOf(tree.Members), reflect.ValueOf(second.Members), "tree"); difference != "" {
			t.Errorf("the tree has changed: %s\n%s", difference, once)
		}
	}
	if twice := syntax.Format(second); twice != once {
		t.Errorf("formatting twice differs: %s", firstDifference(once, twice))
	}
	if before, after := notes(file), notes(again); before != after {
		t.Errorf("notes before:\n%s\nafter:\n%s", before, after)
	}
}

func firstDifference(a, b string) string {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range as {
		if i >= len(bs) || as[i] != bs[i] {
			return fmt.Sprintf("line %d\nonce:\n%s\ntwice:\n%s", i+1, strings.Join(as[max(i-2, 0):min(i+2, len(as))], "\n"),
				strings.Join(bs[min(max(i-2, 0), len(bs)):min(i+2, len(bs))], "\n"))
		}
	}
	return "the end"
}

// notes are the notes of file, one a line.
func notes(file *source.File) string {
	var b strings.Builder
	for _, token := range syntax.Tokens(file) {
		if token.Kind == syntax.NoteToken {
			b.WriteString(strings.TrimRight(file.Text[token.Start:token.End], " \t\r") + "\n")
		}
	}
	return b.String()
}

// differ says where two trees differ in anything but places; "" where they do
// not.
func differ(a, b reflect.Value, path string) string {
	if a.Kind() == reflect.Interface || a.Kind() == reflect.Pointer {
		if a.IsNil() != b.IsNil() {
			return path + ": one is missing"
		}
		if a.IsNil() {
			return ""
		}
		return differ(a.Elem(), b.Elem(), path)
	}
	if a.Type() != b.Type() {
		return fmt.Sprintf("%s: %s against %s", path, a.Type(), b.Type())
	}
	switch v := a.Interface().(type) {
	case source.Span, syntax.Range:
		return ""
	case syntax.CommentPart:
		w := b.Interface().(syntax.CommentPart)
		if v.Text() != w.Text() || v.Locale != w.Locale || v.Language != w.Language {
			return fmt.Sprintf("%s: comment %q against %q", path, v.Text(), w.Text())
		}
		return ""
	}
	switch a.Kind() {
	case reflect.Slice:
		if a.Len() != b.Len() {
			return fmt.Sprintf("%s: %d entries against %d", path, a.Len(), b.Len())
		}
		for i := range a.Len() {
			if difference := differ(a.Index(i), b.Index(i), fmt.Sprintf("%s[%d]", path, i)); difference != "" {
				return difference
			}
		}
	case reflect.Struct:
		for i := range a.NumField() {
			if difference := differ(a.Field(i), b.Field(i), path+"."+a.Type().Field(i).Name); difference != "" {
				return difference
			}
		}
	default:
		if a.Interface() != b.Interface() {
			return fmt.Sprintf("%s: %v against %v", path, a.Interface(), b.Interface())
		}
	}
	return ""
}

// FuzzFormat checks the same of any text.
func FuzzFormat(f *testing.F) {
	for _, seed := range fuzzSeeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		file := source.NewFile("fuzz", text)
		opts := syntax.Options{Extensions: true, MaxDepth: 50}
		tree, diagnostics := syntax.Parse(file, opts)
		if len(diagnostics) == 0 {
			checkFormat(t, file, opts)
			return
		}
		once := &source.File{Name: "formatted", Text: syntax.Format(tree)}
		if before, after := tokenTexts(file), tokenTexts(once); before != after && !strings.Contains(before, malformed) {
			t.Errorf("tokens before:\n%s\nafter:\n%s", before, after)
		}
	})
}

const malformed = "malformed token"

// tokenTexts are the tokens of file, one a line; the lines of comments are
// taken without the blanks before them.
func tokenTexts(file *source.File) string {
	var b strings.Builder
	for _, token := range syntax.Tokens(file) {
		text := file.Text[token.Start:token.End]
		switch token.Kind {
		case syntax.MalformedToken:
			return malformed
		case syntax.CommentToken, syntax.NoteToken:
			text = strings.Join(strings.Fields(text), " ")
		}
		b.WriteString(text + "\n")
	}
	return b.String()
}

func TestSharedModelsFormat(t *testing.T) {
	for _, folder := range []string{"omg", "corpus"} {
		models(t, shared(t, folder), func(t *testing.T, file *source.File) {
			checkFormat(t, file, syntax.Options{Extensions: true})
		})
	}
}
