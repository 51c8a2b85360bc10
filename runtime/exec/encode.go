package exec

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// magic opens an encoded World; the last byte is the version of the encoding.
const magic = "orrery world\x002"

// BadWorld is the code of what Load reports.
var BadWorld = diagnostic.Register("bad-world",
	"A saved World cannot be read: it is damaged, of another version, or of another model than the one that is loaded.")

// Save is w in binary, with the digest of its Program.
func (w *World) Save() []byte {
	digest := w.Program.Digest()
	b := append([]byte(magic), digest[:]...)
	b = w.appendExact(b)
	sum := sha256.Sum256(b)
	return append(b, sum[:8]...)
}

// Load reads what Save wrote for the same Program.
func Load(p *Program, data []byte) (*World, error) {
	digest := p.Digest()
	if len(data) < len(magic)+len(digest)+8 || string(data[:len(magic)]) != magic {
		return nil, badWorld("these bytes are no World, or one of another version")
	}
	end := len(data) - 8
	if sum := sha256.Sum256(data[:end]); string(sum[:8]) != string(data[end:]) {
		return nil, badWorld("the World is damaged")
	}
	data = data[len(magic):end]
	if string(data[:len(digest)]) != string(digest[:]) {
		return nil, badWorld("the World belongs to another model")
	}
	w := &World{owner: &owner{}, Program: p}
	d := &decoder{data: data[len(digest):], owner: w.owner, program: p}
	w.Numbers = int32(d.uint())
	w.Behavior.decode(d)
	for _, t := range w.tables() {
		t.decode(d)
	}
	if d.err == nil && len(d.data) > 0 {
		d.fail("something follows the World")
	}
	if d.err == nil {
		w.check(d)
	}
	if d.err != nil {
		return nil, d.err
	}
	return w, nil
}

func badWorld(message string) *diagnostic.Diagnostic {
	return diagnostic.New(BadWorld, source.Span{}, message)
}

func (w *World) appendExact(b []byte) []byte {
	b = appendUint(b, uint64(w.Numbers))
	b = w.Behavior.appendExact(b, w)
	for _, t := range w.tables() {
		b = t.appendExact(b, w)
	}
	return b
}

// check refuses rows whose numbers lead nowhere, so that a World that was
// loaded cannot make the executor fail.
func (w *World) check(d *decoder) {
	p := w.Program
	for i := range w.Objects.Len() {
		o := w.Objects.At(int32(i))
		if o.path == 0 {
			continue
		}
		if o.Type < 0 || o.Owner < value.NoObject || o.Feature < NoName || int(o.Type) >= len(p.Types) || len(o.slots) != len(p.Types[o.Type].Constants) ||
			int(o.Owner) >= w.Objects.Len() || int(o.Feature) >= len(p.Names) {
			d.fail("object " + itoa(int64(i)) + " does not fit the model")
			return
		}
		steps := 0
		for at := o.Owner; at != value.NoObject; at = w.Objects.At(int32(at)).Owner {
			if steps++; at < 0 || steps > w.Objects.Len() {
				d.fail("object " + itoa(int64(i)) + " is held by itself")
				return
			}
		}
	}
	for i := range w.Envs.Len() {
		if e := w.Envs.At(int32(i)); int(e.Parent) >= w.Envs.Len() || e.Parent < NoEnv ||
			e.Used && len(p.Layouts) > 0 && (e.Layout < 0 || int(e.Layout) >= len(p.Layouts) || len(e.slots) != len(p.Layouts[e.Layout].Slots)) {
			d.fail("the data of a performance do not fit the model")
			return
		}
	}
	for i := range w.Stacks.Len() {
		s := w.Stacks.At(int32(i))
		for _, f := range s.frames {
			if f.Env < NoEnv || int(f.Env) >= w.Envs.Len() || f.Self < value.NoObject || int(f.Self) >= w.Objects.Len() || f.Unit < 0 || int(f.Unit) >= len(p.Units) || f.Base < 0 || f.PC < 0 ||
				int(f.Base+p.Units[f.Unit].Registers) > len(s.values) || int(f.PC) > len(p.Units[f.Unit].Code) {
				d.fail("a paused body does not fit the model")
				return
			}
		}
	}
	if c := (checker{w: w}); !c.behaviors() {
		d.fail("a behaviour does not fit the model")
	}
}

func appendUint(b []byte, n uint64) []byte { return binary.AppendUvarint(b, n) }
func appendInt(b []byte, n int64) []byte   { return binary.AppendVarint(b, n) }

func appendValues(b []byte, values []value.Value) []byte {
	b = appendUint(b, uint64(len(values)))
	for _, v := range values {
		b = value.AppendEncoding(b, v)
	}
	return b
}

func (o *Object) appendExact(b []byte, _ *World) []byte {
	b = appendInt(appendInt(appendInt(b, int64(o.Type)), int64(o.Number)), int64(o.Owner))
	b = appendInt(appendInt(b, int64(o.Feature)), int64(o.Ordinal))
	b = append(b, byte(flag(o.Gone)|flag(o.Bound)<<1|flag(o.Transient)<<2))
	b = binary.BigEndian.AppendUint64(b, o.path)
	b = appendValues(b, o.slots)
	for _, s := range o.state {
		b = append(b, byte(s))
	}
	return b
}

func (o *Object) decode(d *decoder) {
	o.Type, o.Number, o.Owner = TypeID(d.int()), int32(d.int()), value.ObjectID(d.int())
	o.Feature, o.Ordinal = NameID(d.int()), int32(d.int())
	flags := d.byte()
	o.Gone, o.Bound, o.Transient = flags&1 != 0, flags&2 != 0, flags&4 != 0
	o.path = d.word()
	o.slots = d.values()
	o.state = make([]SlotState, len(o.slots))
	for i := range o.state {
		o.state[i] = SlotState(d.byte())
	}
}

func (e *Env) appendExact(b []byte, _ *World) []byte {
	b = append(appendInt(appendInt(b, int64(e.Layout)), int64(e.Parent)), byte(flag(e.Used)))
	return appendValues(b, e.slots)
}

func (e *Env) decode(d *decoder) {
	e.Layout, e.Parent, e.Used = LayoutID(d.int()), EnvID(d.int()), d.byte() != 0
	e.slots = d.values()
}

func (o *Occurrence) appendExact(b []byte, _ *World) []byte {
	return appendInt(append(b, byte(flag(o.made))), int64(o.object))
}

func (o *Occurrence) decode(d *decoder) { o.made, o.object = d.byte() != 0, value.ObjectID(d.int()) }

func (r *Root) appendExact(b []byte, _ *World) []byte {
	b = appendInt(appendInt(b, int64(r.Name)), int64(r.Count))
	return appendInt(appendInt(b, int64(r.Transient)), int64(r.Swept))
}

func (r *Root) decode(d *decoder) {
	r.Name, r.Count = NameID(d.int()), int32(d.int())
	r.Transient, r.Swept = int32(d.int()), int32(d.int())
}

func (s *Stack) appendExact(b []byte, _ *World) []byte {
	b = appendUint(b, uint64(len(s.frames)))
	for _, f := range s.frames {
		for _, n := range [...]int64{int64(f.Unit), int64(f.PC), int64(f.Base), int64(f.Env), int64(f.Self),
			int64(f.Return), int64(f.A), int64(f.B), int64(flag(f.Resumed) | flag(f.Failing)<<1)} {
			b = appendInt(b, n)
		}
	}
	return appendValues(b, s.values)
}

func (s *Stack) decode(d *decoder) {
	n := d.length()
	for i := 0; i < n && d.err == nil; i++ {
		f := Frame{Unit: UnitID(d.int()), PC: int32(d.int()), Base: int32(d.int()), Env: EnvID(d.int()),
			Self: value.ObjectID(d.int()), Return: Return(d.int()), A: int32(d.int()), B: int32(d.int())}
		flags := d.int()
		f.Resumed, f.Failing = flags&1 != 0, flags&2 != 0
		s.frames = append(s.frames, f)
	}
	s.values = d.values()
}

// A decoder reads an encoded World. Its first failure stays.
type decoder struct {
	data    []byte
	owner   *owner
	program *Program
	err     error
}

func (d *decoder) fail(message string) {
	if d.err == nil {
		d.err = badWorld("the World is damaged: " + message)
		d.data = nil
	}
}

func (d *decoder) uint() uint64 {
	n, size := binary.Uvarint(d.data)
	if size <= 0 {
		d.fail("it ends too soon")
		return 0
	}
	d.data = d.data[size:]
	return n
}

func (d *decoder) int() int64 {
	n, size := binary.Varint(d.data)
	if size <= 0 {
		d.fail("it ends too soon")
		return 0
	}
	d.data = d.data[size:]
	return n
}

func (d *decoder) byte() byte {
	if len(d.data) == 0 {
		d.fail("it ends too soon")
		return 0
	}
	b := d.data[0]
	d.data = d.data[1:]
	return b
}

func (d *decoder) word() uint64 {
	if len(d.data) < 8 {
		d.fail("it ends too soon")
		return 0
	}
	n := binary.BigEndian.Uint64(d.data)
	d.data = d.data[8:]
	return n
}

// length reads the number of things that follow, each at least a byte.
func (d *decoder) length() int {
	n := d.uint()
	if n > uint64(len(d.data)) {
		d.fail("it ends too soon")
		return 0
	}
	return int(n)
}

func (d *decoder) text() string {
	n := d.length()
	s := string(d.data[:n])
	d.data = d.data[n:]
	return s
}

func (d *decoder) values() []value.Value {
	n := d.length()
	values := make([]value.Value, 0, n)
	for range n {
		v, rest, err := d.program.Decode(d.data)
		if err != nil {
			d.fail(err.Error())
			return nil
		}
		values = append(values, v)
		d.data = rest
	}
	return values
}
