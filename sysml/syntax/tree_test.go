package syntax_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// testFile reads a file of test data; its ending says the notation, and a
// name that starts with "extension" turns the extensions on.
func testFile(t *testing.T, path string) (*source.File, syntax.Options) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file := &source.File{Name: path, Text: string(content)}
	if strings.HasSuffix(path, ".kerml") {
		file.Language = source.KerML
	}
	return file, syntax.Options{Extensions: strings.HasPrefix(filepath.Base(path), "extension")}
}

// TestParseData reads testdata/parse. A file holds texts parted by lines of
// three dashes; `// want "regexp"` stands on the line of each error, or
// `// want+1 "regexp"` on the line before, and is matched against its message
// and hint. Lines without it must have no error.
func TestParseData(t *testing.T) {
	files, err := filepath.Glob("testdata/parse/*ml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no test data: %v", err)
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			file, opts := testFile(t, path)
			line := 0
			for _, chunk := range strings.SplitAfter(file.Text, "\n---\n") {
				checkChunk(t, &source.File{Name: path, Text: strings.TrimSuffix(chunk, "---\n"), Language: file.Language}, line, opts)
				line += strings.Count(chunk, "\n")
			}
		})
	}
}

var wantComment = regexp.MustCompile(`// want(\+1)? ("(?:[^"\\]|\\.)*")`)

func checkChunk(t *testing.T, file *source.File, before int, opts syntax.Options) {
	t.Helper()
	wants := map[int]*regexp.Regexp{}
	for i, line := range strings.Split(file.Text, "\n") {
		if m := wantComment.FindStringSubmatch(line); m != nil {
			var pattern string
			if _, err := fmt.Sscanf(m[2], "%q", &pattern); err != nil {
				t.Fatalf("line %d: %v", before+i+1, err)
			}
			wants[i+1+len(m[1])/2] = regexp.MustCompile(pattern)
		}
	}
	_, diagnostics := syntax.Parse(file, opts)
	for _, d := range diagnostics {
		line := d.Span.StartPosition().Line
		want := wants[line]
		if said := d.Message + ". " + d.Hint; want == nil {
			t.Errorf("line %d: %s", before+line, diagnostic.Text(d, diagnostic.Style{}))
		} else if !want.MatchString(said) {
			t.Errorf("line %d: got %q, want a match of %q", before+line, said, want)
		}
		delete(wants, line)
	}
	for line, want := range wants {
		t.Errorf("line %d: no error, want %q", before+line, want)
	}
}

// TestTreeGolden compares the tree of each testdata/tree file with the golden
// file beside it, places left out.
func TestTreeGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/tree/*ml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no test data: %v", err)
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			file, opts := testFile(t, path)
			tree, diagnostics := syntax.Parse(file, opts)
			wantNone(t, diagnostics)
			var b strings.Builder
			for _, d := range tree.Members {
				b.WriteString("\n" + firstLine(d.Span.Text()) + "\n")
				dump(&b, reflect.ValueOf(d), 1, "")
			}
			for _, e := range tree.Extensions {
				fmt.Fprintf(&b, "extension: %s (%s)\n", e.Name, firstLine(e.Span.Text()))
			}
			if *update {
				if err := os.WriteFile(path+".golden", []byte(b.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path + ".golden")
			if err != nil {
				t.Fatal(err)
			}
			if b.String() != string(want) {
				t.Errorf("differs: %s", firstDifference(b.String(), string(want)))
			}
		})
	}
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}

// dump writes what is set in v, one node a line.
func dump(b *strings.Builder, v reflect.Value, depth int, label string) {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return
		}
		v = v.Elem()
	}
	if label != "" {
		label += ": "
	}
	indent := strings.Repeat("  ", depth)
	if scalar, ok := scalarText(v); ok {
		b.WriteString(indent + label + scalar + "\n")
		return
	}
	b.WriteString(indent + label + v.Type().Name())
	var below []int
	for i := range v.NumField() {
		field := v.Field(i)
		if field.IsZero() {
			continue
		}
		if scalar, ok := scalarText(field); ok {
			if scalar != "" {
				fmt.Fprintf(b, " %s=%s", v.Type().Field(i).Name, scalar)
			}
			continue
		}
		below = append(below, i)
	}
	b.WriteString("\n")
	for _, i := range below {
		field, name := v.Field(i), v.Type().Field(i).Name
		if field.Kind() != reflect.Slice {
			dump(b, field, depth+1, name)
			continue
		}
		for j := range field.Len() {
			dump(b, field.Index(j), depth+1, name)
		}
	}
}

// scalarText is the text of a value that is written on the line of its owner;
// "" for places, which are left out.
func scalarText(v reflect.Value) (string, bool) {
	switch x := v.Interface().(type) {
	case source.Span, syntax.Range, syntax.Node:
		return "", true
	case syntax.Name:
		return x.Text, true
	case syntax.QualifiedName:
		return nameText(x), true
	case []syntax.QualifiedName:
		var all []string
		for _, q := range x {
			all = append(all, nameText(q))
		}
		return strings.Join(all, ","), true
	case syntax.Reference:
		var links []string
		for _, q := range x.Links {
			links = append(links, nameText(q))
		}
		return strings.Join(links, "."), true
	case syntax.Flags:
		return flagsText(x), true
	case fmt.Stringer:
		if x.String() == "" {
			return fmt.Sprintf("%d", x), true
		}
		return x.String(), true
	}
	switch v.Kind() {
	case reflect.String:
		return fmt.Sprintf("%q", v.String()), true
	case reflect.Bool, reflect.Uint8:
		return fmt.Sprint(v.Interface()), true
	}
	return "", false
}

func nameText(q syntax.QualifiedName) string {
	var segments []string
	if q.Global {
		segments = append(segments, "$")
	}
	for _, s := range q.Segments {
		segments = append(segments, s.Text)
	}
	return strings.Join(segments, "::")
}

func flagsText(flags syntax.Flags) string {
	names := []string{"abstract", "variation", "derived", "constant", "ref", "end", "individual", "snapshot", "timeslice",
		"composite", "portion", "var", "ordered", "nonunique", "sufficient", "parallel", "negated", "standard", "byReference",
		"extended", "broken"}
	var set []string
	for i, name := range names {
		if flags&(1<<i) != 0 {
			set = append(set, name)
		}
	}
	return strings.Join(set, "+")
}
