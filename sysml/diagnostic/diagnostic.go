package diagnostic

import (
	"errors"
	"io/fs"
	"sort"
	"strings"

	"github.com/orrery-sysml/orrery/sysml/source"
)

// Severity says how much a Diagnostic weighs. The zero value is Error.
type Severity uint8

// The severities, the heaviest first.
const (
	Error       Severity = iota // the model or the cell is wrong
	Warning                     // it works, but hardly as meant
	Information                 // worth knowing: an open choice, an extension of the notation
)

// String is "error", "warning" or "information".
func (s Severity) String() string { return [...]string{"error", "warning", "information"}[s] }

// A Code names one kind of diagnostic, in lower case with hyphens:
// "unresolved-name". It is stable: scripts and CI systems match on it.
type Code string

// A Related place explains a Diagnostic: the other declaration, the call.
type Related struct {
	Span    source.Span
	Message string
}

// A Diagnostic is one finding. It is an error too; where several travel
// together they are a List.
type Diagnostic struct {
	Code     Code
	Severity Severity
	Message  string      // one sentence without a final stop, no Go words
	Span     source.Span // zero where the finding has no place in a text
	Related  []Related
	Hint     string // what to do; "" where there is nothing to say
	// Incomplete marks a finding that more input could mend: the text ended
	// inside an open construct.
	Incomplete bool
	// Expected is what the text lacks there, as Message names it: "a name",
	// "';' or '{'"; "" where the finding is no lack.
	Expected string
}

// New makes an error at span. A message may quote what somebody wrote; one too
// long to read loses its middle.
func New(code Code, span source.Span, message string) *Diagnostic {
	return &Diagnostic{Code: code, Span: span, Message: shortened(message)}
}

func shortened(s string) string {
	const most = 4000
	if len(s) <= most {
		return s
	}
	head, tail := s[:most/2], s[len(s)-most/4:]
	return strings.ToValidUTF8(head, "") + " … " + strings.ToValidUTF8(tail, "")
}

// WithHint adds a hint to d and returns d.
func (d *Diagnostic) WithHint(hint string) *Diagnostic { d.Hint = hint; return d }

// WithRelated adds a related place to d and returns d.
func (d *Diagnostic) WithRelated(span source.Span, message string) *Diagnostic {
	d.Related = append(d.Related, Related{span, message})
	return d
}

// Error is the message alone, as other errors quote it.
func (d *Diagnostic) Error() string { return d.Message }

// A List is several diagnostics in the order they were found.
type List []*Diagnostic

// Error is the message of the first error in l, else of its first entry.
func (l List) Error() string {
	for _, d := range l {
		if d.Severity == Error {
			return d.Message
		}
	}
	if len(l) > 0 {
		return l[0].Message
	}
	return "no diagnostics"
}

// HasErrors reports whether an entry of l is an Error.
func (l List) HasErrors() bool {
	for _, d := range l {
		if d.Severity == Error {
			return true
		}
	}
	return false
}

// Incomplete reports whether l has errors and more input could mend every
// one of them.
func (l List) Incomplete() bool {
	any := false
	for _, d := range l {
		if d.Severity == Error {
			if !d.Incomplete {
				return false
			}
			any = true
		}
	}
	return any
}

// Sort orders l by file name, place and severity; entries that compare equal
// keep their order.
func (l List) Sort() {
	sort.SliceStable(l, func(i, j int) bool {
		a, b := l[i], l[j]
		if a.Span.File != b.Span.File {
			return name(a.Span.File) < name(b.Span.File)
		}
		if a.Span.Start != b.Span.Start {
			return a.Span.Start < b.Span.Start
		}
		return a.Severity < b.Severity
	})
}

func name(f *source.File) string {
	if f == nil {
		return ""
	}
	return f.Name
}

// Of is what err has to say as diagnostics: its own, where it is or wraps a
// Diagnostic or a List; what is wrong with a file; else one of code "internal"
// that says that Orrery itself failed. Of(nil) is nil.
func Of(err error) List {
	var d *Diagnostic
	var l List
	var path *fs.PathError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &d):
		return List{d}
	case errors.As(err, &l):
		return l
	case errors.As(err, &path):
		return List{{Code: "file", Message: path.Path + ": " + path.Err.Error()}}
	}
	return List{{Code: Internal, Message: "Orrery failed: " + strings.TrimSpace(err.Error()),
		Hint: "this is a fault of Orrery, not of the model; the session goes on"}}
}
