package notebooks

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// A parameter is a name with a value in the tagged cell: a usage with a bound
// value in SysML, an assignment in Starlark. The value ends with its line,
// or with the semicolon that ends the usage.
var (
	usageValue = regexp.MustCompile(`(?m)^([^\n/]*?\battribute\s+)('[^'\n]*'|[A-Za-z_]\w*)([^=;{}\n]*?(?::=|=)\s*)("(?:[^"\\\n]|\\.)*"|[^;"\n]*)(;.*)$`)
	assignment = regexp.MustCompile(`(?m)^()([A-Za-z_]\w*)(\s*=\s*)("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[^#"'\n]*?)(\s*(?:#.*)?)$`)
)

// fill puts the values of parameters into the cell tagged "parameters".
func (nb *notebook) fill(parameters []Parameter) error {
	if len(parameters) == 0 {
		return nil
	}
	for _, cell := range nb.cells {
		if cell["cell_type"] != "code" || !tagged(cell, "parameters") {
			continue
		}
		text, _ := joined(cell["source"])
		for _, p := range parameters {
			next, ok := replaceValue(text, p, nb.starlark(text))
			if !ok {
				return noParameter(p.Name, names(text, nb.starlark(text)))
			}
			text = next
		}
		cell["source"] = lines(text)
		return nil
	}
	return diagnostic.New(parameterCode, source.Span{}, "the notebook has no cell tagged \"parameters\" to put "+parameters[0].Name+" into").
		WithHint("tag the cell that gives the parameters their values: in JupyterLab, the gear at the top right, Cell Tags")
}

func (nb *notebook) starlark(text string) bool {
	_, language := nb.language()
	return strings.HasPrefix(text, "%%starlark") || language == "starlark" && !strings.HasPrefix(text, "%%")
}

func pattern(starlark bool) *regexp.Regexp {
	if starlark {
		return assignment
	}
	return usageValue
}

// replaceValue is text with the value of p in the place of the old one, and
// whether text has that parameter.
func replaceValue(text string, p Parameter, starlark bool) (string, bool) {
	found := false
	out := pattern(starlark).ReplaceAllStringFunc(text, func(m string) string {
		g := pattern(starlark).FindStringSubmatch(m)
		if strings.Trim(g[2], "'") != p.Name || found {
			return m
		}
		found = true
		old := strings.TrimSpace(g[4])
		return g[1] + g[2] + g[3] + spelled(p.Value, old, starlark) + g[5]
	})
	return out, found
}

func names(text string, starlark bool) []string {
	var list []string
	for _, g := range pattern(starlark).FindAllStringSubmatch(text, -1) {
		list = append(list, strings.Trim(g[2], "'"))
	}
	return list
}

// spelled is value as the language of the cell writes it: text goes into
// quotes where a text stood before, unless it has quotes of its own.
func spelled(value, old string, starlark bool) string {
	quoted := strings.HasPrefix(old, `"`) || starlark && strings.HasPrefix(old, "'")
	if quoted && !strings.HasPrefix(value, `"`) {
		return strconv.Quote(value)
	}
	return value
}

func noParameter(name string, have []string) error {
	message := fmt.Sprintf("the parameters cell gives no value to %s", name)
	if len(have) == 0 {
		return diagnostic.New(parameterCode, source.Span{}, message).WithHint("it gives none to anything")
	}
	return diagnostic.New(parameterCode, source.Span{}, message).WithHint("it has " + strings.Join(have, ", "))
}
