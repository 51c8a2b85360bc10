package magics

import (
	"strings"

	"github.com/orrery-sysml/orrery/render"
)

// This file makes help of declarations: the overview, the manual of one magic
// and the reference page.

// firstSteps are what overview begins with, in the order in which somebody new
// needs them. The first word of each that is a magic is one of the registry.
var firstSteps = [][2]string{
	{"part def Tank;", "any declaration is a cell; an expression such as 1 + 1 is evaluated"},
	{"%load FILE", "read a model; %list shows what there is"},
	{"NAME?", "tell what an element is; Tab completes its name"},
	{"%instantiate NAME --as x", "make an object; %features x shows its values"},
	{"%validate x", "judge everything that must hold for it"},
	{"%run NAME", "run an action or a state machine; %viz NAME draws it"},
	{"%explore NAME", "every outcome that some order of it can have"},
	{"%help run", "one magic with its flags and an example"},
}

// overview lists the first steps, and every magic with its summary.
func overview(r *registry) render.Bundle {
	t := render.Table{Columns: []render.Column{{Title: "magic", Tone: render.Code}, {Title: "what it does"}}}
	heading := func(text string) {
		t.Rows = append(t.Rows, []render.Cell{{Text: "— " + text, Tone: render.Muted}})
	}
	heading("Start here")
	for _, step := range firstSteps {
		t.Row(step[0], step[1])
	}
	family := ""
	for _, m := range r.all {
		if m.family != family {
			family = m.family
			heading(family)
		}
		t.Row(m.sigil()+m.name, m.summary)
	}
	t.Note = "%help NAME explains one of them with its flags and an example. NAME? tells what an element of the model is, NAME?? shows its source too."
	return t.Bundle()
}

// manual explains one magic.
func manual(m *magic) render.Bundle {
	var b strings.Builder
	b.WriteString("`" + m.usage() + "`\n\n" + sentence(m.summary) + "\n")
	writeDetails(&b, m)
	return render.Fitted(func(width int) string { return plainManual(m, width) }).With(render.Markdown, b.String())
}

// plainManual is the manual for a terminal of so many columns.
func plainManual(m *magic, width int) string {
	var b strings.Builder
	b.WriteString(m.usage() + "\n  " + m.summary + "\n")
	if m.help != "" {
		t := render.Table{Columns: []render.Column{{}}}
		t.Row(m.help)
		b.WriteString("\n" + indented(t.Text(width-2)))
	}
	if len(m.aliases) > 0 {
		b.WriteString("\nalso spelled: " + m.spelled() + "\n")
	}
	if len(m.flags) > 0 {
		b.WriteString("\nflags:\n" + indented(flagTable(m).Text(width-2)))
	}
	b.WriteString("\nexample:\n" + indented(strings.ReplaceAll(m.example, "---\n", "")+"\n"))
	return b.String()
}

func indented(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n  ") + "\n"
}

func flagTable(m *magic) *render.Table {
	t := &render.Table{Columns: []render.Column{{}, {}}}
	for i := range m.flags {
		f := &m.flags[i]
		t.Row(f.usage(), f.describe())
	}
	return t
}

// describe is what the flag means, with what holds where it is absent.
func (f *flag) describe() string {
	text := f.summary
	if f.short != "" {
		text += "; also -" + f.short
	}
	if f.fallback != "" {
		text += " (default: " + f.fallback + ")"
	}
	return text
}

// spelled is every other spelling of m.
func (m *magic) spelled() string {
	var names []string
	for _, a := range m.aliases {
		names = append(names, m.sigil()+a)
	}
	return strings.Join(names, ", ")
}

// sentence is a summary as a sentence.
func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] + "." }

// writeDetails writes what stands below the summary of m, as Markdown.
func writeDetails(b *strings.Builder, m *magic) {
	if m.help != "" {
		b.WriteString("\n" + m.help + "\n")
	}
	if len(m.aliases) > 0 {
		b.WriteString("\nAlso spelled `" + strings.ReplaceAll(m.spelled(), ", ", "`, `") + "`.\n")
	}
	if len(m.flags) > 0 {
		b.WriteString("\n| flag | meaning |\n|---|---|\n")
		for i := range m.flags {
			f := &m.flags[i]
			b.WriteString("| `" + strings.ReplaceAll(f.usage(), "|", "\\|") + "` | " + strings.ReplaceAll(f.describe(), "|", "\\|") + " |\n")
		}
	}
	for cell := range strings.SplitSeq(m.example, "\n---\n") {
		b.WriteString("\n```\n" + cell + "\n```\n")
	}
}

// reference is the page docs/magics.md: every magic of r.
func reference(r *registry) string {
	var b strings.Builder
	b.WriteString("# Magics\n\nMade from the declarations in `magics/` by `go test ./magics -update`; do not edit by hand.\n" +
		"Flags take one dash or two, and their value behind a blank or `=`. In the usage lines, `[...]` may be left out and\n" +
		"`...` may be repeated. Every example is executed by a test; `Demo` is the model of `magics/testdata/example.sysml`.\n")
	family := ""
	for _, m := range r.all {
		if m.family != family {
			family = m.family
			b.WriteString("\n## " + family + "\n")
		}
		b.WriteString("\n### `" + m.usage() + "`\n\n" + sentence(m.summary) + "\n")
		writeDetails(&b, m)
	}
	return b.String()
}
