package exec

// This file says which tokens the turn of an action can move.

// An AbleToken is a token that the turn of an action can move.
type AbleToken struct {
	// Node is where it stands. Standing says how as well: its canonical form,
	// which stays the same until it moves or the clock does.
	Node, Standing string
}

// AbleTokens are the tokens that a MoveRun of an action chooses from, in the
// order of that choice, which is made where there are two or more. A machine has
// none: its turn is a move of all of it.
func (e *Engine) AbleTokens(id RunID) []AbleToken {
	w := e.World
	if w.Run(id).Machine != NoMachine {
		return nil
	}
	c := canons.Get().(*canon)
	c.w, c.relative, c.inexact = w, false, false
	var list []AbleToken
	for _, token := range w.Flow(w.Run(id).Root).Tokens {
		if !e.able(token) {
			continue
		}
		t := w.Token(token)
		c.b = c.b[:0]
		c.uint(uint64(w.Flow(t.Flow).Graph))
		c.int(t.Node)
		node := string(c.b)
		c.token(token)
		list = append(list, AbleToken{node, string(c.b)})
	}
	c.w, c.b = nil, nil
	canons.Put(c)
	return list
}
