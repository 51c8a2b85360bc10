package library

import "github.com/orrery-sysml/orrery/sysml/source"

// A Source is a set of library files. All methods are safe for use by many
// goroutines, and give the same File for the same name every time.
type Source interface {
	// Lookup is the file that declares the top-level package called name, by
	// its name or its short name, without quotes; false where none does. Only
	// that file is read or expanded, where the source can tell without
	// looking into the others.
	Lookup(name string) (*source.File, bool)
	// MayHold is false where no package that Lookup finds by name has a public
	// member called member, be it declared, inherited or imported there. True
	// says nothing. It looks at the text without parsing it, so that a name can
	// be sought in many imported packages without reading them all.
	MayHold(name, member string) bool
	// Names lists the top-level packages by name, short names left out, in
	// the order of Files.
	Names() []string
	// Files lists the names of the files in a fixed order: "Base.kerml".
	Files() []string
	// File is the file called name in Files; false where there is none.
	File(name string) (*source.File, bool)
}

// Join is the files of several sources as one. Where two declare the same
// package, or have a file of the same name, the earlier one counts.
func Join(sources ...Source) Source { return joined(sources) }

type joined []Source

func (j joined) Lookup(name string) (*source.File, bool) {
	for _, s := range j {
		if f, ok := s.Lookup(name); ok {
			return f, true
		}
	}
	return nil, false
}

func (j joined) MayHold(name, member string) bool {
	for _, s := range j {
		if _, ok := s.Lookup(name); ok {
			return s.MayHold(name, member)
		}
	}
	return false
}

func (j joined) File(name string) (*source.File, bool) {
	for _, s := range j {
		if f, ok := s.File(name); ok {
			return f, true
		}
	}
	return nil, false
}

func (j joined) Names() []string { return j.collect(Source.Names) }
func (j joined) Files() []string { return j.collect(Source.Files) }

func (j joined) collect(list func(Source) []string) []string {
	var all []string
	seen := map[string]bool{}
	for _, s := range j {
		for _, n := range list(s) {
			if !seen[n] {
				seen[n] = true
				all = append(all, n)
			}
		}
	}
	return all
}
