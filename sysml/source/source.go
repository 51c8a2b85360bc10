package source

import (
	"crypto/sha256"
	"io"
	"sort"
	"sync"
	"unicode/utf8"
)

// Language is the notation a File is written in.
type Language uint8

// The notations. The zero value is SysML.
const (
	SysML Language = iota // SysML v2 textual notation
	KerML                 // KerML textual notation, which libraries use
)

// A File is one text of a model. It never changes once made; a changed
// document is a new File. Safe for use by many goroutines.
type File struct {
	// Name is what a reader calls the text: a path as the user gave it, or
	// "cell 3". It is printed in diagnostics and is not required to be unique.
	Name string
	// Text is the whole content, UTF-8; invalid bytes are kept as they are.
	Text string
	// Language is the notation of Text.
	Language Language
	// Library marks a text of the standard library, whose elements implied
	// specializations refer to and whose declarations a session never lists.
	Library bool

	once  sync.Once
	lines []int32 // byte offset of the start of every line; lines[0] == 0

	hashed sync.Once
	digest [32]byte
}

// Digest is the SHA-256 of Text, worked out once.
func (f *File) Digest() [32]byte {
	f.hashed.Do(func() {
		h := sha256.New()
		io.WriteString(h, f.Text)
		h.Sum(f.digest[:0])
	})
	return f.digest
}

// NewFile makes a SysML File.
func NewFile(name, text string) *File { return &File{Name: name, Text: text} }

// Span is the half-open range [Start, End) of byte offsets in File. The zero
// Span is nowhere: it belongs to what was not written by anybody.
type Span struct {
	File       *File
	Start, End int32
}

// IsZero reports whether s is nowhere.
func (s Span) IsZero() bool { return s.File == nil }

// Text is the text that s covers.
func (s Span) Text() string {
	if s.File == nil {
		return ""
	}
	return s.File.Text[s.Start:s.End]
}

// To is the span from the start of s to the end of t, which is in the same
// File; where one of them is nowhere it is the other.
func (s Span) To(t Span) Span {
	switch {
	case s.File == nil:
		return t
	case t.File == nil:
		return s
	}
	return Span{s.File, min(s.Start, t.Start), max(s.End, t.End)}
}

// Position is a place in a File as readers count it.
type Position struct {
	Line   int // one-based
	Column int // one-based, in code points
}

// StartPosition is the position of the first byte of s; zero where s is nowhere.
func (s Span) StartPosition() Position { return s.File.Position(s.Start) }

// EndPosition is the position behind the last byte of s.
func (s Span) EndPosition() Position { return s.File.Position(s.End) }

// Position is where byte offset off stands. An offset outside the text is
// taken to be at its nearer end. A nil File gives the zero Position.
func (f *File) Position(off int32) Position {
	if f == nil {
		return Position{}
	}
	line := f.line(off)
	off = min(max(off, 0), int32(len(f.Text)))
	return Position{line + 1, utf8.RuneCountInString(f.Text[f.lines[line]:off]) + 1}
}

// Line is the text of the one-based line n without its line ending; "" where
// there is no such line.
func (f *File) Line(n int) string {
	if f == nil {
		return ""
	}
	f.index()
	if n < 1 || n > len(f.lines) {
		return ""
	}
	start, end := f.lines[n-1], int32(len(f.Text))
	if n < len(f.lines) {
		end = f.lines[n]
	}
	for end > start && (f.Text[end-1] == '\n' || f.Text[end-1] == '\r') {
		end--
	}
	return f.Text[start:end]
}

// Offset is the byte offset of the code point with zero-based index cp, as
// Jupyter counts cursor positions; it is clamped to the text.
func Offset(text string, cp int) int {
	for i := range text {
		if cp <= 0 {
			return i
		}
		cp--
	}
	return len(text)
}

// CodePoints is the number of code points before byte offset off.
func CodePoints(text string, off int) int {
	return utf8.RuneCountInString(text[:min(max(off, 0), len(text))])
}

func (f *File) line(off int32) int {
	f.index()
	return max(sort.Search(len(f.lines), func(i int) bool { return f.lines[i] > off })-1, 0)
}

func (f *File) index() {
	f.once.Do(func() {
		f.lines = append(f.lines, 0)
		for i := 0; i < len(f.Text); i++ {
			if f.Text[i] == '\n' {
				f.lines = append(f.lines, int32(i+1))
			}
		}
	})
}
