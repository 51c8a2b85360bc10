package exec

// TaskByTask makes e carry out every move of a machine task by task, so that
// tests can compare.
func (e *Engine) TaskByTask() {
	p := e.World.Program
	e.known.of(p)
	for i := range e.known.graphs {
		e.known.graphs[i] = manyPieces
	}
	for i, m := range p.Machines {
		e.known.transitions[i] = make([]shortcut, len(m.Transitions))
		for t := range m.Transitions {
			e.known.transitions[i][t] = manyPieces
		}
	}
}

// OnePieces counts the transitions of machine m that e has made as one piece.
func (e *Engine) OnePieces(m MachineID) (count int) {
	for _, known := range e.known.transitions[m] {
		if known >= onePiece {
			count++
		}
	}
	return count
}
