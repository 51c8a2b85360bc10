package magics

import (
	"fmt"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// This file holds the magics of the session itself: help, history, folders,
// time, the end.

const sessionFamily = "Session"

func sessionMagics() []*magic {
	return []*magic{
		{
			name: "help", aliases: []string{"magic", "quickref"}, family: sessionFamily,
			arguments: []argument{{name: "NAME", kind: kindMagic, optional: true}},
			summary:   "list the magics, or explain one",
			help:      "%NAME? and %NAME -h explain a magic too, and NAME? an element of the model.",
			example:   "%help schedule",
			run:       runHelp,
		},
		{
			name: "lsmagic", family: sessionFamily,
			summary: "list every magic by its name",
			example: "%lsmagic",
			run:     runLsmagic,
		},
		{
			name: "echo", family: sessionFamily,
			arguments: []argument{{name: "TEXT", kind: kindText, optional: true}},
			flags:     []flag{{name: "err", kind: kindSwitch, summary: "write to the error stream"}},
			summary:   "print a text",
			example:   "%echo hello, world",
			run: func(c *call) error {
				stream := Stdout
				if c.has("err") {
					stream = Stderr
				}
				c.cell.sink.Stream(stream, c.text("TEXT")+"\n")
				return nil
			},
		},
		{
			name: "history", aliases: []string{"hist"}, family: sessionFamily,
			flags: []flag{
				{name: "n", kind: kindCount, summary: "only the last N cells"},
				{name: "g", kind: kindWord, summary: "only cells that match a pattern with * and ?"},
			},
			summary: "list the cells of this session",
			example: "%echo first\n---\n%history -n 1",
			run:     runHistory,
		},
		{
			name: "recall", aliases: []string{"rerun"}, family: sessionFamily,
			arguments: []argument{{name: "N", kind: kindCount, optional: true}},
			summary:   "put cell N, or the last one, into the next cell",
			example:   "%echo first\n---\n%recall 1",
			run:       runRecall,
		},
		editMagic(),
		{
			name: "time", family: sessionFamily,
			arguments: []argument{{name: "CELL", kind: kindText}},
			summary:   "execute the rest of the line and say how long it took",
			example:   "%time 1 + 1",
			run:       func(c *call) error { return timed(c, c.word("CELL").span) },
		},
		{
			name: "timeit", family: sessionFamily,
			arguments: []argument{{name: "CELL", kind: kindText}},
			flags:     []flag{{name: "n", kind: kindCount, fallback: "as many as fit into a second, at most 1000", summary: "how many times"}},
			summary:   "execute the rest of the line many times, quietly, and say how long one takes",
			example:   "%timeit -n 10 1 + 1",
			run:       runTimeit,
		},
		{
			name: "cd", family: sessionFamily,
			arguments: []argument{{name: "PATH", kind: kindPath, optional: true}},
			summary:   "change the folder that relative paths start from; without PATH, to the home folder",
			example:   "%cd .",
			run:       runCd,
		},
		{
			name: "pwd", family: sessionFamily,
			summary: "print the folder that relative paths start from",
			example: "%pwd",
			run:     func(c *call) error { c.printf("%s\n", c.shell.dir); return nil },
		},
		{
			name: "ls", family: sessionFamily,
			arguments: []argument{{name: "PATH", kind: kindPath, optional: true}},
			summary:   "list a folder",
			example:   "%ls",
			run:       runLs,
		},
		{
			name: "env", family: sessionFamily,
			arguments: []argument{{name: "NAME", kind: kindWord, optional: true}},
			summary:   "show the environment variables of Orrery, or one by its name",
			example:   "%env ORRERY_LIBRARY",
			run:       runEnv,
		},
		{
			name: "connect_info", family: sessionFamily,
			summary: "show the connection file, for a second front end on this session",
			example: "%connect_info",
			run: func(c *call) error {
				if c.shell.options.ConnectionFile == "" {
					c.printf("this session has no connection file; only a Jupyter kernel has one\n")
					return nil
				}
				c.printf("%s\njupyter console --existing %s\n", c.shell.options.ConnectionFile, path.Base(c.shell.options.ConnectionFile))
				return nil
			},
		},
		{
			name: "explain", family: sessionFamily,
			arguments: []argument{{name: "CODE", kind: kindWord, optional: true}},
			summary:   "explain the code of a diagnostic, or list them all",
			example:   "%explain unresolved-name",
			run:       runExplain,
		},
		{
			name: "version", family: sessionFamily,
			summary: "say which Orrery this is",
			example: "%version",
			run: func(c *call) error {
				c.printf("Orrery %s (%s/%s, %s)\n", c.shell.version(), runtime.GOOS, runtime.GOARCH, runtime.Version())
				return nil
			},
		},
		{
			name: "quit", aliases: []string{"exit"}, family: sessionFamily,
			summary: "end the session",
			example: "%quit",
			run:     func(c *call) error { c.cell.outcome.Exit = true; return nil },
		},
	}
}

func (s *Shell) version() string {
	if s.options.Version == "" {
		return "development"
	}
	return s.options.Version
}

func runHistory(c *call) error {
	cells := c.shell.history
	if pattern := c.text("g"); pattern != "" {
		if _, err := path.Match(pattern, ""); err != nil {
			return usageError(c.line.magic, c.word("g").span, "the pattern "+pattern+" is malformed")
		}
		var match []past
		for _, p := range cells {
			// path.Match stops at "/", which is an ordinary character here.
			if ok, _ := path.Match(strings.ReplaceAll(pattern, "/", "\x00"), strings.ReplaceAll(p.code, "/", "\x00")); ok {
				match = append(match, p)
			}
		}
		cells = match
	}
	if n := int(c.integer("n", int64(len(cells)))); n < len(cells) {
		cells = cells[len(cells)-n:]
	}
	for _, p := range cells {
		mark := ""
		if p.failed {
			mark = " (failed)"
		}
		c.printf("%4d%s: %s\n", p.count, mark, strings.ReplaceAll(strings.TrimRight(p.code, "\n"), "\n", "\n      "))
	}
	return nil
}

func runRecall(c *call) error {
	found, err := c.pastCell(int(c.integer("N", 0)), c.word("N").span)
	if err != nil {
		return err
	}
	c.cell.sink.NextInput(found.code, false)
	return nil
}

// timed executes the text of span as a cell and prints the time it took.
func timed(c *call, span source.Span) error {
	start := time.Now()
	err := c.cell.nested(span, c.cell.sink, c.last)
	c.printf("time: %s\n", duration(time.Since(start)))
	return err
}

func runTimeit(c *call) error {
	n, limit := c.integer("n", 1000), time.Second
	if c.has("n") {
		limit = time.Hour
	}
	var runs int64
	start := time.Now()
	fastest := time.Duration(-1)
	for runs = 0; runs < n && time.Since(start) < limit; runs++ {
		one := time.Now()
		if err := c.cell.nested(c.word("CELL").span, dropped{c.cell.sink}, false); err != nil {
			return err
		}
		if d := time.Since(one); fastest < 0 || d < fastest {
			fastest = d
		}
	}
	mean := time.Since(start) / time.Duration(runs)
	c.printf("time: %s on average, %s at best, %d runs\n", duration(mean), duration(fastest), runs)
	return nil
}

// duration is d with three digits that count.
func duration(d time.Duration) string {
	for _, u := range []struct {
		unit time.Duration
		name string
	}{{time.Second, "s"}, {time.Millisecond, "ms"}, {time.Microsecond, "µs"}} {
		if d >= u.unit {
			return fmt.Sprintf("%.3g %s", float64(d)/float64(u.unit), u.name)
		}
	}
	return fmt.Sprintf("%d ns", d.Nanoseconds())
}

func runCd(c *call) error {
	target := c.text("PATH")
	if target == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return diagnostic.New(codeFile, c.span(), "the home folder is unknown").WithHint("give the PATH")
		}
		target = home
	}
	target = c.shell.path(target)
	info, err := os.Stat(target)
	if err != nil {
		return fileError(c.word("PATH").span, c.text("PATH"), err)
	}
	if !info.IsDir() {
		return diagnostic.New(codeFile, c.word("PATH").span, c.text("PATH")+" is no folder")
	}
	c.shell.dir = target
	return nil
}

func runLs(c *call) error {
	entries, err := os.ReadDir(c.shell.path(c.text("PATH")))
	if err != nil {
		return fileError(c.word("PATH").span, c.text("PATH"), err)
	}
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() {
			name += "/"
		}
		c.printf("%s\n", name)
	}
	return nil
}

func runEnv(c *call) error {
	if name := c.text("NAME"); name != "" {
		c.printf("%s=%s\n", name, os.Getenv(name))
		return nil
	}
	variables := os.Environ()
	slices.Sort(variables)
	for _, v := range variables {
		if strings.HasPrefix(v, "ORRERY_") {
			c.printf("%s\n", v)
		}
	}
	return nil
}

func runHelp(c *call) error {
	name := c.text("NAME")
	if name == "" {
		c.display(overview(c.shell.registry))
		return nil
	}
	m := c.shell.registry.either(name)
	if m == nil {
		bare := strings.TrimLeft(name, "%")
		return unknownMagic(c.shell.registry, c.word("NAME").span, bare, strings.HasPrefix(name, "%%"))
	}
	c.display(manual(m))
	return nil
}

func runLsmagic(c *call) error {
	var t render.Table
	t.Columns = []render.Column{{}, {}}
	for _, family := range c.shell.registry.families {
		var names []string
		for _, m := range c.shell.registry.all {
			if m.family == family {
				names = append(names, m.sigil()+m.name)
			}
		}
		t.Row(family, strings.Join(names, " "))
	}
	t.Note = "%help NAME explains one of them"
	c.display(t.Bundle())
	return nil
}

func runExplain(c *call) error {
	codes := diagnostic.Codes()
	code := diagnostic.Code(c.text("CODE"))
	if code == "" {
		t := &render.Table{Columns: []render.Column{{Title: "code", Tone: render.Code}, {Title: "what it means"}}}
		for _, known := range codes {
			text, _ := diagnostic.Explain(known)
			t.Row(string(known), text)
		}
		c.display(t.Bundle())
		return nil
	}
	text, ok := diagnostic.Explain(code)
	if !ok {
		var names []string
		for _, known := range codes {
			names = append(names, string(known))
		}
		d := diagnostic.New(codeMagicUsage, c.word("CODE").span, "no diagnostic has the code "+string(code)).
			WithHint("%explain lists them all")
		if near := nearest(string(code), names); near != "" {
			d.Hint = "did you mean " + near + "? " + d.Hint
		}
		return d
	}
	c.printf("%s\n", text)
	return nil
}
