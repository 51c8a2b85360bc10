package bundle

import (
	"bytes"
	"testing"
)

// FuzzRead reads anything: what is read can be written and read again.
func FuzzRead(f *testing.F) {
	var out bytes.Buffer
	if err := (&Bundle{Manifest: &Manifest{SchemaVersion: 1, Rows: []Row{{Test: "test_a"}}}, Plan: []byte("{}"), Sources: map[string][]byte{"a": []byte("b")}}).Write(&out); err != nil {
		f.Fatal(err)
	}
	f.Add(out.Bytes())
	f.Add([]byte("hello"))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := Read(bytes.NewReader(data), "b")
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := b.Write(&out); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(&out, "b"); err != nil {
			t.Error(err)
		}
	})
}
