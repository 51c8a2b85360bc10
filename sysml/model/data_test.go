package model_test

import (
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/sysml/library"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// TestLiteralsOfOtherTypes gives features literals; want is a part of the
// message, "" where there is none.
func TestLiteralsOfOtherTypes(t *testing.T) {
	const around = `package P { private import ScalarValues::*; private import ISQ::*;
		enum def Color { enum red; } enum def Level :> Integer { enum low = 1; } attribute def Name :> String; attribute def Any;
		part def A { attribute n : Integer = 1; }
		%
	}`
	for _, c := range []struct{ text, want string }{
		{`attribute x : Real = "one";`, `attribute x is of type ScalarValues::Real, and "one" is a String`},
		{`attribute x : Real = 1;`, ""},
		{`attribute x : Integer = 1.5;`, "attribute x is an Integer, and 1.5 is a decimal number"},
		{`attribute x : Natural := -1.5;`, "and -1.5 is a decimal number"},
		{`attribute x : Natural := -1;`, ""},
		{`attribute x : Boolean default = 1;`, "attribute x is a Boolean, and 1 is an Integer"},
		{`attribute x : String = true;`, "attribute x is a String, and true is a Boolean"},
		{`attribute x : Color = 1;`, "attribute x is of type P::Color, and 1 is an Integer"},
		{`attribute x : Level = 1;`, ""},
		{`attribute x : Name = "n";`, ""},
		{`attribute x : Name = 3;`, "attribute x is of type P::Name, and 3 is an Integer"},
		{`attribute x : Any = 3;`, ""},
		{`attribute x :> ISQ::mass = "heavy";`, `and "heavy" is a String`},
		{`attribute x : MassValue = 3;`, ""},
		{`attribute x = "untyped";`, ""},
		{`part def B :> A { attribute :>> n = "two"; }`, `attribute n is an Integer, and "two" is a String`},
		{`attribute x : Integer[2] = 1;`, ""},
	} {
		file := source.NewFile("m", strings.Replace(around, "%", c.text, 1))
		tree, _ := syntax.Parse(file, syntax.Options{})
		m := model.New(library.Embedded(), model.Options{})
		m.Add(&model.Document{File: file, Tree: tree})
		got := ""
		for _, d := range m.Check() {
			got += d.Message + "\n"
		}
		if !strings.Contains(got, c.want) || (c.want == "") != (got == "") {
			t.Errorf("%s\ngot  %s\nwant %s", c.text, got, c.want)
		}
	}
}
