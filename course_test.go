package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/notebooks"
)

// TestTheCourseStoresWhatItPutsOut copies the course out, as a reader would
// have it, and runs every notebook: what it puts out is what the repository
// stores. `go test . -run Course -args -update` stores it anew.
func TestTheCourseStoresWhatItPutsOut(t *testing.T) {
	folder, paths := course(t)
	for _, path := range paths {
		name := filepath.Base(path)
		t.Run(strings.TrimSuffix(name, ".ipynb"), func(t *testing.T) {
			run := exec.Command("orrery", "run", "--in-place", name)
			run.Dir = folder
			if printed, err := run.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, printed)
			}
			got, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			stored := filepath.Join("notebooks", name)
			if *update {
				if err := os.WriteFile(stored, got, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(stored)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s stores other outputs than a run of it; the first that differs is\n%s", stored, firstDifference(got, want))
			}
		})
	}
}

// course copies the course into a folder of its own, and gives the paths of
// its notebooks in order.
func course(t *testing.T) (folder string, paths []string) {
	t.Helper()
	folder = t.TempDir()
	t.Setenv("HOME", folder)
	t.Setenv("XDG_CONFIG_HOME", folder)
	t.Setenv("NO_COLOR", "1")
	t.Setenv("ORRERY_LIBRARY", "")
	paths, err := notebooks.CopyCourse(folder)
	if err != nil {
		t.Fatal(err)
	}
	return folder, paths
}

// firstDifference is the first line of got that want does not have in its
// place, with what stands there.
func firstDifference(got, want []byte) string {
	a, b := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			return "run:    " + a[i] + "\nstored: " + strings.Join(b[min(i, len(b)):min(i+1, len(b))], "")
		}
	}
	return "(the run's is the shorter one)"
}

type lesson struct {
	Cells []struct {
		Type     string `json:"cell_type"`
		ID       string
		Source   []string
		Metadata struct {
			Tags    []string
			Jupyter struct {
				SourceHidden bool `json:"source_hidden"`
			}
		}
	}
	Minor int `json:"nbformat_minor"`
}

func readLesson(t *testing.T, path string) lesson {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var l lesson
	if err := json.Unmarshal(text, &l); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return l
}

// givenAway is a comment of a solution that is in the text of its notebook; ""
// where none is, as it should be. The models of a solution are for the most
// part those of the exercise.
func givenAway(t *testing.T, path, text string) string {
	t.Helper()
	solution, err := os.ReadFile(path)
	if err != nil {
		t.Error(err)
	}
	lines := strings.Split(strings.TrimSpace(string(solution)), "\n")
	news := 0
	for _, line := range lines {
		if line = strings.TrimSpace(line); strings.Contains(text, line) {
			if strings.HasPrefix(line, "//") || strings.HasPrefix(line, "# ") {
				return line
			}
			continue
		}
		news++
	}
	if news == 0 {
		return "all of it"
	}
	return ""
}

// TestTheCourseHasOneForm holds every notebook of the course to what a reader
// counts on: it says what one will be able to do and how long that takes, has
// exercises with a check and a solution that no page shows, and leads to the next
// one.
func TestTheCourseHasOneForm(t *testing.T) {
	_, paths := course(t)
	if len(paths) != 12 {
		t.Errorf("the course has %d notebooks", len(paths))
	}
	loading := regexp.MustCompile(`^%(?:load|plan run) (solutions/\d\d-\d\.(?:sysml|star))(?:\n%.*)*$`)
	readable := regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
	for i, path := range paths {
		name, l := filepath.Base(path), readLesson(t, path)
		var text strings.Builder
		exercises, solutions := 0, 0
		var loaded []string
		for _, cell := range l.Cells {
			source := strings.Join(cell.Source, "")
			text.WriteString(source + "\n")
			if !readable.MatchString(cell.ID) || regexp.MustCompile(`^[0-9a-f-]{8,}$`).MatchString(cell.ID) {
				t.Errorf("%s: the id %q is not readable", name, cell.ID)
			}
			if slices.Contains(cell.Metadata.Tags, "your-turn") {
				exercises++
			}
			solution := slices.Contains(cell.Metadata.Tags, "solution")
			if solution {
				solutions++
				if !cell.Metadata.Jupyter.SourceHidden {
					t.Errorf("%s: cell %s is not collapsed", name, cell.ID)
				}
				if m := loading.FindStringSubmatch(source); m == nil {
					t.Errorf("%s: cell %s does not load its solution: %s", name, cell.ID, source)
				} else {
					loaded = append(loaded, m[1])
				}
			}
		}
		for _, file := range loaded {
			if !strings.Contains(text.String(), "[the solution]("+file+")") {
				t.Errorf("%s has no link to %s", name, file)
			}
			if line := givenAway(t, filepath.Join(filepath.Dir(path), file), text.String()); line != "" {
				t.Errorf("%s gives the solution away that is in %s: %s", name, file, line)
			}
		}
		for _, want := range []string{"\n*About ", "you can", "\n## Exercises"} {
			if !strings.Contains(text.String(), want) {
				t.Errorf("%s has no %q", name, want)
			}
		}
		if exercises < 2 || solutions < 2 || l.Minor != 5 {
			t.Errorf("%s has %d exercises and %d solutions, nbformat_minor %d", name, exercises, solutions, l.Minor)
		}
		if i+1 < len(paths) && !strings.Contains(text.String(), "]("+filepath.Base(paths[i+1])+")") {
			t.Errorf("%s does not lead to %s", name, filepath.Base(paths[i+1]))
		}
		for _, link := range regexp.MustCompile(`\]\(([^)]*\.ipynb)\)`).FindAllStringSubmatch(text.String(), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), link[1])); err != nil {
				t.Errorf("%s leads to %s, which is not there", name, link[1])
			}
		}
	}
}

// TestTheTerminalPartOfTheCourse types what the tables "type | and see" tell
// the reader to type, after the notebook has been run, and looks for the code
// in their second column in what is printed.
func TestTheTerminalPartOfTheCourse(t *testing.T) {
	folder, paths := course(t)
	row := regexp.MustCompile("(?m)^\\| `([^`]+)` \\| (.*) \\|$")
	start := regexp.MustCompile(`(?m)^    orrery (\S+\.sysml)$`)
	tables := 0
	for _, path := range paths {
		name := filepath.Base(path)
		for _, cell := range readLesson(t, path).Cells {
			text := strings.Join(cell.Source, "")
			file := start.FindStringSubmatch(text)
			if cell.Type != "markdown" || file == nil || !strings.Contains(text, "| type | and see |") {
				continue
			}
			tables++
			run := exec.Command("orrery", "run", name)
			run.Dir = folder
			if printed, err := run.CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", name, err, printed)
			}
			for _, r := range steps(row.FindAllStringSubmatch(text, -1)) {
				terminal := exec.Command("orrery", file[1])
				terminal.Dir = folder
				terminal.Stdin = strings.NewReader(r.typed)
				printed, _ := terminal.CombinedOutput() // a violation is a status of its own
				last := string(printed)
				if _, after, ok := strings.Cut(last, "marker\n"); ok {
					last = after
				}
				for _, want := range r.seen {
					if !strings.Contains(last, want) {
						t.Errorf("%s: after\n%sthe terminal says\n%s\nand not %q", name, r.typed, last, want)
					}
				}
			}
		}
	}
	if tables == 0 {
		t.Error("no notebook leads into the terminal")
	}
}

// A step is everything typed up to a line of a table, and what has to be seen
// behind a marker that is printed before the last line.
type step struct {
	typed string
	seen  []string
}

func steps(rows [][]string) []step {
	var list []step
	before := ""
	code := regexp.MustCompile("`([^`]+)`")
	for _, r := range rows {
		s := step{typed: before + "%echo marker\n" + r[1] + "\n"}
		for _, c := range code.FindAllStringSubmatch(r[2], -1) {
			s.seen = append(s.seen, c[1])
		}
		list = append(list, s)
		before += r[1] + "\n"
	}
	return list
}
