package bundle

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// Unreadable is the code of an archive that is no bundle.
var Unreadable = diagnostic.Register("bundle-unreadable",
	"The file is no bundle of a walk, or one of a newer version, or has been cut off.")

// The members of an archive.
const (
	ManifestName = "manifest.json"
	PlanName     = "plan.json"
	SourceDir    = "sources/"
	ReplayName   = "replay.sh"
)

// A Bundle is the content of an archive.
type Bundle struct {
	Manifest *Manifest
	Plan     []byte            // plan.json; nil where there is none
	Sources  map[string][]byte // texts by their name below sources/
	Replay   string
}

// epoch is the time of every member, so that equal contents are equal bytes.
var epoch = time.Unix(0, 0).UTC()

// Write writes b as an archive.
func (b *Bundle) Write(w io.Writer) error {
	zip, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		return err
	}
	archive := tar.NewWriter(zip)
	add := func(name string, data []byte) error {
		h := &tar.Header{Name: name, Mode: 0o644, Size: int64(len(data)), ModTime: epoch, Format: tar.FormatUSTAR}
		if err := archive.WriteHeader(h); err != nil {
			return err
		}
		_, err := archive.Write(data)
		return err
	}
	if err := b.addManifest(archive); err != nil {
		return err
	}
	if b.Plan != nil {
		if err := add(PlanName, b.Plan); err != nil {
			return err
		}
	}
	if b.Replay != "" {
		if err := add(ReplayName, []byte(b.Replay)); err != nil {
			return err
		}
	}
	names := make([]string, 0, len(b.Sources))
	for n := range b.Sources {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		if err := add(SourceDir+n, b.Sources[n]); err != nil {
			return err
		}
	}
	if err := archive.Close(); err != nil {
		return err
	}
	return zip.Close()
}

// addManifest writes the manifest by way of a file: the size of a member
// stands before it.
func (b *Bundle) addManifest(archive *tar.Writer) error {
	f, err := os.CreateTemp("", "orrery-manifest-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	if err := b.Manifest.Write(f); err != nil {
		return err
	}
	size, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	h := &tar.Header{Name: ManifestName, Mode: 0o644, Size: size, ModTime: epoch, Format: tar.FormatUSTAR}
	if err := archive.WriteHeader(h); err != nil {
		return err
	}
	_, err = io.Copy(archive, f)
	return err
}

// Encode is v as JSON with one value a line and a newline at the end.
func Encode(v any) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(v)
	return out.Bytes(), err
}

// CheckPlace says whether a bundle can have the name: what is there already
// must be a file, which the bundle replaces, and no device, pipe or folder.
func CheckPlace(name string) error {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return diagnostic.New(Unreadable, source.Span{}, name+" is no file that a bundle could replace").
			WithHint("give the bundle a name of its own, such as plan.bundle")
	}
	return nil
}

// WriteFile writes b to a file, whole or not at all. Where name is a link, the
// file that it leads to is replaced.
func (b *Bundle) WriteFile(name string) error {
	if err := CheckPlace(name); err != nil {
		return err
	}
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	partial := name + ".partial"
	f, err := os.Create(partial)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(f)
	err = b.Write(out)
	if err == nil {
		err = out.Flush()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		os.Remove(partial)
		return err
	}
	return os.Rename(partial, name)
}

// maxMember bounds one member of an archive that is read.
const maxMember = 1 << 30

// Read reads an archive. The error is a diagnostic.
func Read(r io.Reader, name string) (*Bundle, error) {
	bad := func(format string, a ...any) error {
		return diagnostic.New(Unreadable, source.Span{}, name+": "+fmt.Sprintf(format, a...))
	}
	zip, err := gzip.NewReader(r)
	if err != nil {
		return nil, bad("not an archive of a walk")
	}
	b := &Bundle{Sources: map[string][]byte{}}
	archive := tar.NewReader(zip)
	for {
		h, err := archive.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, bad("the archive is cut off or damaged")
		}
		if h.Typeflag == tar.TypeDir {
			continue // a bundle that was unpacked and packed again has them
		}
		if clean := path.Clean("/" + h.Name); clean != "/"+h.Name || strings.Contains(h.Name, "\\") {
			return nil, bad("the member %q leaves the archive", h.Name)
		}
		if h.Typeflag != tar.TypeReg || h.Size > maxMember {
			return nil, bad("the member %q is no file of a bundle", h.Name)
		}
		data, err := io.ReadAll(archive)
		if err != nil {
			return nil, bad("the archive is cut off or damaged")
		}
		switch {
		case h.Name == ManifestName:
			if b.Manifest, err = readManifest(data); err != nil {
				return nil, bad("%v", err)
			}
		case h.Name == PlanName:
			b.Plan = data
		case h.Name == ReplayName:
			b.Replay = string(data)
		case strings.HasPrefix(h.Name, SourceDir):
			b.Sources[strings.TrimPrefix(h.Name, SourceDir)] = data
		}
	}
	if b.Manifest == nil {
		return nil, bad("the archive has no %s", ManifestName)
	}
	return b, nil
}

func readManifest(data []byte) (*Manifest, error) {
	var version struct {
		SchemaVersion int `json:"schema_version"`
	}
	if err := json.Unmarshal(data, &version); err != nil {
		return nil, fmt.Errorf("%s is no JSON", ManifestName)
	}
	if version.SchemaVersion > SchemaVersion || version.SchemaVersion < 1 {
		return nil, fmt.Errorf("schema version %d, and this program reads up to %d", version.SchemaVersion, SchemaVersion)
	}
	m := &Manifest{}
	if err := json.Unmarshal(data, m); err != nil {
		return nil, fmt.Errorf("%s has another shape than a manifest", ManifestName)
	}
	return m, nil
}

// ReadFile reads the archive in a file.
func ReadFile(name string) (*Bundle, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, diagnostic.New(Unreadable, source.Span{}, name+" cannot be opened")
	}
	defer f.Close()
	return Read(f, name)
}
