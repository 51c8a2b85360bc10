package api

import (
	"context"
	"fmt"

	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/library"
	"github.com/orrery-sysml/orrery/sysml/source"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// unitScope is a model that imports the units of the standard library, so that
// quantity() knows them in every plan.
const unitScope = "package OrreryUnits { private import SI::*; private import MeasurementReferences::*; private import ISQ::*; }"

// unit is the measurement unit written as text. Units are worked out once for
// each Models.
func (e *Environment) unit(ctx context.Context, text string) (*value.Unit, error) {
	m := e.models
	m.unitMu.Lock()
	defer m.unitMu.Unlock()
	if u := m.units[text]; u != nil {
		return u, nil
	}
	if m.unitSession == nil {
		lib := m.Library
		if lib == nil {
			lib = library.Embedded()
		}
		s := runtime.New(runtime.Options{Library: lib})
		file := source.NewFile("units", unitScope)
		tree, _ := syntax.Parse(file, syntax.Options{}) // the text is our own
		if _, list := s.Declare(ctx, runtime.Text{File: file, Tree: tree, Owner: "units"}); list.HasErrors() {
			return nil, list
		}
		m.unitSession, m.units = s, map[string]*value.Unit{}
	}
	v, err := m.unitSession.EvaluateText(ctx, "1 ["+text+"]", "OrreryUnits")
	if err != nil {
		return nil, fmt.Errorf("quantity: %q is no unit of measurement: %s", text, err)
	}
	_, u, ok := v.AsQuantity()
	if !ok {
		return nil, fmt.Errorf("quantity: %q is no unit of measurement", text)
	}
	m.units[text] = u
	return u, nil
}
