package axis

import "testing"

// FuzzSelector reads anything: a selector that is read admits what it pins.
func FuzzSelector(f *testing.F) {
	for _, s := range []string{"k3hq7rtx2m", `retries=3,fault="timeout"`, `a="x, y" b=[1, 2]`, "=", `a="`, "a=(", "a=b=c", " "} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSelector(text)
		if err != nil {
			return
		}
		if s.ID == "" && len(s.Pins) == 0 && text != "" && splitPins(text) != nil {
			t.Errorf("%q selects nothing in particular", text)
		}
		for _, p := range s.Pins {
			if p.Axis == "" {
				t.Errorf("%q pins an axis without a name", text)
			}
		}
	})
}
