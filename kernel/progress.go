package kernel

import (
	"fmt"
	"html"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/orrery-sysml/orrery/magics"
	"github.com/orrery-sysml/orrery/render"
)

const (
	// progressDelay is how long an operation runs before it is worth a word.
	progressDelay = 200 * time.Millisecond
	// progressPause is the least time between two updates.
	progressPause = 100 * time.Millisecond
)

// progress is the one display of an operation that runs.
type progress struct {
	label string
	began time.Time
	shown time.Time // of the last update; zero before the first
	id    string    // "" until it is shown
	last  magics.Progress
}

// Progress shows p in one display that is updated in place: not before an
// operation has lasted a moment, and at most ten times a second.
func (o *output) Progress(p magics.Progress) {
	o.mu.Lock()
	defer o.mu.Unlock()
	now, d := time.Now(), &o.progress
	if d.began.IsZero() || d.label != p.Label {
		*d = progress{label: p.Label, began: now}
	}
	d.last = p
	defer func() {
		if p.Ended {
			*d = progress{}
		}
	}()
	switch {
	case d.id == "" && (p.Ended || now.Sub(d.began) < progressDelay):
		return
	case d.id == "":
		d.id, d.shown = uuid.NewString(), now
		o.emitLocked("display_data", displayed(progressBundle(p, true), d.id))
	case p.Ended || now.Sub(d.shown) >= progressPause:
		d.shown = now
		o.emitLocked("update_display_data", displayed(progressBundle(p, !p.Ended), d.id))
	}
}

// stopProgress shows where an operation stood that will not end; o.mu held.
func (o *output) stopProgress() {
	if d := &o.progress; d.id != "" {
		o.emitLocked("update_display_data", displayed(progressBundle(d.last, false), d.id))
		*d = progress{}
	}
}

// progressBundle is p as a line of text, with a bar while it is moving.
func progressBundle(p magics.Progress, moving bool) render.Bundle {
	var s strings.Builder
	s.WriteString(p.Label + ": ")
	bar := `<progress style="vertical-align:middle"></progress>`
	switch {
	case p.Total > 0:
		fmt.Fprintf(&s, "%d of %d %s", p.Done, p.Total, p.Unit)
		bar = fmt.Sprintf(`<progress style="vertical-align:middle" max="%d" value="%d"></progress>`, p.Total, p.Done)
	default:
		fmt.Fprintf(&s, "%d %s", p.Done, p.Unit)
	}
	if p.Note != "" {
		s.WriteString(", " + p.Note)
	}
	switch {
	case p.Ended:
		s.WriteString(", done")
	case !moving:
		s.WriteString(", stopped")
	}
	if !moving {
		bar = ""
	}
	text := s.String()
	return render.Text(text).With(render.HTML, "<div>"+bar+" "+html.EscapeString(text)+"</div>")
}
