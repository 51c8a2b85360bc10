package bundle

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/orrery-sysml/orrery/plan/leaf"
)

// TestDamagedJournal: wherever a byte of a journal is another one, no run comes
// back changed; those before the damage are kept.
func TestDamagedJournal(t *testing.T) {
	name := filepath.Join(t.TempDir(), "journal")
	inputs := Inputs{Whole: "x", Tests: map[string]string{"a": "1", "b": "2"}}
	j, err := OpenJournal(name, inputs, Anew)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []string{"a", "b"} {
		j.Keep(test, nil, &leaf.Run{Outcome: leaf.Fail, Detail: "from " + test})
	}
	j.Close()
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	kept, refused := 0, 0
	for at := 0; at < len(whole); at += 3 {
		damaged := append([]byte(nil), whole...)
		damaged[at] ^= 1
		if err := os.WriteFile(name, damaged, 0o666); err != nil {
			t.Fatal(err)
		}
		j, err := OpenJournal(name, inputs, Continue)
		if err != nil {
			refused++
			continue
		}
		for _, test := range []string{"a", "b"} {
			r := j.Recall(test, nil)
			if r == nil {
				continue
			}
			if kept++; r.Detail != "from "+test || r.Outcome != leaf.Fail {
				t.Fatalf("byte %d: test %s comes back as %v %q", at, test, r.Outcome, r.Detail)
			}
		}
		j.Close()
	}
	if kept == 0 || refused == 0 {
		t.Errorf("%d runs kept, %d journals refused", kept, refused)
	}
}
