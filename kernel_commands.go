package main

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/orrery-sysml/orrery/kernel"
	"github.com/orrery-sysml/orrery/kernel/install"
	"github.com/orrery-sysml/orrery/magics"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
)

// A language is what a kernel tells a front end, and what its cells are.
type language struct {
	kernel kernel.Language
	cells  magics.Language
}

// languages are those that a kernel can have for cells that do not say what
// they are, each with a kernelspec of its own.
var languages = []language{
	{kernel.SysML, magics.SysML},
	{kernel.Starlark, magics.Starlark},
}

// links are what a front end's Help menu shows beside its own entries.
var links = []kernel.Link{
	{Text: "Orrery", URL: "https://github.com/orrery-sysml/orrery"},
	{Text: "Orrery: magics", URL: "https://github.com/orrery-sysml/orrery/blob/main/docs/magics.md"},
	{Text: "SysML v2", URL: "https://www.omg.org/spec/SysML/2.0"},
	{Text: "Starlark", URL: "https://github.com/bazelbuild/starlark/blob/master/spec.md"},
}

func runKernel(ctx context.Context, c *invocation) int {
	var name string
	c.set.StringVar(&name, "language", kernel.SysML.Name, "what a cell is unless it says otherwise: `sysml` or starlark")
	o := c.sessionFlags()
	if status, ok := c.parse(1, 1); !ok {
		return status
	}
	i := slices.IndexFunc(languages, func(l language) bool { return l.kernel.Name == name })
	if i < 0 {
		return usage("kernel: no language "+name, "sysml or starlark")
	}
	o.language, o.connectionFile = languages[i].cells, c.rest[0]
	err := kernel.Serve(ctx, kernel.Options{
		ConnectionFile: c.rest[0], Language: languages[i].kernel, Version: version,
		Banner:     "Orrery " + version + ": SysML v2 cells, %magics and %%starlark; %help explains",
		Links:      links,
		HistoryDir: kernel.DefaultHistoryDir(),
		Open: func() (kernel.Interpreter, error) {
			shell, err := o.shell("")
			if err != nil {
				return nil, err
			}
			return shell, nil
		},
	})
	if err != nil {
		complain(err)
		return failed
	}
	return held
}

// place declares the flags that say where a kernelspec goes.
func (c *invocation) place() (where *install.Place, name *string, force *bool) {
	where = &install.Place{}
	c.set.Bool("user", false, "for this user (the default)")
	c.set.BoolVar(&where.SysPrefix, "sys-prefix", false, "in the active Python environment")
	c.set.StringVar(&where.Prefix, "prefix", "", "below `DIR`/share/jupyter")
	name = c.set.String("name", "sysml", "of the kernelspec; that for Starlark is NAME-starlark, `starlark` beside sysml")
	force = c.set.Bool("force", false, "also where another program's kernelspec has that name")
	return where, name, force
}

// specs are the kernelspecs, the first of them called name.
func specs(name string) []install.Spec {
	var list []install.Spec
	for i, l := range languages {
		s := install.Spec{Name: name, DisplayName: l.kernel.DisplayName, Language: l.kernel.Name,
			Arguments: []string{"kernel", "{connection_file}"}, Version: version}
		if i > 0 {
			s.Arguments = []string{"kernel", "--language", l.kernel.Name, "{connection_file}"}
			if s.Name = l.kernel.Name; name != kernel.SysML.Name {
				s.Name = name + "-" + l.kernel.Name
			}
		}
		list = append(list, s)
	}
	return list
}

func runInstall(_ context.Context, c *invocation) int {
	where, name, force := c.place()
	if status, ok := c.parse(0, 0); !ok {
		return status
	}
	executable, err := os.Executable()
	if err != nil {
		return usage("the path of the running executable is not known", "run orrery by its full path")
	}
	if err := installAll(where, *name, executable, *force); err != nil {
		complain(err)
		return failed
	}
	return held
}

// folders are those of kernelspecs and of extensions in a place.
func folders(where *install.Place) (kernels, extensions string, err error) {
	if kernels, err = where.Kernels(); err == nil {
		extensions, err = where.Extensions()
	}
	return kernels, extensions, err
}

// installAll writes every kernelspec, or none where one of the names is
// another program's, and the extension of JupyterLab.
func installAll(where *install.Place, name, executable string, force bool) error {
	kernels, extensions, err := folders(where)
	if err != nil {
		return err
	}
	list := specs(name)
	for _, s := range list {
		if err := install.Check(s.Name, kernels, force); err != nil {
			return err
		}
	}
	for i, s := range list {
		dir, err := install.Install(s, kernels, executable, force)
		if err != nil {
			return err
		}
		fmt.Fprintf(stdout, "installed kernel %s in %s\n", s.Name, dir)
		if i == 0 {
			executable = install.Executable(dir) // the others share it
		}
	}
	dir, err := install.InstallExtension(extensions, force)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "installed the JupyterLab extension in %s\n", dir)
	return nil
}

func runUninstall(_ context.Context, c *invocation) int {
	where, name, force := c.place()
	if status, ok := c.parse(0, 0); !ok {
		return status
	}
	if err := uninstallAll(where, *name, *force); err != nil {
		complain(err)
		return failed
	}
	return held
}

// uninstallAll removes what installAll has written. The extension stays for
// as long as a kernelspec of ours is left beside it.
func uninstallAll(where *install.Place, name string, force bool) error {
	kernels, extensions, err := folders(where)
	if err != nil {
		return err
	}
	for i, s := range specs(name) {
		dir, err := install.Uninstall(s.Name, kernels, force)
		if list := diagnostic.Of(err); i > 0 && len(list) > 0 && list[0].Code == install.NotInstalled {
			continue // removed by itself before
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(stdout, "removed kernel %s from %s\n", s.Name, dir)
	}
	if install.Installed(kernels) {
		return nil
	}
	dir, err := install.UninstallExtension(extensions, force)
	if err != nil {
		return err
	}
	if dir != "" {
		fmt.Fprintf(stdout, "removed the JupyterLab extension from %s\n", dir)
	}
	return nil
}
