package install

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/orrery-sysml/orrery/kernel/labextension"
)

func TestExtensionComesAndGoesWhole(t *testing.T) {
	extensions := filepath.Join(t.TempDir(), "a b", "labextensions")
	for range 2 { // the second time over the first
		dir, err := InstallExtension(extensions, false)
		if err != nil {
			t.Fatal(err)
		}
		if want := filepath.Join(extensions, "orrery-sysml"); dir != want {
			t.Errorf("the extension is in %s, want %s", dir, want)
		}
		var manifest struct {
			Name       string
			Jupyterlab struct {
				Build struct{ Load string } `json:"_build"`
			}
		}
		text, err := os.ReadFile(filepath.Join(dir, "package.json"))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &manifest); err != nil {
			t.Fatal(err)
		}
		// JupyterLab asks for the file that _build.load names, below name.
		if manifest.Name != labextension.Name {
			t.Errorf("the manifest calls it %q, its folder is %q", manifest.Name, labextension.Name)
		}
		if info, err := os.Stat(filepath.Join(dir, manifest.Jupyterlab.Build.Load)); err != nil || info.IsDir() {
			t.Errorf("load: %v", err)
		}
		err = fs.WalkDir(labextension.Lab(), ".", func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				_, err = os.Stat(filepath.Join(dir, path))
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
		left, _ := os.ReadDir(extensions)
		if len(left) != 1 {
			t.Errorf("labextensions holds %v, want the one extension", left)
		}
	}
	if dir, err := UninstallExtension(extensions, false); err != nil || dir == "" {
		t.Errorf("UninstallExtension: %q, %v", dir, err)
	}
	if dir, err := UninstallExtension(extensions, false); err != nil || dir != "" {
		t.Errorf("UninstallExtension twice: %q, %v", dir, err)
	}
}

func TestExtensionOfAnotherIsLeftAlone(t *testing.T) {
	extensions := t.TempDir()
	theirs := filepath.Join(extensions, labextension.Name, "package.json")
	if err := os.Mkdir(filepath.Dir(theirs), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(theirs, []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := InstallExtension(extensions, false); code(err) != ExtensionOfAnother {
		t.Errorf("InstallExtension: %v", err)
	}
	if _, err := UninstallExtension(extensions, false); code(err) != ExtensionOfAnother {
		t.Errorf("UninstallExtension: %v", err)
	}
	if text, _ := os.ReadFile(theirs); string(text) != "{}" {
		t.Errorf("their package.json is now %s", text)
	}
	if _, err := InstallExtension(extensions, true); err != nil {
		t.Errorf("InstallExtension by force: %v", err)
	}
}

func TestKernelJSIsInTheKernelspec(t *testing.T) {
	dir, err := Install(spec, t.TempDir(), program(t, "x"), false)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "kernel.js"))
	if err != nil || string(text) != string(labextension.KernelJS()) {
		t.Errorf("kernel.js: %d bytes, %v", len(text), err)
	}
}
