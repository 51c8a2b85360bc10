package picture

// This file measures text. The widths are those of Helvetica, which Arial,
// Liberation Sans and the other fonts of its shape share; every text in a
// picture says how wide it is, so that another font is fitted to the same
// room.

// fontFamily is what pictures are set in.
const fontFamily = "Helvetica, Arial, 'Liberation Sans', sans-serif"

// advance is the width of the printable ASCII characters from the blank on, in
// thousandths of the size of the font.
var advance = [...]int16{
	278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, // blank to /
	556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, // 0 to ?
	1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, // @ to O
	667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, // P to _
	333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, // ` to o
	556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584, // p to ~
}

// bold letters are wider by about this much.
const boldFactor = 1.07

// textWidth is how wide s is in a font of a size in pixels.
func textWidth(s string, size float64) float64 {
	sum := 0
	for _, r := range s {
		switch {
		case r >= ' ' && int(r-' ') < len(advance):
			sum += int(advance[r-' '])
		case r < 0x1100:
			sum += 570
		default: // arrows, ideographs: mostly square
			sum += 1000
		}
	}
	return float64(sum) * size / 1000
}
