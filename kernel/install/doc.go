// Package install lays down the kernelspecs by which Jupyter finds Orrery, and
// the extension of kernel/labextension, and takes them away again.
//
// A kernelspec is a folder: kernel.json, logos, and a copy of the running
// executable, since the one that runs may be gone tomorrow (`go run` builds
// into a temporary folder). [Install] writes it in whole or not at all and
// never over another program's kernelspec unless it is forced to. Which kernel
// it is, a [Spec] says; what the kernel does is no business of this package.
package install
