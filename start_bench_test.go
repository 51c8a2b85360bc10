package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// BenchmarkFirstValue is a whole process, from its start to the value of a
// quantity in a model that imports ISQ and SI.
func BenchmarkFirstValue(b *testing.B) {
	path := filepath.Join(b.TempDir(), "quantity.sysml")
	text := "package P { private import ISQ::*; private import SI::*; attribute m : MassValue = 5 [kg]; attribute n = m * 2; }"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		out, err := exec.Command("orrery", "-c", "P::n", path).Output()
		if err != nil || string(out) != "10.0 [kg]\n" {
			b.Fatalf("%q: %v", out, err)
		}
	}
}
