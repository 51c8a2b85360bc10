// Package display tells how much room text takes on a terminal.
//
// A terminal has columns of one width, and most letters take one of them.
// Those of East Asian scripts take two, and marks that combine with the letter
// before them take none ([Unicode Standard Annex #11]). Whatever stands below
// something else on a terminal, carets, tables and drawings, is measured here,
// and what has to fit a line is cut here.
//
// [Unicode Standard Annex #11]: https://www.unicode.org/reports/tr11/
package display
