package trace

import "strings"

// A Recorder is an Observer that keeps the lines of a run. The zero Recorder
// is ready. One goroutine at a time.
type Recorder struct {
	// Limit is the number of bytes kept; 0 means no limit. Lines beyond it
	// are counted and not kept.
	Limit int
	// Dropped counts the lines that were not kept.
	Dropped int64

	text []byte
}

// Observe keeps the line of e.
func (r *Recorder) Observe(e Event) {
	if e.Kind.Silent() {
		return
	}
	if r.Limit > 0 && len(r.text) >= r.Limit {
		r.Dropped++
		return
	}
	r.text = append(e.append(r.text), '\n')
}

// Text is all lines so far, each with its line ending.
func (r *Recorder) Text() string { return string(r.text) }

// Lines is all lines so far.
func (r *Recorder) Lines() []string {
	if len(r.text) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(r.text), "\n"), "\n")
}

// Mark is the place in the text that has been reached, for Since.
func (r *Recorder) Mark() int { return len(r.text) }

// Since is the text recorded after mark.
func (r *Recorder) Since(mark int) string { return string(r.text[min(mark, len(r.text)):]) }

// Rewind forgets what was recorded after mark, for a run that steps back.
func (r *Recorder) Rewind(mark int) { r.text = r.text[:min(mark, len(r.text))] }

// Copy is a Recorder of its own with what r has kept.
func (r *Recorder) Copy() Recorder {
	c := *r
	c.text = append([]byte(nil), r.text...)
	return c
}

// Tee tells every one of its observers, in order; nil ones are left out.
func Tee(observers ...Observer) Observer {
	var t tee
	for _, o := range observers {
		if o != nil {
			t = append(t, o)
		}
	}
	switch len(t) {
	case 0:
		return nil
	case 1:
		return t[0]
	}
	return t
}

type tee []Observer

func (t tee) Observe(e Event) {
	for _, o := range t {
		o.Observe(e)
	}
}
