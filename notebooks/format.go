package notebooks

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// formatCode is the code of every complaint about a notebook file.
var formatCode = diagnostic.Register("notebook-format",
	"The file is not a notebook of format 4 (.ipynb, JSON). Jupyter writes and upgrades such files; `jupyter nbconvert --to notebook` mends old ones.")

// object is a JSON object as it was read. Everything that this package does
// not change is written back as it came; keys are written in alphabetical
// order, as Jupyter does.
type object = map[string]any

// A notebook is an executed or still to be executed document.
type notebook struct {
	root  object
	cells []object // the same maps as in root["cells"]
}

// read parses the text of a notebook file. The error is a Diagnostic.
func read(name string, text []byte) (*notebook, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var root object
	if err := decoder.Decode(&root); err != nil {
		return nil, malformed(name, text, err)
	}
	if decoder.More() {
		return nil, complain(name, text, int(decoder.InputOffset()), "there is text behind the end of the notebook")
	}
	nb := &notebook{root: root}
	major, minor := integer(root["nbformat"]), integer(root["nbformat_minor"])
	switch {
	case root["nbformat"] == nil:
		return nil, complain(name, text, 0, "the file has no nbformat, so it is no notebook")
	case major != 4:
		return nil, complain(name, text, 0, fmt.Sprintf("the notebook has format %v, and format 4 is needed", root["nbformat"]))
	}
	list, ok := root["cells"].([]any)
	if !ok {
		return nil, complain(name, text, 0, "the notebook has no list of cells")
	}
	for i, c := range list {
		cell, ok := c.(object)
		if !ok {
			return nil, complain(name, text, 0, fmt.Sprintf("cell %d is not an object", i+1))
		}
		if err := check(cell); err != nil {
			return nil, complain(name, text, 0, fmt.Sprintf("cell %d %v", i+1, err))
		}
		nb.cells = append(nb.cells, cell)
	}
	if minor < 5 {
		nb.upgrade()
	}
	return nb, nil
}

// check says what is wrong with the parts of a cell that execution relies on.
func check(cell object) error {
	switch kind, _ := cell["cell_type"].(string); kind {
	case "code", "markdown", "raw":
	case "":
		return errors.New("has no cell_type")
	default:
		return fmt.Errorf("has the unknown cell_type %q", kind)
	}
	if _, ok := joined(cell["source"]); !ok {
		return errors.New("has a source that is no text")
	}
	if m, ok := cell["metadata"]; ok {
		if _, ok := m.(object); !ok {
			return errors.New("has metadata that is no object")
		}
	}
	return nil
}

// upgrade makes a notebook of format 4.0 to 4.4 one of 4.5, in which every
// cell has an id. Jupyter draws ids at random; ours count, so that the same
// notebook gives the same bytes.
func (nb *notebook) upgrade() {
	nb.root["nbformat_minor"] = json.Number("5")
	taken := map[string]bool{}
	for _, c := range nb.cells {
		if id, ok := c["id"].(string); ok {
			taken[id] = true
		}
	}
	n := 0
	for _, c := range nb.cells {
		if _, ok := c["id"].(string); ok {
			continue
		}
		for n++; taken[fmt.Sprintf("cell-%d", n)]; n++ {
		}
		c["id"] = fmt.Sprintf("cell-%d", n)
	}
}

// bytes is the notebook as Jupyter writes it: keys sorted, one blank a level,
// texts as lists of lines, a final newline.
func (nb *notebook) bytes() []byte {
	for _, c := range nb.cells {
		if text, ok := c["source"].(string); ok {
			c["source"] = lines(text)
		}
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	// Encoding maps, lists, strings and numbers that were decoded cannot fail.
	if err := encoder.Encode(nb.root); err != nil {
		panic(err)
	}
	// Go escapes the two line separators of Unicode, Jupyter does not. A
	// backslash before "u2028" is itself escaped where it was one in the text.
	return separators.ReplaceAllFunc(b.Bytes(), func(m []byte) []byte {
		slashes := bytes.IndexByte(m, 'u')
		if slashes%2 == 0 {
			return m
		}
		separator := "\u2028"
		if m[len(m)-1] == '9' {
			separator = "\u2029"
		}
		return append(m[:slashes-1:slashes-1], separator...)
	})
}

var separators = regexp.MustCompile(`\\+u202[89]`)

// write puts the notebook at path in one move: a reader, or a run that is
// killed, never meets half of it. Links and permissions of path are kept.
func (nb *notebook) write(path string) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	err := replaceFile(path, nb.bytes())
	if err != nil {
		return diagnostic.New("notebook-write", source.Span{}, "cannot write "+path+": "+reason(err)).
			WithHint("choose another place with --output")
	}
	return nil
}

func replaceFile(path string, text []byte) error {
	mode := os.FileMode(0o644)
	if info, err := os.Stat(path); err == nil {
		if !info.Mode().IsRegular() {
			return os.WriteFile(path, text, mode)
		}
		mode = info.Mode().Perm()
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".orrery-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(text)
	err = errors.Join(err, f.Chmod(mode), f.Close())
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

var _ = diagnostic.Register("notebook-write", "The executed notebook could not be written to the file that was asked for.")

// language is the language of the kernel that the notebook was made for, ""
// where it does not say.
func (nb *notebook) language() (kernel, language string) {
	metadata, _ := nb.root["metadata"].(object)
	spec, _ := metadata["kernelspec"].(object)
	info, _ := metadata["language_info"].(object)
	kernel, _ = spec["name"].(string)
	if language, _ = spec["language"].(string); language == "" {
		language, _ = info["name"].(string)
	}
	return kernel, language
}

// joined is a multi-line string of a notebook, which is one string or a list.
func joined(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case []any:
		var b strings.Builder
		for _, line := range v {
			s, ok := line.(string)
			if !ok {
				return "", false
			}
			b.WriteString(s)
		}
		return b.String(), true
	}
	return "", false
}

// lines is text the way Jupyter stores it: a list of lines with their ends.
func lines(text string) []any {
	list := []any{}
	start := 0
	for i, r := range text {
		if !lineEnd(r) || i < start {
			continue
		}
		end := i + len(string(r))
		if r == '\r' && strings.HasPrefix(text[end:], "\n") {
			end++
		}
		list = append(list, text[start:end])
		start = end
	}
	if start < len(text) {
		list = append(list, text[start:])
	}
	return list
}

// lineEnd reports whether Python's splitlines, which Jupyter uses, ends a
// line at r.
func lineEnd(r rune) bool {
	return r >= '\n' && r <= '\r' || r >= 0x1c && r <= 0x1e || r == 0x85 || r == 0x2028 || r == 0x2029
}

func integer(v any) int {
	n, _ := v.(json.Number)
	i, _ := n.Int64()
	return int(i)
}

// tagged reports whether a cell has a tag.
func tagged(cell object, tag string) bool {
	metadata, _ := cell["metadata"].(object)
	tags, _ := metadata["tags"].([]any)
	for _, t := range tags {
		if t == tag {
			return true
		}
	}
	return false
}

func malformed(name string, text []byte, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	trimmed := bytes.TrimFunc(text, unicode.IsSpace)
	switch {
	case len(trimmed) == 0:
		return complain(name, text, 0, "the file is empty")
	case errors.As(err, &syntax):
		return complain(name, text, int(syntax.Offset)-1, "the file is not JSON from here on")
	case errors.As(err, &kind):
		return complain(name, text, 0, "the notebook is not a JSON object")
	}
	return complain(name, text, len(text), "the file ends inside the notebook")
}

func complain(name string, text []byte, offset int, message string) error {
	at := int32(min(max(offset, 0), len(text)))
	span := source.Span{File: source.NewFile(name, string(text)), Start: at, End: min(at+1, int32(len(text)))}
	return diagnostic.New(formatCode, span, message).
		WithHint("open and save it in Jupyter, or take it from its source again")
}

// reason is what the operating system said, without Go's words before it.
func reason(err error) string {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}
