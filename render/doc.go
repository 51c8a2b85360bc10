// Package render turns typed results into what a front end can show.
//
// A result of the runtime, a diagnostic or a table goes in; a [Bundle] comes
// out: the same content as text/plain for a terminal and, where it gains
// something, as text/html, image/svg+xml or JSON for a notebook. Text is
// readable at 80 columns; HTML and SVG are self-contained, readable in dark
// themes and contain no script, so that they survive nbconvert. This package
// runs nothing and knows no front end; plan may import it, runtime may not.
package render
