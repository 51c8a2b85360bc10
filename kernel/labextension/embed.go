package labextension

import (
	"embed"
	"io/fs"
)

// Name is what the extension is called: its folder below labextensions, and
// the name in its package.json.
const Name = "orrery-sysml"

//go:embed built
var built embed.FS

// Lab is the folder of the prebuilt extension: package.json and static.
func Lab() fs.FS {
	lab, err := fs.Sub(built, "built/lab")
	if err != nil {
		panic(err) // the path is a constant
	}
	return lab
}

// KernelJS is the file kernel.js of a kernelspec.
func KernelJS() []byte {
	text, err := built.ReadFile("built/kernel.js")
	if err != nil {
		panic(err) // the file is embedded
	}
	return text
}
