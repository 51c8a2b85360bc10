package plan

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// OtherVersion is the code of a bundle that another version of the program
// wrote.
var OtherVersion = diagnostic.Register("bundle-version",
	"A bundle was written by another version of the program. Leaves may end otherwise than its rows say: a note where the minor version differs, and refused where the major one does. Walk the plan itself to have new rows.")

// openBundle loads the plan that a bundle holds, with the sources that it was
// walked with, into the folder dir. A bundle of another major version is
// refused.
func openBundle(ctx context.Context, b *bundle.Bundle, dir string, o FileOptions) (*File, error) {
	if d := versionOf(b, o.Version); d != nil && d.Severity == diagnostic.Error {
		return nil, d
	}
	for name, text := range b.Sources {
		if !filepath.IsLocal(name) {
			return nil, diagnostic.New(bundle.Unreadable, source.Span{}, "the bundle holds a source "+name+" that leaves its folder")
		}
		target := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
			return nil, cannotWrite(target)
		}
		if err := os.WriteFile(target, text, 0o666); err != nil {
			return nil, cannotWrite(target)
		}
	}
	return OpenFile(ctx, filepath.Join(dir, b.Manifest.Plan), o)
}

// restore takes over what a walk was given on its command line, by the options
// of its manifest, where o says nothing else.
func (o *FileOptions) restore(walked map[string]string) {
	settings := maps.Clone(o.Settings)
	if settings == nil {
		settings = map[string]string{}
	}
	for _, n := range schedule.Names() {
		if text, was := walked[n]; was && settings[n] == "" {
			settings[n] = text
		}
	}
	o.Settings = settings
	for _, n := range []struct {
		name string
		n    *int
	}{{"max-options", &o.MaxOptions}, {"max-depth", &o.MaxDepth}} {
		if was, err := strconv.Atoi(walked[n.name]); err == nil && *n.n == 0 {
			*n.n = was
		}
	}
	o.Anonymous = o.Anonymous || walked["anonymous"] == "true"
}

// versionOf says how the version that wrote b differs from this one; nil where
// it does not matter.
func versionOf(b *bundle.Bundle, mine string) *diagnostic.Diagnostic {
	was := strings.TrimSpace(strings.TrimPrefix(b.Manifest.Engine, Engine))
	if was == mine || was == "" || mine == "" {
		return nil
	}
	oldMajor, oldMinor := majorMinor(was)
	major, minor := majorMinor(mine)
	if oldMajor == major && oldMinor == minor {
		return nil
	}
	d := diagnostic.New(OtherVersion, source.Span{}, fmt.Sprintf("the bundle was written by %s %s, and this is %s", Engine, was, mine))
	if oldMajor == major {
		d.Severity = diagnostic.Warning
	}
	return d
}

func majorMinor(version string) (major, minor string) {
	major, rest, _ := strings.Cut(version, ".")
	minor, _, _ = strings.Cut(rest, ".")
	return major, minor
}
