package repl

import (
	"context"
	"strings"

	"github.com/orrery-sysml/orrery/repl/edit"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// complete lists what could stand at the cursor of a cell, a byte offset, and
// where the text that it replaces begins.
func (s *session) complete(code string, cursor int) (start int, items []edit.Item) {
	found := s.shell.Complete(context.Background(), code, source.CodePoints(code, cursor))
	for _, m := range found.Matches {
		what := m.Type
		if m.Signature != "" {
			what = m.Signature
			if m.Type != "magic" && m.Type != "flag" && !strings.Contains(what, m.Type) {
				what = m.Type + joint(what) + what
			}
		}
		items = append(items, edit.Item{Text: m.Text, What: what})
	}
	return source.Offset(code, found.Start), items
}

// joint stands between the kind of a thing and its signature, which may begin
// with a colon of its own: "part : Motor".
func joint(signature string) string {
	if strings.HasPrefix(signature, ":") {
		return " "
	}
	return ": "
}
