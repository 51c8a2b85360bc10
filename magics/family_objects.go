package magics

import (
	"encoding/json"
	"strings"

	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file evaluates, and makes, shows and changes objects.

const objectsFamily = "Objects"

func objectMagics() []*magic {
	return []*magic{
		{
			name: "eval", family: objectsFamily,
			arguments: []argument{{name: "EXPR", kind: kindExpression}},
			flags:     []flag{{name: "target", kind: kindObject, summary: "the element or object that names in EXPR are looked up in"}},
			summary:   "evaluate an expression",
			example:   "%eval Demo::Double(21)\n%eval --target Demo::Vehicle limit - mass",
			run: func(c *call) error {
				v, err := c.evaluate(c.word("EXPR"), c.word("target").text)
				if err != nil {
					return err
				}
				c.result(c.shell.valueBundle(v))
				return nil
			},
		},
		{
			name: "why", family: objectsFamily,
			arguments: []argument{{name: "EXPR", kind: kindExpression}},
			flags:     []flag{{name: "target", kind: kindObject, summary: "the element or object that names in EXPR are looked up in"}},
			summary:   "tell where a value comes from",
			help:      "Follows bindings, defaults, redefinitions, assignments and calculations down to what was written, with the value of every step. Looking changes nothing.",
			example:   "%instantiate Demo::Vehicle --as car\n%set car.mass = 900.0\n%why car.limit - car.mass",
			run:       runWhy,
		},
		{
			name: "instantiate", aliases: []string{"new"}, family: objectsFamily,
			arguments: []argument{{name: "NAME", kind: kindName}},
			flags:     []flag{{name: "as", kind: kindWord, fallback: "the name of the element", summary: "the name of the object"}},
			summary:   "make an object of a definition or usage",
			help:      "It is called by its name, by its number #n, or by a path from one: car.wheels[2].",
			example:   "%instantiate Demo::Vehicle --as car",
			run: func(c *call) error {
				o, err := c.shell.session.Instantiate(c.ctx, c.word("NAME").text, c.text("as"))
				if err != nil {
					return placed(err, c.word("NAME").span)
				}
				c.result(render.Text(render.ObjectLine(o)))
				return nil
			},
		},
		{
			name: "calc", family: objectsFamily,
			arguments: []argument{{name: "NAME(p=EXPR)", kind: kindExpression}},
			summary:   "perform a calculation",
			help:      "Without parentheses, every parameter has its default.",
			example:   "%calc Demo::Double(n = 21)",
			run:       runCalc,
		},
		{
			name: "instances", aliases: []string{"objects"}, family: objectsFamily,
			summary: "list the objects of the session",
			example: "%instantiate Demo::Vehicle --as car\n%instances",
			run: func(c *call) error {
				c.display(render.Objects(c.shell.session.Objects()).Bundle())
				return nil
			},
		},
		{
			name: "features", family: objectsFamily,
			arguments: []argument{{name: "OBJ", kind: kindObject}},
			flags: []flag{
				{name: "depth", kind: kindCount, fallback: "1", summary: "how many levels of objects are shown"},
				{name: "all", kind: kindSwitch, summary: "show every level, at most 200"},
				{name: "json", kind: kindSwitch, summary: "show JSON"},
			},
			summary: "show the values of the features of an object",
			example: "%instantiate Demo::Vehicle --as car\n%features car --depth 2",
			run:     runFeatures,
		},
		{
			name: "set", family: objectsFamily,
			arguments: []argument{{name: "OBJ.path=EXPR", kind: kindExpression}},
			summary:   "assign a value to a feature of an object",
			example:   "%instantiate Demo::Vehicle --as car\n%set car.mass = 900.0\n%eval car.mass",
			run:       runSet,
		},
	}
}

// expression parses the word w of a magic as an expression, in its place.
func (c *call) expression(w word) (syntax.Expr, error) {
	expr, list := syntax.ParseExpression(cut(w.span), int(w.span.Start), notationOptions)
	if list.HasErrors() {
		return nil, list
	}
	return expr, nil
}

// evaluate is the value of the expression in w, its names looked up in scope,
// an element or object; "" for the root.
func (c *call) evaluate(w word, scope string) (value.Value, error) {
	return c.evaluateIn(c.shell.session, w, scope)
}

// evaluateIn is evaluate in a copy of the session.
func (c *call) evaluateIn(session *runtime.Session, w word, scope string) (value.Value, error) {
	expr, err := c.expression(w)
	if err != nil {
		return value.Value{}, err
	}
	v, err := session.Evaluate(c.ctx, expr, scope)
	if err != nil && scope == "" {
		err = c.shell.explained(err, expr)
	}
	return v, placed(err, w.span)
}

// valueBundle is a value as a front end shows it.
func (s *Shell) valueBundle(v value.Value) render.Bundle { return render.Text(s.session.Text(v)) }

func runWhy(c *call) error {
	w := c.word("EXPR")
	expr, err := c.expression(w)
	if err != nil {
		return err
	}
	d, err := c.shell.session.Why(c.ctx, expr, c.word("target").text)
	if err != nil {
		return c.shell.explained(placed(err, w.span), expr)
	}
	if d.Err != nil && d.Err.Code == noMember {
		return c.shell.explained(placed(d.Err, w.span), expr)
	}
	c.display(render.Derivation(d).Bundle())
	return nil
}

func runCalc(c *call) error {
	w := c.word("NAME(p=EXPR)")
	var v value.Value
	var err error
	if strings.HasSuffix(w.text, ")") {
		v, err = c.evaluate(w, "")
	} else if v, err = c.shell.session.Call(c.ctx, w.text, nil, nil); err != nil {
		err = placed(err, w.span)
	}
	if err != nil {
		return err
	}
	c.result(c.shell.valueBundle(v))
	return nil
}

// everyLevel is how many levels --all shows at most, and --depth: each line of a
// level is that much longer.
const everyLevel = 200

func runFeatures(c *call) error {
	depth := int(min(c.integer("depth", 1), everyLevel))
	if c.has("all") {
		depth = everyLevel
	}
	t, err := c.shell.session.Features(c.ctx, c.word("OBJ").text, depth)
	if err != nil {
		return placed(err, c.word("OBJ").span)
	}
	if c.has("json") {
		data, err := json.MarshalIndent(render.ObjectJSON(t), "", "  ")
		if err != nil {
			return err
		}
		c.display(render.Text(string(data)).With(render.JSON, string(data)))
		return nil
	}
	c.display(render.Object(t).Bundle())
	return nil
}

// assignment cuts w at its equals sign.
func assignment(w word) (target, expr word, ok bool) {
	depth := 0
	for i := range len(w.text) {
		switch w.text[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '=':
			if depth > 0 {
				continue
			}
			end := i
			if i > 0 && w.text[i-1] == ':' {
				end--
			}
			left := strings.TrimRight(w.text[:end], " \t")
			right := strings.TrimLeft(w.text[i+1:], " \t")
			span := w.span
			span.End = span.Start + int32(len(left))
			target = word{left, span}
			span = w.span
			span.Start = span.End - int32(len(right))
			return target, word{right, span}, left != "" && right != ""
		}
	}
	return w, w, false
}

func runSet(c *call) error {
	w := c.word("OBJ.path=EXPR")
	target, right, ok := assignment(w)
	if !ok {
		return usageError(c.line.magic, w.span, "expected OBJ.path = EXPR, not "+w.text)
	}
	v, err := c.evaluate(right, "")
	if err != nil {
		return err
	}
	if err := c.shell.session.Set(c.ctx, target.text, v); err != nil {
		if d := diagnostic.Of(err); len(d) > 0 && d[0].Code == value.TypeMismatch {
			return placed(err, right.span)
		}
		err = placed(err, target.span)
		if x, wrong := c.expression(target); wrong == nil {
			err = c.shell.explained(err, x)
		}
		return err
	}
	c.printf("%s = %s\n", target.text, c.shell.session.Text(v))
	return nil
}
