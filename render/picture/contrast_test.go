package picture

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// luminance is the relative luminance of WCAG 2 of a colour, parts from 0 to 1.
func luminance(c [3]float64) float64 {
	for i, v := range c {
		if c[i] = v / 12.92; v > 0.04045 {
			c[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2]
}

func colourOf(t *testing.T, text string) [3]float64 {
	t.Helper()
	n, err := strconv.ParseUint(strings.TrimPrefix(text, "#"), 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	return [3]float64{float64(n>>16) / 255, float64(n>>8&255) / 255, float64(n&255) / 255}
}

// on is a colour put thinly on another one.
func on(c, paper [3]float64, opacity float64) [3]float64 {
	for i := range c {
		c[i] = c[i]*opacity + paper[i]*(1-opacity)
	}
	return c
}

func contrast(ink, paper [3]float64) float64 {
	a, b := luminance(ink), luminance(paper)
	return (max(a, b) + 0.05) / (min(a, b) + 0.05)
}

// TestTextStandsOutFromFills: pictures bring white paper and dark ink, so that
// one theme is all there is. In every fill of a picture, thinned as much as it
// is, ink and faint ink can be read; white text can on the colours of tokens.
func TestTextStandsOutFromFills(t *testing.T) {
	paper := [3]float64{1, 1, 1}
	files, err := filepath.Glob("testdata/*.svg")
	if err != nil || len(files) == 0 {
		t.Fatal("no pictures", err)
	}
	fill := regexp.MustCompile(`<(?:rect|polygon|path) [^>]*fill="(#[0-9a-f]{6})"(?: fill-opacity="([0-9.]+)")?`)
	ink := regexp.MustCompile(`color:(#[0-9a-f]{6});`)
	seen := map[string]bool{}
	for _, file := range files {
		svg, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		dark := colourOf(t, string(ink.FindSubmatch(svg)[1]))
		for _, m := range fill.FindAllStringSubmatch(string(svg), -1) {
			opacity, err := strconv.ParseFloat(m[2], 64)
			if err != nil || opacity > 0.5 && opacity < 1 {
				continue // the head of an arrow, a dot, a bar: no text lies on it
			}
			under := on(colourOf(t, m[1]), paper, opacity)
			key := fmt.Sprintf("%s at %v", m[1], opacity)
			if seen[key] {
				continue
			}
			seen[key] = true
			switch {
			case opacity == 1:
				if c := contrast(paper, under); c < 4.5 {
					t.Errorf("%s: white on %s has contrast %.2f", filepath.Base(file), key, c)
				}
			case contrast(on(dark, under, faintOpacity), under) < 4.5:
				t.Errorf("%s: faint ink on %s has contrast %.2f", filepath.Base(file), key, contrast(on(dark, under, faintOpacity), under))
			}
		}
	}
}
