package magics

import (
	"slices"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/render"
)

// sayable is everything that a user can say with % and %%, in the order of
// the families. A name may be that of an alias.
var sayable = strings.Fields(`
%schedule %seed %draws %clock-step %settings %budget %trace %strict
%load %save %print %list %show %search %who %whos %remove %reset %eval %why
%instantiate %features %instances %set %invoke
%validate %calc %constraint %requirement %satisfy %analysis %verify
%run %action %state %live %step %continue %until %advance %stop %back %forward
%choices %choose %fork %switch %forks %diff %tokens %current %events %stack
%watch %break %send %call %timeline %sequence
%explore %check %witness %replay %sweep %samples %runs
%plan %%plan %viz %view %render %export
%echo %world %lsmagic %help %time %timeit %history %recall %edit %cd %pwd %ls %env
%connect_info %version %quit
%%starlark %%sysml %%kerml %%markdown %%html %%svg %%writefile %%capture %%time %%script %%bash
`)

// TestEveryMagicIsWhole: each has a manual with its usage, its flags and an
// example, and completion offers its name and its flags with what they are.
// TestExamples executes the examples.
func TestEveryMagicIsWhole(t *testing.T) {
	s := New(Options{})
	named := map[*magic]bool{}
	for _, spelled := range sayable {
		name, body := strings.TrimLeft(spelled, "%"), strings.HasPrefix(spelled, "%%")
		m := s.registry.find(name, body)
		if m == nil {
			t.Errorf("there is no %s", spelled)
			continue
		}
		named[m] = true
		text := plainManual(m, render.PageWidth)
		for _, want := range append([]string{m.usage(), m.summary, "example:"}, strings.Split(m.example, "\n---\n")[0]) {
			if !strings.Contains(strings.Join(strings.Fields(text), " "), strings.Join(strings.Fields(want), " ")) {
				t.Errorf("the manual of %s lacks %q", spelled, want)
			}
		}
		offered := s.Complete(t.Context(), spelled[:len(spelled)-1], len(spelled)-1).Matches
		if i := slices.IndexFunc(offered, func(m Match) bool { return m.Text == spelled }); i < 0 || offered[i].Signature == "" {
			t.Errorf("completion does not offer %s with what it is", spelled)
		}
		line := spelled + " --"
		flags := s.Complete(t.Context(), line, len(line)).Matches
		for _, f := range m.flags {
			if !strings.Contains(text, f.name) || len(f.name) > 1 &&
				!slices.ContainsFunc(flags, func(m Match) bool { return m.Text == "--"+f.name && m.Signature != "" }) {
				t.Errorf("%s does not tell or complete its flag --%s", spelled, f.name)
			}
		}
	}
	for _, m := range s.registry.all {
		if !named[m] && !slices.Contains([]string{"explain", "captured"}, m.name) {
			t.Errorf("%s%s is not among what a user can say", m.sigil(), m.name)
		}
	}
}
