package edit

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Key is one press of a key, or one paste.
type Key struct {
	// Name is what the keymap calls it: "C-a" with Ctrl, "M-b" with Alt,
	// "Up", "S-Tab", "Enter", "Paste". "" is a key that types Text, and a
	// name that no keymap has is a key that means nothing.
	Name string
	// Text is what the key types or the paste holds, as it was sent.
	Text string
}

const (
	pasteBegin = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

// Pasting reports whether sent begins with a paste that has not ended: more
// will come, however long it takes.
func Pasting(sent []byte) bool {
	return bytes.HasPrefix(sent, []byte(pasteBegin)) && !bytes.Contains(sent, []byte(pasteEnd))
}

// Decode tells the key that sent begins with and how many bytes it takes; 0
// asks for more of them. Where late is set, no more will come soon, and an
// escape character that could begin a key is the key Escape.
func Decode(sent []byte, late bool) (Key, int) {
	switch {
	case len(sent) == 0:
		return Key{}, 0
	case bytes.HasPrefix(sent, []byte(pasteBegin)):
		return decodePaste(sent, late)
	case sent[0] == 0x1b:
		return decodeEscape(sent, late)
	case sent[0] < ' ' || sent[0] == 0x7f:
		return Key{Name: controlName(sent[0])}, 1
	case !utf8.FullRune(sent) && !late:
		return Key{}, 0
	}
	r, n := utf8.DecodeRune(sent)
	return Key{Text: string(r)}, n
}

func decodePaste(sent []byte, late bool) (Key, int) {
	body := sent[len(pasteBegin):]
	if end := bytes.Index(body, []byte(pasteEnd)); end >= 0 {
		return Key{Name: "Paste", Text: string(body[:end])}, len(pasteBegin) + end + len(pasteEnd)
	}
	if !late {
		return Key{}, 0
	}
	return Key{Name: "Paste", Text: string(body)}, len(sent)
}

func controlName(b byte) string {
	switch b {
	case '\r':
		return "Enter"
	case '\t':
		return "Tab"
	case 0x7f:
		return "Backspace"
	case 0x1b:
		return "Escape"
	case 0:
		return "C-Space"
	case 0x1f:
		return "C-_"
	}
	return "C-" + strings.ToLower(string(rune('@'+b)))
}

func decodeEscape(sent []byte, late bool) (Key, int) {
	if len(sent) == 1 {
		if late {
			return Key{Name: "Escape"}, 1
		}
		return Key{}, 0
	}
	if sent[1] == '[' || sent[1] == 'O' {
		if key, n := decodeSequence(sent); n > 0 {
			return key, n
		}
		if !late && len(sent) < 64 {
			return Key{}, 0
		}
		return Key{Name: "M-" + string(rune(sent[1]))}, 2
	}
	key, n := Decode(sent[1:], late)
	if n == 0 {
		return Key{}, 0
	}
	if key.Name == "Paste" { // Escape, and then a paste
		return Key{Name: "Escape"}, 1
	}
	if key.Name == "" {
		return Key{Name: "M-" + strings.ToLower(key.Text)}, n + 1
	}
	return Key{Name: "M-" + key.Name}, n + 1
}

// decodeSequence reads ESC [ parameters letter, and ESC O letter; 0 where that
// is not all there.
func decodeSequence(sent []byte) (Key, int) {
	end := 2
	for end < len(sent) && sent[end] < '@' {
		if sent[end] < ' ' {
			return Key{Name: "unknown"}, end // a control character is a key of its own
		}
		end++
	}
	if end >= len(sent) || sent[end] >= utf8.RuneSelf {
		if end < len(sent) {
			return Key{Name: "unknown"}, end
		}
		return Key{}, 0
	}
	var numbers []int
	for text := range strings.SplitSeq(string(sent[2:end]), ";") {
		n, _ := strconv.Atoi(text)
		numbers = append(numbers, n)
	}
	name, state := "", 1
	if len(numbers) > 1 {
		state = numbers[1]
	}
	switch final := sent[end]; {
	case final == '~' && numbers[0] == 27 && len(numbers) > 2:
		name = codeName(numbers[2])
	case final == '~':
		name = numbered[numbers[0]]
	case final == 'u':
		name = codeName(numbers[0])
	case final == 'Z':
		name, state = "Tab", 2
	default:
		name = lettered[final]
	}
	if name == "" {
		return Key{Name: "unknown"}, end + 1
	}
	return modified(name, state), end + 1
}

var numbered = map[int]string{1: "Home", 2: "Insert", 3: "Delete", 4: "End", 5: "PageUp", 6: "PageDown", 7: "Home", 8: "End"}

var lettered = map[byte]string{'A': "Up", 'B': "Down", 'C': "Right", 'D': "Left", 'H': "Home", 'F': "End", 'M': "Enter"}

// codeName is the key with a code point of its own, as terminals send it that
// tell Shift-Enter from Enter.
func codeName(code int) string {
	if code < 0 || code > utf8.MaxRune {
		return ""
	}
	if code < ' ' || code == 0x7f {
		return controlName(byte(code))
	}
	return string(rune(code))
}

// modified is the key name with the keys held beside it: 1 and a bit for each
// of Shift, Alt and Ctrl.
func modified(name string, state int) Key {
	held := max(state-1, 0)
	if utf8.RuneCountInString(name) == 1 && held&^1 == 0 {
		return Key{Text: name}
	}
	prefix := ""
	for _, m := range []struct {
		bit  int
		name string
	}{{4, "C-"}, {2, "M-"}, {1, "S-"}} {
		if held&m.bit != 0 {
			prefix += m.name
		}
	}
	return Key{Name: prefix + name}
}
