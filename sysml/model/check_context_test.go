package model

import (
	"context"
	"testing"

	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

func TestCheckEndsWithItsContext(t *testing.T) {
	file := source.NewFile("a.sysml", "part a : Nothing; part b : Nobody;")
	tree, _ := syntax.Parse(file, syntax.Options{})
	d := &Document{File: file, Tree: tree, Owner: file.Name}
	m := New(nil, Options{})
	m.Add(d)
	ctx, cancel := context.WithCancel(context.Background())
	if found := m.CheckContext(ctx, d); len(found) == 0 {
		t.Errorf("nothing found")
	}
	cancel()
	if found := m.CheckContext(ctx, d); len(found) != 0 {
		t.Errorf("found %v though the context is done", found)
	}
}
