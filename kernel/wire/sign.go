package wire

import (
	"bytes"
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"slices"
	"strings"
	"sync"
)

// delimiter separates the routing frames from the message.
var delimiter = []byte("<IDS|MSG>")

// Why a message is dropped.
var (
	ErrDelimiter = errors.New("wire: no <IDS|MSG> delimiter")
	ErrFrames    = errors.New("wire: fewer than five frames behind the delimiter")
	ErrSignature = errors.New("wire: wrong signature")
	ErrReplayed  = errors.New("wire: signature seen before")
	ErrJSON      = errors.New("wire: a part is not a JSON object")
)

// hashes are what a signature_scheme may name behind "hmac-".
var hashes = map[string]func() hash.Hash{
	"md5":      md5.New,
	"sha1":     sha1.New,
	"sha224":   sha256.New224,
	"sha256":   sha256.New,
	"sha384":   sha512.New384,
	"sha512":   sha512.New,
	"sha3_224": func() hash.Hash { return sha3.New224() },
	"sha3_256": func() hash.Hash { return sha3.New256() },
	"sha3_384": func() hash.Hash { return sha3.New384() },
	"sha3_512": func() hash.Hash { return sha3.New512() },
}

// A Signer signs and verifies with the key of one kernel. It is safe for any
// goroutine.
type Signer struct {
	open bool // no key: nothing is signed, everything is taken

	mu   sync.Mutex
	mac  hash.Hash
	seen replayGuard
}

// NewSigner makes a Signer. scheme is "hmac-" and a hash, "" for hmac-sha256;
// an empty key means that messages are not signed. The error is a sentence
// for the user.
func NewSigner(scheme, key string) (*Signer, error) {
	if scheme == "" {
		scheme = "hmac-sha256"
	}
	name, ok := strings.CutPrefix(scheme, "hmac-")
	newHash := hashes[name]
	if !ok || newHash == nil {
		return nil, fmt.Errorf("signature scheme %q is not known; hmac-sha256 is the usual one", scheme)
	}
	if key == "" {
		return &Signer{open: true}, nil
	}
	return &Signer{mac: hmac.New(newHash, []byte(key))}, nil
}

// sign is the signature of parts in lower-case hexadecimal, "" without a key.
func (s *Signer) sign(parts ...[]byte) []byte {
	if s.open {
		return []byte{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mac.Reset()
	for _, p := range parts {
		s.mac.Write(p)
	}
	return hex.AppendEncode(nil, s.mac.Sum(nil))
}

// verify is nil where signature is that of parts and was not seen before.
func (s *Signer) verify(signature []byte, parts ...[]byte) error {
	if s.open {
		return nil
	}
	want := s.sign(parts...)
	if !hmac.Equal(bytes.ToLower(signature), want) {
		return ErrSignature
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.seen.add(want) {
		return ErrReplayed
	}
	return nil
}

// Decode reads the frames of one ZeroMQ message. The Message shares their
// memory. An error says why the message must be dropped.
func (s *Signer) Decode(frames [][]byte) (*Message, error) {
	at := slices.IndexFunc(frames, func(f []byte) bool { return bytes.Equal(f, delimiter) })
	if at < 0 {
		return nil, ErrDelimiter
	}
	body := frames[at+1:]
	if len(body) < 5 {
		return nil, ErrFrames
	}
	if err := s.verify(body[0], body[1:5]...); err != nil {
		return nil, err
	}
	m := &Message{Route: frames[:at:at], RawHeader: body[1], Parent: body[2],
		Metadata: body[3], Content: body[4], Buffers: body[5:]}
	for _, part := range body[1:5] {
		if !isObject(part) {
			return nil, ErrJSON
		}
	}
	if json.Unmarshal(m.RawHeader, &m.Header) != nil {
		return nil, ErrJSON
	}
	return m, nil
}

func isObject(part []byte) bool {
	text := bytes.TrimLeft(part, " \t\r\n")
	return len(text) > 0 && text[0] == '{' && json.Valid(part)
}

// Encode makes the frames of a message: route in front, then delimiter,
// signature, header, parent header, metadata, content, buffers. parent is the
// raw header of the request; nil means that there is none. metadata nil is {}.
func (s *Signer) Encode(route [][]byte, h *Header, parent json.RawMessage, metadata, content any, buffers [][]byte) ([][]byte, error) {
	header, err := marshal(h)
	if err != nil {
		return nil, err
	}
	if len(parent) == 0 {
		parent = json.RawMessage("{}")
	}
	meta := []byte("{}")
	if metadata != nil {
		if meta, err = marshal(metadata); err != nil {
			return nil, err
		}
	}
	body, err := marshal(content)
	if err != nil {
		return nil, err
	}
	frames := make([][]byte, 0, len(route)+6+len(buffers))
	frames = append(frames, route...)
	frames = append(frames, delimiter, s.sign(header, parent, meta, body), header, parent, meta, body)
	return append(frames, buffers...), nil
}

// marshal is json.Marshal that leaves <, > and & as they are: outputs are full
// of markup, and no part of a message is pasted into a page.
func marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

// A replayGuard remembers signatures, the latest guardSize of them.
type replayGuard struct {
	known map[string]struct{}
	order []string // ring once it is full
	next  int
}

const guardSize = 1 << 16

// add notes signature and reports whether it is new. Sixteen of its bytes
// tell it from all others.
func (g *replayGuard) add(signature []byte) bool {
	key := string(signature[:min(len(signature), 32)]) // 32 digits are 16 bytes
	if _, ok := g.known[key]; ok {
		return false
	}
	if g.known == nil {
		g.known = map[string]struct{}{}
	}
	if len(g.order) < guardSize {
		g.order = append(g.order, key)
	} else {
		delete(g.known, g.order[g.next])
		g.order[g.next] = key
		g.next = (g.next + 1) % guardSize
	}
	g.known[key] = struct{}{}
	return true
}

// EncodeContent makes the frames of a message of one part, as the registration
// of a kernel is: delimiter, signature, content.
func (s *Signer) EncodeContent(content []byte) [][]byte {
	return [][]byte{delimiter, s.sign(content), content}
}

// DecodeContent verifies a message of a kernel's registration: delimiter,
// signature, any parts. It need not have a content.
func (s *Signer) DecodeContent(frames [][]byte) error {
	at := slices.IndexFunc(frames, func(f []byte) bool { return bytes.Equal(f, delimiter) })
	if at < 0 {
		return ErrDelimiter
	}
	if len(frames) < at+2 {
		return ErrFrames
	}
	return s.verify(frames[at+1], frames[at+2:]...)
}
