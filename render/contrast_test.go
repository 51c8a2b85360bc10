package render

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"testing"
)

// A paint is a colour with opacity, each part from 0 to 1.
type paint struct{ r, g, b, a float64 }

func hexed(t *testing.T, text string) paint {
	t.Helper()
	if len(text) == 3 {
		text = fmt.Sprintf("%c%[1]c%c%[2]c%c%[3]c", text[0], text[1], text[2])
	}
	n, err := strconv.ParseUint(text, 16, 32)
	if err != nil || len(text) != 6 {
		t.Fatalf("%q is no colour", text)
	}
	return paint{float64(n>>16) / 255, float64(n>>8&255) / 255, float64(n&255) / 255, 1}
}

// over is p painted on paper that shows through.
func (p paint) over(paper paint) paint {
	mix := func(x, y float64) float64 { return x*p.a + y*(1-p.a) }
	return paint{mix(p.r, paper.r), mix(p.g, paper.g), mix(p.b, paper.b), 1}
}

// mixed is color-mix(in srgb, p share, q).
func (p paint) mixed(share float64, q paint) paint {
	part := func(x, y float64) float64 { return x*share + y*(1-share) }
	return paint{part(p.r, q.r), part(p.g, q.g), part(p.b, q.b), part(p.a, q.a)}
}

// luminance is the relative luminance of WCAG 2.
func (p paint) luminance() float64 {
	linear := func(v float64) float64 {
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(p.r) + 0.7152*linear(p.g) + 0.0722*linear(p.b)
}

func contrast(ink, paper paint) float64 {
	a, b := ink.over(paper).luminance(), paper.luminance()
	return (max(a, b) + 0.05) / (min(a, b) + 0.05)
}

// TestColoursCanBeReadOnPaperOfEveryTheme: text has 4.5 times the contrast to its
// paper that WCAG 2 asks for, on the rows of tables as well. The themes are those
// of JupyterLab, and pages with black ink on white and white on black.
func TestColoursCanBeReadOnPaperOfEveryTheme(t *testing.T) {
	grey := func(v float64) paint { return paint{v / 255, v / 255, v / 255, 1} }
	themes := []struct {
		name          string
		ink           paint
		paper, stripe paint
	}{
		{"JupyterLab Light", paint{0, 0, 0, 0.87}, grey(255), grey(245)},
		{"JupyterLab Dark", grey(255), grey(17), grey(33)},
		{"black on white", grey(0), grey(255), grey(240)},
		{"white on black", grey(255), grey(0), grey(30)},
	}
	colour := regexp.MustCompile(`^color:#([0-9a-f]+);color:color-mix\(in srgb,#([0-9a-f]+) (\d+)%,currentColor\)$`)
	for _, theme := range themes {
		for name, style := range map[string]string{"red": styleRed, "amber": styleAmber, "green": styleGreen, "blue": styleBlue} {
			m := colour.FindStringSubmatch(style)
			if m == nil || m[1] != m[2] {
				t.Fatalf("%s: %q is no colour mixed with ink", name, style)
			}
			share, _ := strconv.ParseFloat(m[3], 64)
			ink := hexed(t, m[1]).mixed(share/100, theme.ink)
			for _, paper := range []paint{theme.paper, theme.stripe} {
				if c := contrast(ink, paper); c < 4.5 {
					t.Errorf("%s: %s has contrast %.2f", theme.name, name, c)
				}
			}
		}
		var opacity float64
		if _, err := fmt.Sscanf(styleMuted, "opacity:%g", &opacity); err != nil {
			t.Fatal(err)
		}
		muted := theme.ink
		muted.a *= opacity
		for _, paper := range []paint{theme.paper, theme.stripe} {
			if c := contrast(muted, paper); c < 4.5 {
				t.Errorf("%s: muted text has contrast %.2f", theme.name, c)
			}
		}
	}
}
