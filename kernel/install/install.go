package install

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"

	"github.com/orrery-sysml/orrery/kernel/labextension"
	"github.com/orrery-sysml/orrery/kernel/wire"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// A Spec is a kernel as Jupyter lists it.
type Spec struct {
	// Name is the kernelspec's: letters, digits, dot, hyphen, underscore.
	// Jupyter does not tell upper from lower case in it.
	Name string
	// DisplayName stands in the launcher; Language is what notebooks without
	// a kernel of their own look for.
	DisplayName, Language string
	// Arguments follow the executable; Jupyter puts the path of the
	// connection file for "{connection_file}".
	Arguments []string
	// Version is that of Orrery, noted in the kernelspec.
	Version string
}

// Codes of what can go wrong.
var (
	BadName = diagnostic.Register("kernel-name",
		"A kernelspec is named by letters, digits, dots, hyphens and underscores.")
	NotOurs = diagnostic.Register("kernelspec-of-another",
		"A kernelspec of this name exists and was not written by orrery install. It is left as it is unless --force says otherwise.")
	NotInstalled = diagnostic.Register("kernelspec-missing",
		"There is no kernelspec of this name in this place.")
	CannotInstall = diagnostic.Register("cannot-install",
		"A file or folder of the kernelspec cannot be written or removed.")
)

//go:embed files
var files embed.FS

var nameForm = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)

// mark is the key of kernel.json's metadata that tells our kernelspecs.
const mark = "orrery"

// kernelJSON is the file kernel.json.
type kernelJSON struct {
	Argv          []string                   `json:"argv"`
	DisplayName   string                     `json:"display_name"`
	Language      string                     `json:"language"`
	InterruptMode string                     `json:"interrupt_mode"`
	Protocol      string                     `json:"kernel_protocol_version"`
	Metadata      map[string]json.RawMessage `json:"metadata"`
}

// Install writes the kernelspec of s below kernels, a folder of Place, with a
// copy of executable, and returns its folder. An executable of a kernelspec in
// the same place is shared with it. A kernelspec of ours is
// replaced; another's only with force. The error is a diagnostic.
func Install(s Spec, kernels, executable string, force bool) (dir string, err error) {
	if kernels, err = filepath.Abs(kernels); err != nil {
		return "", cannot("write", kernels, err)
	}
	if err := Check(s.Name, kernels, force); err != nil {
		return "", err
	}
	dir = filepath.Join(kernels, s.Name)
	return dir, stage(kernels, dir, func(staged string) error { return s.fill(staged, dir, executable) })
}

// Check reports why Install would refuse to write the kernelspec name below
// kernels: its name, or whose it is. The error is a diagnostic.
func Check(name, kernels string, force bool) error {
	if !nameForm.MatchString(name) || name == "." || name == ".." {
		return fault(BadName, fmt.Sprintf("%q cannot be the name of a kernelspec", name),
			"use letters, digits, dots, hyphens and underscores")
	}
	dir := filepath.Join(kernels, name)
	if owner, err := ownerOf(dir); err != nil {
		return err
	} else if owner == another && !force {
		return fault(NotOurs, dir+" is a kernelspec of another program",
			"choose another name with --name, or replace it with --force")
	}
	return nil
}

// stage makes the folder dir in parent by fill, in whole or not at all. The
// error is a diagnostic.
func stage(parent, dir string, fill func(staged string) error) error {
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return cannot("write", parent, err)
	}
	staged, err := os.MkdirTemp(parent, ".orrery-")
	if err != nil {
		return cannot("write", parent, err)
	}
	defer os.RemoveAll(staged)
	if err := os.Chmod(staged, 0o755); err != nil {
		return cannot("write", staged, err)
	}
	if err := fill(staged); err != nil {
		return cannot("write", dir, err)
	}
	if err := swap(staged, dir); err != nil {
		return cannot("write", dir, err)
	}
	return nil
}

// Executable is the path of the executable in dir, a kernelspec of ours.
func Executable(dir string) string { return filepath.Join(dir, binary()) }

// Installed reports whether a kernelspec of ours lies below kernels.
func Installed(kernels string) bool {
	entries, err := os.ReadDir(kernels)
	if err != nil {
		return false // there is no such folder
	}
	for _, e := range entries {
		if owner, err := ownerOf(filepath.Join(kernels, e.Name())); err == nil && owner == ours {
			return true
		}
	}
	return false
}

// binary is what the copy of the executable is called.
func binary() string {
	if runtime.GOOS == "windows" {
		return "orrery.exe"
	}
	return "orrery"
}

// fill writes all files of the kernelspec, which will lie in dir, to staged.
func (s Spec) fill(staged, dir, executable string) error {
	// Two kernelspecs side by side are two names of one file, where the file
	// system can do that.
	to := filepath.Join(staged, binary())
	if filepath.Dir(filepath.Dir(executable)) != filepath.Dir(dir) || os.Link(executable, to) != nil {
		if err := copyFile(executable, to, 0o755); err != nil {
			return err
		}
	}
	logos, err := files.ReadDir("files")
	if err != nil {
		return err
	}
	for _, logo := range logos {
		content, err := files.ReadFile("files/" + logo.Name())
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(staged, logo.Name()), content, 0o644); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(staged, "kernel.js"), labextension.KernelJS(), 0o644); err != nil {
		return err
	}
	note, err := json.Marshal(map[string]string{"version": s.Version})
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(kernelJSON{
		Argv:        append([]string{Executable(dir)}, s.Arguments...),
		DisplayName: s.DisplayName, Language: s.Language,
		InterruptMode: "message", // a signal reaches neither Windows nor a gateway
		Protocol:      wire.ProtocolVersion,
		Metadata:      map[string]json.RawMessage{mark: note},
	}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(staged, "kernel.json"), append(text, '\n'), 0o644)
}

// swap puts staged in the place of dir. What was in dir is gone only once
// staged is there.
func swap(staged, dir string) error {
	old := staged + ".old"
	err := os.Rename(dir, old)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		old = ""
	case err != nil:
		return err
	}
	if err := os.Rename(staged, dir); err != nil {
		if old != "" {
			os.Rename(old, dir)
		}
		return err
	}
	if old != "" {
		return os.RemoveAll(old)
	}
	return nil
}

// Uninstall removes the kernelspec name below kernels and returns the folder
// that it was; another program's goes only with force. The error is a
// diagnostic.
func Uninstall(name, kernels string, force bool) (dir string, err error) {
	if !nameForm.MatchString(name) || name == "." || name == ".." {
		return "", fault(BadName, fmt.Sprintf("%q cannot be the name of a kernelspec", name), "")
	}
	dir = filepath.Join(kernels, name)
	switch owner, err := ownerOf(dir); {
	case err != nil:
		return "", err
	case owner == nobody:
		return "", fault(NotInstalled, "there is no kernelspec "+dir,
			"`jupyter kernelspec list` shows what is where")
	case owner == another && !force:
		return "", fault(NotOurs, dir+" is a kernelspec of another program", "remove it with --force")
	}
	if err := os.RemoveAll(dir); err != nil {
		return "", cannot("remove", dir, err)
	}
	return dir, nil
}

// An owner is whose a kernelspec is.
type owner int

const (
	nobody  owner = iota // there is none
	ours                 // Install wrote it
	another              // another program did, or it cannot be read
)

func ownerOf(dir string) (owner, error) {
	text, err := os.ReadFile(filepath.Join(dir, "kernel.json"))
	if errors.Is(err, fs.ErrNotExist) {
		left, err := os.ReadDir(dir)
		if errors.Is(err, fs.ErrNotExist) || err == nil && len(left) == 0 {
			return nobody, nil
		}
		return another, nil
	}
	if err != nil {
		return another, cannot("read", dir, err)
	}
	var k kernelJSON
	if json.Unmarshal(text, &k) != nil || k.Metadata[mark] == nil {
		return another, nil
	}
	return ours, nil
}

func copyFile(from, to string, mode fs.FileMode) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	_, err = io.Copy(out, in)
	return err
}

func fault(code diagnostic.Code, message, hint string) *diagnostic.Diagnostic {
	return diagnostic.New(code, source.Span{}, message).WithHint(hint)
}

// cannot is what the operating system refused.
func cannot(verb, path string, err error) *diagnostic.Diagnostic {
	reason := err.Error()
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		path, reason = p.Path, p.Err.Error()
	} else if l := (*os.LinkError)(nil); errors.As(err, &l) {
		reason = l.Err.Error()
	}
	return fault(CannotInstall, fmt.Sprintf("cannot %s %s: %s", verb, path, reason),
		"--user installs for you alone, --prefix DIR wherever you may write")
}
