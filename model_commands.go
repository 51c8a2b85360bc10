package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

var inputCode = diagnostic.Register("input",
	"A file or folder that was named cannot be read, or holds no model.")

// modelFiles are the .sysml and .kerml files at paths, folders searched
// throughout, in alphabetical order within each path.
func modelFiles(paths []string) ([]*source.File, error) {
	var files []*source.File
	for _, path := range paths {
		var found []string
		err := filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			isModel := d.Type()&^fs.ModeSymlink == 0 && (strings.HasSuffix(p, ".sysml") || strings.HasSuffix(p, ".kerml"))
			if !d.IsDir() && (p == path || isModel) {
				found = append(found, p)
			}
			return nil
		})
		if err != nil {
			return nil, unreadable(path, err)
		}
		if len(found) == 0 {
			return nil, diagnostic.New(inputCode, source.Span{}, path+" holds no .sysml or .kerml file").
				WithHint("name a model, or a folder of models")
		}
		sort.Strings(found)
		for _, p := range found {
			text, err := source.Read(p)
			if err != nil {
				return nil, unreadable(p, err)
			}
			file := source.NewFile(p, string(text))
			if strings.HasSuffix(p, ".kerml") {
				file.Language = source.KerML
			}
			files = append(files, file)
		}
	}
	return files, nil
}

func unreadable(path string, err error) error {
	return inaccessible("read", path, err)
}

func unwritable(path string, err error) error {
	return inaccessible("write", path, err)
}

// inaccessible says why the file at path cannot be read or written, as verb is.
func inaccessible(verb, path string, err error) error {
	var e *fs.PathError
	reason := err.Error()
	if errors.As(err, &e) {
		path, reason = e.Path, e.Err.Error()
	}
	return diagnostic.New(inputCode, source.Span{}, "cannot "+verb+" "+path+": "+reason).
		WithHint("check the name; paths start from the folder you are in")
}

func runFormat(_ context.Context, c *invocation) int {
	var check bool
	c.set.BoolVar(&check, "check", false, "change nothing; fail where a file is not laid out so")
	if status, ok := c.parse(1, -1); !ok {
		return status
	}
	files, err := modelFiles(c.rest)
	if err != nil {
		complain(err)
		return unusable
	}
	status := held
	for _, file := range files {
		tree, found := syntax.Parse(file, syntax.Options{Extensions: true})
		if found.HasErrors() {
			complain(found)
			status = failed
			continue
		}
		text := syntax.Format(tree)
		switch {
		case text == file.Text:
		case check:
			fmt.Fprintln(stdout, file.Name)
			status = failed
		default:
			if err := os.WriteFile(file.Name, []byte(text), 0o666); err != nil {
				complain(unwritable(file.Name, err))
				return unusable
			}
			fmt.Fprintln(stdout, file.Name)
		}
	}
	return status
}

// indented is text with four spaces before each line.
func indented(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n    ") + "\n"
}

func runExplain(_ context.Context, c *invocation) int {
	var asJSON bool
	c.set.BoolVar(&asJSON, "json", false, "print JSON")
	if status, ok := c.parse(0, 1); !ok {
		return status
	}
	codes := diagnostic.Codes()
	if len(c.rest) == 1 {
		codes = []diagnostic.Code{diagnostic.Code(c.rest[0])}
		if _, ok := diagnostic.Explain(codes[0]); !ok {
			return usage("no diagnostic has the code "+c.rest[0], "`orrery explain` lists them all")
		}
	}
	table := map[string]string{}
	for _, code := range codes {
		text, _ := diagnostic.Explain(code)
		if table[string(code)] = text; !asJSON {
			fmt.Fprintf(stdout, "%s\n    %s\n", code, text)
			if x, ok := model.ExampleOf(code); ok && len(c.rest) == 1 {
				fmt.Fprintf(stdout, "\nwrong:\n%s\nright:\n%s", indented(x.Wrong), indented(x.Right))
			}
		}
	}
	if asJSON {
		printJSON(map[string]any{"version": 1, "codes": table})
	}
	return held
}
