package lang

import (
	"go.starlark.net/lib/json"
	"go.starlark.net/lib/math"
	"go.starlark.net/starlark"
)

// Values are the modules and constructors that every text can name beside
// builtins: math, json and struct. Nothing in them varies between runs.
func Values() starlark.StringDict {
	return starlark.StringDict{
		"math":   math.Module,
		"json":   json.Module,
		"struct": starlark.NewBuiltin("struct", makeStruct),
	}
}
