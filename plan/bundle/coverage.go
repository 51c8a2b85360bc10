package bundle

// A ModelCoverage says what of one model the leaves with a verdict executed.
type ModelCoverage struct {
	Name   string `json:"name"`
	Digest string `json:"digest,omitempty"` // "" for the model of a session
	// Variable is what stubs call the model, Open the call that gives it; "" for
	// a model whose text stands in the plan.
	Variable string `json:"variable"`
	Open     string `json:"open,omitempty"`
	// Sites is all that can be executed, by kind, then as declared.
	Sites []SiteCoverage `json:"sites"`
}

// A SiteCoverage is one thing that leaves can execute.
type SiteCoverage struct {
	// Kind is "action", "state", "transition", "guard", "constraint" or
	// "requirement". A guard has two entries: for true and for false.
	Kind string `json:"kind"`
	Name string `json:"name"` // qualified
	Root string `json:"root"` // the member of the model's root that it is in
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"` // from 1
	// Leaves is how many leaves with a verdict executed it, Tests whose they
	// are.
	Leaves int      `json:"leaves"`
	Tests  []string `json:"tests,omitempty"`
	// Stub is a test that would execute it, as far as the model tells; "" where
	// it was executed.
	Stub string `json:"stub,omitempty"`
}

// SiteKinds are the kinds of site in the order of tables.
func SiteKinds() []string {
	return []string{"action", "state", "transition", "guard", "constraint", "requirement"}
}

// A KindCoverage counts the sites of one kind.
type KindCoverage struct {
	Kind    string
	Covered int
	Of      int
}

// Kinds counts the sites of all models, for the kinds that there are.
func Kinds(models []ModelCoverage) []KindCoverage {
	var all []KindCoverage
	for _, kind := range SiteKinds() {
		k := KindCoverage{Kind: kind}
		for _, m := range models {
			for i := range m.Sites {
				if m.Sites[i].Kind != kind {
					continue
				}
				k.Of++
				if m.Sites[i].Leaves > 0 {
					k.Covered++
				}
			}
		}
		if k.Of > 0 {
			all = append(all, k)
		}
	}
	return all
}
