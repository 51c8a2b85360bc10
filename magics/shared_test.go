package magics

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/orrery-sysml/orrery/sysml/model"
)

// TestSharedModels asks about every element of the published training models
// and examples and of the execution corpus, and runs what runs: whatever a
// model says, no answer may be a fault of ours. Without ORRERY_SHARED it looks
// at the example model alone.
func TestSharedModels(t *testing.T) {
	files := []string{"testdata/example.sysml"}
	if shared := os.Getenv("ORRERY_SHARED"); shared != "" {
		for _, folder := range []string{"omg/training", "omg/examples", "corpus/execution"} {
			filepath.WalkDir(filepath.Join(shared, folder), func(path string, d fs.DirEntry, err error) error {
				if err == nil && strings.HasSuffix(path, ".sysml") {
					files = append(files, path)
				}
				return err
			})
		}
	}
	asked, internal := 0, 0
	slowest, slow := time.Duration(0), ""
	for _, file := range files {
		r := newReplay(t)
		path, err := filepath.Abs(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.shell.Load(t.Context(), path); err != nil {
			for _, d := range cellError(t.Context(), err).Diagnostics {
				if d.Code == "internal" {
					t.Errorf("%s: %s", file, d.Message)
				}
			}
			continue
		}
		for _, e := range named(r.shell) {
			for _, question := range questions(e) {
				ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
				start := time.Now()
				o := r.shell.Execute(ctx, Cell{Code: question}, dropped{})
				cancel()
				took := time.Since(start)
				if slowest < took {
					slowest, slow = took, file+": "+question
				}
				if took > 4*time.Second {
					t.Errorf("%s: %s went on for %v after its time was up", file, question, took-2*time.Second)
				}
				asked++
				if o.Err != nil && o.Err.Name == "internal" {
					internal++
					if internal < 30 {
						t.Errorf("%s: %s: %s", file, question, o.Err.Value)
					}
				}
			}
		}
	}
	t.Logf("%d questions about %d files; the slowest took %v: %s", asked, len(files), slowest, slow)
}

// named are the elements of the session with a name, at most 60.
func named(s *Shell) []*model.Element {
	var list []*model.Element
	for _, root := range s.roots() {
		below(root, func(e *model.Element) bool {
			if e.EffectiveName() != "" && e.QualifiedName() != "" && s.model().Find(e.QualifiedName()) == e {
				list = append(list, e)
			}
			return len(list) >= 60
		})
	}
	return list
}

// questions are cells that ask about e, by what it is.
func questions(e *model.Element) []string {
	name := e.QualifiedName()
	list := []string{name + "??", "%show " + name, "%print " + name, "%viz " + name}
	switch kind := kindOf(e); {
	case strings.HasSuffix(kind, "action def"), kind == "action", strings.HasSuffix(kind, "state def"), kind == "state":
		list = append(list, "%run "+name, "%run --trace "+name, "%explore --worlds 200 "+name, "%check --worlds 200 "+name,
			"%timeline "+name, "%action "+name, "%step 2", "%current", "%back", "%forward")
	case strings.HasSuffix(kind, "part def"), kind == "part":
		list = append(list, "%instantiate "+name+" --as it", "%features it --depth 2", "%validate it", "%why it")
	case strings.HasSuffix(kind, "calc def"), kind == "calc", kind == "attribute":
		list = append(list, "%eval "+name, "%calc "+name, "%why "+name)
	case strings.Contains(kind, "requirement"), strings.Contains(kind, "constraint"):
		list = append(list, "%requirement "+name, "%constraint "+name)
	case strings.Contains(kind, "verification"), strings.Contains(kind, "analysis"):
		list = append(list, "%run "+name)
	case kind == "view":
		list = append(list, "%view "+name)
	}
	return list
}
