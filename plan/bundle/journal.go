package bundle

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/orrery-sysml/orrery/plan/axis"
	"github.com/orrery-sysml/orrery/plan/leaf"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// JournalRefused is the code of a journal that belongs to another walk.
var JournalRefused = diagnostic.Register("journal-refused",
	"A walk is resumed from the journal of another one: the plan, a model, the program or the options differ. Walk anew, without --resume.")

// A Journal keeps the runs of a walk as they end, so that a walk which was
// stopped can go on. It may be used by many goroutines.
type Journal struct {
	mu    sync.Mutex
	out   *bufio.Writer
	file  *os.File
	axes  map[*axis.Axis]int
	known map[string]*leaf.Run // by test and prefix
}

// A journalLine is one line: the head, an axis, or a run.
type journalLine struct {
	Digest string       `json:"digest,omitempty"`
	Axis   *axis.Axis   `json:"axis,omitempty"`
	N      int          `json:"n,omitempty"`
	Test   string       `json:"test,omitempty"`
	Prefix string       `json:"prefix,omitempty"`
	Path   []int        `json:"path,omitempty"` // axis, option, axis, option ...
	Branch []branchLine `json:"branches,omitempty"`
	Run    *leaf.Run    `json:"run,omitempty"`
}

type branchLine struct {
	At, Axis, Taken int
	Survivors       []int
	Cuts            []leaf.Cut
}

// OpenJournal makes the journal of a walk in a file. With resume, the runs
// that the file has are known; it must be of a walk with the same digest.
func OpenJournal(name, digest string, resume bool) (*Journal, error) {
	j := &Journal{axes: map[*axis.Axis]int{}, known: map[string]*leaf.Run{}}
	flags := os.O_CREATE | os.O_RDWR | os.O_TRUNC
	if resume {
		flags = os.O_CREATE | os.O_RDWR
	}
	f, err := os.OpenFile(name, flags, 0o666)
	if err != nil {
		return nil, diagnostic.New(Unreadable, source.Span{}, name+" cannot be opened")
	}
	j.file = f
	var end int64
	if resume {
		if end, err = j.read(f, name, digest); err != nil {
			f.Close()
			return nil, err
		}
	}
	if err := f.Truncate(end); err == nil {
		_, err = f.Seek(end, io.SeekStart)
		if err != nil {
			return nil, diagnostic.New(Unreadable, source.Span{}, name+" cannot be written")
		}
	}
	j.out = bufio.NewWriter(f)
	if end == 0 {
		j.line(journalLine{Digest: digest})
	}
	return j, nil
}

// read takes in the whole lines of a journal and tells where they end.
func (j *Journal) read(r io.Reader, name, digest string) (int64, error) {
	in := bufio.NewReader(r)
	var axes []*axis.Axis
	var end int64
	for first := true; ; first = false {
		text, err := in.ReadString('\n')
		if err != nil {
			return end, nil // a line that was cut off is run again
		}
		var l journalLine
		if json.Unmarshal([]byte(text), &l) != nil {
			return end, nil
		}
		if first && l.Digest != digest {
			return 0, diagnostic.New(JournalRefused, source.Span{}, name+" is the journal of another walk").
				WithHint("plan, models, program and options must be the same; walk without --resume")
		}
		end += int64(len(text))
		switch {
		case l.Axis != nil:
			j.axes[l.Axis] = len(axes)
			axes = append(axes, l.Axis)
		case l.Run != nil:
			for i := 0; i+1 < len(l.Path); i += 2 {
				l.Run.Path = append(l.Run.Path, axis.Pick{Axis: axes[l.Path[i]], Index: l.Path[i+1]})
			}
			for _, b := range l.Branch {
				l.Run.Branches = append(l.Run.Branches, leaf.Branch{At: b.At, Axis: axes[b.Axis], Taken: b.Taken, Survivors: b.Survivors, Cuts: b.Cuts})
			}
			j.known[l.Test+"\x00"+l.Prefix] = l.Run
		}
	}
}

// prefixKey is a prefix as the journal spells it.
func prefixKey(p axis.Path) string {
	var b strings.Builder
	for _, x := range p {
		b.WriteString(x.Axis.ID + "=" + x.Option().Key + "\n")
	}
	return b.String()
}

// Recall is the run that test made along prefix in the walk before; nil for
// none.
func (j *Journal) Recall(test string, prefix axis.Path) *leaf.Run {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.known[test+"\x00"+prefixKey(prefix)]
}

// Keep notes a run.
func (j *Journal) Keep(test string, prefix axis.Path, r *leaf.Run) {
	if r.Outcome == leaf.NotRun && r.Removed == nil && !hasDeadEnd(r) {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	l := journalLine{Test: test, Prefix: prefixKey(prefix)}
	for _, x := range r.Path {
		l.Path = append(l.Path, j.axis(x.Axis), x.Index)
	}
	for _, b := range r.Branches {
		l.Branch = append(l.Branch, branchLine{b.At, j.axis(b.Axis), b.Taken, b.Survivors, b.Cuts})
	}
	c := *r
	c.Path, c.Branches, c.Diagnostic = nil, nil, nil
	l.Run = &c
	j.line(l)
	j.out.Flush()
}

func hasDeadEnd(r *leaf.Run) bool {
	return len(r.Branches) > 0 && r.Branches[len(r.Branches)-1].Taken < 0
}

// axis is the number of a, which is written at its first use.
func (j *Journal) axis(a *axis.Axis) int {
	n, ok := j.axes[a]
	if !ok {
		n = len(j.axes)
		j.axes[a] = n
		j.line(journalLine{Axis: a, N: n})
	}
	return n
}

func (j *Journal) line(l journalLine) {
	data, err := json.Marshal(l)
	if err != nil {
		return // every field of a line has a JSON form
	}
	j.out.Write(append(data, '\n'))
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
