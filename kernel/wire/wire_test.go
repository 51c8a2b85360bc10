package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"
)

const key = "a0436f6c-1916-498b-8eb9-e81ab9368e84"

func signer(t testing.TB, scheme, key string) *Signer {
	t.Helper()
	s, err := NewSigner(scheme, key)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The signatures were computed with Python's hmac module.
func TestSignatures(t *testing.T) {
	parts := [][]byte{[]byte(`{"a": 1}`), []byte(`{}`), []byte(`{}`), []byte(`{"code": "é"}`)}
	for _, c := range []struct{ scheme, key, want string }{
		{"", key, sha256Want},
		{"hmac-sha256", key, sha256Want},
		{"hmac-sha512", key, sha512Want},
		{"hmac-md5", key, md5Want},
		{"hmac-sha1", key, sha1Want},
		{"hmac-sha3_256", key, sha3Want},
		{"hmac-sha256", "", ""},
	} {
		if got := signer(t, c.scheme, c.key).sign(parts...); string(got) != c.want {
			t.Errorf("%s with key %.4q: %s, want %s", c.scheme, c.key, got, c.want)
		}
	}
	for _, scheme := range []string{"sha256", "hmac-", "hmac-rot13", "hmac"} {
		if _, err := NewSigner(scheme, key); err == nil {
			t.Errorf("scheme %q is taken", scheme)
		}
	}
}

func message(t testing.TB, s *Signer, route [][]byte, buffers ...[]byte) [][]byte {
	t.Helper()
	h := &Header{MsgID: "1", Session: "s", Username: "u", Date: Date(time.Unix(1e9, 123456789)), MsgType: "execute_request", Version: "5.4"}
	frames, err := s.Encode(route, h, json.RawMessage(`{"msg_id":"0"}`), nil, map[string]any{"code": "a < b & c"}, buffers)
	if err != nil {
		t.Fatal(err)
	}
	return frames
}

func TestMessagesAreReadBack(t *testing.T) {
	s := signer(t, "hmac-sha256", key)
	m, err := s.Decode(message(t, s, [][]byte{[]byte("id"), {}}, []byte("buffer")))
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Route) != 2 || string(m.Route[0]) != "id" || len(m.Buffers) != 1 || string(m.Buffers[0]) != "buffer" {
		t.Errorf("route %q, buffers %q", m.Route, m.Buffers)
	}
	if m.Header.MsgType != "execute_request" || m.ParentID() != "0" || string(m.Metadata) != "{}" {
		t.Errorf("message %+v", m)
	}
	if string(m.Content) != `{"code":"a < b & c"}` {
		t.Errorf("content %s", m.Content)
	}
	if got := m.Header.Sent(); !got.Equal(time.Unix(1e9, 123456000)) {
		t.Errorf("sent %v", got)
	}
}

func TestWhatIsDropped(t *testing.T) {
	s := signer(t, "", key)
	edit := func(change func(frames [][]byte) [][]byte) [][]byte {
		frames := message(t, s, nil)
		for i := range frames {
			frames[i] = slices.Clone(frames[i])
		}
		return change(frames)
	}
	replayed := message(t, s, nil)
	if _, err := s.Decode(replayed); err != nil {
		t.Fatal(err)
	}
	resign := func(frames [][]byte) [][]byte {
		frames[1] = s.sign(frames[2:6]...)
		return frames
	}
	for _, c := range []struct {
		name   string
		frames [][]byte
		want   error
	}{
		{"no frames", nil, ErrDelimiter},
		{"no delimiter", edit(func(f [][]byte) [][]byte { return f[1:] }), ErrDelimiter},
		{"delimiter alone", [][]byte{delimiter}, ErrFrames},
		{"four parts", edit(func(f [][]byte) [][]byte { return f[:5] }), ErrFrames},
		{"another content", edit(func(f [][]byte) [][]byte { f[5] = []byte(`{"code":"evil"}`); return f }), ErrSignature},
		{"empty signature", edit(func(f [][]byte) [][]byte { f[1] = nil; return f }), ErrSignature},
		{"short signature", edit(func(f [][]byte) [][]byte { f[1] = f[1][:10]; return f }), ErrSignature},
		{"sent twice", replayed, ErrReplayed},
		{"header no object", edit(func(f [][]byte) [][]byte { f[2] = []byte(`[1]`); return resign(f) }), ErrJSON},
		{"header of wrong types", edit(func(f [][]byte) [][]byte { f[2] = []byte(`{"msg_id":{}}`); return resign(f) }), ErrJSON},
		{"broken content", edit(func(f [][]byte) [][]byte { f[5] = []byte(`{"a":`); return resign(f) }), ErrJSON},
		{"null parent", edit(func(f [][]byte) [][]byte { f[3] = []byte(`null`); return resign(f) }), ErrJSON},
	} {
		if _, err := s.Decode(c.frames); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}

func TestEmptyKeyTakesAnySignature(t *testing.T) {
	open := signer(t, "hmac-sha256", "")
	frames := message(t, signer(t, "", key), nil)
	for range 2 { // twice, too
		if _, err := open.Decode(frames); err != nil {
			t.Error(err)
		}
	}
	if out := message(t, open, nil); len(out[1]) != 0 {
		t.Errorf("signature %q without a key", out[1])
	}
}

func TestReplayGuardForgetsTheOldest(t *testing.T) {
	var g replayGuard
	sig := func(i int) []byte { return fmt.Appendf(nil, "%032d", i) }
	for i := range guardSize + 10 {
		if !g.add(sig(i)) {
			t.Fatalf("%d is new and refused", i)
		}
	}
	if len(g.known) != guardSize {
		t.Errorf("%d signatures are kept", len(g.known))
	}
	if g.add(sig(guardSize)) {
		t.Error("a recent signature is taken again")
	}
	if !g.add(sig(0)) {
		t.Error("the oldest signature is still kept")
	}
}

func TestDates(t *testing.T) {
	want := time.Date(2026, 11, 30, 11, 0, 0, 250e6, time.UTC)
	for date, ok := range map[string]bool{
		"2026-11-30T11:00:00.250000Z": true, "2026-11-30T12:00:00.25+01:00": true,
		"2026-11-30T11:00:00.250000": true, "2026-11-30T12:00:00.25+0100": true,
		"": false, "yesterday": false,
	} {
		h := Header{Date: date}
		if got := h.Sent(); ok != got.Equal(want) || !ok && !got.IsZero() {
			t.Errorf("%q is %v", date, got)
		}
	}
}

func TestContentAlone(t *testing.T) {
	s := signer(t, "", key)
	frames := s.EncodeContent([]byte(`{}`))
	if err := s.DecodeContent(frames); err != nil {
		t.Error(err)
	}
	frames = s.EncodeContent([]byte(`{"a":1}`))
	frames[2] = []byte(`{"a":2}`)
	for _, f := range [][][]byte{frames, {[]byte("x")}, {delimiter}} {
		if s.DecodeContent(f) == nil {
			t.Errorf("%q is taken", f)
		}
	}
}

func FuzzDecode(f *testing.F) {
	s := signer(f, "", "")
	for _, frames := range [][][]byte{message(f, s, [][]byte{[]byte("id")}), {delimiter}, {}} {
		f.Add(bytes.Join(frames, []byte{0}))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := s.Decode(bytes.Split(data, []byte{0}))
		if err != nil {
			return
		}
		m.ParentID()
		m.Header.Sent()
		out, err := s.Encode(m.Route, &m.Header, m.RawHeader, m.Metadata, m.Content, m.Buffers)
		if err != nil {
			t.Fatalf("%q cannot be answered: %v", data, err)
		}
		if back, err := s.Decode(out); err != nil || back.Header != m.Header {
			t.Fatalf("the answer to %q is %v, %v", data, back, err)
		}
	})
}

func BenchmarkRoundTrip(b *testing.B) {
	s := signer(b, "", key)
	b.ReportAllocs()
	for b.Loop() {
		s.seen = replayGuard{}
		if _, err := s.Decode(message(b, s, nil)); err != nil {
			b.Fatal(err)
		}
	}
}

const (
	sha256Want = "507ac3c80a59b3e7ba4fd0bb640aaaf194f69efa60a8730118fcf0c69ca61c7a"
	sha512Want = "0e8e40ba30f61d3507c9036cdcc945ce004c31cdbb3715f1ca147ff6bcbac563d02af1cbca4736e53e90f033aa812c65dd1230290100bd0648fd09eedaf981bc"
	md5Want    = "98e9d36ae922343fbd5cafa66da8849f"
	sha1Want   = "3532a159896b16e8d598079b21aeb5f1c53f178a"
	sha3Want   = "fd3d0c724c588ee3dca224ead855288545fdc397a7c7b26342383b970b0e0548"
)
