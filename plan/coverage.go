package plan

import (
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/syntax"

	"github.com/orrery-sysml/orrery/plan/api"
	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/plan/leaf"
	"github.com/orrery-sysml/orrery/plan/report"
	"github.com/orrery-sysml/orrery/plan/stub"
	"github.com/orrery-sysml/orrery/plan/suite"
	"github.com/orrery-sysml/orrery/runtime"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// executable counts what leaves can execute of the models in the plan's files
// and texts, for plan.json.
func (f *File) executable() []bundle.ModelDoc {
	var all []bundle.ModelDoc
	for _, m := range f.measured() {
		if m.Digest == "" {
			continue
		}
		d := bundle.ModelDoc{Name: m.Name, Digest: m.Digest, Kinds: map[string]int{}}
		for _, s := range m.Sites {
			d.Kinds[s.Kind]++
		}
		all = append(all, d)
	}
	return all
}

// measured is what leaves can execute of the models that the plan has opened,
// with nothing executed yet. From now on leaves note it.
func (f *File) measured() []bundle.ModelCoverage {
	var all []bundle.ModelCoverage
	for _, m := range f.models.Measure() {
		all = append(all, uncovered(m))
	}
	slices.SortStableFunc(all, func(a, b bundle.ModelCoverage) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// measuredBy is what leaves can execute of a model that one of them has opened;
// nil where it is there no more. Analysing it anew is not interrupted.
func (f *File) measuredBy(c leaf.Covered) *bundle.ModelCoverage {
	m, ok := f.models.Measured(context.Background(), c)
	if !ok {
		return nil
	}
	model := uncovered(m)
	return &model
}

// uncovered is what leaves can execute of m, with nothing executed yet.
func uncovered(m api.Measured) bundle.ModelCoverage {
	c := bundle.ModelCoverage{Name: m.Name, Digest: m.Digest, Variable: variable(m), Open: opening(m), Sites: []bundle.SiteCoverage{}}
	for i := range m.Sites {
		x := &m.Sites[i]
		at := x.Span.File.Position(x.Span.Start)
		c.Sites = append(c.Sites, bundle.SiteCoverage{Kind: runtime.SiteKind(x.Site), Name: x.Name, Root: x.Element.Outermost().QualifiedName(), File: x.Span.File.Name, Line: at.Line})
	}
	return c
}

var (
	notWord = regexp.MustCompile(`[^A-Za-z0-9]+`)
	beside  = regexp.MustCompile(`^[A-Za-z0-9_]+\.sysml$`) // the plan
)

// variable is what stubs call a model: by its file beside the plan, or by its
// digest as well. It depends on nothing else, since shards know different models.
func variable(m api.Measured) string {
	switch {
	case m.Digest == "":
		return "m"
	case m.Inline:
		return "m_" + m.Digest[:6]
	}
	name := "m"
	for _, p := range m.Paths {
		name += "_" + notWord.ReplaceAllString(strings.TrimSuffix(p, path.Ext(p)), "_")
	}
	if len(m.Paths) == 1 && beside.MatchString(m.Paths[0]) && !m.Lenient && m.Libraries == "" {
		return name
	}
	return name + "_" + m.Digest[:6]
}

// opening is the call that gives a model; "" where there is none.
func opening(m api.Measured) string {
	switch {
	case m.Digest == "":
		return "model.session()"
	case m.Inline:
		return ""
	}
	var args []string
	for _, p := range m.Paths {
		args = append(args, syntax.Quote(p, false))
	}
	if m.Lenient {
		args = append(args, "lenient = True")
	}
	switch m.Libraries {
	case "":
	case "false":
		args = append(args, "libraries = False")
	default: // a list of texts in JSON is one in Starlark
		args = append(args, "libraries = "+m.Libraries)
	}
	return "model.open(" + strings.Join(args, ", ") + ")"
}

// proposeStubs gives what no leaf has executed a test that would.
func (f *File) proposeStubs(m *bundle.Manifest) {
	of := map[string]api.Measured{}
	for _, x := range f.models.Measure() {
		of[x.Digest] = x
	}
	for i := range m.Models {
		c := &m.Models[i]
		x := of[c.Digest]
		w := stub.NewWriter(c.Variable, x.Sites)
		at := 0
		for j := range c.Sites { // those of a session are a part of all
			for x.Sites[at].Name != c.Sites[j].Name || runtime.SiteKind(x.Sites[at].Site) != c.Sites[j].Kind {
				at++
			}
			if c.Sites[j].Leaves == 0 {
				c.Sites[j].Stub = w.Stub(at)
			}
			at++
		}
	}
}

// CoverageOptions say what is told of what leaves executed of the models, and
// how much that has to be. The zero CoverageOptions tell what every summary
// tells and demand nothing.
type CoverageOptions struct {
	// List puts every part of the models behind the summary, and tests for what
	// nothing executed.
	List bool
	// Stubs is a file for those tests; "" for none.
	Stubs string
	// Min are KIND=PERCENT: what has to be covered at least.
	Min []string
}

// A gate is one entry of CoverageOptions.Min.
type gate struct {
	kind    string
	percent float64
}

// gates reads Min.
func (o CoverageOptions) gates() ([]gate, error) {
	var all []gate
	for _, text := range o.Min {
		kind, number, ok := strings.Cut(text, "=")
		percent, err := strconv.ParseFloat(strings.TrimSuffix(number, "%"), 64)
		kind = strings.TrimSuffix(kind, "s")
		if !ok || err != nil || !(percent > 0 && percent <= 100) || !slices.Contains(bundle.SiteKinds(), kind) {
			return nil, diagnostic.New(suite.WalkUsage, source.Span{}, "--min-coverage is KIND=PERCENT, not "+text).
				WithHint("the kinds are " + strings.Join(bundle.SiteKinds(), "s, ") + "s")
		}
		all = append(all, gate{kind, percent})
	}
	return all, nil
}

// write writes what o asks for, and reports whether m has what it demands.
func (o CoverageOptions) write(out io.Writer, m *bundle.Manifest) (met bool, err error) {
	unmet, err := o.Unmet(m)
	if err != nil {
		return false, err
	}
	if o.List {
		io.WriteString(out, report.Coverage(m))
	}
	if o.Stubs != "" {
		if os.WriteFile(o.Stubs, []byte(report.Stubs(m)), 0o666) != nil {
			return false, cannotWrite(o.Stubs)
		}
		fmt.Fprintf(out, "%s: tests for what is not covered\n", o.Stubs)
	}
	for _, line := range unmet {
		fmt.Fprintln(out, line)
	}
	return len(unmet) == 0, nil
}

// Unmet is a sentence for each entry of Min that m has less of. The error is a
// diagnostic of an entry that cannot be read.
func (o CoverageOptions) Unmet(m *bundle.Manifest) ([]string, error) {
	gates, err := o.gates()
	if err != nil {
		return nil, err
	}
	var unmet []string
	kinds := bundle.Kinds(m.Models)
	for _, g := range gates {
		i := slices.IndexFunc(kinds, func(k bundle.KindCoverage) bool { return k.Kind == g.kind })
		switch {
		case i < 0:
			unmet = append(unmet, fmt.Sprintf("the models have no %ss, of which %v%% have to be covered", g.kind, g.percent))
		case float64(kinds[i].Covered)*100 < g.percent*float64(kinds[i].Of):
			unmet = append(unmet, fmt.Sprintf("%d of %d %ss are covered, less than %v%%", kinds[i].Covered, kinds[i].Of, g.kind, g.percent))
		}
	}
	return unmet, nil
}
