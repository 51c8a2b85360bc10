package repl

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// This file gives the terminal to a program of the user's: a pager, an editor.

var errKept = errors.New("this system cannot give the terminal away")

// lend runs a command line, which has the terminal to itself until it ends,
// with args behind it. It reads input, or the terminal where that is "". The
// error says that it could not be run or, of one that reads the terminal, that
// it failed.
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
	if exit := (*exec.ExitError)(nil); input != "" && errors.As(err, &exit) && exit.ExitCode() != notFound && exit.ExitCode() != notExecutable {
		return nil // a pager that was left has shown what it could
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

var noEditor = diagnostic.Register("no-editor",
	"A cell asks for the user's own editor, and there is none here: nobody is at a terminal, or the command that VISUAL or EDITOR names cannot be run.")

// Edit implements magics.EditSink.
func (k *sink) Edit(ctx context.Context, text string, line int) (string, error) {
	k.EndLine()
	changed, err := k.s.edit(ctx, text, line)
	if err == nil {
		k.s.past.add(changed)
	}
	return changed, err
}

// edit has the user's editor change a text, in a file that does not outlive
// it.
func (s *session) edit(ctx context.Context, text string, line int) (string, error) {
	if s.keys == nil { // a script
		return "", diagnostic.New(noEditor, source.Span{}, "an editor needs a terminal, and the cells come from a script").
			WithHint("%print NAME prints a declaration, %history the cells")
	}
	editor := s.o.Editor
	if editor == "" {
		editor = "vi"
	}
	file, err := os.CreateTemp("", "orrery-*"+extension(text))
	if err != nil {
		return "", diagnostic.New(noEditor, source.Span{}, "there is no room for a file to edit: "+cause(err))
	}
	defer os.Remove(file.Name())
	_, err = file.WriteString(strings.TrimRight(text, "\n") + "\n")
	if err := errors.Join(err, file.Close()); err != nil {
		return "", diagnostic.New(noEditor, source.Span{}, "there is no room for a file to edit: "+cause(err))
	}
	if err := s.lend(ctx, editor, "", append(atLine(editor, line), file.Name())); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", diagnostic.New(noEditor, source.Span{}, "the editor "+editor+" cannot be run, or gave up").
			WithHint("set the environment variable EDITOR to one that can")
	}
	changed, err := os.ReadFile(file.Name())
	if err != nil {
		return "", diagnostic.New(noEditor, source.Span{}, "what was edited cannot be read: "+cause(err))
	}
	return strings.ToValidUTF8(string(changed), "\ufffd"), nil
}

// outside edits the cell that is being typed.
func (s *session) outside(text string) (changed string, ok bool) {
	changed, err := s.edit(context.Background(), text, 1)
	return changed, err == nil
}

// extension is what tells an editor the language of a cell.
func extension(text string) string {
	if strings.HasPrefix(text, "%%starlark") || strings.HasPrefix(text, "%%plan") {
		return ".star"
	}
	return ".sysml"
}

// atLine is how an editor is told the line to begin at: the few that all spell
// it alike, and no others.
func atLine(editor string, line int) []string {
	words := strings.Fields(editor)
	if line <= 1 || len(words) == 0 {
		return nil
	}
	switch filepath.Base(words[0]) {
	case "vi", "vim", "nvim", "nano", "emacs", "emacsclient", "micro", "joe", "kak":
		return []string{fmt.Sprintf("+%d", line)}
	}
	return nil
}

// cause is what the operating system has against a file.
func cause(err error) string {
	if at := (*os.PathError)(nil); errors.As(err, &at) {
		return at.Err.Error()
	}
	return err.Error()
}
