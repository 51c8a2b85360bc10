package magics

import (
	"context"

	"github.com/orrery-sysml/orrery/render"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
)

// This file is what a front end and a Shell share. A front end calls the
// methods of Shell, one Execute at a time, and implements Sink.

// A Cell is one request to execute.
type Cell struct {
	// Code is the text of the cell.
	Code string
	// ID is the notebook's lasting name of the cell; a cell that runs again
	// replaces what it declared before. "" where the front end has none.
	ID string
	// DeletedIDs are cells that the user removed from the notebook since.
	DeletedIDs []string
	// Name is what diagnostics call the text, such as "cell 3".
	Name string
	// Language is what the cell is where it does not say so; SysML leaves it
	// to the Shell's Options.
	Language Language
	// Count is the execution count that history and Name go by.
	Count int
}

// Stream names one of the two text streams of a cell.
type Stream string

// The streams.
const (
	Stdout Stream = "stdout"
	Stderr Stream = "stderr"
)

// A Sink takes what a cell puts out, in order and while the cell still runs.
// A Shell calls it from one goroutine at a time. Methods do not fail: a front
// end that cannot show something drops it.
type Sink interface {
	// Stream takes text, complete lines or not.
	Stream(name Stream, text string)
	// Display shows b. A displayID that is not "" can be updated later.
	Display(b render.Bundle, displayID string)
	// Update replaces what is shown under displayID everywhere.
	Update(displayID string, b render.Bundle)
	// Clear removes the outputs of the cell so far; with wait, only when the
	// next one comes.
	Clear(wait bool)
	// Result shows the value of the cell, at most once and behind all else.
	Result(b render.Bundle)
	// Page shows b in a pager where the front end has one.
	Page(b render.Bundle)
	// NextInput puts code into the next cell, or in place of this one.
	NextInput(code string, replace bool)
	// Ask reads a line from the user; password hides it. The error is a
	// diagnostic where the front end cannot ask, or ctx.Err().
	Ask(ctx context.Context, prompt string, password bool) (string, error)
	// Progress tells how far a long operation is; the front end shows it in
	// one place that updates, at most ten times a second.
	Progress(p Progress)
}

// Progress is how far one long operation has come.
type Progress struct {
	Label string // "exploring Demo::race"
	Done  int64  // in Unit
	Total int64  // 0 where nobody knows
	Unit  string // a plural noun: "worlds", "leaves"
	Note  string // anything short beside it, "" for nothing
	Ended bool   // the last report of this operation
}

// Outcome is how a cell ended. Outputs, the error text among them, have gone
// to the Sink or stand in Err; a front end shows Err once.
type Outcome struct {
	// Err is nil where every part of the cell succeeded.
	Err *CellError
	// Exit asks the front end to end the session (%quit).
	Exit bool
	// Verdict is the status that a command line ends with, by the table of
	// exit statuses: 0 all held, 1 something failed, 3 undecided, 4 stopped.
	Verdict int
}

// CellError is why a cell ended early.
type CellError struct {
	// Name is the kind of error as Jupyter's ename: the first diagnostic's
	// code, "KeyboardInterrupt" for an interrupt.
	Name string
	// Value is the first diagnostic's message, as Jupyter's evalue.
	Value string
	// Diagnostics are all findings, the decisive one first.
	Diagnostics diagnostic.List
}

// Traceback is e as the lines of a traceback in a notebook.
func (e *CellError) Traceback() []string { return e.Texts(diagnostic.Style{Weight: true}) }

// Texts is e as texts for a reader, one a diagnostic.
func (e *CellError) Texts(style diagnostic.Style) []string {
	var lines []string
	for _, d := range e.Diagnostics {
		lines = append(lines, diagnostic.Text(d, style))
	}
	if lines == nil {
		lines = []string{e.Name + ": " + e.Value + "\n"}
	}
	return lines
}

// Completeness answers whether a cell can be executed as it stands.
type Completeness struct {
	// Status is "complete", "incomplete" or "invalid".
	Status string
	// Indent is the white space that the next line should begin with, given
	// with "incomplete" alone.
	Indent string
	// Missing is what an incomplete cell lacks first, in a word or two: "}",
	// ";", "an expression". "" where nobody can say.
	Missing string
}

// Completion is what could stand at the cursor.
type Completion struct {
	// Start and End are the range that a match replaces, in code points.
	Start, End int
	Matches    []Match // in the order to show them
}

// A Match is one completion.
type Match struct {
	Text      string // the full replacement of [Start, End)
	Type      string // "keyword", "magic", "flag", "part def", "attribute", "path" ...
	Signature string // what it is, in a few words; "" for nothing
}

// A ScreenSink is a Sink whose front end can show pictures that change in
// place and read single keys: a terminal.
type ScreenSink interface {
	Sink
	// OpenScreen gives the terminal to the cell; false where there is nobody
	// at it. An interrupt from its keys ends the context of the cell.
	OpenScreen() (Screen, bool)
}

// A Screen is a terminal in the hands of one cell. Its methods are called from
// the goroutine of the cell.
type Screen interface {
	// Show puts a frame in the place of the one before.
	Show(f Frame)
	// Key waits for a key: a letter, a digit, or one of the Keys. The error
	// is ctx.Err() or says that the input has ended.
	Key(ctx context.Context) (rune, error)
	// Ask reads a line below the frame; "" where the user gives it up.
	Ask(ctx context.Context, prompt string) (string, error)
	// Close gives the terminal back.
	Close()
}

// The Keys that are no characters, as Screen.Key tells them.
const (
	KeyUp rune = -1 - iota
	KeyDown
	KeyLeft
	KeyRight
	KeyEscape
)

// A Frame is what a Screen shows at a time; the Screen lays it out.
type Frame struct {
	Title string // in a line of its own
	// Body is the picture, for a width in columns. Where it has more lines
	// than there is room for, those around the marked ones (● and ◀) are
	// shown.
	Body    func(columns int) string
	Choices []string // to take by number, from 1
	Note    string   // what the last key did, or why it did nothing; "" for nothing
	Keys    string   // what keys do, in a line
}
