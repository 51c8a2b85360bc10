package plan

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"path/filepath"
	"sort"

	"go.starlark.net/starlark"

	"github.com/orrery-sysml/orrery/plan/api"
	"github.com/orrery-sysml/orrery/plan/lang"
	"github.com/orrery-sysml/orrery/plan/leaf"
	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/runtime/budget"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/library"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// Engine is the name of the program in bundles.
const Engine = "orrery"

// FileOptions say how a plan is loaded. The zero FileOptions use the embedded
// library and the default settings and limits.
type FileOptions struct {
	Library library.Source
	// Settings are those of the command line, by name and spelling: they hold
	// where neither a call nor use() nor an axis gives another.
	Settings   map[string]string
	Budget     budget.Budget
	Limits     lang.Limits
	Anonymous  bool // anonymous axes fan out in every test
	MaxOptions int  // of one axis; 0 for 10,000
	MaxDepth   int  // axes of one leaf; 0 for 64
	// VerifyPredicates evaluates every predicate twice.
	VerifyPredicates bool
	// Session is what model.session() gives; nil for none. Its World is
	// copied for every leaf and never changes.
	Session *runtime.Session
	// Globals are what load("session", ...) finds.
	Globals starlark.StringDict
	// Version is the program's, for bundles.
	Version string
}

// A File is a plan that was loaded, with the models it opened.
type File struct {
	plan    *lang.Plan
	models  *api.Models
	options FileOptions
}

// PlanUnreadable is the code of a plan file that cannot be read.
var PlanUnreadable = diagnostic.Register("plan-unreadable", "The plan, or a file that it loads, cannot be read.")

// OpenFile loads the plan in a file. The error is a diagnostic.
func OpenFile(ctx context.Context, name string, o FileOptions) (*File, error) {
	text, err := source.Read(name)
	if err != nil {
		return nil, diagnostic.New(PlanUnreadable, source.Span{}, name+" cannot be read")
	}
	return Open(ctx, source.NewFile(filepath.Base(name), string(text)), filepath.Dir(name), o)
}

// Open loads the plan in file; paths in it are relative to dir.
func Open(ctx context.Context, file *source.File, dir string, o FileOptions) (*File, error) {
	for name, text := range o.Settings {
		if d := new(schedule.Settings).Set(name, text); d != nil {
			return nil, d
		}
	}
	f := &File{options: o, models: &api.Models{Dir: dir, Library: o.Library, Settings: o.Settings, Budget: o.Budget, Session: o.Session}}
	values := lang.Values()
	for n, v := range api.Values() {
		values[n] = v
	}
	var err error
	f.plan, err = lang.Load(ctx, file, lang.Options{
		Builtins: api.Builtins(), Values: values, Limits: o.Limits, FanAnonymous: o.Anonymous, MaxOptions: o.MaxOptions, MaxDepth: o.MaxDepth, VerifyPredicates: o.VerifyPredicates,
		Subject: func(r leaf.Request) lang.Subject { return api.ForLeaf(f.models, r.Trace, r.Runs) },
		Opened:  f.models.Opened,
		Open:    func(name string) (*source.File, error) { return loaded(dir, name) },
		Modules: map[string]starlark.StringDict{"session": o.Globals},
	})
	f.models.Loaded()
	return f, err
}

// loaded reads a file that a plan loads; it must lie below dir.
func loaded(dir, name string) (*source.File, error) {
	if !filepath.IsLocal(name) {
		return nil, diagnostic.New(PlanUnreadable, source.Span{}, name+" lies outside the folder of the plan")
	}
	text, err := source.Read(filepath.Join(dir, name))
	if err != nil {
		return nil, diagnostic.New(PlanUnreadable, source.Span{}, name+" cannot be read")
	}
	return source.NewFile(name, string(text)), nil
}

// Plan is the plan itself.
func (f *File) Plan() *lang.Plan { return f.plan }

// Digest is that of the plan, its models, the program and the texts of the
// options: what the content of a bundle depends on.
func (f *File) Digest(options map[string]string) string {
	h := sha256.New()
	fmt.Fprintf(h, "plan/1\n%s\n%d\n%s", f.plan.File.Name, len(f.plan.File.Text), f.plan.File.Text)
	for _, x := range f.plan.Loaded() {
		fmt.Fprintf(h, "\n%s\n%d\n%s", x.Name, len(x.Text), x.Text)
	}
	for _, m := range f.models.List() {
		fmt.Fprintf(h, "\nmodel %s", m.Digest)
	}
	f.digestRest(h, options)
	return hex.EncodeToString(h.Sum(nil))
}

// digestRest adds to h what runs depend on beside texts that are read: the
// program, the session and the settings.
func (f *File) digestRest(h io.Writer, options map[string]string) {
	io.WriteString(h, Engine+" "+f.options.Version)
	if f.options.Session != nil {
		digestSession(h, f.options.Session)
	}
	for _, set := range []map[string]string{f.options.Settings, options} {
		for _, n := range sortedKeys(set) {
			fmt.Fprintf(h, "\n%s=%s", n, set[n])
		}
	}
}

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// sources are the plan, the files that it loads and those of its models, by
// their names relative to the plan, for a bundle.
func (f *File) sources() map[string][]byte {
	out := map[string][]byte{f.plan.File.Name: []byte(f.plan.File.Text)}
	add := func(x *source.File) {
		if name := filepath.ToSlash(filepath.Clean(x.Name)); filepath.IsLocal(name) {
			out[name] = []byte(x.Text)
		}
	}
	for _, x := range f.plan.Loaded() {
		add(x)
	}
	for _, m := range f.models.List() {
		for _, x := range m.Files() {
			add(x)
		}
	}
	return out
}
