package plan

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"strings"

	"github.com/orrery-sysml/orrery/plan/api"
	"github.com/orrery-sysml/orrery/plan/axis"
	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/plan/report"
	"github.com/orrery-sysml/orrery/plan/suite"
	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// Adopt runs one leaf of m, a walk of f, again and makes the World that it ends
// with the session's: its objects, clocks and messages. leaf is the leaf's id,
// the beginning of it, a selector, or the name of a test without axes. The row
// is that of the run; the error is a diagnostic.
func (f *File) Adopt(ctx context.Context, m *bundle.Manifest, leaf string) (*bundle.Row, error) {
	wrong := func(message, hint string) error {
		return diagnostic.New(suite.WalkUsage, source.Span{}, message).WithHint(hint)
	}
	row, err := rowOf(m, leaf)
	if err != nil {
		return nil, err
	}
	if f.options.Session == nil {
		return nil, wrong("there is no session that could adopt a leaf", "the plan has models of its own")
	}
	again, end, err := f.replay(ctx, row)
	if err != nil {
		return nil, err
	}
	if end == nil {
		return nil, wrong("the leaf did nothing in the session's model", "a plan gets it with model.session()")
	}
	return again, f.options.Session.LoadWorld(end.SaveWorld())
}

// Break runs the one leaf of the plan called name that o names, and gives its
// row in full as text and the session in which the leaf ran its model, as the
// leaf left it: at its end, or at the call that failed. The error is a
// diagnostic.
func Break(ctx context.Context, name string, o WalkOptions) (*runtime.Session, string, error) {
	f, clean, err := o.open(ctx, name)
	if err != nil {
		return nil, "", err
	}
	defer clean()
	s, err := o.suite(f, name)
	if err != nil {
		return nil, "", err
	}
	m, err := suite.Walk(ctx, f.plan, s)
	if err != nil {
		return nil, "", err
	}
	if len(m.Rows) != 1 || m.Partial {
		return nil, "", diagnostic.New(suite.WalkUsage, source.Span{}, fmt.Sprintf("--break needs one leaf, and %d are asked for", m.Summary.Leaves)).
			WithHint("name it with --leaf, and its test with --test where several have it")
	}
	row, end, err := f.replay(ctx, &m.Rows[0])
	if err != nil {
		return nil, "", err
	}
	if end == nil {
		return nil, "", diagnostic.New(suite.WalkUsage, source.Span{}, "the leaf ran no model, so that there is nothing to look at").WithHint("walk it without --break")
	}
	return end, report.Leaf(row), nil
}

// rowOf is the row of m that leaf names.
func rowOf(m *bundle.Manifest, leaf string) (*bundle.Row, error) {
	selector, failed := axis.ParseSelector(leaf)
	var found *bundle.Row
	m.Each(func(_ int, r *bundle.Row) error { // f returns no error
		named := r.LeafID == "" && strings.TrimPrefix(r.Test, "test_") == strings.TrimPrefix(leaf, "test_")
		if found == nil && (named || failed == nil && r.LeafID != "" && selector.Matches(r.LeafID, bundle.Path(r.Choices))) {
			c := *r
			found = &c
		}
		return nil
	})
	if found == nil {
		return nil, diagnostic.New(suite.WalkUsage, source.Span{}, "the last walk has no leaf "+leaf).
			WithHint("a leaf is named by its id, four or more letters of it, or as axis=option")
	}
	return found, nil
}

// replay runs the leaf of row alone and gives its row and the session that it
// ends with; nil where it took no model.
func (f *File) replay(ctx context.Context, row *bundle.Row) (*bundle.Row, *runtime.Session, error) {
	o, err := WalkOptions{Tests: []string{row.Test}, NoShrink: true}.suite(f, f.Name())
	if err != nil {
		return nil, nil, err
	}
	if pins := bundle.Path(row.Choices).Pins(); pins != nil {
		o.Leaves = []axis.Selector{{Pins: pins}}
	}
	var end *runtime.Session
	o.Ended = func(subject any) { end = subject.(*api.Environment).Forked() }
	m, err := suite.Walk(ctx, f.plan, o)
	if err != nil {
		return nil, nil, err
	}
	if len(m.Rows) == 0 {
		return nil, nil, diagnostic.New(diagnostic.Interrupted, source.Span{}, "stopped before the end")
	}
	return &m.Rows[0], end, nil
}

// digestSession adds to h the model and the World that a session has.
func digestSession(h io.Writer, s *runtime.Session) {
	for _, d := range s.Model().Documents() {
		if d.Owner != "" {
			fmt.Fprintf(h, "\ndocument %s %d\n%s", d.Owner, len(d.File.Text), d.File.Text)
		}
	}
	sum := sha256.Sum256(s.World().Canonical(nil))
	fmt.Fprintf(h, "\nworld %x", sum)
}
