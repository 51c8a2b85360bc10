package bundle

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/plan/leaf"
)

// packed is an archive of members as they come.
func packed(t *testing.T, members ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	archive := tar.NewWriter(zip)
	for i := 0; i < len(members); i += 2 {
		if err := archive.WriteHeader(&tar.Header{Name: members[i], Size: int64(len(members[i+1])), Mode: 0o644}); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Write([]byte(members[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	archive.Close()
	zip.Close()
	return out.Bytes()
}

// TestRefused is T98: what is no bundle, or one of a newer version, is refused.
func TestRefused(t *testing.T) {
	const good = `{"schema_version": 1, "rows": []}`
	tests := []struct {
		name, want string
		data       []byte
	}{
		{"no archive", "not an archive", []byte("hello")},
		{"no manifest", "has no manifest.json", packed(t, "plan.json", "{}")},
		{"newer", "schema version 9", packed(t, ManifestName, `{"schema_version": 9}`)},
		{"no version", "schema version 0", packed(t, ManifestName, `{}`)},
		{"no JSON", "no JSON", packed(t, ManifestName, `hello`)},
		{"another shape", "another shape", packed(t, ManifestName, `{"schema_version": 1, "rows": 3}`)},
		{"path upwards", "leaves the archive", packed(t, ManifestName, good, "sources/../../etc/passwd", "x")},
		{"path from the root", "leaves the archive", packed(t, ManifestName, good, "/etc/passwd", "x")},
		{"path with backslashes", "leaves the archive", packed(t, ManifestName, good, `sources\..\x`, "x")},
		{"cut off", "cut off", packed(t, ManifestName, good)[:40]},
	}
	for _, test := range tests {
		if _, err := Read(bytes.NewReader(test.data), "b"); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
	for name, data := range map[string][]byte{"a manifest": packed(t, ManifestName, good), "packed again": packed(t, ManifestName, good, "sources/", "", "sources/p.star", "x")} {
		if _, err := Read(bytes.NewReader(data), "b"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestCounts holds the counts to their sum.
func TestCounts(t *testing.T) {
	var s Summary
	for i, o := range leaf.Outcomes() {
		s.Add(o, i+1)
	}
	sum := 0
	for _, o := range leaf.Outcomes() {
		sum += s.Count(o)
	}
	if sum != s.Leaves || s.Passed != 1 || s.NotRun != 6 || s.Decided() != 1+2+3 {
		t.Errorf("%+v", s)
	}
	var twice Summary
	twice.Plus(s)
	twice.Plus(s)
	if twice.Leaves != 2*s.Leaves || twice.Halted != 2*s.Halted {
		t.Errorf("%+v", twice)
	}
}

func TestFingerprint(t *testing.T) {
	a := &leaf.Run{Outcome: leaf.Fail, Site: "body.expect#1", Reason: `only 1.5 h of "a"`}
	b := &leaf.Run{Outcome: leaf.Fail, Site: "body.expect#1", Reason: `only 2 h of "bcd"`}
	c := &leaf.Run{Outcome: leaf.Fail, Site: "body.expect#2", Reason: `only 2 h of "bcd"`}
	if Fingerprint(a) != Fingerprint(b) || Fingerprint(a) == Fingerprint(c) || Fingerprint(&leaf.Run{Outcome: leaf.Pass}) != "" {
		t.Error(Fingerprint(a), Fingerprint(b), Fingerprint(c))
	}
}
