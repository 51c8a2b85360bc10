package bundle

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"sync"

	"github.com/orrery-sysml/orrery/plan/axis"
	"github.com/orrery-sysml/orrery/plan/leaf"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// JournalRefused is the code of a journal that belongs to another walk.
var JournalRefused = diagnostic.Register("journal-refused",
	"A walk is resumed from the journal of another one: the plan, a model, the program or the options differ. Walk anew, without --resume; or, where only some tests or models have changed, keep the leaves that do not depend on them with --resume BUNDLE --keep-matching.")

// A Journal keeps the runs of a walk as they end, so that a walk which was
// stopped can go on. It may be used by many goroutines. In memory are the
// places of the runs in the file alone.
type Journal struct {
	mu    sync.Mutex
	file  *os.File
	out   *bufio.Writer
	end   int64 // of what is written
	axes  []*axis.Axis
	index map[*axis.Axis]int // in axes
	known map[runKey]extent
}

// A runKey is a digest of the test and the prefix of a run.
type runKey [16]byte

// An extent is where a line lies in the file.
type extent struct {
	at     int64
	length int
}

// Inputs are digests of what the runs of a walk depend on.
type Inputs struct {
	// Whole is that of everything: plan, models, program and options.
	Whole string `json:"digest"`
	// Tests are those of what the runs of one test depend on, by its name.
	Tests map[string]string `json:"tests,omitempty"`
}

// The lines of a journal: the first is Inputs; an axis stands before the runs
// that met it; a run begins with its key, so that it is found without decoding
// the rest.
type (
	axisLine struct {
		Axis *axis.Axis `json:"axis"`
	}
	runLine struct {
		Key    string       `json:"key"`
		Test   string       `json:"test"`
		Path   []int        `json:"path,omitempty"` // axis, option, axis, option ...
		Branch []branchLine `json:"branches,omitempty"`
		Run    *leaf.Run    `json:"run"`
	}
	branchLine struct {
		At, Axis, Taken int
		Survivors       []int
		Cuts            []leaf.Cut
	}
)

// A Resumption says what a journal that exists already is good for.
type Resumption uint8

// The resumptions. The zero Resumption writes the journal anew.
const (
	Anew         Resumption = iota
	Continue                // it must be of a walk with the same inputs
	KeepMatching            // runs of tests with the same inputs are kept, the others dropped
)

// OpenJournal makes the journal of a walk in a file, or goes on with the one
// that is there.
func OpenJournal(name string, inputs Inputs, r Resumption) (*Journal, error) {
	if r == KeepMatching {
		if err := keepMatching(name, inputs); err != nil {
			return nil, err
		}
	}
	flags := os.O_CREATE | os.O_RDWR
	if r == Anew {
		flags |= os.O_TRUNC
	}
	f, err := os.OpenFile(name, flags, 0o666)
	if err != nil {
		return nil, diagnostic.New(Unreadable, source.Span{}, name+" cannot be opened")
	}
	j := &Journal{file: f, index: map[*axis.Axis]int{}, known: map[runKey]extent{}}
	if r != Anew {
		if err := j.read(name, inputs); err != nil {
			f.Close()
			return nil, err
		}
	}
	if f.Truncate(j.end) != nil {
		return nil, diagnostic.New(Unreadable, source.Span{}, name+" cannot be written")
	}
	if _, err := f.Seek(j.end, io.SeekStart); err != nil {
		return nil, diagnostic.New(Unreadable, source.Span{}, name+" cannot be written")
	}
	j.out = bufio.NewWriter(f)
	if j.end == 0 {
		j.line(inputs)
		j.out.Flush()
	}
	return j, nil
}

// sealSize is how long the seal behind a line is: a tab, a checksum of what
// stands before it, and the end of the line.
const sealSize = 10

// sealed is a line with its seal.
func sealed(line []byte) []byte {
	return fmt.Appendf(line, "\t%08x\n", crc32.ChecksumIEEE(line))
}

// unsealed is what stands before the seal of a line; ok is false where the line
// is cut off or damaged.
func unsealed(line []byte) (text []byte, ok bool) {
	n := len(line) - sealSize
	if n < 0 {
		return nil, false
	}
	text = line[:n:n]
	return text, bytes.Equal(sealed(text), line)
}

// eachLine calls f with every line of a journal, without its seal, and where it
// begins. A line that was cut off or damaged ends it, since its run and those
// behind it are made again; the first one is given as none.
func eachLine(r io.Reader, f func(at int64, line []byte) error) error {
	in := bufio.NewReaderSize(r, 1<<16)
	at := int64(0)
	var long []byte
	for {
		line, err := in.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			long = append(long, line...)
			continue
		}
		if err != nil {
			return nil
		}
		if long != nil {
			line, long = append(long, line...), nil
		}
		text, ok := unsealed(line)
		switch {
		case !ok && at > 0:
			return nil
		case !ok:
			text = nil
		}
		if err := f(at, text); err != nil {
			return err
		}
		at += int64(len(line))
	}
}

// keyStart is how the line of a run begins.
const keyStart = `{"key":"`

// keyOf is the key of the line of a run.
func keyOf(line []byte) (key runKey, ok bool) {
	rest, ok := bytes.CutPrefix(line, []byte(keyStart))
	if !ok || len(rest) < 2*len(key) {
		return key, false
	}
	_, err := hex.Decode(key[:], rest[:2*len(key)])
	return key, err == nil
}

// read takes in where the runs lie in a journal.
func (j *Journal) read(name string, inputs Inputs) error {
	return eachLine(j.file, func(at int64, line []byte) error {
		switch {
		case at == 0:
			var head Inputs
			if json.Unmarshal(line, &head) != nil || head.Whole != inputs.Whole {
				return diagnostic.New(JournalRefused, source.Span{}, name+" is the journal of another walk").
					WithHint("plan, models, program and options must be the same; walk without --resume, or keep what has not changed with --keep-matching")
			}
		case bytes.HasPrefix(line, []byte(keyStart)):
			if key, ok := keyOf(line); ok {
				j.known[key] = extent{at, len(line)}
			}
		default:
			var l axisLine
			if json.Unmarshal(line, &l) == nil && l.Axis != nil {
				j.index[l.Axis] = len(j.axes)
				j.axes = append(j.axes, l.Axis)
			}
		}
		j.end = at + int64(len(line)) + sealSize
		return nil
	})
}

// keepMatching rewrites the journal called name, which may be of another walk,
// with the runs of tests whose inputs are the same.
func keepMatching(name string, inputs Inputs) error {
	old, err := os.Open(name)
	if err != nil {
		return nil // there is nothing to keep
	}
	defer old.Close()
	kept, err := os.Create(name + ".kept")
	if err != nil {
		return diagnostic.New(Unreadable, source.Span{}, name+".kept cannot be written")
	}
	defer os.Remove(kept.Name())
	defer kept.Close()
	out := bufio.NewWriter(kept)
	var was Inputs
	err = eachLine(old, func(at int64, line []byte) error {
		if at == 0 {
			if json.Unmarshal(line, &was) != nil {
				return diagnostic.New(JournalRefused, source.Span{}, name+" is no journal")
			}
			head, err := json.Marshal(inputs)
			out.Write(sealed(head))
			return err
		}
		if bytes.HasPrefix(line, []byte(keyStart)) {
			var l struct {
				Test string `json:"test"`
				Run  struct{ Detail string }
			}
			if json.Unmarshal(line, &l) != nil || was.Tests[l.Test] == "" || was.Tests[l.Test] != inputs.Tests[l.Test] {
				return nil
			}
			if l.Run.Detail != "" { // it shows lines of the plan, which may be others now
				return nil
			}
		}
		_, err := out.Write(sealed(line))
		return err
	})
	if err == nil {
		err = out.Flush()
	}
	if err == nil {
		err = os.Rename(kept.Name(), name)
	}
	if _, ok := err.(*diagnostic.Diagnostic); err != nil && !ok {
		err = diagnostic.New(Unreadable, source.Span{}, name+" cannot be written")
	}
	return err
}

// prefixKey is the key of the run of test along p.
func prefixKey(test string, p axis.Path) runKey {
	h := sha256.New()
	io.WriteString(h, test+"\n")
	for _, x := range p {
		io.WriteString(h, x.Axis.ID+"="+x.Option().Key+"\n")
	}
	return runKey(h.Sum(nil)[:len(runKey{})])
}

// Recall is the run that test made along prefix in the walk before; nil for
// none.
func (j *Journal) Recall(test string, prefix axis.Path) *leaf.Run {
	j.mu.Lock()
	e, ok := j.known[prefixKey(test, prefix)]
	axes := j.axes
	j.mu.Unlock()
	if !ok {
		return nil
	}
	line := make([]byte, e.length)
	var l runLine
	if _, err := j.file.ReadAt(line, e.at); err != nil || json.Unmarshal(line, &l) != nil || l.Test != test || l.Run == nil {
		return nil // it is made again
	}
	named := func(n int) *axis.Axis {
		if n < 0 || n >= len(axes) {
			return nil
		}
		return axes[n]
	}
	for i := 0; i+1 < len(l.Path); i += 2 {
		a := named(l.Path[i])
		if a == nil || l.Path[i+1] < 0 || l.Path[i+1] >= len(a.Options) {
			return nil
		}
		l.Run.Path = append(l.Run.Path, axis.Pick{Axis: a, Index: l.Path[i+1]})
	}
	for _, b := range l.Branch {
		a := named(b.Axis)
		if a == nil {
			return nil
		}
		l.Run.Branches = append(l.Run.Branches, leaf.Branch{At: b.At, Axis: a, Taken: b.Taken, Survivors: b.Survivors, Cuts: b.Cuts})
	}
	return l.Run
}

// Keep notes a run.
func (j *Journal) Keep(test string, prefix axis.Path, r *leaf.Run) {
	if r.Outcome == leaf.NotRun && r.Removed == nil && !hasDeadEnd(r) {
		return
	}
	key := prefixKey(test, prefix)
	l := runLine{Key: hex.EncodeToString(key[:]), Test: test}
	c := *r
	c.Path, c.Branches, c.Diagnostic = nil, nil, nil
	l.Run = &c
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, x := range r.Path {
		l.Path = append(l.Path, j.axis(x.Axis), x.Index)
	}
	for _, b := range r.Branches {
		l.Branch = append(l.Branch, branchLine{b.At, j.axis(b.Axis), b.Taken, b.Survivors, b.Cuts})
	}
	j.line(l)
	j.out.Flush()
}

func hasDeadEnd(r *leaf.Run) bool {
	return len(r.Branches) > 0 && r.Branches[len(r.Branches)-1].Taken < 0
}

// axis is the number of a, which is written at its first use.
func (j *Journal) axis(a *axis.Axis) int {
	n, ok := j.index[a]
	if !ok {
		n = len(j.axes)
		j.index[a] = n
		j.axes = append(j.axes, a)
		j.line(axisLine{a})
	}
	return n
}

func (j *Journal) line(l any) {
	data, err := json.Marshal(l)
	if err != nil {
		return // every field of a line has a JSON form
	}
	j.out.Write(sealed(data))
}

// Close flushes the journal. A journal that has done its work is Removed.
func (j *Journal) Close() error {
	j.out.Flush()
	return j.file.Close()
}

// Remove closes the journal and deletes its file.
func (j *Journal) Remove() error {
	j.Close()
	return os.Remove(j.file.Name())
}
