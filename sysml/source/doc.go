// Package source holds the texts that a model is written in and the places
// inside them.
//
// A [File] is one text: a document on disk, or one cell of a notebook. A
// [Span] is a half-open range of byte offsets in one File; it is what every
// token, tree node, element, instruction and diagnostic carries. Offsets turn
// into lines, columns, code points (Jupyter) and UTF-16 units (editors) only
// where somebody has to see them. [Read] takes the content of a file, as much
// as can be one. This package knows nothing of the language and prints nothing.
package source
