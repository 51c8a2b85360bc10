package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"golang.org/x/term"

	"github.com/orrery-sysml/orrery/runtime/schedule"
)

// An invocation is one subcommand with its command line.
type invocation struct {
	command *command
	args    []string
	// rest are the arguments that are no flags, once parse has returned.
	rest []string
	set  flag.FlagSet
	// printFlags asks parse to list the flags and do nothing else.
	printFlags bool
}

// parse reads flags, which may stand before, between and behind arguments, of
// which there must be least to most (-1: any number). It returns the exit
// status where it is not ok to go on.
func (c *invocation) parse(least, most int) (status int, ok bool) {
	c.set.Init(c.command.name, flag.ContinueOnError)
	c.set.SetOutput(io.Discard)
	if c.printFlags {
		c.set.SetOutput(stdout)
		c.set.PrintDefaults()
		return held, false
	}
	hint := fmt.Sprintf("`orrery help %s` shows how to use it", c.command.name)
	for args := c.args; ; {
		if err := c.set.Parse(args); errors.Is(err, flag.ErrHelp) {
			return help(c.command.name, false), false
		} else if err != nil && (args[0] == "--version" || args[0] == "-version") {
			return runVersion(context.Background(), &invocation{command: find("version")}), false
		} else if err != nil {
			return usage(c.command.name+": "+flagFault(err), hint), false
		}
		rest := c.set.Args()
		if len(rest) == 0 {
			break
		}
		if read := len(args) - len(rest); read > 0 && args[read-1] == "--" {
			c.rest = append(c.rest, rest...)
			break
		}
		c.rest, args = append(c.rest, rest[0]), rest[1:]
	}
	switch {
	case len(c.rest) < least:
		return usage(fmt.Sprintf("%s needs %s", c.command.name, c.command.arguments), hint), false
	case most >= 0 && len(c.rest) > most:
		return usage(fmt.Sprintf("%s: what is %q?", c.command.name, c.rest[most]), hint), false
	}
	return held, true
}

// flagFault says in words of our own what the package flag says of a command
// line.
func flagFault(err error) string {
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: "); ok {
		return "there is no flag " + dashed(name)
	}
	if name, ok := strings.CutPrefix(text, "flag needs an argument: "); ok {
		return "the flag " + dashed(name) + " needs a value"
	}
	if name, ok := strings.CutPrefix(text, "bad flag syntax: "); ok {
		return name + " is no flag"
	}
	if m := badValue.FindStringSubmatch(text); m != nil {
		if m[3] == "parse error" {
			m[3] = m[1] + " is no value for it"
		}
		return dashed(m[2]) + ": " + m[3]
	}
	return text
}

// dashed is a flag as people write it: -c, --schedule.
func dashed(name string) string {
	name = strings.TrimLeft(name, "-")
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

var badValue = regexp.MustCompile(`(?s)^invalid (?:boolean )?value (".*") for (?:flag )?-([^ ]+): (.*)$`)

// settingFlag is one of the four settings as a flag: the flag's spelling is
// the setting's.
type settingFlag struct {
	settings *schedule.Settings
	name     string
}

func (f settingFlag) String() string { return "" }

func (f settingFlag) Set(text string) error {
	if d := f.settings.Set(f.name, text); d != nil {
		return errors.New(d.Message)
	}
	return nil
}

// colors says whether output to a stream has colours; it is the value of the
// flag --color.
var colors = "auto"

type colorFlag struct{}

func (colorFlag) String() string { return "auto" }
func (colorFlag) Set(text string) error {
	switch text {
	case "auto", "always", "never":
		colors = text
		return nil
	}
	return errors.New("want auto, always or never")
}

func colored(f *os.File) bool {
	switch {
	case colors != "auto":
		return colors == "always"
	case os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb":
		return false
	}
	return terminal(f)
}

func terminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// size is the columns and rows of the terminal, 80 and 24 where there is none.
func size() (columns, rows int) {
	if w, h, err := term.GetSize(int(os.Stdout.Fd())); err == nil && w > 0 && h > 0 {
		return w, h
	}
	return 80, 24
}

// columns is the width of the terminal, 80 where there is none.
func columns() int {
	w, _ := size()
	return w
}

// raw lets keys of the terminal come as they are pressed.
func raw() (restore func(), err error) {
	fd := int(os.Stdin.Fd())
	before, err := term.MakeRaw(fd)
	if err != nil {
		return nil, err
	}
	return func() { _ = term.Restore(fd, before) }, nil
}

// pairs is a flag that may be given many times: -p name=value.
type pairs []string

func (p *pairs) String() string { return "" }

func (p *pairs) Set(text string) error {
	if name, _, ok := strings.Cut(text, "="); !ok || strings.TrimSpace(name) == "" {
		return errors.New("want name=value")
	}
	*p = append(*p, text)
	return nil
}
