package magics

import (
	"strconv"
	"strings"

	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/runtime/budget"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
)

// This file shows and changes the settings of the session.

const settingsFamily = "Settings"

func settingsMagics() []*magic {
	return []*magic{
		settingMagic("schedule", "POLICY", []string{"reverse", "declared", "seed:", "replay:", "explore"},
			"how a run resolves what the semantics leaves open",
			"`reverse` (the default) and `declared` are fixed orders, `seed:N` draws an order, `replay:FILE` follows a witness, and "+
				"`explore[:runs=N,depth=D]` makes %run report every outcome. Without POLICY, shows the one in force.",
			"%schedule declared\n%schedule"),
		settingMagic("seed", "N", []string{"off"},
			"the seed of the model's own randomness",
			"Without a seed, a draw is refused under `%draws random`. The orders of a schedule are not drawn from it.",
			"%seed 42"),
		settingMagic("draws", "POLICY", []string{"random", "min", "max", "average"},
			"what a call of a random function takes",
			"`random` (the default) draws from the stream that %seed begins; `min`, `max` and `average` are those of the distribution.",
			"%draws average"),
		settingMagic("clock-step", "SECONDS", []string{"off"},
			"the tick of the clock",
			"Waits come due at the first multiple not before their end. `off` is the continuous clock.",
			"%clock-step 0.5"),
		{
			name: "settings", family: settingsFamily,
			summary: "show every setting, or take them all back to the defaults",
			flags:   []flag{{name: "reset", kind: kindSwitch, summary: "take every setting back to its default"}},
			example: "%settings",
			run:     runSettings,
		},
		{
			name: "budget", family: settingsFamily,
			arguments: []argument{{name: "NAME=N", kind: kindBudget, optional: true, repeated: true}},
			summary:   "show or change the bounds of one run",
			help:      "A run that reaches a bound ends with an error that names it. An environment variable sets the bound that a session begins with.",
			example:   "%budget steps=20000000",
			run:       runBudget,
		},
		{
			name: "trace", family: settingsFamily,
			arguments: []argument{{name: "WHAT", kind: kindOneOf, values: []string{"on", "off", "show"}, optional: true}},
			summary:   "switch tracing on or off, or show the trace of the last run",
			help:      "Tracing changes nothing in what happens. With it on, %run shows the trace.",
			example:   "%trace on",
			run:       runTrace,
		},
		{
			name: "strict", family: settingsFamily,
			arguments: []argument{{name: "ON", kind: kindOneOf, values: []string{"on", "off"}, optional: true}},
			summary:   "report notation beyond the standard",
			example:   "%strict on",
			run: func(c *call) error {
				if c.has("ON") {
					c.shell.strict = c.choice("ON") == "on"
				}
				c.printf("strict: %s\n", onOff(c.shell.strict))
				return nil
			},
		},
	}
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// settingMagic declares the magic that shows and sets one of the settings of
// schedule.Settings, which reads and prints its spelling.
func settingMagic(name, argumentName string, values []string, summary, help, example string) *magic {
	return &magic{
		name: name, family: settingsFamily,
		arguments: []argument{{name: argumentName, kind: kindWord, values: values, optional: true}},
		summary:   summary, help: help, example: example,
		run: func(c *call) error {
			s := c.shell.session.Settings()
			if w := c.word(argumentName); w.text != "" {
				if d := s.Set(name, w.plain()); d != nil {
					return placed(d, w.span)
				}
				kept := s
				kept.Schedule.File = c.shell.witnessPath(s.Schedule.File)
				c.shell.session.SetSettings(kept)
				if name == "seed" {
					c.shell.session.Reseed()
				}
			}
			c.printf("%s: %s\n", name, shownSetting(s, name))
			return nil
		},
	}
}

// shownSetting is the spelling of a setting, "off" where it is empty.
func shownSetting(s schedule.Settings, name string) string {
	if text := s.Get(name); text != "" {
		return text
	}
	return "off"
}

func runSettings(c *call) error {
	if c.has("reset") {
		c.shell.session.SetSettings(schedule.Settings{})
		c.shell.session.Reseed()
		c.shell.strict, c.shell.tracing = false, false
	}
	s := c.shell.session.Settings()
	t := &render.Table{Columns: []render.Column{{Title: "setting", Tone: render.Code}, {Title: "value", Tone: render.Code}, {Title: "meaning"}}}
	for _, name := range schedule.Names() {
		meaning := ""
		if m := c.shell.registry.find(name, false); m != nil {
			meaning = m.summary
		}
		t.Row(name, shownSetting(s, name), meaning)
	}
	t.Row("trace", onOff(c.shell.tracing), "show the trace of every run")
	t.Row("strict", onOff(c.shell.strict), "report notation beyond the standard")
	t.Note = "%budget shows the bounds of a run"
	c.display(t.Bundle())
	return nil
}

func runBudget(c *call) error {
	b := c.shell.session.Budget()
	if len(c.words("NAME=N")) == 0 {
		t := &render.Table{Columns: []render.Column{{Title: "bound", Tone: render.Code}, {Title: "limit", Right: true},
			{Title: "default", Right: true, Tone: render.Muted}, {Title: "environment", Tone: render.Muted}}}
		for _, n := range budget.Names() {
			t.Row(n.String(), strconv.FormatInt(b.Limit(n), 10), strconv.FormatInt(n.Default(), 10), n.Environment())
		}
		c.display(t.Bundle())
		return nil
	}
	for _, w := range c.words("NAME=N") {
		changed, err := b.Set(strings.ReplaceAll(w.text, " ", ""))
		if err != nil {
			return placed(err, w.span)
		}
		b = changed
	}
	c.shell.session.SetBudget(b)
	for _, w := range c.words("NAME=N") {
		c.printf("%s\n", strings.ReplaceAll(w.text, " ", ""))
	}
	return nil
}

func runTrace(c *call) error {
	switch c.choice("WHAT") {
	case "show":
		if c.shell.lastTrace == nil {
			return diagnostic.New(codeMagicUsage, c.span(), "no run was traced yet").WithHint("%trace on, then %run")
		}
		c.display(render.Text(render.Clip(strings.Join(c.shell.lastTrace, "\n")+"\n", 10_000)))
		return nil
	case "on", "off":
		c.shell.tracing = c.choice("WHAT") == "on"
	}
	c.printf("trace: %s\n", onOff(c.shell.tracing))
	return nil
}
