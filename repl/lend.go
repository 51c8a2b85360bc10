package repl

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// This file gives the terminal to a program of the user's: a pager, an editor.

var errKept = errors.New("this system cannot give the terminal away")

// lend runs a command line, which has the terminal to itself until it ends,
// with args behind it. It reads input, or the terminal where that is "". The
// error says that it could not be run.
func (s *session) lend(ctx context.Context, command, input string, args []string) error {
	resume, ok := s.keys.release()
	if !ok {
		return errKept
	}
	defer resume()
	s.lent.Store(true) // Ctrl-C is the program's
	defer s.lent.Store(false)
	program := shellCommand(ctx, command, args)
	program.Stdin, program.Stdout, program.Stderr = os.Stdin, os.Stdout, os.Stderr
	program.Env = os.Environ()
	if input != "" {
		program.Stdin = strings.NewReader(input)
		if _, set := os.LookupEnv("LESS"); !set {
			program.Env = append(program.Env, "LESS=FRX") // leaves what was shown, in its colours
		}
	}
	err := program.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() != notFound && exit.ExitCode() != notExecutable {
		return nil // it ran
	}
	return err
}

// What a shell ends with that could not start its command.
const (
	notExecutable = 126
	notFound      = 127
)

// shellCommand is a command line as the user's environment spells it, which
// may hold flags and quotes.
func shellCommand(ctx context.Context, command string, args []string) *exec.Cmd {
	if runtime.GOOS == "windows" {
		words := append(strings.Fields(command), args...)
		return exec.CommandContext(ctx, words[0], words[1:]...)
	}
	return exec.CommandContext(ctx, "sh", append([]string{"-c", command + ` "$@"`, command}, args...)...)
}
