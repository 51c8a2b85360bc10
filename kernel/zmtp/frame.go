package zmtp

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
)

// This file reads and writes the frames of ZMTP 3.0: a byte of flags, a
// length of one or eight bytes, a body. The length comes from the wire and is
// never trusted: it is compared with a cap, and memory grows only with the
// bytes that have arrived.

// Bounds of one message from a peer.
const (
	MaxMessage = 64 << 20 // bytes in all its frames
	MaxFrames  = 4096
)

// Errors of a peer that breaks the protocol. Its connection is closed.
var (
	ErrTooLarge = errors.New("zmtp: message over the size cap")
	ErrFrame    = errors.New("zmtp: malformed frame")
)

const (
	flagMore    = 1
	flagLong    = 2
	flagCommand = 4
)

// step is how much of a long body is read before more room is made for it.
const step = 64 << 10

// A frame is one frame as it was read.
type frame struct {
	more, command bool
	body          []byte
}

// readFrame reads one frame whose body has at most room bytes.
func readFrame(r io.Reader, room int) (frame, error) {
	var head [9]byte
	if _, err := io.ReadFull(r, head[:2]); err != nil {
		return frame{}, err
	}
	flags := head[0]
	if flags&^(flagMore|flagLong|flagCommand) != 0 || flags&flagCommand != 0 && flags&flagMore != 0 {
		return frame{}, ErrFrame
	}
	size := uint64(head[1])
	if flags&flagLong != 0 {
		if _, err := io.ReadFull(r, head[2:9]); err != nil {
			return frame{}, err
		}
		size = binary.BigEndian.Uint64(head[1:9])
	}
	if size > uint64(room) {
		return frame{}, ErrTooLarge
	}
	body, err := readBody(r, int(size))
	if err != nil {
		return frame{}, err
	}
	return frame{more: flags&flagMore != 0, command: flags&flagCommand != 0, body: body}, nil
}

func readBody(r io.Reader, size int) ([]byte, error) {
	if size <= step {
		body := make([]byte, size)
		_, err := io.ReadFull(r, body)
		return body, err
	}
	var buf bytes.Buffer
	buf.Grow(step)
	if n, err := io.CopyN(&buf, r, int64(size)); err != nil {
		if err == io.EOF && n > 0 {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	return buf.Bytes(), nil
}

// A reader takes messages off one connection.
type reader struct{ r *bufio.Reader }

func newReader(r io.Reader) *reader { return &reader{bufio.NewReaderSize(r, 8<<10)} }

// message reads a whole message, or one command. The frames are the caller's.
func (r *reader) message() (frames [][]byte, command bool, err error) {
	room := MaxMessage
	for {
		f, err := readFrame(r.r, room)
		if err != nil {
			return nil, false, err
		}
		if f.command {
			if len(frames) > 0 {
				return nil, false, ErrFrame
			}
			return [][]byte{f.body}, true, nil
		}
		room -= len(f.body)
		frames = append(frames, f.body)
		if !f.more {
			return frames, false, nil
		}
		if len(frames) == MaxFrames {
			return nil, false, ErrTooLarge
		}
	}
}

// Encode is frames as one message on the wire, to be sent as it is to any
// number of peers. No frames is no message: nil.
func Encode(frames ...[]byte) []byte {
	size := 0
	for _, f := range frames {
		size += 9 + len(f)
	}
	wire := make([]byte, 0, size)
	for i, f := range frames {
		var flags byte
		if i < len(frames)-1 {
			flags = flagMore
		}
		wire = appendFrame(wire, flags, f)
	}
	return wire
}

func appendFrame(wire []byte, flags byte, body []byte) []byte {
	if len(body) <= 255 {
		wire = append(wire, flags, byte(len(body)))
	} else {
		wire = append(wire, flags|flagLong)
		wire = binary.BigEndian.AppendUint64(wire, uint64(len(body)))
	}
	return append(wire, body...)
}

// command splits the body of a command frame into its name and data.
func command(body []byte) (name string, data []byte, err error) {
	if len(body) == 0 || int(body[0]) > len(body)-1 {
		return "", nil, ErrFrame
	}
	n := int(body[0])
	return string(body[1 : 1+n]), body[1+n:], nil
}

// encodeCommand is a command frame on the wire.
func encodeCommand(name string, data []byte) []byte {
	body := append([]byte{byte(len(name))}, name...)
	return appendFrame(nil, flagCommand, append(body, data...))
}
