package model

// This file finds elements by qualified names that are given as text.

// Find is the element with a qualified name such as P::'my part'::x, as a
// user's document sees it from the root; nil where there is none. Private
// members are found too.
func (m *Model) Find(qualifiedName string) *Element {
	segments := splitName(qualifiedName)
	m.lock()
	defer m.mu.Unlock()
	if len(segments) == 0 {
		return nil
	}
	e := m.findRoot(segments[0]).aliased()
	for _, n := range segments[1:] {
		if e == nil {
			return nil
		}
		s := search{name: n, lenient: true}
		e = s.find(e, inside).aliased()
	}
	return e
}

func (m *Model) findRoot(name string) *Element {
	user := &Document{}
	if e := m.global(name, user); e != nil {
		return e
	}
	if same := m.roots[name]; len(same) > 0 {
		return same[0]
	}
	if m.options.Cells {
		for i := len(m.docs) - 1; i >= 0; i-- {
			s := search{name: name}
			if e := s.imported(m.docs[i].root, inside); e != nil {
				return e
			}
		}
	}
	return nil
}

// splitName reads a qualified name with basic and quoted segments; nil where
// text is none.
func splitName(text string) []string {
	var segments []string
	for {
		var n string
		if len(text) > 0 && text[0] == '\'' {
			i, b := 1, []byte(nil)
			for ; i < len(text) && text[i] != '\''; i++ {
				if text[i] == '\\' && i+1 < len(text) {
					i++
				}
				b = append(b, text[i])
			}
			if i >= len(text) {
				return nil
			}
			n, text = string(b), text[i+1:]
		} else {
			i := 0
			for i < len(text) && text[i] != ':' {
				i++
			}
			n, text = text[:i], text[i:]
		}
		if n == "" {
			return nil
		}
		segments = append(segments, n)
		if text == "" {
			return segments
		}
		if len(text) < 3 || text[:2] != "::" {
			return nil
		}
		text = text[2:]
	}
}
