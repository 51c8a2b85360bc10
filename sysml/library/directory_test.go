package library

import (
	"archive/zip"
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// writeTree writes files below a new folder and gives its name.
func writeTree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// pack makes an archive of name and text, name and text.
func pack(t *testing.T, files ...string) string {
	t.Helper()
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	for i := 0; i < len(files); i += 2 {
		entry, err := w.Create(files[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := entry.Write([]byte(files[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.String()
}

func TestOpen(t *testing.T) {
	archive := pack(t,
		".project.json", `{"name": "packed", "version": "1.0.0"}`,
		".meta.json", `{"index": {"Packed": "Packed.kerml"}, "created": "2025-01-01T00:00:00Z"}`,
		"Packed.kerml", "package Packed;",
		"sub/Inner.sysml", "package <in> Inner; package Base;")
	dir := writeTree(t, map[string]string{
		"Kernel Libraries/Base.kerml": "\uFEFFstandard library package Base { }",
		"Two.sysml":                   "package A; package B;",
		"z.kpar":                      archive,
		"readme.txt":                  "package Readme;",
		".hidden/Hidden.sysml":        "package Hidden;",
		".Hidden.sysml":               "package Hidden;",
	})
	lib, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"Base", "A", "B", "Packed", "Inner", "Stochastic", "RandomFunctions", "OpenSysMLMathFunctions"}
	if got := lib.Names(); !slices.Equal(got, want) {
		t.Errorf("names %v, want %v", got, want)
	}
	for _, c := range []struct {
		name, file string
		language   source.Language
	}{
		{"Base", filepath.ToSlash(dir) + "/Kernel Libraries/Base.kerml", source.KerML},
		{"B", filepath.ToSlash(dir) + "/Two.sysml", source.SysML},
		{"Packed", filepath.ToSlash(dir) + "/z.kpar/Packed.kerml", source.KerML},
		{"in", filepath.ToSlash(dir) + "/z.kpar/sub/Inner.sysml", source.SysML},
		{"Stochastic", "Stochastic.sysml", source.SysML},
	} {
		f, ok := lib.Lookup(c.name)
		if !ok || f.Name != c.file || f.Language != c.language || !f.Library {
			t.Errorf("%s: got %+v, want file %s", c.name, f, c.file)
			continue
		}
		if same, _ := lib.File(c.file); same != f {
			t.Errorf("File(%q) is another file", c.file)
		}
	}
	if base, _ := lib.Lookup("Base"); base != nil && strings.HasPrefix(base.Text, "\uFEFF") {
		t.Error("the byte order mark is left in the text")
	}
	for _, hidden := range []string{"Hidden", "Readme", "ISQ"} {
		if f, ok := lib.Lookup(hidden); ok {
			t.Errorf("%s is found in %s", hidden, f.Name)
		}
	}
}

func TestOpenArchive(t *testing.T) {
	dir := writeTree(t, map[string]string{"lib.kpar": pack(t, "P.sysml", "package P;")})
	lib, err := Open(filepath.Join(dir, "lib.kpar"))
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := lib.Lookup("P"); !ok {
		t.Errorf("no P in %v", lib.Names())
	}
}

func TestOpenErrors(t *testing.T) {
	dir := writeTree(t, map[string]string{
		"empty/readme.txt": "", "bad/x.kpar": "no archive", "text.sysml": "package P;",
	})
	for _, c := range []struct{ name, want string }{
		{"missing", "no such file"},
		{"empty", "holds no .sysml or .kerml file"},
		{"bad", "x.kpar is no .kpar archive"},
		{"text.sysml", "text.sysml is no .kpar archive"},
	} {
		_, err := Open(filepath.Join(dir, c.name))
		d, ok := errors.AsType[*diagnostic.Diagnostic](err)
		if !ok || d.Code != Unreadable || !strings.Contains(d.Message, c.want) || !strings.Contains(d.Message, c.name) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}

func TestJoin(t *testing.T) {
	text := func(s string) group {
		return group{ext: ".sysml", names: "A", expand: func(w *strings.Builder, _ string) { write(w, s) }}
	}
	first := newEmbedded([]group{text("first")})
	second := newEmbedded([]group{text("second"), {ext: ".kerml", names: "B", expand: func(*strings.Builder, string) {}}})
	lib := Join(first, second)
	if f, _ := lib.Lookup("A"); f.Text != "first" {
		t.Errorf("A is %q", f.Text)
	}
	if f, _ := lib.File("A.sysml"); f.Text != "first" {
		t.Errorf("A.sysml is %q", f.Text)
	}
	if _, ok := lib.Lookup("B"); !ok {
		t.Error("B is not found")
	}
	if got := strings.Join(append(lib.Names(), lib.Files()...), " "); got != "A B A.sysml B.kerml" {
		t.Errorf("got %s", got)
	}
}
