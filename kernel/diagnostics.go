package kernel

import (
	"fmt"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// Codes of what can go wrong between the kernel and its clients.
var (
	badConnectionFile = diagnostic.Register("connection-file",
		"The connection file that Jupyter gives a kernel cannot be read, lacks something, or asks for what this kernel does not have.")
	cannotBind = diagnostic.Register("cannot-bind",
		"A socket of the kernel cannot be bound: the port is taken, the address is not of this machine, or the path is too long.")
	noInput = diagnostic.Register("no-input",
		"A cell asked the user for a line, and the client that sent the cell does not take questions: nbconvert and most batch runs do not.")
	endOfInput = diagnostic.Register("end-of-input",
		"A cell asked the user for a line, and the user closed the input instead of answering.")
	notRegistered = diagnostic.Register("not-registered",
		"The kernel was started to announce its ports to a launcher, and the launcher did not confirm them.")
)

func connectionFileError(file, what string) *diagnostic.Diagnostic {
	return diagnostic.New(badConnectionFile, source.Span{}, fmt.Sprintf("connection file %s: %s", file, what)).
		WithHint("a kernel is started by Jupyter: orrery install, then choose it in JupyterLab")
}

func bindError(channel string, err error) *diagnostic.Diagnostic {
	return diagnostic.New(cannotBind, source.Span{}, fmt.Sprintf("the %s socket: %v", channel, err))
}

func noInputError(why string) *diagnostic.Diagnostic {
	return diagnostic.New(noInput, source.Span{}, "no input can be asked for here: "+why).
		WithHint("give the value in the cell, or run the cell in a notebook or console")
}

func endOfInputError() *diagnostic.Diagnostic {
	return diagnostic.New(endOfInput, source.Span{}, "the input was closed before a line came")
}

func notRegisteredError(why string) *diagnostic.Diagnostic {
	return diagnostic.New(notRegistered, source.Span{}, "the launcher did not confirm the kernel's ports: "+why)
}

func badRequestError(msgType, why string) *diagnostic.Diagnostic {
	return diagnostic.New(diagnostic.Internal, source.Span{}, fmt.Sprintf("the client sent a malformed %s: %s", msgType, why)).
		WithHint("this is a fault of the client; the session goes on")
}

func panicError(value any) *diagnostic.Diagnostic {
	return diagnostic.Of(fmt.Errorf("%v", value))[0]
}
