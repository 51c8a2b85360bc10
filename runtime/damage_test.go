package runtime

import (
	"bytes"
	"context"
	"crypto/sha256"
	"runtime/debug"
	"testing"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
)

// underWay has behaviours that stand in the middle of everything a World holds.
const underWay = `package P { private import ScalarValues::*;
	action a { attribute n : Integer = 0; first start; then fork f; then b; then c;
		action b { while n < 3 { assign n := n + 1; } perform act; action act { assign n := n + 1; } }
		action c accept k : Integer; action d { send n to c; } join j; succession b then d; succession d then j; succession c then j; then done; }
	state m { entry; then s; state s { do action { attribute k : Integer = 0; first start; then action x { assign k := k + 1; } then accept after 5; } }
		state w parallel { state l { entry; then l1; state l1; } state r { entry; then r1; state r1; } } accept after 2 then w; }
	attribute def Go; attribute def Level { attribute n : Integer = 0; }
	part def Lamp { attribute presses : Integer = 0; part bulb : Bulb[2]; attribute level : Level;
		exhibit state power { entry; then off; state off { do action { accept after 3; assign presses := presses + 10; } } state on;
			transition first off accept Go do assign presses := presses + 1 then on;
			transition first on accept Go then off; } }
	part def Bulb { attribute age : Real = 1.5; }
	part lamp : Lamp;
	action w { attribute got : Integer = 0; first start;
		then action x { assign lamp.presses := lamp.level.n + 1; send Go() to lamp; }
		then accept after 1; then action y { assign got := lamp.presses; assign lamp.level := Level(n = 3); }
		then action z { action inner { attribute q : Integer = got; first start; then action u { assign q := q + 1; } then accept after 1; then done; } }
		then done; }
	state h { entry; then one; state one { entry; then i; state i; state j; transition first i accept after 1 then j; history hist; }
		transition first one accept after 2 then two; state two; transition first two accept after 1 then one.hist;
		state three; transition first one accept when lamp.presses > 100 then three; }
}`

// TestDamagedWorlds changes every byte of Worlds in which behaviours are under
// way, with a checksum that fits: what loads all the same has a hash and runs
// on to some end.
func TestDamagedWorlds(t *testing.T) {
	ctx := context.Background()
	ran := 0
	for _, name := range []string{"P::a", "P::m", "P::w", "P::h"} {
		s := New(Options{Lenient: true, Budget: small})
		declare(t, s, underWay)
		if _, err := s.Start(ctx, name, RunOptions{Settings: &schedule.Settings{}}); err != nil {
			t.Fatal(err)
		}
		for range 6 {
			data := s.world.Save()
			for i := 80; i < len(data)-8; i++ {
				for _, change := range []byte{1, 2, 0x80} {
					damaged := append([]byte(nil), data[:len(data)-8]...)
					damaged[i] ^= change
					sum := sha256.Sum256(damaged)
					w, err := exec.Load(s.world.Program, append(damaged, sum[:8]...))
					if err != nil {
						continue
					}
					w.Hash()
					w.Canonical(nil)
					func() {
						defer func() {
							if r := recover(); r != nil {
								t.Errorf("%s, byte %d changed by %#x: %v\n%s", name, i, change, r, debug.Stack())
							}
						}()
						s.toEnd(w)
					}()
					ran++
				}
			}
			if _, err := s.Step(ctx, 1); err != nil {
				break
			}
		}
		s.Stop()
	}
	if ran < 1000 {
		t.Errorf("%d damaged Worlds ran: too few to tell", ran)
	}
}

// signed is a file of a World with the checksums that fit what it has.
func signed(data []byte) []byte {
	head := bytes.IndexByte(data[min(len(data), len(worldFile)):], '\n') + len(worldFile)
	if head < len(worldFile) || len(data) < head+9+8 {
		return data
	}
	data = append([]byte(nil), data...)
	sum := sha256.Sum256(data[:head])
	copy(data[head+1:], sum[:8])
	sum = sha256.Sum256(data[head+9 : len(data)-8])
	copy(data[len(data)-8:], sum[:8])
	return data
}

// FuzzLoadWorld loads files of Worlds that were changed: each is refused with
// the one diagnostic, or the session goes on with it to some end.
func FuzzLoadWorld(f *testing.F) {
	const text = `package P { attribute def Go; part def Lamp { attribute n : Integer = 0; exhibit state power { entry; then off; state off; state on;
		transition first off accept Go do assign n := n + 1 then on; transition first on accept Go then off; } }
		action a { attribute i : Integer = 0; first start; then action one { while i < 3 { assign i := i + 1; } } then action two accept k : Integer; then done; } }`
	ctx := context.Background()
	s := New(Options{Lenient: true, Budget: small})
	declare(f, s, text)
	if _, err := s.Instantiate(ctx, "P::Lamp", "lamp"); err != nil {
		f.Fatal(err)
	}
	f.Add(s.SaveWorld())
	if _, err := s.Start(ctx, "P::a", RunOptions{Settings: &schedule.Settings{}}); err != nil {
		f.Fatal(err)
	}
	f.Add(s.SaveWorld())
	if _, err := s.Step(ctx, 2); err != nil {
		f.Fatal(err)
	}
	f.Add(s.SaveWorld())
	f.Fuzz(func(t *testing.T, data []byte) {
		s := New(Options{Lenient: true, Budget: small})
		declare(t, s, text)
		if err := s.LoadWorld(signed(data)); err != nil {
			for _, d := range diagnostic.Of(err) {
				if d.Code == diagnostic.Internal {
					t.Error(d)
				}
			}
			return
		}
		s.Objects()
		s.Send(ctx, Event{Name: "Go", To: "lamp"})
		s.Continue(ctx)
		s.SaveWorld()
	})
}

// TestDamagedHeads changes every byte of what stands before a World.
func TestDamagedHeads(t *testing.T) {
	s := New(Options{Lenient: true, Budget: small})
	declare(t, s, "package P { part def Lamp { attribute n : Integer = 0; } action a { first start; then action one { } then done; } }")
	ctx := context.Background()
	if _, err := s.Instantiate(ctx, "P::Lamp", "lamp"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Start(ctx, "P::a", RunOptions{}); err != nil {
		t.Fatal(err)
	}
	data := s.SaveWorld()
	head := bytes.IndexByte(data[len(worldFile):], '\n') + len(worldFile)
	for i := len(worldFile); i < head; i++ {
		for _, change := range []byte{1, 4} {
			damaged := append([]byte(nil), data...)
			damaged[i] ^= change
			if err := s.LoadWorld(signed(damaged)); err == nil {
				s.Objects()
				s.Continue(ctx)
			}
		}
	}
}
