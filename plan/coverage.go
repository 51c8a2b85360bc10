package plan

import (
	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/sysml/model"
)

// root is the member of the root of its document that e is in.
func root(e *model.Element) string {
	for e.Owner() != nil && e.Owner().Owner() != nil {
		e = e.Owner()
	}
	return e.QualifiedName()
}

// measured is what leaves can execute of the models that the plan has opened,
// with nothing executed yet. From now on leaves note it.
func (f *File) measured() []bundle.ModelCoverage {
	var all []bundle.ModelCoverage
	for _, m := range f.models.Measure() {
		c := bundle.ModelCoverage{Name: m.Name, Digest: m.Digest, Sites: []bundle.SiteCoverage{}}
		for i := range m.Sites {
			x := &m.Sites[i]
			at := x.Span.File.Position(x.Span.Start)
			c.Sites = append(c.Sites, bundle.SiteCoverage{Kind: runtime.SiteKind(x.Site), Name: x.Name, Root: root(x.Element), File: x.Span.File.Name, Line: at.Line})
		}
		all = append(all, c)
	}
	return all
}
