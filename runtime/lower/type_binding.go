package lower

import (
	"strings"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

// This file lowers binding connectors. Those that share an end are one net,
// whose ends all have one value.

// A bound is one end of a binding connector: names from its owner on.
type bound struct {
	path []string
	text string
}

func (e bound) same(o bound) bool { return strings.Join(e.path, ".") == strings.Join(o.path, ".") }

// nets gives t the nets that its objects own.
func (l *Lowering) nets(t *exec.Type, e *model.Element) {
	pairs := bindings(e)
	if len(pairs) == 0 {
		return
	}
	t.Reach = map[exec.NameID]bool{}
	for _, ends := range joinBindings(pairs) {
		net := exec.Net{}
		var texts []string
		for _, x := range ends {
			var path []exec.NameID
			for _, n := range x.path {
				path = append(path, l.name(n))
			}
			l.program.Far = max(l.program.Far, len(path)-1)
			if len(path) > 1 {
				t.Reach[path[0]] = true
			}
			net.Ends = append(net.Ends, exec.NetEnd{Path: path, Text: x.text})
			texts = append(texts, x.text)
		}
		net.Label = strings.Join(texts, " -> ")
		u := l.unit("", exec.PlainUnit)
		net.Read = u.ID
		l.later(func() { l.compile(u, e, func(b *body) { b.net(net) }) })
		t.Nets = append(t.Nets, net)
	}
}

// bindings are the binding connectors of e, inherited ones first.
func bindings(e *model.Element) [][2]bound {
	var owners []*model.Element
	supers := e.Supertypes()
	for i := len(supers) - 1; i >= 0; i-- {
		if !supers[i].IsLibrary() {
			owners = append(owners, supers[i])
		}
	}
	var pairs [][2]bound
	for _, o := range append(owners, e) {
		if isCalc(o) {
			continue
		}
		for _, m := range o.Members() {
			if m.Metaclass() != syntax.BindingConnectorAsUsage && m.Metaclass() != syntax.BindingConnector {
				continue
			}
			part, ok := m.Decl().Detail.(*syntax.ConnectorPart)
			if !ok || len(part.Ends) != 2 {
				continue
			}
			var pair [2]bound
			for k, x := range part.Ends {
				pair[k].text = refText(x.Target)
				for _, q := range x.Target.Links {
					pair[k].path = append(pair[k].path, q.Last().Text)
				}
			}
			pairs = append(pairs, pair)
		}
	}
	return pairs
}

// joinBindings puts pairs that share an end into one net.
func joinBindings(pairs [][2]bound) [][]bound {
	var nets [][]bound
	for _, p := range pairs {
		joined := []bound{p[0], p[1]}
		var others [][]bound
		at := -1
		for _, net := range nets {
			shares := false
			for _, e := range net {
				shares = shares || e.same(p[0]) || e.same(p[1])
			}
			switch {
			case !shares:
				others = append(others, net)
			case at < 0:
				at = len(others)
				others = append(others, net)
			default:
				others[at] = append(others[at], net...)
			}
		}
		if at < 0 {
			nets = append(others, joined)
			continue
		}
		for _, e := range joined {
			known := false
			for _, o := range others[at] {
				known = known || o.same(e)
			}
			if !known {
				others[at] = append(others[at], e)
			}
		}
		nets = others
	}
	return nets
}

// net lowers the reading of a net on the object that owns it.
func (b *body) net(net exec.Net) {
	b.self = true
	first := b.top
	for range net.Ends {
		b.alloc()
	}
	for k, x := range net.Ends {
		b.intrinsic(x, first+int32(k))
	}
	labels := len(b.u.Consts)
	for _, x := range net.Ends {
		b.u.Consts = append(b.u.Consts, value.Text(x.Text))
	}
	b.emit(exec.Instr{Op: exec.OpJoin, A: first, B: first, C: int32(labels), D: uint16(len(net.Ends))})
	b.emit(exec.Instr{Op: exec.OpReturn, B: first})
}

// intrinsic reads an end of a net into register to; Absent where it has no
// value of its own.
func (b *body) intrinsic(x exec.NetEnd, to int32) {
	top := b.top
	at := b.alloc()
	b.emit(exec.Instr{Op: exec.OpSelf, A: at})
	b.jump() // never: a net is read on its owner
	b.u.Code[len(b.u.Code)-1].A = int32(len(b.u.Code))
	for i, n := range x.Path {
		if i == len(x.Path)-1 {
			b.emit(exec.Instr{Op: exec.OpIntrinsic, A: to, B: at, C: int32(n)})
			break
		}
		next, count := b.alloc(), b.alloc()
		b.alloc()
		b.u.Names = append(b.u.Names, n)
		b.emit(exec.Instr{Op: exec.OpFeature, A: next, B: at, C: count, D: uint16(len(b.u.Names) - 1)})
		at = next
	}
	b.top = top
}
