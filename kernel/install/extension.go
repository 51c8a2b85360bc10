package install

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/orrery-sysml/orrery/kernel/labextension"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
)

// ExtensionOfAnother is the code of a folder that is not ours to replace.
var ExtensionOfAnother = diagnostic.Register("labextension-of-another",
	"There is a JupyterLab extension of this name that orrery install has not written. It is left as it is unless --force says otherwise.")

// InstallExtension writes the extension of JupyterLab and Notebook below
// extensions, a folder of Place, and returns its folder. One of ours is
// replaced, another's only with force. The error is a diagnostic.
func InstallExtension(extensions string, force bool) (dir string, err error) {
	if extensions, err = filepath.Abs(extensions); err != nil {
		return "", cannot("write", extensions, err)
	}
	dir = filepath.Join(extensions, labextension.Name)
	if extensionOwner(dir) == another && !force {
		return "", fault(ExtensionOfAnother, dir+" is not an extension of orrery", "replace it with --force")
	}
	return dir, stage(extensions, dir, func(staged string) error {
		if err := os.CopyFS(staged, labextension.Lab()); err != nil {
			return err
		}
		// What `jupyter labextension list` says of it.
		text, err := json.MarshalIndent(map[string]string{
			"packageManager": "orrery", "packageName": labextension.Name,
			"uninstallInstructions": "orrery uninstall removes it with the kernel",
		}, "", "  ")
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(staged, "install.json"), append(text, '\n'), 0o644)
	})
}

// UninstallExtension removes the extension below extensions and returns the
// folder that it was; "" where there is none. Another's goes only with force.
// The error is a diagnostic.
func UninstallExtension(extensions string, force bool) (dir string, err error) {
	dir = filepath.Join(extensions, labextension.Name)
	switch owner := extensionOwner(dir); {
	case owner == nobody:
		return "", nil
	case owner == another && !force:
		return "", fault(ExtensionOfAnother, dir+" is not an extension of orrery", "remove it with --force")
	}
	if err := os.RemoveAll(dir); err != nil {
		return "", cannot("remove", dir, err)
	}
	return dir, nil
}

// extensionOwner is whose the extension in dir is: ours has our install.json.
func extensionOwner(dir string) owner {
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		return nobody
	}
	text, err := os.ReadFile(filepath.Join(dir, "install.json"))
	var note struct{ PackageManager string }
	if err != nil || json.Unmarshal(text, &note) != nil || note.PackageManager != "orrery" {
		return another
	}
	return ours
}
