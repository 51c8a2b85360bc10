package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/orrery-sysml/orrery/runtime/conform"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// conformFlags are the flags of conform, as they were given.
type conformFlags struct {
	types, oracle                   string
	policies, known                 several
	traces, asJSON, verbose, update bool
}

func runConform(ctx context.Context, c *invocation) int {
	var f conformFlags
	c.set.StringVar(&f.types, "type", "", "judge cases of these `TYPES` alone, comma-separated")
	c.set.Var(&f.policies, "policy", "run under this `schedule` instead of reverse, declared and seed:1; may be repeated")
	c.set.BoolVar(&f.traces, "traces", false, "compare golden traces and orders too")
	c.set.BoolVar(&f.update, "update-traces", false, "write the golden traces that cases own")
	c.set.BoolVar(&f.asJSON, "json", false, "print JSON")
	c.set.BoolVar(&f.verbose, "v", false, "a line for every case")
	c.set.Var(&f.known, "known", "read what may fail, and why, from `FILE`; may be repeated")
	c.set.StringVar(&f.oracle, "oracle", "", "look up what cases cite in `FILE` instead of docs/semantic-oracle.md around them")
	o := c.sessionFlags()
	if status, ok := c.parse(1, -1); !ok {
		return status
	}
	ctx, stop := interruptible(ctx)
	defer stop()
	lib, err := o.source()
	if err != nil {
		complain(err)
		return unusable
	}
	options := conform.Options{Library: lib, Traces: f.traces, Update: f.update, Workers: runtime.GOMAXPROCS(0)}
	if status := f.read(&options); status != held {
		return status
	}
	cases, err := conform.Load(c.rest...)
	if err != nil {
		complain(err)
		return unusable
	}
	cases = ofTypes(cases, f.types)
	report := conform.Run(ctx, cases, options)
	if f.asJSON {
		text, err := report.JSON()
		if err != nil {
			complain(err)
			return failed
		}
		fmt.Fprintln(stdout, string(text))
	} else {
		fmt.Fprint(stdout, report.Text(f.verbose))
	}
	switch {
	case ctx.Err() != nil:
		return stopped
	case !report.OK():
		return failed
	case len(cases) == 0:
		return noneJudged
	}
	return held
}

// read fills the options with what flags name: policies, what may fail, and
// the oracle. The exit status is held where all of it could be read.
func (f *conformFlags) read(options *conform.Options) int {
	for _, text := range f.policies {
		policy, d := schedule.ParsePolicy(text)
		if d != nil {
			return usage("conform: "+d.Message, "reverse, declared or seed:N")
		}
		options.Policies = append(options.Policies, policy)
	}
	var err error
	if options.Known, err = readKnown(f.known); err != nil {
		complain(err)
		return unusable
	}
	if f.oracle != "" {
		if options.Oracle, err = conform.ReadOracle(f.oracle); err != nil {
			complain(unreadable(f.oracle, err))
			return unusable
		}
	}
	return held
}

// readKnown joins the lists of what may fail.
func readKnown(paths []string) (conform.Known, error) {
	var lists []conform.Known
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, unreadable(path, err)
		}
		list, err := conform.ParseKnown(string(text))
		if err != nil {
			return nil, diagnostic.New(inputCode, source.Span{}, path+": "+err.Error()).
				WithHint("a line is: CASE [result|golden|check|order]  # reason")
		}
		lists = append(lists, list)
	}
	return conform.Join(lists...), nil
}

// ofTypes are the cases of the comma-separated types; all where there are
// none. A case that cannot be read is of every type.
func ofTypes(cases []*conform.Case, types string) []*conform.Case {
	if types == "" {
		return cases
	}
	var list []*conform.Case
	for _, c := range cases {
		if c.Err != nil {
			list = append(list, c)
			continue
		}
		for t := range strings.SplitSeq(types, ",") {
			if c.Expect.Type == strings.TrimSpace(t) {
				list = append(list, c)
				break
			}
		}
	}
	return list
}

// several is a flag that may be given many times.
type several []string

func (p *several) String() string        { return "" }
func (p *several) Set(text string) error { *p = append(*p, text); return nil }
