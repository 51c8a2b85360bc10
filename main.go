// Orrery is an interactive workbench for executable models: a Jupyter kernel,
// a terminal and a notebook runner in which SysML v2 cells declare a model and
// magics and Starlark run, step and check it.
//
// This file is the table of subcommands; each is a few lines in a file of its
// family, over the packages that do the work.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// version is what `orrery version` says.
const version = "0.1.0"

// Exit statuses, the same for every subcommand.
const (
	held       = 0 // all held
	failed     = 1 // a diagnostic, a violated judgement, a failing cell or case
	unusable   = 2 // wrong use, or input that cannot be read
	undecided  = 3 // nothing failed but something is undecided or incomplete
	stopped    = 4 // stopped before the end
	noneJudged = 5 // nothing was decided and a verdict was required
)

// A command is one subcommand.
type command struct {
	name, arguments, summary string
	run                      func(ctx context.Context, c *invocation) int
}

// commands in the order that help lists them.
var commands []command

func init() {
	commands = []command{
		{"repl", "[FILE...]", "cells at a prompt, or from standard input; also without a subcommand", runREPL},
		{"run", "NOTEBOOK...", "execute notebooks without Jupyter", runNotebooks},
		{"tutorial", "[DIR]", "copy the teaching notebooks to DIR", runTutorial},
		{"kernel", "CONNECTION_FILE", "serve Jupyter", runKernel},
		{"install", "", "register the kernel with Jupyter", runInstall},
		{"uninstall", "", "remove the kernel from Jupyter", runUninstall},
		{"validate", "PATH...", "print the diagnostics of models", runValidate},
		{"instantiate", "NAME FILE...", "make an object and show the values of its features", runInstantiate},
		{"fmt", "PATH...", "lay models out in the canonical way", runFormat},
		{"explain", "[CODE]", "what a diagnostic means", runExplain},
		{"explore", "BEHAVIOUR FILE...", "every outcome of a behaviour over every order of it", runExplore},
		{"check", "BEHAVIOUR FILE...", "what can go wrong in some order of a behaviour", runCheck},
		{"plan", "FILE", "what a plan would walk", runPlan},
		{"walk", "FILE", "walk the leaves of a plan, or those of a bundle again", runWalk},
		{"merge", "BUNDLE...", "join the bundles of the shards of one walk", runMerge},
		{"conform", "PATH...", "run conformance cases", runConform},
		{"version", "", "print the version", runVersion},
		{"help", "[COMMAND]", "how to use a subcommand", runHelp},
	}
}

func main() {
	warnOfAddressSpace()
	os.Exit(stdout.settle(run(context.Background(), os.Args[1:])))
}

// run executes the command line and returns the exit status.
func run(ctx context.Context, args []string) int {
	name := "repl"
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		if c := find(args[0]); c != nil {
			name, args = args[0], args[1:]
		} else if _, err := os.Stat(args[0]); err != nil {
			return usage(fmt.Sprintf("no command and no file %s", args[0]), "`orrery help` lists the commands")
		}
	}
	if len(args) > 0 && (args[0] == "-h" || args[0] == "--help" || args[0] == "-help") {
		return help(name, len(args) == len(os.Args)-1)
	}
	c := find(name)
	return c.run(ctx, &invocation{command: c, args: args})
}

func find(name string) *command {
	for i := range commands {
		if commands[i].name == name {
			return &commands[i]
		}
	}
	return nil
}

func runVersion(_ context.Context, c *invocation) int {
	if status, ok := c.parse(0, 0); !ok {
		return status
	}
	fmt.Fprintln(stdout, "orrery "+version)
	return held
}

func runHelp(_ context.Context, c *invocation) int {
	if status, ok := c.parse(0, 1); !ok {
		return status
	}
	if len(c.rest) == 1 {
		if find(c.rest[0]) == nil {
			return usage("no command "+c.rest[0], "`orrery help` lists the commands")
		}
		return help(c.rest[0], false)
	}
	return help("repl", true)
}

func help(name string, all bool) int {
	if !all {
		c := find(name)
		fmt.Fprintf(stdout, "orrery %s\n  %s\n", strings.TrimSpace(c.name+" "+c.arguments), c.summary)
		in := &invocation{command: c}
		in.printFlags = true
		c.run(context.Background(), in)
		return held
	}
	fmt.Fprintln(stdout, "Orrery: a workbench for executable SysML v2 models")
	fmt.Fprintln(stdout)
	for _, c := range commands {
		fmt.Fprintf(stdout, "  orrery %-26s %s\n", c.name+" "+c.arguments, c.summary)
	}
	fmt.Fprintf(stdout, "  orrery %-26s %s\n", "-c CELL [FILE...]", "load files, execute one cell, leave")
	fmt.Fprintln(stdout, "\n`orrery help COMMAND` shows its flags. Exit status: 0 all held, 1 something failed,")
	fmt.Fprintln(stdout, "2 wrong use, 3 undecided or incomplete, 4 stopped before the end, 5 nothing decided.")
	return held
}

var usageCode = diagnostic.Register("usage", "The command line cannot be understood as it stands.")

func usage(message, hint string) int {
	complain(diagnostic.New(usageCode, source.Span{}, message).WithHint(hint))
	return unusable
}

// complain prints err on standard error.
func complain(err error) {
	for _, d := range diagnostic.Of(err) {
		fmt.Fprint(os.Stderr, diagnostic.Text(d, diagnostic.Style{Color: colored(os.Stderr)}))
	}
}
