package install

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"strings"
	"testing"
)

// The logos are drawn from one table of shapes: `go test -update` writes them
// anew, and otherwise the files must be what the table gives.

var update = flag.Bool("update", false, "write the logos anew")

// A disc is a filled circle, a ring where its stroke is not 0, in a square of
// 64 units.
type disc struct {
	x, y, r, stroke float64
	fill            color.NRGBA
}

var (
	night = color.NRGBA{0x1b, 0x2a, 0x49, 0xff}
	path  = color.NRGBA{0x6d, 0x8f, 0xb8, 0xff}
	sun   = color.NRGBA{0xf5, 0xb8, 0x3d, 0xff}
	pale  = color.NRGBA{0xe8, 0xee, 0xf7, 0xff}
	blue  = color.NRGBA{0x5f, 0xb0, 0xe6, 0xff}
	coral = color.NRGBA{0xe8, 0x74, 0x5b, 0xff}
)

var orrery = []disc{
	{32, 32, 31, 0, night},
	{32, 32, 13, 1.4, path}, {32, 32, 23.5, 1.4, path},
	{32, 32, 6.5, 0, sun},
	{40.4, 22, 3.6, 0, pale},
	{11.6, 43.8, 5, 0, blue},
	{52.4, 43.8, 3.8, 0, coral},
}

func svgLogo() []byte {
	var b strings.Builder
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64">` + "\n")
	for _, d := range orrery {
		paint := fmt.Sprintf("#%02x%02x%02x", d.fill.R, d.fill.G, d.fill.B)
		if d.stroke > 0 {
			fmt.Fprintf(&b, `<circle cx="%g" cy="%g" r="%g" fill="none" stroke="%s" stroke-width="%g"/>`+"\n", d.x, d.y, d.r, paint, d.stroke)
		} else {
			fmt.Fprintf(&b, `<circle cx="%g" cy="%g" r="%g" fill="%s"/>`+"\n", d.x, d.y, d.r, paint)
		}
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}

func (d disc) covers(x, y float64) bool {
	r := math.Hypot(x-d.x, y-d.y)
	if d.stroke > 0 {
		return math.Abs(r-d.r) <= d.stroke/2
	}
	return r <= d.r
}

// pngLogo draws size by size pixels, each the mean of 64 samples.
func pngLogo(size int) *image.NRGBA {
	const n = 8
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	for py := range size {
		for px := range size {
			var sum [3]int
			hits := 0
			for s := range n * n {
				x := (float64(px) + (float64(s%n)+0.5)/n) * 64 / float64(size)
				y := (float64(py) + (float64(s/n)+0.5)/n) * 64 / float64(size)
				for i := len(orrery) - 1; i >= 0; i-- {
					if d := orrery[i]; d.covers(x, y) {
						hits++
						sum[0], sum[1], sum[2] = sum[0]+int(d.fill.R), sum[1]+int(d.fill.G), sum[2]+int(d.fill.B)
						break
					}
				}
			}
			if hits > 0 {
				img.SetNRGBA(px, py, color.NRGBA{uint8(sum[0] / hits), uint8(sum[1] / hits), uint8(sum[2] / hits), uint8(hits * 255 / (n * n))})
			}
		}
	}
	return img
}

func TestLogosAreDrawnFromTheTable(t *testing.T) {
	if *update {
		for _, size := range []int{32, 64} {
			var b bytes.Buffer
			if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, pngLogo(size)); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(fmt.Sprintf("files/logo-%dx%d.png", size, size), b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile("files/logo-svg.svg", svgLogo(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, size := range []int{32, 64} {
		name := fmt.Sprintf("files/logo-%dx%d.png", size, size)
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		got, ok := img.(*image.NRGBA)
		if !ok || !bytes.Equal(got.Pix, pngLogo(size).Pix) {
			t.Errorf("%s is not what the table draws; go test -update writes it", name)
		}
	}
	if svg, err := os.ReadFile("files/logo-svg.svg"); err != nil || !bytes.Equal(svg, svgLogo()) {
		t.Errorf("files/logo-svg.svg is not what the table draws (%v); go test -update writes it", err)
	}
}
