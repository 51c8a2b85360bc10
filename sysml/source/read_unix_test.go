//go:build unix

package source

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestReadOfNamedPipes reads a pipe that somebody writes to, and one that
// nobody does: that is refused and not waited for.
func TestReadOfNamedPipes(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(name); err == nil || !strings.Contains(err.Error(), "nobody writes") {
		t.Errorf("read without a writer: %v", err)
	}
	reader, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	writer, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := writer.WriteString("part a;"); err != nil {
		t.Fatal(err)
	}
	got := make(chan string)
	go func() {
		text, err := Read(name)
		if err != nil {
			text = []byte(err.Error())
		}
		got <- string(text)
	}()
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	if text := <-got; text != "part a;" {
		t.Errorf("read %q", text)
	}
}
