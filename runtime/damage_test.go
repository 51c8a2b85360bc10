package runtime

import (
	"context"
	"crypto/sha256"
	"testing"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/schedule"
)

// TestDamagedWorlds changes every byte of Worlds in which behaviours are under
// way, with a checksum that fits: what loads all the same has a hash, and all
// but a few run on to some end.
func TestDamagedWorlds(t *testing.T) {
	const text = `package P { private import ScalarValues::*;
		action a { attribute n : Integer = 0; first start; then fork f; then b; then c;
			action b { while n < 3 { assign n := n + 1; } perform act; action act { assign n := n + 1; } }
			action c accept k : Integer; action d { send n to c; } join j; succession b then d; succession d then j; succession c then j; then done; }
		state m { entry; then s; state s { do action { attribute k : Integer = 0; first start; then action x { assign k := k + 1; } then accept after 5; } }
			state w parallel { state l { entry; then l1; state l1; } state r { entry; then r1; state r1; } } accept after 2 then w; }
	}`
	ctx := context.Background()
	ran, failed := 0, 0
	for _, name := range []string{"P::a", "P::m"} {
		s := New(Options{Lenient: true, Budget: small})
		declare(t, s, text)
		if _, err := s.Start(ctx, name, RunOptions{Settings: &schedule.Settings{}}); err != nil {
			t.Fatal(err)
		}
		for range 4 {
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
							if recover() != nil {
								failed++ // a session says so and goes on
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
	if failed*20 > ran {
		t.Errorf("%d of %d damaged Worlds cannot run", failed, ran)
	}
}
