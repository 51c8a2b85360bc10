package conform

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/orrery-sysml/orrery/runtime/trace"
	language "github.com/orrery-sysml/orrery/sysml/conform"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// A Case is one case as read from its files.
type Case struct {
	Name   string // the file name without .expected.json
	Dir    string
	Expect *Expectation
	// Files are the model and the further documents that the case lists.
	Files []*source.File
	// Goldens are the traces by policy as its FileName spells it; "reverse" is
	// the one without a policy in its name.
	Goldens map[string]string
	Order   []trace.OrderConstraint
	Check   *CheckExpectation
	// Language is set for a case that judges how a model is read, not what it
	// does; Expect then has its type alone.
	Language *language.Case
	// Err says why the case cannot be judged: a schema error or a file that
	// cannot be read. Expect may then be nil.
	Err error
}

const (
	expectedSuffix = ".expected.json"
	checkSuffix    = ".check.expected.json"
	goldenSuffix   = ".trace.golden"
	orderSuffix    = ".trace.order"
)

// Load reads the cases under paths: files (the model or the expectation of a
// case) and folders, which are searched. Cases are sorted by name; one whose
// files are wrong is among them with its Err.
func Load(paths ...string) ([]*Case, error) {
	seen := map[string]bool{}
	var cases []*Case
	folders := folders{}
	add := func(stem string) {
		if !seen[stem] {
			seen[stem] = true
			cases = append(cases, read(stem, folders))
		}
	}
	for _, p := range paths {
		info, err := os.Stat(p)
		switch {
		case err != nil:
			return nil, err
		case !info.IsDir():
			add(strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(p, ".sysml"), ".kerml"), expectedSuffix))
			continue
		}
		err = filepath.WalkDir(p, func(name string, entry fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(name, expectedSuffix) && !strings.HasSuffix(name, checkSuffix) {
				add(strings.TrimSuffix(name, expectedSuffix))
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	sort.SliceStable(cases, func(i, j int) bool { return cases[i].Name < cases[j].Name })
	return cases, nil
}

// folders is the sorted names of files by folder, each folder read once: the
// files of a case are found among them.
type folders map[string][]string

// files lists the files of a case: those in its folder that begin with its
// name and a dot.
func (f folders) files(c *Case) ([]string, error) {
	names, ok := f[c.Dir]
	if !ok {
		entries, err := os.ReadDir(c.Dir)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			names = append(names, e.Name())
		}
		f[c.Dir] = names
	}
	from := sort.SearchStrings(names, c.Name+".")
	to := from
	for to < len(names) && strings.HasPrefix(names[to], c.Name+".") {
		to++
	}
	return names[from:to], nil
}

func read(stem string, f folders) *Case {
	c := &Case{Name: filepath.Base(stem), Dir: filepath.Dir(stem), Goldens: map[string]string{}}
	c.Err = c.read(stem, f)
	return c
}

func (c *Case) read(stem string, f folders) error {
	data, err := os.ReadFile(stem + expectedSuffix)
	if err != nil {
		return err
	}
	if language.IsLanguageCase(data) {
		c.Expect = &Expectation{Type: "language"}
		c.Language, err = language.Load(stem + expectedSuffix)
		return err
	}
	if c.Expect, err = Decode(data); err != nil {
		return fmt.Errorf("%s%s: %w", c.Name, expectedSuffix, err)
	}
	for _, name := range append([]string{c.Name + ".sysml"}, c.Expect.Documents...) {
		text, err := os.ReadFile(filepath.Join(c.Dir, name))
		if err != nil {
			return err
		}
		c.Files = append(c.Files, source.NewFile(name, string(text)))
	}
	if err := c.readTraces(f); err != nil {
		return err
	}
	switch data, err := os.ReadFile(stem + checkSuffix); {
	case err == nil:
		if c.Check, err = decodeCheck(data); err != nil {
			return fmt.Errorf("%s%s: %w", c.Name, checkSuffix, err)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return nil
}

func (c *Case) readTraces(f folders) error {
	names, err := f.files(c)
	if err != nil {
		return err
	}
	for _, name := range names {
		rest := strings.TrimPrefix(name, c.Name)
		if rest != orderSuffix && !strings.HasSuffix(rest, goldenSuffix) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(c.Dir, name))
		switch {
		case err != nil:
			return err
		case rest == goldenSuffix:
			c.Goldens["reverse"] = string(text)
		case rest == orderSuffix:
			if c.Order, err = trace.ParseOrder(string(text)); err != nil {
				return fmt.Errorf("%s%s: %w", c.Name, orderSuffix, err)
			}
		default:
			c.Goldens[strings.Trim(strings.TrimSuffix(rest, goldenSuffix), ".")] = string(text)
		}
	}
	return nil
}

// goldenFile is where the golden of a policy is kept.
func (c *Case) goldenFile(policy string) string {
	name := c.Name + "." + policy + goldenSuffix
	if policy == "reverse" {
		name = c.Name + goldenSuffix
	}
	return filepath.Join(c.Dir, name)
}

// ownsGolden reports whether the case has or asks for a golden of policy:
// it has one, or it asks for a default one, or it has outcomes, for which
// every other policy of the sweep is recorded too.
func (c *Case) ownsGolden(policy string) bool {
	if _, ok := c.Goldens[policy]; ok {
		return true
	}
	return c.Expect.Trace && (policy == "reverse" || len(c.Expect.Outcomes) > 0)
}
