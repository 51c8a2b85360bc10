package picture_test

import (
	"fmt"

	"github.com/orrery-sysml/orrery/render/picture"
	"github.com/orrery-sysml/orrery/sysml/library"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// A run that has reached two branches of a flow, for a terminal.
func ExampleOf() {
	file := source.NewFile("lamp.sysml", `
		action def Signal {
			first start;
			then fork;
				then ring;
				then flash;
			action ring;
			action flash;
		}`)
	tree, _ := syntax.Parse(file, syntax.Options{})
	m := model.New(library.Embedded(), model.Options{})
	m.Add(&model.Document{File: file, Tree: tree})

	p, err := picture.Of(m.Find("Signal"), picture.Auto, picture.Options{
		Marks: picture.Marks{Tokens: map[string][]string{"ring": {"2"}, "flash": {"3"}}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(p.Text(60))
	// Output:
	// ╭────────────────────────────╮
	// │ «action def» Signal        │
	// │                            │
	// │             ●              │
	// │             │              │
	// │             ▼              │
	// │        ┯━━━━━━━━━┯━        │
	// │      ┌─┘         └──┐      │
	// │      ▼              ▼      │
	// │ ╭─────────╮   ╭──────────╮ │
	// │ │ ring ●2 │   │ flash ●3 │ │
	// │ ╰─────────╯   ╰──────────╯ │
	// ╰────────────────────────────╯
}
