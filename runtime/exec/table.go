package exec

// A Table is a paged array of rows in a World. Copies of a World share its
// pages until one of them writes; a page belongs to the World whose owner it
// bears. The zero Table is empty. Rows are numbered from 0, and the number of
// a released row is given out again, the last released first.
//
// T is plain data: its pointer type implements row.
type Table[T any, P row[T]] struct {
	pages []*page[T]
	// free are released rows.
	free []int32
	sum  uint64 // of the canonical hashes of the rows, dirty ones as they were
	// memory is that of a World that was dropped, to be used again; nil for
	// none. A World is copied often, so that what few need is behind a pointer.
	memory *memory[T]
	count  int32 // rows ever made
	// dirty leads to the pages with rows written since sum was made: it is
	// one more than the number of the first one, which has the next; 0 for
	// none, as in a branch.
	dirty int32
	// lent says that copies use the same array of pages; borrowed that they
	// have the released rows in the same memory.
	lent, borrowed bool
	// seen notes the rows that are looked at while the World is watched; nil
	// elsewhere.
	seen *rowSet
}

// A memory is an array of pages, and pages, that nobody uses.
type memory[T any] struct {
	array []*page[T]
	spare []*page[T]
}

// pageRows is the number of rows of a page: small enough that the first write
// after a copy costs little, large enough that a copy has few pages to share.
const pageRows = 16

// The first page has as many rows as were made in it, others have pageRows, so
// that a table of one large row is not a large page.
type page[T any] struct {
	owner *owner
	dirty uint16
	// shared are the rows that have parts in common with the page that this
	// one was copied from.
	shared uint16
	// next leads from a dirty page to the next one, as Table.dirty to the first.
	next   int32
	rows   []T
	hashes []uint64 // of the rows; none in a branch
}

// An owner is the identity of a World as far as its pages are concerned.
type owner struct {
	// branched says that nobody asks for the Hash of the World: what was
	// written is not kept for it.
	branched bool
}

// row is what a Table asks of its rows. The zero row is a released one and
// hashes to 0.
type row[T any] interface {
	*T
	// detach replaces what the row shares with the row that it was copied
	// from, so that writing it does not reach the other.
	detach()
	// canonical hashes what a future can observe of the row.
	canonical(w *World) uint64
	// appendExact and decode write and read all of the row.
	appendExact(b []byte, w *World) []byte
	decode(d *decoder)
}

// Len is the number of rows, released ones included.
func (t *Table[T, P]) Len() int { return int(t.count) }

// Live is the number of rows that are not released.
func (t *Table[T, P]) Live() int { return int(t.count) - len(t.free) }

// At is row i for reading; it holds until the next write of the table.
func (t *Table[T, P]) At(i int32) P {
	if t.seen != nil {
		t.seen.add(i)
	}
	return P(&t.pages[i/pageRows].rows[i%pageRows])
}

// unseen is row i for a reader that nothing depends on which is another's.
func (t *Table[T, P]) unseen(i int32) P { return P(&t.pages[i/pageRows].rows[i%pageRows]) }

// edit is row i for writing in the World of owner o.
func (t *Table[T, P]) edit(o *owner, i int32) P {
	if t.seen != nil {
		t.seen.add(i)
	}
	n := i / pageRows
	p := t.pages[n]
	if p.owner != o {
		p = t.own(o, n)
	}
	bit := uint16(1) << (i % pageRows)
	if !o.branched {
		if p.dirty == 0 {
			p.next, t.dirty = t.dirty, n+1
		}
		p.dirty |= bit
	}
	if p.shared&bit != 0 {
		p.shared &^= bit
		P(&p.rows[i%pageRows]).detach()
	}
	return P(&p.rows[i%pageRows])
}

func (t *Table[T, P]) own(o *owner, n int32) *page[T] {
	p := t.pages[n]
	var copied *page[T]
	if m := t.memory; m != nil && len(m.spare) > 0 {
		k := len(m.spare) - 1
		copied, m.spare = m.spare[k], m.spare[:k]
	} else {
		copied = &page[T]{}
	}
	copied.owner, copied.dirty, copied.next, copied.shared = o, p.dirty, p.next, 1<<pageRows-1
	copied.rows = append(copied.rows[:0], p.rows...)
	if !o.branched {
		copied.hashes = append(copied.hashes[:0], p.hashes...)
	}
	t.unlend()
	t.pages[n] = copied
	return copied
}

// unlend gives t an array of pages of its own.
func (t *Table[T, P]) unlend() {
	if !t.lent {
		return
	}
	var array []*page[T]
	if m := t.memory; m != nil {
		array, m.array = m.array, nil
	}
	if array == nil {
		array = make([]*page[T], 0, len(t.pages)+1)
	}
	t.pages = append(array[:0], t.pages...)
	t.lent = false
}

// add makes a row and returns its number; the row is zero.
func (t *Table[T, P]) add(o *owner) int32 {
	if n := len(t.free); n > 0 {
		i := t.free[n-1]
		t.free = t.free[:n-1]
		return i
	}
	i := t.count
	t.grow(o)
	return i
}

// grow makes one row more.
func (t *Table[T, P]) grow(o *owner) {
	n := t.count / pageRows
	t.count++
	if int(n) == len(t.pages) {
		t.unlend()
		p := &page[T]{owner: o}
		if n > 0 {
			p.rows = make([]T, 0, pageRows)
			if !o.branched {
				p.hashes = make([]uint64, 0, pageRows)
			}
		}
		t.pages = append(t.pages, p)
	}
	p := t.pages[n]
	if p.owner != o {
		p = t.own(o, n)
	}
	var zero T
	p.rows = append(p.rows, zero)
	if !o.branched {
		p.hashes = append(p.hashes, 0)
	}
}

// next is the number that add gives next.
func (t *Table[T, P]) next() int32 {
	if n := len(t.free); n > 0 {
		return t.free[n-1]
	}
	return t.count
}

// release makes row i zero and its number free.
func (t *Table[T, P]) release(o *owner, i int32) {
	var zero T
	*t.edit(o, i) = zero
	t.giveBack(i)
}

// giveBack makes the number of row i free.
func (t *Table[T, P]) giveBack(i int32) {
	if t.borrowed {
		t.free, t.borrowed = append(make([]int32, 0, len(t.free)+8), t.free...), false
	}
	t.free = append(t.free, i)
}

// share makes a table that has the rows of t. Neither owns a page afterwards,
// which the caller sees to by giving both Worlds new owners.
func (t *Table[T, P]) share() Table[T, P] {
	t.lent = true
	t.borrowed = true
	s := *t
	s.dirty, s.memory = 0, nil
	return s
}

// reuse makes t, of a World with owner o that was dropped, share the rows of
// from, and keeps its memory for the pages that it will write.
func (t *Table[T, P]) reuse(from *Table[T, P], o *owner) {
	m := t.memory
	if m == nil && !t.lent && len(t.pages) > 0 {
		m = &memory[T]{} // a table that was not written keeps nothing
	}
	if m != nil && !t.lent {
		m.array = t.pages
	}
	for _, p := range t.pages {
		if p.owner == o {
			m.spare = append(m.spare, p)
		}
	}
	from.lent, from.borrowed = true, true
	*t = *from
	t.memory, t.dirty = m, 0
}

// retire leaves the memory of t to its copies.
func (t *Table[T, P]) retire() { t.pages, t.memory, t.lent = nil, nil, false }

// hash is the sum of the canonical hashes of the rows.
func (t *Table[T, P]) hash(w *World) uint64 {
	for t.dirty != 0 {
		p := t.pages[t.dirty-1]
		t.dirty = p.next
		for i := range p.rows {
			if p.dirty&(1<<i) != 0 {
				t.sum -= p.hashes[i]
				p.hashes[i] = P(&p.rows[i]).canonical(w)
				t.sum += p.hashes[i]
			}
		}
		p.dirty = 0
	}
	return t.sum
}

func (t *Table[T, P]) appendExact(b []byte, w *World) []byte {
	b = appendUint(b, uint64(t.count))
	b = appendUint(b, uint64(len(t.free)))
	for _, i := range t.free {
		b = appendUint(b, uint64(i))
	}
	for i := range t.count {
		b = t.At(i).appendExact(b, w)
	}
	return b
}

func (t *Table[T, P]) decode(d *decoder) {
	*t = Table[T, P]{}
	count := d.length()
	free := d.length()
	for range free {
		i := d.uint()
		if i >= uint64(count) {
			d.fail("a released row that the table does not have")
			return
		}
		t.free = append(t.free, int32(i))
	}
	for i := 0; i < count && d.err == nil; i++ {
		n := t.count
		t.grow(d.owner)
		t.edit(d.owner, n).decode(d)
	}
}

// table is what a World asks of all its tables alike.
type table interface {
	hash(w *World) uint64
	appendExact(b []byte, w *World) []byte
	decode(d *decoder)
}
