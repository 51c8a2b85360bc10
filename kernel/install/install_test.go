package install

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
)

var spec = Spec{Name: "sysml", DisplayName: "SysML v2", Language: "sysml",
	Arguments: []string{"kernel", "{connection_file}"}, Version: "1.2.3"}

// program writes something that stands for the running executable.
func program(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "prög ram")
	if err := os.WriteFile(path, []byte(content), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func code(err error) diagnostic.Code {
	if err == nil {
		return ""
	}
	return diagnostic.Of(err)[0].Code
}

func readSpec(t *testing.T, dir string) (k kernelJSON) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "kernel.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &k); err != nil {
		t.Fatal(err)
	}
	return k
}

func TestInstallLaysDownAWholeKernelspec(t *testing.T) {
	kernels := filepath.Join(t.TempDir(), "a b", "kernels")
	dir, err := Install(spec, kernels, program(t, "one"), false)
	if err != nil {
		t.Fatal(err)
	}
	k := readSpec(t, dir)
	if want := []string{filepath.Join(dir, binary()), "kernel", "{connection_file}"}; !slices.Equal(k.Argv, want) {
		t.Errorf("argv = %q, want %q", k.Argv, want)
	}
	if k.Protocol != "5.5" || k.InterruptMode != "message" || k.Language != "sysml" || k.DisplayName != "SysML v2" {
		t.Errorf("kernel.json = %+v", k)
	}
	for _, name := range []string{"logo-32x32.png", "logo-64x64.png", "logo-svg.svg"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	info, err := os.Stat(k.Argv[0])
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode()&0o111 == 0 {
		t.Errorf("the copy is not executable: %v", info.Mode())
	}

	// Again, with a newer executable.
	if _, err := Install(spec, kernels, program(t, "two"), false); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(k.Argv[0]); string(text) != "two" {
		t.Errorf("the copy holds %q after an update", text)
	}
	left, _ := os.ReadDir(kernels)
	if len(left) != 1 {
		t.Errorf("kernels holds %v, want the one kernelspec", left)
	}
}

func TestInstallLeavesOthersAlone(t *testing.T) {
	kernels := t.TempDir()
	dir := filepath.Join(kernels, "sysml")
	theirs := []byte(`{"argv": ["java"], "display_name": "SysML", "language": "sysml"}`)
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "kernel.json"), theirs, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Install(spec, kernels, program(t, "x"), false); code(err) != NotOurs {
		t.Errorf("Install over another's kernelspec: %v", err)
	}
	if _, err := Uninstall("sysml", kernels, false); code(err) != NotOurs {
		t.Errorf("Uninstall of another's kernelspec: %v", err)
	}
	if text, _ := os.ReadFile(filepath.Join(dir, "kernel.json")); string(text) != string(theirs) {
		t.Errorf("another's kernel.json is now %s", text)
	}
	if _, err := Install(spec, kernels, program(t, "x"), true); err != nil {
		t.Errorf("Install by force: %v", err)
	}
	if _, err := Uninstall("sysml", kernels, false); err != nil {
		t.Errorf("Uninstall of ours: %v", err)
	}
	if _, err := Uninstall("sysml", kernels, false); code(err) != NotInstalled {
		t.Errorf("Uninstall twice: %v", err)
	}
}

func TestInstallThatFailsLeavesWhatWasThere(t *testing.T) {
	kernels := t.TempDir()
	dir, err := Install(spec, kernels, program(t, "one"), false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Install(spec, kernels, filepath.Join(kernels, "no such program"), false); code(err) != CannotInstall {
		t.Errorf("Install of what does not exist: %v", err)
	}
	if text, _ := os.ReadFile(filepath.Join(dir, binary())); string(text) != "one" {
		t.Errorf("the kernelspec lost its program: %q", text)
	}
}

func TestKernelspecsShareTheExecutable(t *testing.T) {
	kernels := t.TempDir()
	dir, err := Install(spec, kernels, program(t, "one"), false)
	if err != nil {
		t.Fatal(err)
	}
	second := spec
	second.Name = "starlark"
	other, err := Install(second, kernels, filepath.Join(dir, binary()), false)
	if err != nil {
		t.Fatal(err)
	}
	a, err := os.Stat(filepath.Join(dir, binary()))
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.Stat(filepath.Join(other, binary()))
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "linux" && !os.SameFile(a, b) {
		t.Error("the executable lies there twice")
	}
	// An update of one, and its removal, leave the other alone.
	if _, err := Install(spec, kernels, program(t, "two"), false); err != nil {
		t.Fatal(err)
	}
	if _, err := Uninstall("sysml", kernels, false); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(filepath.Join(other, binary())); string(text) != "one" {
		t.Errorf("the other executable holds %q", text)
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]diagnostic.Code{
		"sysml": "", "SysML-2.0_x": "", "": BadName, "a b": BadName, "../x": BadName, "..": BadName, "é": BadName,
	} {
		s := spec
		s.Name = name
		if _, err := Install(s, t.TempDir(), program(t, "x"), false); code(err) != want {
			t.Errorf("Install as %q: %v, want code %q", name, err, want)
		}
	}
}

func TestPlaces(t *testing.T) {
	t.Setenv("JUPYTER_DATA_DIR", filepath.Join("/", "data"))
	t.Setenv("VIRTUAL_ENV", filepath.Join("/", "env"))
	for _, c := range []struct {
		place Place
		want  string
	}{
		{Place{}, "/data/kernels"},
		{Place{SysPrefix: true}, "/env/share/jupyter/kernels"},
		{Place{Prefix: "/opt/x"}, "/opt/x/share/jupyter/kernels"},
		{Place{Prefix: "/opt/x", SysPrefix: true}, "/opt/x/share/jupyter/kernels"},
	} {
		if got, err := c.place.Kernels(); err != nil || got != filepath.FromSlash(c.want) {
			t.Errorf("%+v: %q, %v; want %q", c.place, got, err, c.want)
		}
	}
	t.Setenv("VIRTUAL_ENV", "")
	t.Setenv("CONDA_PREFIX", "")
	t.Setenv("PATH", "")
	if _, err := (Place{SysPrefix: true}).Kernels(); code(err) != NoEnvironment {
		t.Errorf("no environment: %v", err)
	}
}
