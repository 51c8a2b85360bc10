package magics

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// This file holds the magics that take a whole cell and need no language.

const cellFamily = "Whole cells"

func cellMagics() []*magic {
	return []*magic{
		shown("markdown", render.Markdown, "show the cell as Markdown", "%%markdown\n# A title\nand a *text*"),
		shown("html", render.HTML, "show the cell as HTML", "%%html\n<b>bold</b>"),
		shown("svg", render.SVG, "show the cell as a picture in SVG",
			"%%svg\n<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"><circle cx=\"4\" cy=\"4\" r=\"3\"/></svg>"),
		{
			name: "sysml", cell: true, family: cellFamily,
			summary: "the cell is SysML, as it is without this line",
			example: "%%sysml\npart def Wheel;\n2 * 3",
			run: func(c *call) error {
				return c.cell.as(SysML, func() error { return c.cell.nested(c.body, c.cell.sink, true) })
			},
		},
		{
			name: "kerml", cell: true, family: cellFamily,
			summary: "the cell is KerML",
			example: "%%kerml\nclassifier Thing;",
			run: func(c *call) error {
				file := &source.File{Name: c.body.File.Name, Text: c.body.File.Text[:c.body.End], Language: source.KerML}
				return c.cell.as(SysML, func() error { return c.cell.within(file, int(c.body.Start), c.cell.sink, true) })
			},
		},
		{
			name: "time", cell: true, family: cellFamily,
			summary: "execute the cell and say how long it took",
			example: "%%time\n1 + 1",
			run:     func(c *call) error { return timed(c, c.body) },
		},
		{
			name: "capture", cell: true, family: cellFamily,
			arguments: []argument{{name: "NAME", kind: kindWord}},
			summary:   "execute the cell and keep its outputs under NAME instead of showing them",
			help:      "%captured NAME shows what was kept.",
			example:   "%%capture quiet\n1 + 1",
			run:       runCapture,
		},
		{
			name: "captured", family: sessionFamily,
			arguments: []argument{{name: "NAME", kind: kindWord}},
			summary:   "show the outputs that a %%capture cell kept",
			example:   "%%capture quiet\n1 + 1\n---\n%captured quiet",
			run:       runCaptured,
		},
		{
			name: "writefile", aliases: []string{"file"}, cell: true, family: cellFamily,
			arguments: []argument{{name: "PATH", kind: kindPath}},
			flags:     []flag{{name: "append", short: "a", kind: kindSwitch, summary: "add to the end of the file"}},
			summary:   "write the cell to a file",
			example:   "%%writefile wheel.sysml\npart def Wheel;",
			run:       runWritefile,
		},
	}
}

// shown declares a cell magic that shows its body as content of a MIME type.
func shown(name, mime, summary, example string) *magic {
	return &magic{
		name: name, cell: true, family: cellFamily, summary: summary, example: example,
		run: func(c *call) error {
			text := strings.TrimSpace(c.body.Text())
			c.display(render.Text(text).With(mime, text))
			return nil
		},
	}
}

func runCapture(c *call) error {
	kept := &recording{Sink: c.cell.sink}
	err := c.cell.nested(c.body, kept, true)
	c.shell.captured[c.text("NAME")] = kept.outputs
	return err
}

func runCaptured(c *call) error {
	outputs, ok := c.shell.captured[c.text("NAME")]
	if !ok {
		return diagnostic.New(codeMagicUsage, c.word("NAME").span, "no cell was captured as "+c.text("NAME")).
			WithHint("%%capture " + c.text("NAME") + " on the first line of a cell keeps its outputs")
	}
	for _, b := range outputs {
		c.display(b)
	}
	return nil
}

func runWritefile(c *call) error {
	name := c.text("PATH")
	target := c.shell.path(name)
	mode := os.O_CREATE | os.O_WRONLY | os.O_TRUNC
	_, err := os.Stat(target)
	verb := "wrote"
	switch {
	case err == nil && c.has("append"):
		mode, verb = os.O_CREATE|os.O_WRONLY|os.O_APPEND, "appended to"
	case err == nil:
		verb = "overwrote"
	}
	file, err := os.OpenFile(target, mode, 0o666)
	if err != nil {
		return fileError(c.word("PATH").span, name, err)
	}
	text := c.body.Text()
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	_, err = file.WriteString(text)
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fileError(c.word("PATH").span, name, err)
	}
	c.printf("%s %s\n", verb, name)
	return nil
}

// path is name as a path of the machine: relative to the Shell's folder, with
// ~ for the home folder.
func (s *Shell) path(name string) string {
	if rest, ok := strings.CutPrefix(name, "~"); ok && (rest == "" || rest[0] == '/') {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(s.dir, name)
}
