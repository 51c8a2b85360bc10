package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/orrery-sysml/orrery/notebooks"
)

func runNotebooks(ctx context.Context, c *invocation) int {
	var output string
	var inPlace bool
	var parameters pairs
	var timeout time.Duration
	c.set.StringVar(&output, "output", "", "write the executed notebook to `FILE` (- for standard output)")
	c.set.BoolVar(&inPlace, "in-place", false, "write the executed notebook over the notebook")
	c.set.Var(&parameters, "p", "`name=value` for the cell tagged \"parameters\"; may be repeated")
	c.period(&timeout, "timeout", "stop a cell that runs longer, such as 30s")
	o := c.sessionFlags()
	if status, ok := c.parse(1, -1); !ok {
		return status
	}
	switch {
	case output != "" && len(c.rest) > 1:
		return usage("--output names one file for several notebooks", "run them one by one, or use --in-place")
	case output != "" && inPlace:
		return usage("--output and --in-place exclude each other", "choose one")
	}
	ctx, stop := interruptible(ctx)
	defer stop()
	options := notebooks.Options{
		Output: output, InPlace: inPlace, Timeout: timeout,
		Out: stdout, Err: os.Stderr,
		Color: colored(os.Stdout), Live: terminal(os.Stderr) && terminal(os.Stdout), Width: columns(),
	}
	if output == "-" {
		options.Out, options.Notebook = os.Stderr, stdout
	}
	if terminal(os.Stdin) {
		options.Ask = ask
	}
	for _, p := range parameters {
		name, value, _ := strings.Cut(p, "=")
		options.Parameters = append(options.Parameters, notebooks.Parameter{Name: strings.TrimSpace(name), Value: value})
	}
	status := held
	for _, path := range c.rest {
		shell, err := o.shell(filepath.Dir(path))
		if err != nil {
			complain(err)
			return unusable
		}
		one := notebooks.Run(ctx, path, shell, options)
		if one == failed || one == unusable || one == stopped {
			return one
		}
		status = max(status, one)
	}
	return status
}

// ask reads one line from the terminal.
func ask(_ context.Context, prompt string, password bool) (string, error) {
	fmt.Fprint(os.Stderr, prompt)
	if password {
		text, err := term.ReadPassword(int(os.Stdin.Fd()))
		fmt.Fprintln(os.Stderr)
		return string(text), err
	}
	text, err := bufio.NewReader(os.Stdin).ReadString('\n')
	return strings.TrimRight(text, "\r\n"), err
}

func runTutorial(_ context.Context, c *invocation) int {
	if status, ok := c.parse(0, 1); !ok {
		return status
	}
	dir := "orrery-tutorial"
	if len(c.rest) == 1 {
		dir = c.rest[0]
	}
	written, err := notebooks.CopyCourse(dir)
	for _, path := range written {
		fmt.Fprintln(stdout, path)
	}
	if err != nil {
		complain(err)
		return unusable
	}
	fmt.Fprintf(stdout, "\nStart with: jupyter lab %s, or: orrery run %s\n", dir, written[0])
	return held
}
