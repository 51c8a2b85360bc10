package picture

func (g *graph) text(width int) string { return "" }
func (g *graph) mermaid() string       { return "" }
func (g *graph) dot() string           { return "" }
