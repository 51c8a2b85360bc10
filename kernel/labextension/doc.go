// Package labextension holds the colours of cells and files in the browser.
//
// src is the source, in JavaScript: parsers of the notation, of Starlark and
// of cells that mix them, for JupyterLab 4 and Notebook 7 (CodeMirror 6) and
// for Notebook 6 (CodeMirror 5). src/words.js is written from the tables of
// the scanner by the test of this package. build.sh makes built out of it;
// what it makes is checked in and embedded, so that neither a build of Orrery
// nor its users need Node. [Lab] and [KernelJS] are for kernel/install, which
// lays them down.
package labextension
