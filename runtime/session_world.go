package runtime

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/orrery-sysml/orrery/runtime/exec"
	"github.com/orrery-sysml/orrery/runtime/lower"
	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// This file saves the World of a session and loads it in another process. The
// numbers in a World refer to its Program, which is made again in the loading
// process: the file has what the Program was made by, in order.

// worldFile opens a World that SaveWorld wrote; the last byte is the version.
const worldFile = "orrery session\x002\n"

// savedSession is what a file of a World has beside the World: a line of JSON.
type savedSession struct {
	// Documents are those of the model that are not empty.
	Documents []savedDocument `json:"documents"`
	// Base and Journal make the Program of the World.
	Base    [32]byte        `json:"base"`
	Journal []lower.Request `json:"journal"`
	// Behavior is the address of what is stepped, "" where nothing is, and Run
	// its number; Settings are the four settings of the run, in the order of
	// schedule.Names.
	Behavior string   `json:"behavior,omitempty"`
	Run      int32    `json:"run,omitempty"`
	Settings []string `json:"settings,omitempty"`
	// Names are the objects that have one, by name.
	Names map[string]value.ObjectID `json:"names,omitempty"`
	Held  []savedValue              `json:"held,omitempty"`
}

// savedDocument is a document of the model, with the digest of its text.
type savedDocument struct {
	Name   string `json:"name"`
	Digest string `json:"digest"`
}

// savedValue is a heldValue.
type savedValue struct {
	Root value.ObjectID `json:"root"`
	Path []string       `json:"path"`
	To   []byte         `json:"to"`
}

// SaveWorld is the World and where the stepped run stands in it, for LoadWorld
// of a session that has the same model.
func (s *Session) SaveWorld() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.world.Program = s.lowering.Program()
	saved := savedSession{Documents: s.documents(), Base: s.world.Program.Base, Journal: s.lowering.Journal(), Names: s.names}
	if r := &s.run; r.on && r.element != nil {
		saved.Behavior, saved.Run = s.lowering.Address(r.element), int32(r.id)
		for _, n := range schedule.Names() {
			saved.Settings = append(saved.Settings, r.settings.Get(n))
		}
	}
	for _, h := range s.held {
		saved.Held = append(saved.Held, savedValue{h.root, h.path, value.AppendEncoding(nil, h.to)})
	}
	head, err := json.Marshal(saved)
	if err != nil {
		panic(err) // all of it is plain data
	}
	data := append([]byte(worldFile), head...)
	sum := sha256.Sum256(data)
	data = append(append(append(data, '\n'), sum[:8]...), s.world.Save()...)
	return data
}

// documents lists the documents of the model that are not empty.
func (s *Session) documents() []savedDocument {
	var list []savedDocument
	for _, f := range lower.Texts(s.model) {
		digest := f.Digest()
		list = append(list, savedDocument{f.Name, hex.EncodeToString(digest[:])})
	}
	return list
}

func badWorld(why string) *diagnostic.Diagnostic {
	return diagnostic.New(exec.BadWorld, source.Span{}, "the World cannot be loaded: "+why)
}

// LoadWorld puts a World that SaveWorld wrote, in this or in another process,
// in place of the session's. The model has to be the same; documents that came
// after those do no harm. The way that the run came before is not in it.
func (s *Session) LoadWorld(data []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	saved, world, err := splitWorld(data)
	if err != nil {
		return err
	}
	s.scope()
	if d := differs(saved.Documents, s.documents()); d != nil {
		return d
	}
	lowering, ok := lower.Replay(s.model, saved.Base, saved.Journal)
	if !ok {
		return badWorld("the model has changed since it was saved")
	}
	w, err := exec.Load(lowering.Program(), world)
	if err != nil {
		return err
	}
	held, err := heldOf(saved.Held, w)
	if err != nil {
		return err
	}
	for name, id := range saved.Names {
		if id < 0 || int(id) >= w.Objects.Len() {
			return badWorld("it is damaged: there is no object " + name)
		}
	}
	r := running{forks: s.run.forks, breaks: s.run.breaks}
	if saved.Behavior != "" {
		if err := r.resume(saved, lowering, w); err != nil {
			return err
		}
	}
	s.lowering, s.replaced, s.world, s.run = lowering, false, w, r
	s.held, s.names = held, map[string]value.ObjectID{}
	for name, id := range saved.Names {
		s.names[name] = id
	}
	return nil
}

// splitWorld reads what stands before the World in a file.
func splitWorld(data []byte) (saved savedSession, world []byte, err error) {
	if !bytes.HasPrefix(data, []byte(worldFile)) {
		if strings.HasPrefix(string(data), worldFile[:len(worldFile)-2]) {
			return saved, nil, badWorld("it was saved by another version").WithHint("save it again with this one")
		}
		return saved, nil, badWorld("this is none that was saved here")
	}
	end := bytes.IndexByte(data[len(worldFile):], '\n') + len(worldFile)
	if end < len(worldFile) || len(data) < end+9 {
		return saved, nil, badWorld("it is damaged")
	}
	if sum := sha256.Sum256(data[:end]); !bytes.Equal(sum[:8], data[end+1:end+9]) {
		return saved, nil, badWorld("it is damaged")
	}
	if json.Unmarshal(data[len(worldFile):end], &saved) != nil {
		return saved, nil, badWorld("it is damaged")
	}
	return saved, data[end+9:], nil
}

// differs says in which document the model of a World is another than the one
// that is loaded; nil where it is not.
func differs(saved, loaded []savedDocument) *diagnostic.Diagnostic {
	for i, d := range saved {
		if i < len(loaded) && loaded[i].Digest == d.Digest {
			continue
		}
		d2 := badWorld("it belongs to another model")
		at := slices.IndexFunc(loaded, func(x savedDocument) bool { return x.Digest == d.Digest })
		named := slices.IndexFunc(loaded, func(x savedDocument) bool { return x.Name == d.Name })
		switch {
		case at >= 0:
			return d2.WithHint(d.Name + " was document " + strconv.Itoa(i+1) + " of the model and is now document " + strconv.Itoa(at+1))
		case named >= 0:
			return d2.WithHint(d.Name + " has another text than when the World was saved")
		}
		return d2.WithHint(d.Name + " was part of the model and is not loaded")
	}
	return nil
}

func heldOf(saved []savedValue, w *exec.World) ([]heldValue, error) {
	var held []heldValue
	for _, h := range saved {
		v, rest, err := w.Program.Decode(h.To)
		if err != nil || len(rest) > 0 || h.Root < 0 || int(h.Root) >= w.Objects.Len() {
			return nil, badWorld("it is damaged: a value that was set by hand cannot be read")
		}
		held = append(held, heldValue{h.Root, h.Path, v})
	}
	return held, nil
}

// resume makes r the stepped run that was saved.
func (r *running) resume(saved savedSession, l *lower.Lowering, w *exec.World) error {
	names := schedule.Names()
	if r.element = l.At(saved.Behavior); r.element == nil || len(saved.Settings) != len(names) {
		return badWorld("it is damaged")
	}
	for i, n := range names {
		if d := r.settings.Set(n, saved.Settings[i]); d != nil {
			return d
		}
	}
	if saved.Run < 0 || int(saved.Run) >= w.Behavior.Runs.Len() || !w.Run(exec.RunID(saved.Run)).Used {
		return badWorld("its stepped run is not in it")
	}
	r.on, r.id = true, exec.RunID(saved.Run)
	var err error
	r.resolver, _, err = resolver(r.settings)
	return err
}
