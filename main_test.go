package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the expected outputs of the scripts and of the README")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"orrery": main})
}

// TestScripts runs the command through the scripts of testdata/script.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script", UpdateScripts: *update, RequireExplicitExec: true, RequireUniqueNames: true,
		Setup: setup,
	})
}

// setup gives a script the notebooks of the repository and no surroundings
// that could change what it prints.
func setup(env *testscript.Env) error {
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	env.Setenv("REPO", root)
	env.Setenv("HOME", env.WorkDir)
	env.Setenv("XDG_CONFIG_HOME", filepath.Join(env.WorkDir, ".config"))
	env.Setenv("NO_COLOR", "1")
	env.Setenv("ORRERY_LIBRARY", "")
	return nil
}

// TestTheTourOfTheREADME runs every console block of README.md in one folder: a
// line that starts with "$ " is a command, what follows is all that it prints.
// Files that the tour uses stand in blocks that name them: title="tank.sysml".
func TestTheTourOfTheREADME(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("XDG_CONFIG_HOME", dir)
	t.Setenv("NO_COLOR", "1")
	t.Setenv("ORRERY_LIBRARY", "")
	commands := 0
	blocks := strings.Split(string(text), "\n```")
	for i, block := range blocks {
		head, body, _ := strings.Cut(block, "\n")
		if _, title, ok := strings.Cut(head, `title="`); ok {
			if err := os.WriteFile(filepath.Join(dir, strings.TrimSuffix(title, `"`)), []byte(body+"\n"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if head != "console" {
			continue
		}
		printed := "console"
		for _, entry := range strings.Split("\n"+body, "\n$ ")[1:] {
			line, want, _ := strings.Cut(entry, "\n")
			commands++
			command := exec.Command("sh", "-c", line)
			command.Dir = dir
			got, err := command.Output()
			if err != nil {
				t.Errorf("%s: %v", line, err)
			}
			if printed += "\n$ " + line + "\n" + string(got); !*update && strings.TrimRight(want, "\n") != strings.TrimRight(string(got), "\n") {
				t.Errorf("%s prints\n%s\nand the README says\n%s", line, got, want)
			}
			printed = strings.TrimRight(printed, "\n")
		}
		blocks[i] = printed
	}
	if commands < 3 {
		t.Fatalf("the tour has %d commands", commands)
	}
	if *update {
		if err := os.WriteFile("README.md", []byte(strings.Join(blocks, "\n```")), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
