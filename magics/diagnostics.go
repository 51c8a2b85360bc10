package magics

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// Codes of what cells and magics report.
var (
	codeUnknownMagic = diagnostic.Register("unknown-magic",
		"A line begins with % and a name that no magic has. %lsmagic lists them all.")
	codeMagicUsage = diagnostic.Register("magic-usage",
		"A magic is called with arguments or flags that it does not take. %help NAME shows its usage and an example.")
	codeFile = diagnostic.Register("file",
		"A file or folder could not be read or written. Relative paths start from the folder that %pwd shows.")
	codeExtension = diagnostic.Register("extension",
		"The notation at this place is understood, but is not that of the standard. %strict reports it.")
	codeStarlarkCell = diagnostic.Register("starlark-cell",
		"A cell does not parse as SysML, but does as Starlark. %%starlark on its first line makes it a Starlark cell.")
	codeNoShell = diagnostic.Register("no-shell",
		"A cell asks for a command of the operating system. That is off unless Orrery was started with --allow-shell.")
)

// internalError is a panic as a diagnostic. The trace goes no further than
// its innermost function of ours, which is what a report needs.
func internalError(span source.Span, reason any, stack []byte) *diagnostic.Diagnostic {
	where := ""
	for line := range strings.SplitSeq(string(stack), "\n") {
		if strings.HasPrefix(line, "github.com/orrery-sysml/orrery/") && !strings.Contains(line, "magics.(*execution).guard") {
			where = strings.TrimPrefix(line, "github.com/orrery-sysml/orrery/")
			if i := strings.LastIndexByte(where, '('); i > 0 {
				where = where[:i]
			}
			break
		}
	}
	return diagnostic.New(diagnostic.Internal, span, fmt.Sprintf("Orrery failed in %s: %v", where, reason)).
		WithHint("this is a fault of Orrery, not of the model; the session goes on")
}

// fileError says what the operating system has against name.
func fileError(span source.Span, name string, err error) *diagnostic.Diagnostic {
	var reason string
	switch {
	case errors.Is(err, fs.ErrNotExist):
		reason = "does not exist"
	case errors.Is(err, fs.ErrPermission):
		reason = "may not be opened by you"
	case errors.Is(err, fs.ErrExist):
		reason = "exists already"
	default:
		reason = "cannot be used: " + rootCause(err)
	}
	return diagnostic.New(codeFile, span, name+" "+reason).WithHint("relative paths start from the folder that %pwd shows")
}

// rootCause is the innermost message of err, without the path and the call
// that the outer ones repeat.
func rootCause(err error) string {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err.Error()
		}
		err = inner
	}
}

// usageError says that the line of m is wrong at span.
func usageError(m *magic, span source.Span, message string) *diagnostic.Diagnostic {
	return diagnostic.New(codeMagicUsage, span, message).WithHint("usage: " + m.usage())
}

func unknownFlag(m *magic, name string, w word) *diagnostic.Diagnostic {
	d := usageError(m, w.span, m.sigil()+m.name+" has no flag --"+name)
	var names []string
	for _, f := range m.flags {
		names = append(names, f.name)
	}
	if near := nearest(name, names); near != "" {
		d.Hint = "did you mean --" + near + "? " + d.Hint
	}
	return d
}

func tooMany(m *magic, w word) *diagnostic.Diagnostic {
	takes := "no argument"
	if n := len(m.arguments); n == 1 {
		takes = "one argument"
	} else if n > 1 {
		takes = fmt.Sprintf("%d arguments", n)
	}
	return usageError(m, w.span, m.sigil()+m.name+" takes "+takes+"; what is "+w.text+"?")
}

// unknownMagic says that no magic of r has the name at span.
func unknownMagic(r *registry, span source.Span, name string, body bool) *diagnostic.Diagnostic {
	sigil, other := "%", "%%"
	if body {
		sigil, other = "%%", "%"
	}
	d := diagnostic.New(codeUnknownMagic, span, "there is no magic "+sigil+name)
	switch {
	case r.find(name, !body) != nil && body:
		d.Hint = "it is a magic of one line: " + other + name
	case r.find(name, !body) != nil:
		d.Hint = "it is a magic of a whole cell: " + other + name + " on the first line"
	case elsewhere[name] != "":
		d.Hint = elsewhere[name]
	default:
		if near := meant(r, name, body); near != "" {
			d.Hint = "did you mean " + sigil + near + "?"
		}
		d.Hint = strings.TrimSpace(d.Hint + " %lsmagic lists every magic")
	}
	return d
}

// meant is the magic that was probably meant: one that is spelled alike, that
// other tools call so, or that the name goes on behind.
func meant(r *registry, name string, body bool) string {
	if near := nearest(name, r.names(body)); near != "" {
		return near
	}
	if own := otherNames[strings.ToLower(name)]; own != "" && !body {
		return own
	}
	for _, own := range r.names(body) {
		if len(own) >= 4 && strings.HasPrefix(name, own) {
			return own
		}
	}
	return ""
}

// otherNames are what debuggers, simulators and other kernels call our magics.
var otherNames = map[string]string{"draw": "viz", "graph": "viz", "diagram": "viz", "picture": "viz", "visualize": "viz", "undo": "back",
	"redo": "forward", "next": "step", "n": "step", "debug": "live", "play": "live", "delete": "remove", "del": "remove",
	"rm": "remove", "import": "load", "open": "load", "include": "load", "simulate": "run", "execute": "run", "exec": "run", "start": "action",
	"goto": "until", "wait": "advance", "sleep": "advance", "tick": "advance", "clock": "advance", "signal": "send", "accept": "send",
	"emit": "send", "montecarlo": "runs", "repeat": "runs", "grid": "sweep", "compare": "diff", "snapshot": "fork", "restore": "switch",
	"new": "instantiate", "create": "instantiate", "assert": "validate", "values": "features", "inspect": "show", "find": "search",
	"modelcheck": "check", "enumerate": "explore", "exit": "quit", "plot": "timeline"}

// elsewhere says of magics that other kernels have why there are none here.
var elsewhere = map[string]string{
	"pip": "that is a magic of Python's kernel; Orrery needs no packages", "conda": "that is a magic of Python's kernel; Orrery needs no packages",
	"matplotlib": "that is a magic of Python's kernel; %runs, %samples, %sweep and %timeline plot by themselves",
	"load_ext":   "that is a magic of Python's kernel; Orrery has no extensions to load",
	"publish":    noServers, "projects": noServers, "repo": noServers,
}

const noServers = "Orrery does not speak to servers of models; %load and %save read and write files"
