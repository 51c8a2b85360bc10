package main

import (
	"context"
	"fmt"
	"os"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/library"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

func runValidate(ctx context.Context, c *invocation) int {
	var asJSON bool
	var object string
	c.set.BoolVar(&asJSON, "json", false, "print JSON, as docs/schemas has it")
	c.set.StringVar(&object, "object", "", "make an object of `NAME` and judge every assertion of it and of all that it holds")
	o := c.modelFlags()
	if status, ok := c.parse(1, -1); !ok {
		return status
	}
	ctx, stop := interruptible(ctx)
	defer stop()
	if object != "" {
		return c.validateObject(ctx, o, object, asJSON)
	}
	files, err := modelFiles(c.rest)
	if err != nil {
		complain(err)
		return unusable
	}
	lib, err := o.source()
	if err != nil {
		complain(err)
		return unusable
	}
	found := diagnose(ctx, files, lib, o.strict)
	if err := ctx.Err(); err != nil {
		complain(diagnostic.New(diagnostic.Interrupted, source.Span{}, "stopped before all was checked"))
		return stopped
	}
	if asJSON {
		printFound(found)
	} else {
		for _, d := range found {
			fmt.Fprint(stdout, diagnostic.Text(d, diagnostic.Style{Color: colored(os.Stdout)}))
		}
		fmt.Fprintln(stdout, summary(len(files), found))
	}
	if found.HasErrors() {
		return failed
	}
	return held
}

// diagnose is all that there is to say against files, which form one model.
// Notation beyond the standard is an error where strict is set. When ctx is done,
// it ends with what it has found.
func diagnose(ctx context.Context, files []*source.File, lib library.Source, strict bool) diagnostic.List {
	m := model.New(lib, model.Options{})
	var found diagnostic.List
	var documents []*model.Document
	for _, file := range files {
		if ctx.Err() != nil {
			break
		}
		tree, list := syntax.Parse(file, syntax.Options{Extensions: !strict})
		found = append(found, list...)
		documents = append(documents, &model.Document{File: file, Tree: tree, Owner: file.Name})
	}
	for _, d := range documents {
		m.Add(d)
	}
	found = append(found, m.CheckContext(ctx, documents...)...)
	found.Sort()
	return found
}

func count(found diagnostic.List, s diagnostic.Severity) int {
	n := 0
	for _, d := range found {
		if d.Severity == s {
			n++
		}
	}
	return n
}

func summary(files int, found diagnostic.List) string {
	return fmt.Sprintf("%s: %s, %s", plural(files, "file"),
		plural(count(found, diagnostic.Error), "error"), plural(count(found, diagnostic.Warning), "warning"))
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func printFound(found diagnostic.List) {
	if found == nil {
		found = diagnostic.List{}
	}
	printJSON(map[string]any{"version": 1, "diagnostics": found,
		"errors": count(found, diagnostic.Error), "warnings": count(found, diagnostic.Warning)})
}
