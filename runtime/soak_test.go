package runtime

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/orrery-sysml/orrery/runtime/budget"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/library"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// hostile are behaviours that would run or grow for ever.
const hostile = `package H { private import ScalarValues::*;
	item def Tick;
	part def Node { attribute n : Integer = 0; }
	part def Chain { part next : Chain[1]; attribute d : Integer = 1; }
	part chain : Chain;
	action body { attribute i : Integer = 0; first start; then action work { while true { assign i := i + 1; } } then done; }
	action circle { first start; then merge again; then action rest; then again; }
	action flood { first start; then action post { while true { send Tick(); } } then done; }
	action slowFlood { first start; then merge again; then action post { send Tick(); } then again; }
	action spawn { first start; then merge again; then fork f; then again; first f then idle; action idle accept Tick; }
	action create { attribute n : Integer = 0; first start; then action work { while true { assign n := (new Node(n = 3)).n; } } then done; }
	action text { attribute s : String = "ab"; first start; then action work { while true { assign s := s + s; } } then done; }
	action slowText { attribute s : String = ""; first start; then action work { while true { assign s := s + "0123456789"; } } then done; }
	action sequence { attribute s : Integer[*] = (1, 2); first start; then action work { while true { assign s := (s, s); } } then done; }
	action def Again { first start; then action more : Again; then done; }
	action again : Again;
	action deep { attribute n : Integer = 0; first start; then action work { assign n := Deep(1); } then done; }
	calc def Deep { in n : Integer; return : Integer = Deep(n + 1) + 1; }
	calc def Wide { in n : Integer; return : Integer = Wide(n + 1) + Wide(n + 1); }
	action wide { attribute n : Integer = 0; first start; then action work { assign n := Wide(1); } then done; }
	action waits { first start; then merge again; then accept after 1; then again; }
	state spin { entry; then a; state a; state b; succession first a then b; succession first b then a; }
	state busy { entry; then a; state a { do action { attribute k : Integer = 0; while true { assign k := k + 1; } } } }
	state flicker { entry; then a; state a { entry send Tick(); } transition first a accept Tick then a; }
	state doubling { entry; then a; state a { entry action { send Tick(); send Tick(); send Tick(); } } transition first a accept Tick then a; }
	state ticking { entry; then a; state a; transition first a accept after 1 then a; }
}`

// soaks are the bounds that end them.
var soaks = []struct {
	behavior string
	ends     []budget.Name
}{
	{"body", []budget.Name{budget.Steps}},
	{"circle", []budget.Name{budget.ActionSteps}},
	{"flood", []budget.Name{budget.Messages}},
	{"slowFlood", []budget.Name{budget.Messages, budget.ActionSteps}},
	{"spawn", []budget.Name{budget.Tokens}},
	{"create", []budget.Name{budget.Objects}},
	{"text", []budget.Name{budget.Bytes}},
	{"slowText", []budget.Name{budget.Bytes, budget.Steps}},
	{"sequence", []budget.Name{budget.Elements}},
	{"again", []budget.Name{budget.Performs}},
	{"deep", []budget.Name{budget.Depth}},
	{"wide", []budget.Name{budget.Depth, budget.Steps}},
	{"waits", []budget.Name{budget.ActionSteps}},
	{"spin", []budget.Name{budget.Events}},
	{"busy", []budget.Name{budget.Steps}},
	{"flicker", []budget.Name{budget.Events, budget.ActionSteps}},
	{"doubling", []budget.Name{budget.Messages, budget.Events, budget.ActionSteps}},
	{"ticking", []budget.Name{budget.Events}},
}

// soakBudget ends each of them soon.
var soakBudget = budget.Budget{}.With(budget.Steps, 1_000_000).With(budget.ActionSteps, 20_000).With(budget.Events, 20_000).
	With(budget.Objects, 50_000).With(budget.Tokens, 500).With(budget.Messages, 20_000).With(budget.Bytes, 1<<20).With(budget.Elements, 100_000)

// ceiling is the memory that the process of a soak may have.
const ceiling = 400 << 20

func TestMain(m *testing.M) {
	if os.Getenv("ORRERY_TEST_SOAK") != "" {
		soak()
		return
	}
	os.Exit(m.Run())
}

// soak runs all hostile behaviours in one process that ends when it grows over
// the ceiling.
func soak() {
	debug.SetMemoryLimit(ceiling / 2)
	go func() {
		for range time.Tick(10 * time.Millisecond) {
			var s runtime.MemStats
			if runtime.ReadMemStats(&s); s.Sys-s.HeapReleased > ceiling {
				fmt.Println("grew to", s.Sys, "bytes")
				os.Exit(3)
			}
		}
	}()
	for _, x := range soaks {
		s := New(Options{Library: library.Embedded(), Lenient: true, Budget: soakBudget})
		f := source.NewFile("hostile", hostile)
		tree, list := syntax.Parse(f, syntax.Options{Extensions: true})
		if !list.HasErrors() {
			_, list = s.Declare(context.Background(), Text{File: f, Tree: tree, Owner: "hostile"})
		}
		if list.HasErrors() {
			fmt.Println(list)
			os.Exit(2)
		}
		r, err := s.Run(context.Background(), "H::"+x.behavior, RunOptions{})
		if err == nil {
			err = r.Err
		}
		d := diagnostic.Of(err)
		if len(d) == 0 {
			fmt.Println(x.behavior, "ended")
			continue
		}
		fmt.Println(x.behavior, d[0].Code, d[0].Message, "|", d[0].Hint)
	}
}

// TestNothingGrowsWithoutBound runs what would run or grow for ever in a
// process with a ceiling of memory: each ends by a bound and names it.
func TestNothingGrowsWithoutBound(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command(self)
	child.Env = append(os.Environ(), "ORRERY_TEST_SOAK=1")
	out, err := child.CombinedOutput()
	if err != nil {
		t.Fatalf("the process ended by %v:\n%s", err, out)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != len(soaks) {
		t.Fatalf("%d lines for %d behaviours:\n%s", len(lines), len(soaks), out)
	}
	for i, x := range soaks {
		named := false
		for _, n := range x.ends {
			named = named || strings.Contains(lines[i], "%budget "+n.String()+"=")
		}
		if !named {
			t.Errorf("%s, which %v ends: %s", x.behavior, x.ends, lines[i])
		}
	}
}
