package zmtp

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"runtime"
	"slices"
	"testing"

	"github.com/go-zeromq/zmq4"
)

func TestEncodedMessagesAreReadBack(t *testing.T) {
	for _, sizes := range [][]int{{0}, {1}, {255}, {256}, {0, 0, 3}, {70000, 1, 300}, {step, step + 1}} {
		var frames [][]byte
		for i, n := range sizes {
			frames = append(frames, bytes.Repeat([]byte{byte(i + 1)}, n))
		}
		// Byte by byte and at once.
		for _, r := range []io.Reader{bytes.NewReader(Encode(frames...)), oneByte{bytes.NewReader(Encode(frames...))}} {
			got, isCommand, err := newReader(r).message()
			if err != nil || isCommand || !slices.EqualFunc(got, frames, bytes.Equal) {
				t.Errorf("frames of %v bytes: %d frames, command %v, error %v", sizes, len(got), isCommand, err)
			}
		}
	}
}

type oneByte struct{ r io.Reader }

func (o oneByte) Read(p []byte) (int, error) { return o.r.Read(p[:1]) }

// head is the header of a long frame.
func head(flags byte, size uint64) []byte {
	return binary.BigEndian.AppendUint64([]byte{flags | flagLong}, size)
}

func TestMalformedFramesAreErrors(t *testing.T) {
	many := []byte{}
	for range MaxFrames + 1 {
		many = append(many, flagMore, 0)
	}
	for _, c := range []struct {
		name string
		wire []byte
		want error
	}{
		{"nothing", nil, io.EOF},
		{"half a header", []byte{0}, io.ErrUnexpectedEOF},
		{"body cut short", []byte{0, 5, 'a'}, io.ErrUnexpectedEOF},
		{"long body cut short", append(head(0, step+9), make([]byte, 100)...), io.ErrUnexpectedEOF},
		{"reserved flag", []byte{8, 0}, ErrFrame},
		{"command with more", []byte{flagCommand | flagMore, 0}, ErrFrame},
		{"command inside a message", []byte{flagMore, 0, flagCommand, 0}, ErrFrame},
		{"2^62 bytes", head(0, 1<<62), ErrTooLarge},
		{"2^64-1 bytes", head(0, 1<<64-1), ErrTooLarge},
		{"one byte over the cap", head(0, MaxMessage+1), ErrTooLarge},
		{"second frame over the cap", append([]byte{flagMore, 1, 'x'}, head(0, MaxMessage)...), ErrTooLarge},
		{"too many frames", many, ErrTooLarge},
		{"cap claimed, nothing sent", head(0, MaxMessage), io.EOF},
	} {
		_, _, err := newReader(bytes.NewReader(c.wire)).message()
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}

// A peer that claims much and sends little must not cost memory.
func TestClaimedLengthCostsNothing(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 100 {
		newReader(bytes.NewReader(head(0, MaxMessage))).message()
	}
	runtime.ReadMemStats(&after)
	if spent := after.TotalAlloc - before.TotalAlloc; spent > 100*4*step {
		t.Errorf("100 claims of %d bytes allocated %d bytes", MaxMessage, spent)
	}
}

func TestCommands(t *testing.T) {
	for _, c := range []struct {
		body       []byte
		name, data string
		ok         bool
	}{
		{[]byte("\x04PING\x00\x01ctx"), "PING", "\x00\x01ctx", true},
		{[]byte("\x00"), "", "", true},
		{nil, "", "", false},
		{[]byte("\x05PING"), "", "", false},
	} {
		name, data, err := command(c.body)
		if (err == nil) != c.ok || name != c.name || string(data) != c.data {
			t.Errorf("command(%q) = %q, %q, %v", c.body, name, data, err)
		}
	}
}

func FuzzMessage(f *testing.F) {
	f.Add(Encode([]byte("a"), []byte("<IDS|MSG>"), bytes.Repeat([]byte("x"), 300)))
	f.Add(encodeCommand("PING", []byte("\x00\x01x")))
	f.Add(head(0, 1<<62))
	f.Add([]byte{flagMore, 0, flagMore, 0})
	f.Fuzz(func(t *testing.T, wire []byte) {
		r := newReader(bytes.NewReader(wire))
		for {
			frames, isCommand, err := r.message()
			if err != nil {
				return
			}
			if isCommand {
				command(frames[0])
				continue
			}
			back, _, err := newReader(bytes.NewReader(Encode(frames...))).message()
			if err != nil || !slices.EqualFunc(back, frames, bytes.Equal) {
				t.Fatalf("%q is read back as %q, %v", frames, back, err)
			}
		}
	})
}

// FuzzHandshake has a peer send anything in place of a greeting.
func FuzzHandshake(f *testing.F) {
	greeting := make([]byte, greetingSize)
	greeting[0], greeting[9], greeting[10] = 0xff, 0x7f, 3
	copy(greeting[12:], "NULL")
	ready := encodeCommand("READY", []byte("\x0bSocket-Type\x00\x00\x00\x06DEALER"))
	f.Add(append(slices.Clone(greeting), ready...))
	f.Add(append(slices.Clone(greeting), head(flagCommand, 1<<40)...))
	f.Add(append(slices.Clone(greeting), encodeCommand("READY", []byte("\x00\x00\x00\x00\x00"))...))
	f.Add([]byte("GET / HTTP/1.1\r\n\r\n"))
	f.Fuzz(func(t *testing.T, wire []byte) {
		ours, theirs := net.Pipe()
		done := make(chan struct{})
		go func() { defer close(done); io.Copy(io.Discard, theirs) }()
		go func() {
			theirs.Write(wire)
			theirs.Close()
		}()
		handshake(ours, zmq4.Router, true)
		ours.Close()
		<-done
	})
}

func BenchmarkEncode(b *testing.B) {
	frames := [][]byte{[]byte("<IDS|MSG>"), make([]byte, 64), make([]byte, 200), make([]byte, 200), []byte("{}"), make([]byte, 300)}
	b.ReportAllocs()
	for b.Loop() {
		Encode(frames...)
	}
}
