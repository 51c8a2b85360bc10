package bundle

import (
	"encoding/json"
	"fmt"

	"github.com/orrery-sysml/orrery/plan/axis"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// A PlanDoc is plan.json: what a plan would walk.
type PlanDoc struct {
	SchemaVersion int               `json:"schema_version"`
	Plan          FileDoc           `json:"plan"`
	Models        []FileDoc         `json:"models"`
	Engine        EngineDoc         `json:"engine"`
	Seed          int64             `json:"seed"`
	Options       map[string]string `json:"options,omitempty"`
	Discovered    bool              `json:"discovered"` // bodies were run to find axes
	Tests         []TestDoc         `json:"tests"`
	Totals        CountsDoc         `json:"totals"`
	Coverage      []ModelDoc        `json:"coverage,omitempty"`
	Diagnostics   []Warning         `json:"diagnostics,omitempty"`
}

// A FileDoc names a text.
type FileDoc struct {
	Name   string   `json:"name"`
	Roots  []string `json:"roots,omitempty"` // qualified names of root members
	Digest string   `json:"digest"`
}

// A ModelDoc counts what leaves can execute of a model.
type ModelDoc struct {
	Name   string `json:"name"`
	Digest string `json:"digest"`
	// Kinds are the numbers of actions, states, transitions, sides of guards,
	// constraints and requirements: see SiteCoverage.Kind.
	Kinds map[string]int `json:"kinds"`
}

// EngineDoc is the program.
type EngineDoc struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// A SiteDoc is a place in a plan.
type SiteDoc struct {
	File       string `json:"file,omitempty"`
	Line       int    `json:"line,omitempty"`
	Column     int    `json:"column,omitempty"`
	Function   string `json:"function,omitempty"`
	Occurrence int    `json:"occurrence,omitempty"`
}

// Site is s for JSON.
func Site(s axis.Site) SiteDoc { return SiteDoc(s) }

// A TestDoc is one test.
type TestDoc struct {
	Name       string      `json:"name"`
	Kind       string      `json:"kind"` // "def", "test" or "cell"
	Doc        string      `json:"doc,omitempty"`
	Tags       []string    `json:"tags,omitempty"`
	Site       SiteDoc     `json:"site"`
	Timeout    string      `json:"timeout,omitempty"`
	ModuleAxes []string    `json:"module_axes,omitempty"`
	Axes       []AxisDoc   `json:"axes"`
	Assumes    []AssumeDoc `json:"assumes,omitempty"`
	Halts      []Removed   `json:"halts,omitempty"`
	Leaves     []LeafDoc   `json:"leaves,omitempty"`
	Counts     CountsDoc   `json:"counts"`
}

// An AxisDoc is one axis.
type AxisDoc struct {
	ID      string      `json:"id"`
	Named   bool        `json:"named"`
	FansOut bool        `json:"fans_out"`
	Scope   string      `json:"scope"`
	Doc     string      `json:"doc,omitempty"`
	Site    SiteDoc     `json:"site"`
	Options []OptionDoc `json:"options,omitempty"`
	// When are the choices under which the axis exists; empty for always.
	When      []string `json:"when,omitempty"`
	Estimated bool     `json:"estimated,omitempty"` // its options cannot be read without running
}

// An OptionDoc is one option.
type OptionDoc struct {
	Key    string  `json:"key"`
	Label  string  `json:"label,omitempty"`
	Weight float64 `json:"weight,omitempty"`
}

// An AssumeDoc is one predicate.
type AssumeDoc struct {
	Name          string   `json:"name"`
	Site          SiteDoc  `json:"site"`
	Reads         []string `json:"reads,omitempty"`
	LeavesRemoved int      `json:"leaves_removed"`
}

// A LeafDoc is one leaf that the walk would run or remove.
type LeafDoc struct {
	LeafID      string  `json:"leaf_id,omitempty"`
	Path        string  `json:"path"`
	Status      string  `json:"status"` // "planned" or "pruned"
	Probability float64 `json:"probability"`
}

// CountsDoc counts leaves.
type CountsDoc struct {
	Planned   int  `json:"planned"`
	Pruned    int  `json:"pruned"`
	Estimated bool `json:"estimated"` // the counts are lower bounds
}

// PlanDoc is plan.json of b; nil where b has none.
func (b *Bundle) PlanDoc() (*PlanDoc, error) {
	if b.Plan == nil {
		return nil, nil
	}
	d := &PlanDoc{}
	if err := json.Unmarshal(b.Plan, d); err != nil {
		return nil, diagnostic.New(Unreadable, source.Span{}, PlanName+" has another shape than a plan")
	}
	if d.SchemaVersion > SchemaVersion {
		return nil, diagnostic.New(Unreadable, source.Span{}, fmt.Sprintf("%s has schema version %d, and this program reads up to %d", PlanName, d.SchemaVersion, SchemaVersion))
	}
	return d, nil
}
