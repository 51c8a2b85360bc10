package bundle

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

func TestPlaceOfABundle(t *testing.T) {
	dir := t.TempDir()
	b := &Bundle{Manifest: &Manifest{}, Plan: json.RawMessage("{}")}
	for name, ok := range map[string]bool{
		filepath.Join(dir, "new"): true, dir: false, os.DevNull: false,
	} {
		if err := CheckPlace(name); (err == nil) != ok {
			t.Errorf("a bundle called %s: %v", name, err)
		}
	}
	file, link := filepath.Join(dir, "walk.bundle"), filepath.Join(dir, "latest")
	if err := os.Symlink(file, link); err != nil {
		return // there are no links here
	}
	if err := b.WriteFile(file); err != nil {
		t.Fatal(err)
	}
	first, _ := os.ReadFile(file)
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := b.WriteFile(link); err != nil {
		t.Fatal(err)
	}
	if at, err := os.Readlink(link); err != nil || at != file {
		t.Errorf("the link now leads to %q, %v", at, err)
	}
	if again, _ := os.ReadFile(file); !bytes.Equal(again, first) || len(again) == 0 {
		t.Errorf("the file behind the link has %d bytes, want %d", len(again), len(first))
	}
}
