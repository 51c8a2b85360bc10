package install

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
)

// A Place says where a kernelspec goes. The zero Place is the user's own.
type Place struct {
	// SysPrefix is the active Python environment: VIRTUAL_ENV, CONDA_PREFIX,
	// else that of the python on the path.
	SysPrefix bool
	// Prefix is a folder as /usr/local is one; it goes before SysPrefix.
	Prefix string
}

// NoEnvironment is the code of an environment that cannot be found.
var NoEnvironment = diagnostic.Register("no-environment",
	"--sys-prefix means the active Python environment, and none is active: VIRTUAL_ENV and CONDA_PREFIX are not set, and no python is on the path.")

// Kernels is the folder that kernelspecs of p lie in. The error is a
// diagnostic.
func (p Place) Kernels() (string, error) { return p.below("kernels") }

// Extensions is the folder that extensions of JupyterLab lie in. The error is
// a diagnostic.
func (p Place) Extensions() (string, error) { return p.below("labextensions") }

// below is the folder called name in Jupyter's data folder of p.
func (p Place) below(name string) (string, error) {
	switch {
	case p.Prefix != "":
		return filepath.Join(p.Prefix, "share", "jupyter", name), nil
	case p.SysPrefix:
		prefix := sysPrefix()
		if prefix == "" {
			return "", fault(NoEnvironment, "no Python environment is active", "activate one, or name it with --prefix DIR")
		}
		return filepath.Join(prefix, "share", "jupyter", name), nil
	}
	dir, err := dataDir()
	if err != nil {
		return "", fault(CannotInstall, "you have no home folder here", "set JUPYTER_DATA_DIR, or use --prefix DIR")
	}
	return filepath.Join(dir, name), nil
}

// dataDir is Jupyter's folder of the user.
func dataDir() (string, error) {
	if dir := os.Getenv("JUPYTER_DATA_DIR"); dir != "" {
		return dir, nil
	}
	if runtime.GOOS == "windows" {
		dir, err := os.UserConfigDir() // %APPDATA%
		return filepath.Join(dir, "jupyter"), err
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	if runtime.GOOS == "darwin" {
		return filepath.Join(home, "Library", "Jupyter"), nil
	}
	if dir := os.Getenv("XDG_DATA_HOME"); dir != "" {
		return filepath.Join(dir, "jupyter"), nil
	}
	return filepath.Join(home, ".local", "share", "jupyter"), nil
}

func sysPrefix() string {
	for _, name := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if dir := os.Getenv(name); dir != "" {
			return dir
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	for _, python := range []string{"python3", "python"} {
		out, err := exec.CommandContext(ctx, python, "-c", "import sys; print(sys.prefix)").Output()
		if prefix := strings.TrimSpace(string(out)); err == nil && prefix != "" {
			return prefix
		}
	}
	return ""
}
