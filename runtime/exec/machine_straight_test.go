package exec_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/orrery-sysml/orrery/runtime/budget"
	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/lower"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/runtime/trace"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/library"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// Machines whose transitions are made as one piece, how many of them, and some
// beside them that are not.
var straightMachines = []struct {
	body   string
	events string // a letter each
	pieces int
}{
	{"entry; then a; state a; state b; transition first a accept A do assign n := n + 1 then b; transition first b accept B then a;", "ABAAB", 2},
	{"entry; then a; state a { entry assign n := n + 1; exit assign n := n * 10; } transition first a accept A do assign n := n + 5 then a;", "AAA", 1},
	{`entry; then a; state a { exit action { assign n := n + 1; while n < 7 { assign n := n + 2; } } } state b { entry send B(); do assign n := n + 100; }
		transition first a accept A then b; transition first b accept B if n > 100 do assign n := n - 3 then a;`, "AAB", 2},
	{`entry; then a; state a; state b; state c; transition first a accept A then b; transition first b accept after 2 do assign n := n + 1 then a;
		succession first c then a; transition first b accept B do assign n := n + 9 then c;`, "AABA", 4},
	{`entry; then o; state o { entry; then a; state a; state b { exit assign n := n + 2; } transition first a accept A then b; transition first b accept B then a; }
		transition first o accept C then p; state p; transition first p accept A do assign n := n * 3 then p; transition first o accept after 50 then p;`, "ABACAA", 3},
	{`entry; then a; state a; state b { entry assign n := n / 0; } transition first a accept A then b;`, "A", 1},
	{`entry; then a; state a; state b; transition first a accept A do action { first start; then action x { assign n := 3; } then action y { assign n := n + 1; } then done; } then b;
		transition first b accept when n == 4 do assign n := 8 then a;`, "A", 1},
	{`entry; then a; state a { entry assign n := n + 1; } choice c; transition first a accept A then c; succession first c if n > 1 then done; succession first c then b;
		state b; transition first b accept B then a;`, "ABA", 1},
	{`entry; then o; state p; state o { entry assign n := n + 1; then i; exit assign n := n * 2; state i { entry assign n := n + 3; exit assign n := n - 1; } state j; transition first i accept A do assign n := n + 7 then j; }
		transition first o accept B do assign n := n + 11 then p; transition first p accept A do assign n := n * 5 then o;`, "AABABAA", 1},
	{`entry; then w; state left; state w parallel { entry assign n := n + 1; exit assign n := n + 2;
		state l { entry; then a; state a { exit assign n := n * 3; } state b { entry assign n := n + 4; } transition first a accept A do assign n := n + 5 then b; transition first b accept A then a; }
		state r { entry; then c; state c; state d { entry assign n := n * 2; do assign n := n + 6; } transition first c accept A do assign n := n - 1 then d; transition first d accept B do assign n := n / 0 then c; } }
		transition first w accept C then left; transition first left accept A do assign n := n + 100 then w;`, "AACAAAB", 2},
}

func TestOnePieceIsTaskByTask(t *testing.T) {
	for _, c := range straightMachines {
		m := model.New(library.Embedded(), model.Options{Cells: true, Lenient: true})
		f := source.NewFile("model", "package P { private import ScalarValues::*; item def A; item def B; item def C;\n state s { attribute n : Integer = 0; "+c.body+" } }")
		tree, list := syntax.Parse(f, syntax.Options{Extensions: true})
		if list.HasErrors() {
			t.Fatal(list)
		}
		m.Add(&model.Document{File: f, Tree: tree, Owner: "model"})
		l := lower.New(m)
		machine := l.Machine(m.Find("P::s"))
		for _, policy := range []schedule.Policy{{}, {Kind: schedule.Declared}, {Kind: schedule.Seeded, Seed: 7}} {
			var texts, visits [2]string
			var worlds [2][]byte
			for i := range worlds {
				var r trace.Recorder
				w := exec.NewWorld(l.Program())
				e := &exec.Engine{World: w, Meter: budget.NewMeter(context.Background(), budget.Budget{}), Observer: &r, Resolver: policy.Resolver(),
					Visited: func(_ exec.RunID, m exec.MachineID, s int32) { visits[i] += w.Program.Machines[m].States[s].Name + " " }}
				w.Behavior.Schedule = policy.NewCursor()
				if i == 1 {
					e.TaskByTask()
				}
				run, err := e.StartMachine(machine, value.NoObject)
				for _, event := range c.events {
					e.PostEvent(run, string(event), "", false, nil, nil)
				}
				if err == nil {
					err = e.Complete(run)
				}
				worlds[i], texts[i] = w.Canonical(nil), r.Text()
				if err != nil {
					worlds[i], texts[i] = nil, texts[i]+err.Error()
				} else if w.Hash() == 0 {
					t.Error("a World without a hash")
				}
				if got := e.OnePieces(machine); i == 0 && got != c.pieces {
					t.Errorf("%s: %d transitions as one piece, want %d\n%s", c.body, got, c.pieces, texts[0])
				}
			}
			if texts[0] != texts[1] || visits[0] != visits[1] {
				t.Errorf("%s: as one piece\n%s%s\ntask by task\n%s%s", c.body, texts[0], visits[0], texts[1], visits[1])
			}
			if !bytes.Equal(worlds[0], worlds[1]) {
				t.Errorf("%s: the Worlds behind the moves differ", c.body)
			}
		}
	}
}
