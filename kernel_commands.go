package main

import (
	"context"
	"fmt"
	"os"

	"github.com/orrery-sysml/orrery/kernel"
	"github.com/orrery-sysml/orrery/kernel/install"
)

func runKernel(ctx context.Context, c *invocation) int {
	var language string
	c.set.StringVar(&language, "language", "sysml", "what a cell is unless it says otherwise: `sysml` or starlark")
	o := c.sessionFlags()
	if status, ok := c.parse(1, 1); !ok {
		return status
	}
	options := kernel.Options{
		ConnectionFile: c.rest[0], Language: kernel.SysML, Version: version,
		Banner:     "Orrery " + version + ": SysML v2 cells, %magics and %%starlark; %help explains",
		HistoryDir: kernel.DefaultHistoryDir(),
		Open: func() (kernel.Interpreter, error) {
			shell, err := o.shell("")
			if err != nil {
				return nil, err
			}
			return shell, nil
		},
	}
	switch language {
	case "sysml":
	case "starlark":
		options.Language = kernel.Starlark
	default:
		return usage("kernel: no language "+language, "sysml or starlark")
	}
	if err := kernel.Serve(ctx, options); err != nil {
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
	name = c.set.String("name", "sysml", "of the kernelspec")
	force = c.set.Bool("force", false, "also where another program's kernelspec has that name")
	return where, name, force
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
	kernels, err := where.Kernels()
	if err != nil {
		complain(err)
		return failed
	}
	dir, err := install.Install(install.Spec{
		Name: *name, DisplayName: kernel.SysML.DisplayName, Language: kernel.SysML.Name,
		Arguments: []string{"kernel", "{connection_file}"}, Version: version,
	}, kernels, executable, *force)
	if err != nil {
		complain(err)
		return failed
	}
	fmt.Printf("installed kernel %s in %s\n", *name, dir)
	return held
}

func runUninstall(_ context.Context, c *invocation) int {
	where, name, force := c.place()
	if status, ok := c.parse(0, 0); !ok {
		return status
	}
	kernels, err := where.Kernels()
	if err != nil {
		complain(err)
		return failed
	}
	dir, err := install.Uninstall(*name, kernels, *force)
	if err != nil {
		complain(err)
		return failed
	}
	fmt.Printf("removed kernel %s from %s\n", *name, dir)
	return held
}
