package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strings"

	"github.com/orrery-sysml/orrery/runtime/conform"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

func runConform(ctx context.Context, c *invocation) int {
	var types, oracle string
	var policies, known several
	var traces, asJSON, verbose, update bool
	c.set.StringVar(&types, "type", "", "judge cases of these `TYPES` alone, comma-separated")
	c.set.Var(&policies, "policy", "run under this `schedule` instead of reverse, declared and seed:1; may be repeated")
	c.set.BoolVar(&traces, "traces", false, "compare golden traces and orders too")
	c.set.BoolVar(&update, "update-traces", false, "write the golden traces that cases own")
	c.set.BoolVar(&asJSON, "json", false, "print JSON")
	c.set.BoolVar(&verbose, "v", false, "a line for every case")
	c.set.Var(&known, "known", "read what may fail, and why, from `FILE`; may be repeated")
	c.set.StringVar(&oracle, "oracle", "", "look up what cases cite in `FILE` instead of docs/semantic-oracle.md around them")
	o := c.sessionFlags()
	if status, ok := c.parse(1, -1); !ok {
		return status
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	lib, err := o.source()
	if err != nil {
		complain(err)
		return unusable
	}
	options := conform.Options{Library: lib, Traces: traces, Update: update, Workers: runtime.GOMAXPROCS(0)}
	for _, text := range policies {
		policy, d := schedule.ParsePolicy(text)
		if d != nil {
			return usage("conform: "+d.Message, "reverse, declared or seed:N")
		}
		options.Policies = append(options.Policies, policy)
	}
	if options.Known, err = readKnown(known); err != nil {
		complain(err)
		return unusable
	}
	if oracle != "" {
		if options.Oracle, err = conform.ReadOracle(oracle); err != nil {
			complain(unreadable(oracle, err))
			return unusable
		}
	}
	cases, err := conform.Load(c.rest...)
	if err != nil {
		complain(err)
		return unusable
	}
	cases = ofTypes(cases, types)
	report := conform.Run(ctx, cases, options)
	if asJSON {
		text, err := report.JSON()
		if err != nil {
			complain(err)
			return failed
		}
		fmt.Fprintln(stdout, string(text))
	} else {
		fmt.Fprint(stdout, report.Text(verbose))
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
		for _, t := range strings.Split(types, ",") {
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
