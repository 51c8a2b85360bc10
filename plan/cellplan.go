package plan

import (
	"context"
	"html"

	"go.starlark.net/starlark"

	"github.com/orrery-sysml/orrery/plan/api"
	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/plan/report"
	"github.com/orrery-sysml/orrery/plan/suite"
	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// Plan loads file as a plan over the session: a module of its own, whose
// models are the session's by model.session(), or files. It sees the
// variables of the cells by load("session", "name"), as frozen copies. Walking
// it leaves the session as it was.
func (c *Cells) Plan(ctx context.Context, file *source.File, o FileOptions) (*File, error) {
	o.Session = c.session
	o.Globals = c.copies()
	return Open(ctx, file, c.options.Dir, o)
}

// copies are the variables that a plan can load: data and handles. Functions
// are left out, since they see the variables of the cells as they change, and
// so are objects, which are not those of a leaf.
func (c *Cells) copies() starlark.StringDict {
	out := starlark.StringDict{}
	for _, n := range c.globals.Names() {
		if v, ok := copied(c.globals.Get(n), 0); ok {
			v.Freeze()
			out[n] = v
		}
	}
	return out
}

// maxCopied bounds the nesting of what is copied.
const maxCopied = 64

// copied is a copy of v that shares nothing that can change.
func copied(v starlark.Value, depth int) (starlark.Value, bool) {
	if depth > maxCopied {
		return nil, false
	}
	switch v := v.(type) {
	case starlark.NoneType, starlark.Bool, starlark.Int, starlark.Float, starlark.String, starlark.Bytes, *api.Handle, *api.Model, api.Quantity:
		return v, true
	case starlark.Tuple:
		list, ok := copiedAll(v, depth)
		return starlark.Tuple(list), ok
	case *starlark.List:
		list, ok := copiedAll(v, depth)
		return starlark.NewList(list), ok
	case *starlark.Set:
		list, ok := copiedAll(v, depth)
		s := starlark.NewSet(len(list))
		for _, x := range list {
			ok = ok && s.Insert(x) == nil
		}
		return s, ok
	case *starlark.Dict:
		d := starlark.NewDict(v.Len())
		for _, item := range v.Items() {
			x, ok := copied(item[1], depth+1)
			if !ok || d.SetKey(item[0], x) != nil {
				return nil, false
			}
		}
		return d, true
	}
	return nil, false
}

func copiedAll(v starlark.Iterable, depth int) ([]starlark.Value, bool) {
	var out []starlark.Value
	it := v.Iterate()
	defer it.Done()
	for x := starlark.Value(nil); it.Next(&x); {
		y, ok := copied(x, depth+1)
		if !ok {
			return nil, false
		}
		out = append(out, y)
	}
	return out, true
}

// TestNames lists the tests of f.
func (f *File) TestNames() []string { return f.plan.TestNames() }

// Name is the name of f's text.
func (f *File) Name() string { return f.plan.File.Name }

// Describe is what f would walk, for the tests that patterns name; with
// discover, bodies are run to find their axes.
func (f *File) Describe(ctx context.Context, tests []string, discover bool) (render.Bundle, error) {
	if _, err := suite.Select(f.plan, tests); err != nil {
		return render.Bundle{}, err
	}
	d := f.describeOptions(nil)
	d.Tests = tests
	doc := suite.Describe(f.plan, d)
	if discover {
		var err error
		if doc, err = suite.Discover(ctx, f.plan, d, 1); err != nil {
			return render.Bundle{}, err
		}
	}
	text, err := report.Plan(doc, "text")
	if err != nil {
		return render.Bundle{}, err
	}
	graph, err := report.Plan(doc, "mermaid")
	if err != nil {
		return render.Bundle{}, err
	}
	// No JSON beside them: a notebook would show that in place of the text.
	return render.Text(string(text)).With(render.HTML, "<pre>"+html.EscapeString(string(text))+"</pre>").
		With(render.Mermaid, string(graph)), nil
}

// Report is the result of a walk for a notebook.
func Report(m *bundle.Manifest) render.Bundle { return report.Bundle(m) }

// Coverage is what a walk executed of the models, in full.
func Coverage(m *bundle.Manifest) render.Bundle { return render.Text(report.Coverage(m)) }

// Status is the exit status of a walk by the table of exit statuses.
func Status(m *bundle.Manifest) int { return suite.Status(m, false) }
