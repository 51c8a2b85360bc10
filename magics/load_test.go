package magics

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/sysml/source"
)

func TestAFolderWithTooMuchBelowItIsNotRead(t *testing.T) {
	defer func(limit int) { maxEntries = limit }(maxEntries)
	dir := t.TempDir()
	for _, name := range []string{"a.sysml", "b.sysml", "c.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("part def A;"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, x := range []struct {
		limit int
		want  string // in the error; "" for none
	}{{4, ""}, {3, "more than 3 files"}} {
		maxEntries = x.limit
		err := New(Options{}).Load(context.Background(), dir)
		if (err == nil) != (x.want == "") || err != nil && !strings.Contains(err.Error(), x.want) {
			t.Errorf("with a limit of %d: %v, want %q", x.limit, err, x.want)
		}
	}
}

// TestAFolderIsReadForItsFiles: what only looks like a model by its name is
// left out; a pipe would be waited for.
func TestAFolderIsReadForItsFiles(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.sysml"), []byte("part def A;"), 0o666); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", filepath.Join(dir, "b.sysml"))
	if err != nil {
		return // there are no such sockets here
	}
	defer l.Close()
	if err := New(Options{}).Load(context.Background(), dir); err != nil {
		t.Error(err)
	}
}

// TestAFolderIsLeftWhenInterrupted: the walk through a folder stops.
func TestAFolderIsLeftWhenInterrupted(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.sysml"), []byte("part def A;"), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	s := New(Options{})
	if _, err := s.texts(ctx, dir, source.Span{}); !errors.Is(err, context.Canceled) {
		t.Errorf("an interrupted walk: %v", err)
	}
}
