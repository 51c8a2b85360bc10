package runtime_test

import (
	"context"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

func redeclare(t *testing.T, s *runtime.Session, text string) {
	t.Helper()
	file := source.NewFile("model", text)
	tree, list := syntax.Parse(file, syntax.Options{Extensions: true})
	if list.HasErrors() {
		t.Fatal(list)
	}
	if _, list := s.Declare(context.Background(), runtime.Text{File: file, Tree: tree, Owner: "model"}); list.HasErrors() {
		t.Fatal(list)
	}
}

// TestForksOutliveTheModel walks a fork whose model was declared anew: it goes
// on as the model was, and the session behind it as the model is.
func TestForksOutliveTheModel(t *testing.T) {
	const was = `package P { attribute def A; part def Box { attribute size = 3; }
		action count { attribute i = 0; first start; then action one { assign i := i + 1; } then action two { assign i := i + 10; } then done; } }`
	is := strings.NewReplacer("+ 10", "+ 500", "size = 3", "size = 4", "attribute i", "attribute other = 1; attribute i").Replace(was)
	ctx := context.Background()
	s := sessionOf(t, was)
	if _, err := s.Instantiate(ctx, "P::Box", "box"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Start(ctx, "P::count", runtime.RunOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Step(ctx, 2); err != nil {
		t.Fatal(err)
	}
	s.Forked("old")
	redeclare(t, s, is)
	size := func(want string) {
		t.Helper()
		v, err := s.EvaluateText(ctx, "box.size", "")
		if err != nil || value.Trace(v) != want {
			t.Errorf("box.size is %s, want %s: %v", value.Trace(v), want, err)
		}
	}
	size("4")
	if err := s.Switch("old"); err != nil {
		t.Fatal(err)
	}
	at, err := s.Continue(ctx)
	if err != nil || !at.Ended {
		t.Fatalf("%+v, %v", at, err)
	}
	if v, err := s.Watch(ctx, "i"); err != nil || value.Trace(v) != "11" {
		t.Errorf("the fork counts to %s, want 11: %v", value.Trace(v), err)
	}
	size("3")
	if err := s.Switch("previous"); err != nil {
		t.Fatal(err)
	}
	size("4")
	run, err := s.Run(ctx, "P::count", runtime.RunOptions{})
	if err != nil || run.Err != nil {
		t.Fatal(err, run.Err)
	}
	for _, o := range run.Outputs {
		if o.Name == "i" && o.Text != "501" {
			t.Errorf("the model counts to %s, want 501", o.Text)
		}
	}
}

// TestLoadSaysWhatDiffers loads Worlds of other models and versions.
func TestLoadSaysWhatDiffers(t *testing.T) {
	a := sessionOf(t, stepModel)
	if _, err := a.Start(context.Background(), "P::outer", runtime.RunOptions{}); err != nil {
		t.Fatal(err)
	}
	data := a.SaveWorld()
	b := sessionOf(t, stepModel+"\n// a word more")
	for _, c := range []struct {
		name, want, hint string
		data             []byte
	}{
		{"another text", "belongs to another model", "model has another text than when the World was saved", data},
		{"damage", "it is damaged", "", append(append([]byte(nil), data[:40]...), data[41:]...)},
		{"an older version", "saved by another version", "save it again", []byte("orrery session\x001\ntrue\n")},
		{"anything", "none that was saved here", "", []byte("nonsense")},
	} {
		err := b.LoadWorld(c.data)
		list := diagnostic.Of(err)
		if err == nil || !strings.Contains(list[0].Message, c.want) || !strings.Contains(list[0].Hint, c.hint) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
