package picture

import "github.com/orrery-sysml/orrery/sysml/model"

func (g *graph) drawTree(e *model.Element)            {}
func (g *graph) drawInterconnection(e *model.Element) {}
func hasConnections(e *model.Element) bool            { return false }
