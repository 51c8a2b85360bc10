package main

import (
	"context"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/orrery-sysml/orrery/magics"
	"github.com/orrery-sysml/orrery/repl"
	"github.com/orrery-sysml/orrery/runtime/budget"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/sysml/library"
)

// sessionOptions are the flags that mean the same for every subcommand with a
// session.
type sessionOptions struct {
	settings   schedule.Settings
	budget     budget.Budget
	library    string
	strict     bool
	allowShell bool
	// language and connectionFile are the kernel's to set.
	language       magics.Language
	connectionFile string
}

// sessionFlags declares them.
func (c *invocation) sessionFlags() *sessionOptions {
	o := c.modelFlags()
	o.settingFlags(&c.set)
	c.set.BoolVar(&o.allowShell, "allow-shell", false, "admit !cmd and %%bash")
	c.set.Var(budgetFlag{&o.budget}, "budget", "raise or lower a bound: `NAME=N`; may be repeated")
	return o
}

// modelFlags declares those of a subcommand that reads models and runs
// nothing.
func (c *invocation) modelFlags() *sessionOptions {
	o := &sessionOptions{library: os.Getenv("ORRERY_LIBRARY")}
	c.set.StringVar(&o.library, "library", o.library, "read the standard library from `DIR` instead of the embedded one")
	c.set.BoolVar(&o.strict, "strict", false, "report notation beyond the standard")
	c.set.Var(colorFlag{}, "color", "auto, always or never")
	c.set.BoolFunc("no-color", "the same as --color=never", func(string) error { colors = "never"; return nil })
	return o
}

func (o *sessionOptions) settingFlags(set *flag.FlagSet) {
	for name, usage := range map[string]string{
		"schedule":   "how open orders are resolved: reverse, declared, seed:N, replay:FILE or explore[:runs=N,depth=D] (`POLICY`)",
		"seed":       "seed of the model's own randomness: `N`, or off",
		"draws":      "what a random function takes: random, min, max or average (`POLICY`)",
		"clock-step": "tick of the clock: `SECONDS`, or off",
	} {
		set.Var(settingFlag{&o.settings, name}, name, usage)
	}
}

type budgetFlag struct{ b *budget.Budget }

func (budgetFlag) String() string { return "" }
func (f budgetFlag) Set(text string) error {
	next, err := f.b.Set(text)
	if err == nil {
		*f.b = next
	}
	return err
}

// source is the standard library that the flags choose.
func (o *sessionOptions) source() (library.Source, error) {
	if o.library == "" {
		return library.Embedded(), nil
	}
	return library.Open(o.library)
}

// shell makes a Shell whose relative paths start from dir.
func (o *sessionOptions) shell(dir string) (*magics.Shell, error) {
	lib, err := o.source()
	if err != nil {
		return nil, err
	}
	return magics.New(magics.Options{
		Dir: dir, AllowShell: o.allowShell, Version: version,
		Library: lib, Settings: o.settings, Budget: o.budget, Strict: o.strict,
		Language: o.language, ConnectionFile: o.connectionFile,
	}), nil
}

func runREPL(ctx context.Context, c *invocation) int {
	var cell string
	c.set.StringVar(&cell, "c", "", "execute `CELL` and leave")
	o := c.sessionFlags()
	if status, ok := c.parse(0, -1); !ok {
		return status
	}
	single := false
	c.set.Visit(func(f *flag.Flag) { single = single || f.Name == "c" })
	shell, err := o.shell("")
	if err != nil {
		complain(err)
		return unusable
	}
	options := terminalOptions(!single)
	options.Banner = "Orrery " + version + ". SysML, expressions and %magics; %help explains, Ctrl-D leaves.\n"
	if status := load(ctx, shell, options, c.rest); status != held {
		return status
	}
	if single {
		options.In = io.NopCloser(os.Stdin)
		return repl.Execute(ctx, shell, magics.Cell{Code: cell, Name: "cell", Count: 1}, options)
	}
	return repl.Run(ctx, shell, options)
}

// terminalOptions are those of a prompt on the terminal, where there is one.
func terminalOptions(prompt bool) repl.Options {
	return repl.Options{
		History: historyFile(), In: os.Stdin, Out: stdout, Err: os.Stderr,
		Interactive: prompt && terminal(os.Stdin) && terminal(os.Stdout),
		Dumb:        os.Getenv("TERM") == "dumb",
		Color:       colored(os.Stdout), Size: size, Raw: raw, Suspend: suspend,
		Pager: chosen("ORRERY_PAGER", "PAGER"), Editor: chosen("VISUAL", "EDITOR"),
	}
}

// chosen is the first of the environment variables that is set.
func chosen(names ...string) string {
	for _, name := range names {
		if value, set := os.LookupEnv(name); set {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// load reads the models at paths into the session.
func load(ctx context.Context, shell *magics.Shell, o repl.Options, paths []string) int {
	for _, path := range paths {
		if err := shell.Load(ctx, path); err != nil {
			complain(err)
			if _, missing := os.Stat(path); missing != nil {
				return unusable
			}
			return failed
		}
	}
	return held
}

// historyFile is where the terminal keeps what was typed; "" where the user
// has no folder for such things.
func historyFile() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	dir = filepath.Join(dir, "orrery")
	if os.MkdirAll(dir, 0o700) != nil {
		return ""
	}
	return filepath.Join(dir, "history")
}
