package axis

import (
	"cmp"
	"crypto/sha256"
	"encoding/base32"
	"sort"
	"strconv"
	"strings"
)

// A Scope is where an axis is met.
type Scope uint8

// The scopes. The zero Scope is the top level of the plan.
const (
	Module Scope = iota
	Setup
	Body
)

// String is "module", "setup" or "body".
func (s Scope) String() string { return [...]string{"module", "setup", "body"}[s] }

// A Site is the call that an axis is met at.
type Site struct {
	File       string // as the plan was named, without its folder
	Line       int
	Column     int    // in code points
	Function   string // the enclosing function; "" at the top level
	Occurrence int    // how often the same call was met before in this leaf
}

// An Option is one alternative of an axis.
type Option struct {
	// Key is the canonical text of the option's value, unique on its axis.
	Key string
	// Label is what a reader sees: the label that the plan gave, else Key.
	Label string
	// Weight is positive where the plan gave weights, else 0.
	Weight float64
}

// An Axis is one choice point. It never changes once made.
type Axis struct {
	// ID is the name that the plan gave, or the call-site name: @body.x.
	ID string
	// Named says that the plan named it.
	Named bool
	// Fans says that the walk makes leaves of every option; otherwise the
	// first option is taken.
	Fans    bool
	Scope   Scope
	Site    Site
	Doc     string
	Options []Option
	// Unstable says that a key stands for a value without a stable text.
	Unstable bool
	// Duplicate says that two options had the same key.
	Duplicate bool
}

// Same reports whether a and b offer the same options under the same id.
func (a *Axis) Same(b *Axis) bool {
	if a == b {
		return true
	}
	if a.ID != b.ID || len(a.Options) != len(b.Options) || a.Fans != b.Fans {
		return false
	}
	for i := range a.Options {
		if a.Options[i].Key != b.Options[i].Key {
			return false
		}
	}
	return true
}

// Weighted reports whether the options carry weights.
func (a *Axis) Weighted() bool { return len(a.Options) > 0 && a.Options[0].Weight > 0 }

// Share is the probability of option i: its weight among the weights, or one
// of as many as there are options.
func (a *Axis) Share(i int) float64 {
	if !a.Weighted() {
		return 1 / float64(len(a.Options))
	}
	total := 0.0
	for _, o := range a.Options {
		total += o.Weight
	}
	return a.Options[i].Weight / total
}

// Index is the index of the option whose key or label is text, with quotes
// around it or without; -1 for none.
func (a *Axis) Index(text string) int {
	for i, o := range a.Options {
		if o.Key == text {
			return i
		}
	}
	plain, err := strconv.Unquote(text)
	quoted := err == nil
	for i, o := range a.Options {
		if o.Label == text || o.Key == `"`+text+`"` || quoted && (o.Key == plain || o.Label == plain) {
			return i
		}
	}
	return -1
}

// A Pick is one option of an axis.
type Pick struct {
	Axis  *Axis
	Index int
}

// Option is the option picked.
func (p Pick) Option() Option { return p.Axis.Options[p.Index] }

// String is the pick as a path shows it: retries=3.
func (p Pick) String() string { return p.Axis.ID + "=" + p.Option().Label }

// A Path is the picks of a leaf, or of a part of the tree, in the order met.
// Picks of axes that do not fan out may be among them.
type Path []Pick

// Fanned is the picks of p whose axes fan out.
func (p Path) Fanned() Path {
	n := 0
	for _, x := range p {
		if x.Axis.Fans {
			n++
		}
	}
	if n == len(p) {
		return p
	}
	out := make(Path, 0, n)
	for _, x := range p {
		if x.Axis.Fans {
			out = append(out, x)
		}
	}
	return out
}

// String is the readable form: retries=3 fault="timeout".
func (p Path) String() string {
	var b strings.Builder
	for _, x := range p {
		if !x.Axis.Fans {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(x.String())
	}
	return b.String()
}

// IDLength is how many characters of an id are shown unless two leaves of a
// plan share them.
const IDLength = 10

var encoding = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// ID is the whole id of the leaf that p is of test: 52 characters. It depends
// on the name of the test and, for every axis that fans out, on its id and the
// key taken; on nothing else. It is "" for a path without such an axis.
func (p Path) ID(test string) string {
	lines := make([]string, 0, len(p))
	for _, x := range p {
		if x.Axis.Fans {
			lines = append(lines, x.Axis.ID+"="+x.Option().Key)
		}
	}
	if len(lines) == 0 {
		return ""
	}
	sort.Strings(lines)
	sum := sha256.Sum256([]byte("leaf/1\n" + test + "\n" + strings.Join(lines, "\n")))
	return encoding.EncodeToString(sum[:])
}

// Compare orders paths as leaves are written: depth first, options in the
// order of their list. A path comes before those that it begins.
func (p Path) Compare(q Path) int {
	p, q = p.Fanned(), q.Fanned()
	for i := 0; i < len(p) && i < len(q); i++ {
		if c := cmp.Compare(p[i].Index, q[i].Index); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(p), len(q))
}

// Probability is the product of the shares of the picks that fan out.
func (p Path) Probability() float64 {
	share := 1.0
	for _, x := range p {
		if x.Axis.Fans {
			share *= x.Axis.Share(x.Index)
		}
	}
	return share
}

// Pins fix the axes of p that fan out.
func (p Path) Pins() []Pin {
	var pins []Pin
	for _, x := range p {
		if x.Axis.Fans {
			pins = append(pins, Pin{Axis: x.Axis.ID, Key: x.Option().Key})
		}
	}
	return pins
}

// With is a copy of p, with option i of a behind it.
func (p Path) With(a *Axis, i int) Path {
	q := make(Path, len(p)+1)
	copy(q, p)
	q[len(p)] = Pick{Axis: a, Index: i}
	return q
}

// Get is the pick of the axis called id, and whether p has one.
func (p Path) Get(id string) (Pick, bool) {
	for _, x := range p {
		if x.Axis.ID == id {
			return x, true
		}
	}
	return Pick{}, false
}
