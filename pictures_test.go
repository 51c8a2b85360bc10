package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPicturesOfTheReadme keeps the pictures in docs/pictures true: each is what
// cells show last, behind the model of the same folder. `go test . -run Pictures
// -args -update` draws them anew.
func TestPicturesOfTheReadme(t *testing.T) {
	for _, p := range []struct{ file, model, cell string }{
		{"deadlock.svg", "table.sysml", "%check Table::Dine --granularity node --graph"},
		{"machine.svg", "oven.sysml", "%state Kitchen::Oven\n%send Open\n%step\n%send Start\n%step\n%advance 300\n%current"},
	} {
		t.Run(p.file, func(t *testing.T) {
			got := drawnBy(t, p.model, p.cell)
			stored := filepath.Join("docs", "pictures", p.file)
			if *update {
				if err := os.WriteFile(stored, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(stored)
			if err != nil {
				t.Fatal(err)
			}
			if string(want) != got {
				t.Errorf("%s is drawn in another way now", stored)
			}
			readme, err := os.ReadFile("README.md")
			if err != nil || !strings.Contains(string(readme), "](docs/pictures/"+p.file+")") {
				t.Errorf("the README does not show %s: %v", p.file, err)
			}
		})
	}
}

// drawnBy is the last picture that a notebook with a model and a cell shows.
func drawnBy(t *testing.T, model, cell string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("docs", "pictures", model))
	if err != nil {
		t.Fatal(err)
	}
	type code map[string]any
	cells := []code{}
	for i, source := range []string{string(text), cell} {
		cells = append(cells, code{"cell_type": "code", "id": []string{"model", "picture"}[i], "metadata": code{"tags": []string{"expected-violation"}},
			"source": source, "outputs": []any{}, "execution_count": nil})
	}
	notebook, err := json.Marshal(code{"cells": cells, "metadata": code{"language_info": code{"name": "sysml"}}, "nbformat": 4, "nbformat_minor": 5})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "picture.ipynb")
	if err := os.WriteFile(path, notebook, 0o666); err != nil {
		t.Fatal(err)
	}
	if printed, err := exec.Command("orrery", "run", "--in-place", path).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, printed)
	}
	if notebook, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	var done struct {
		Cells []struct {
			Outputs []struct{ Data map[string]json.RawMessage }
		}
	}
	if err := json.Unmarshal(notebook, &done); err != nil {
		t.Fatal(err)
	}
	svg := ""
	for _, o := range done.Cells[1].Outputs {
		var lines []string
		if err := json.Unmarshal(o.Data["image/svg+xml"], &lines); err == nil {
			svg = strings.Join(lines, "")
		}
	}
	return svg
}
