package picture

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/display"
	"github.com/orrery-sysml/orrery/sysml/library"
	"github.com/orrery-sysml/orrery/sysml/model"
	"github.com/orrery-sysml/orrery/sysml/syntax"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// drawings are the pictures of testdata: of models, by file and element.
var drawings = []struct {
	file, element string
	view          View
	options       Options
}{
	{"kettle", "Kettle::Brew", Auto, Options{}},
	{"kettle", "Kettle::Brew", Action, Options{Marks: Marks{Tokens: map[string][]string{"pour": {"3"}, "hot": {"1", "2"}}, Active: []string{"Kettle::Brew::heat"}}}},
	{"kettle", "Kettle::Breakfast", Auto, Options{}},
	{"kettle", "Kettle::Breakfast", Action, Options{Depth: 1}},
	{"kettle", "Kettle::Control", Auto, Options{}},
	{"kettle", "Kettle::Control", State, Options{Marks: Marks{Active: []string{"heating", "heating.slow"}}}},
	{"kettle", "Kettle::Kitchen", Auto, Options{}},
	{"kettle", "Kettle::Kitchen", State, Options{Marks: Marks{Active: []string{"busy", "warm", "shut"}}}},
	{"kettle", "Kettle", Auto, Options{}},
	{"train", "Train", Tree, Options{}},
	{"train", "Train::express", Auto, Options{}},
	{"train", "Train::express", Interconnection, Options{Depth: 1}},
	{"train", "Train::Engine", Auto, Options{}},
	{"train", "Train::Wagon", Tree, Options{}},
	{"train", "Train::Signal", Auto, Options{}},
	{"kettle", "Kettle::Control", State, Options{Steady: true, Marks: Marks{Active: []string{"heating", "heating.slow"},
		Taken: []Hop{{"off", "heating", "accept Press"}, {"heating.slow", "heating.fast", "time"}, {"keeping", "nowhere", ""}, {"keeping", "off", ""}}}}},
}

// runs are the pictures of testdata that show runs, by name.
var runs = map[string]*Picture{
	"sequence": Sequence("messages", []string{"driver", "signal"}, []Message{
		{From: "driver", To: "engine", Label: "Start(notch = 2)", At: "t = 0 s"},
		{From: "engine", To: "engine", Label: "check"},
		{From: "engine", To: "signal", Label: "Request & wait", At: "t = 1.5 s", Pending: true},
		{From: "", To: "driver", Label: "Stop"},
		{From: "signal", To: "driver", Label: "Clear <now>", Lost: true},
	}),
	"timeline": Timeline("states", "s", []Lane{
		{"machine", []Span{{0, 3, "off", false}, {3, 3, "starting", false}, {3, 48, "running", false}, {48, 60, "degraded", true}}},
		{"door", []Span{{0, 20, "closed", false}, {20, 25, "open", false}}},
		{"nothing", nil},
	}, []Event{{20, "Open"}, {3, "Start"}}),
	"long":      Timeline("long", "step", []Lane{{"token 1", manySpans(1200)}, {"token 2", []Span{{0, 400, "work", false}, {400, 1200, "wait", true}}}}, nil),
	"outcomes":  Bars("outcomes", []Bar{{"total = 3", 120, "120 orders (60 %)", Good}, {"total = 2", 70, "", Plain}, {"deadlock", 10, "10 orders", Bad}}),
	"nothing":   Bars("outcomes", nil),
	"histogram": Histogram("mass", "kg", []float64{0.1, 0.12, 0.3, 0.31, 0.32, 0.35, 0.36, 0.4, 0.41, 0.44, 0.5, 0.71}),
	"constant":  Histogram("mass", "kg", []float64{2, 2, 2}),
	"plot":      Plot("total over n", "n", "total", []Series{{Name: "w = 1", Points: []Point{{1, 10}, {2, 14}, {3, 22.5}}}, {Name: "w = 2", Points: []Point{{1, 12}, {2, 30}, {3, 41}}}}),
	"steps":     Plot("level", "s", "level", []Series{{Name: "level", Steps: true, Points: []Point{{0, 1}, {2, 4}, {2.5, 4}, {9, math.NaN()}, {10, -3}}}}),
	"cloud":     Plot("y over x", "x", "y", []Series{{Name: "y <&>", Dots: true, Points: []Point{{0.5, 0.2}, {0.1, math.Inf(1)}, {0.7, 0.9}}}}),
	"empty":     Plot("nothing", "x", "y", nil),
	"worlds": Worlds("graph of the Worlds of P::A", []World{{Title: "start: token order", Start: true, Lines: []string{"x = 1"}, Tip: []string{"at 2@a, 3@b", "x = 1"}},
		{Title: "decision <pick>"}, {Kind: GoodEnd, Title: "end", Lines: []string{"x = 2", "%replay 2"}}, {Kind: BadEnd, Title: "deadlock", Lines: []string{"%replay 1"}},
		{Kind: BrokenWorld, Title: "never x > 2"}, {Kind: ReachedWorld, Title: "reachable x == 2"}, {Kind: WorldGroup, Title: "26 Worlds"}, {Kind: UnknownWorld, Title: "not followed"}},
		[]Way{{0, 1, []string{"2@a", "or 3@b"}, false, true}, {1, 2, []string{"1->a", "then b, j"}, false, false}, {1, 3, []string{"2->b"}, false, true}, {0, 4, []string{"4@c"}, false, false},
			{4, 5, nil, false, false}, {5, 0, []string{"go on"}, true, false}, {5, 5, []string{"wait"}, true, false}, {4, 6, []string{"36 ways"}, false, false}, {6, 7, nil, false, false}}),
	"network": network("worlds", []someNode{{ID: "0", Begin: true}, {ID: "a", Keyword: "world", Label: "1", Lines: []string{"x = 1"}}, {ID: "b", Label: "2", Active: true, Tokens: []string{"1"}}, {ID: "c", End: true}},
		[]someLink{{"0", "a", "", false}, {"a", "b", "take left", false}, {"a", "b", "take right", true}, {"b", "b", "again", false}, {"b", "c", "", false}, {"b", "unknown", "", false}}),
}

// manySpans are spans of one step each, with a long one in the middle.
func manySpans(n int) []Span {
	var list []Span
	for i := range n {
		list = append(list, Span{From: float64(i), To: float64(i + 1), Label: []string{"up", "d", "m"}[i%3]})
	}
	half := n / 2
	list[half].To = float64(half + n/10)
	return slices.Delete(list, half+1, half+n/10)
}

// golden compares text with a file of testdata.
func golden(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != text {
		t.Errorf("%s is drawn in another way; -update rewrites it\n%s", name, text)
	}
}

// forms are all forms of p but SVG.
func forms(p *Picture) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n---- 100 columns\n%s\n---- 40 columns\n%s", p.Title(), p.Text(100), p.Text(40))
	fmt.Fprintf(&b, "\n---- Mermaid\n%s\n---- DOT\n%s", p.Mermaid(), p.DOT())
	if chart := p.VegaLite(); chart != "" {
		fmt.Fprintf(&b, "\n---- Vega-Lite\n%s\n", chart)
	}
	return b.String()
}

func TestDrawings(t *testing.T) {
	for i, d := range drawings {
		name := fmt.Sprintf("%02d-%s", i+1, strings.ReplaceAll(strings.ToLower(d.element), "::", "-"))
		t.Run(name, func(t *testing.T) {
			m := load(t, filepath.Join("testdata", d.file+".sysml"), library.Embedded())
			e := m.Find(d.element)
			if e == nil {
				t.Fatal("no such element")
			}
			p, err := Of(e, d.view, d.options)
			if err != nil {
				t.Fatal(err)
			}
			checkSVG(t, name, p)
			checkText(t, name, p)
			g := p.shape.(*graph)
			if g.lost > 0 && d.options.Depth == 0 {
				t.Errorf("%d edges lead nowhere", g.lost)
			}
			l := g.place()
			for _, s := range append(throughNodes(g, l), coveredLabels(g, l)...) {
				t.Error(s)
			}
			golden(t, name+".svg", p.SVG())
			golden(t, name+".txt", forms(p))
		})
	}
}

func TestRuns(t *testing.T) {
	for name, p := range runs {
		t.Run(name, func(t *testing.T) {
			checkSVG(t, name, p)
			golden(t, name+".svg", p.SVG())
			golden(t, name+".txt", forms(p))
			for _, width := range []int{20, 40, 80, 200} {
				for line := range strings.Lines(p.Text(width)) {
					if n := display.Width(strings.TrimSpace(line)); n > max(width, 60) {
						t.Errorf("a line has %d columns where the terminal has %d", n, width)
					}
				}
			}
		})
	}
}

// TestTheModelsOfTestdataAreRight: pictures are worth little of wrong models.
func TestTheModelsOfTestdataAreRight(t *testing.T) {
	for _, file := range []string{"kettle", "train"} {
		m := load(t, filepath.Join("testdata", file+".sysml"), library.Embedded())
		_, problems := syntax.Parse(m.Documents()[0].File, syntax.Options{Extensions: true})
		for _, d := range append(problems, m.Check()...) {
			if d.Severity == diagnostic.Error {
				t.Error(diagnostic.Text(d, diagnostic.Style{}))
			}
		}
	}
}

func TestViewsThatDoNotFit(t *testing.T) {
	m := load(t, "testdata/train.sysml", library.Embedded())
	for _, c := range []struct {
		element string
		view    View
	}{{"Train::Engine", State}, {"Train::Engine", Action}, {"Train::Signal", Interconnection}} {
		_, err := Of(m.Find(c.element), c.view, Options{})
		if d := diagnostic.Of(err); len(d) != 1 || d[0].Code != cannotDraw || d[0].Hint == "" {
			t.Errorf("a view of kind %s of %s: %v", c.view, c.element, err)
		}
	}
}

func TestMarksNameNodes(t *testing.T) {
	m := load(t, "testdata/kettle.sysml", library.Embedded())
	e := m.Find("Kettle::Breakfast")
	for _, c := range []struct {
		mark, key string // "" finds nothing
	}{
		{"boil", "boil"}, {"boil.fill", "boil.fill"}, {"fill", "boil.fill"}, {"Kettle::Breakfast::boil::fill", "boil.fill"},
		{"start", "start"}, {"toast.start", "toast.start"}, {"begin", "begin"}, {"cook", "if.then.cook"}, {"nowhere", ""},
	} {
		p, err := Of(e, Action, Options{Marks: Marks{Tokens: map[string][]string{c.mark: {"7"}}}})
		if err != nil {
			t.Fatal(err)
		}
		found := ""
		for _, n := range p.shape.(*graph).nodes {
			if len(n.tokens) > 0 {
				found += n.key
			}
		}
		if found != c.key {
			t.Errorf("the mark %q is on %q, want %q", c.mark, found, c.key)
		}
	}
}

func TestViewNames(t *testing.T) {
	for v := Auto; v <= Action; v++ {
		if got, ok := ParseView(v.String()); !ok || got != v {
			t.Errorf("ParseView(%q) is %v, %v", v, got, ok)
		}
	}
	if _, ok := ParseView("cubist"); ok {
		t.Error("there is a view called cubist")
	}
}

func ExampleBars() {
	fmt.Print(Bars("outcomes", []Bar{{Label: "x = 1", Value: 3}, {Label: "x = 2", Value: 1}}).Text(24))
	// Output:
	// x = 1 │██████████████ 3
	// x = 2 │████▋ 1
}

// BenchmarkDraw100 draws a state machine of 100 states and 130 transitions.
func BenchmarkDraw100(b *testing.B) {
	var nodes []someNode
	var links []someLink
	for i := range 100 {
		nodes = append(nodes, someNode{ID: fmt.Sprint(i), Label: fmt.Sprintf("state %d", i), Lines: []string{"entry / assign"}})
		links = append(links, someLink{From: fmt.Sprint(i * 2 / 3), To: fmt.Sprint(i), Label: "trigger [guard]"})
		if i%3 == 0 {
			links = append(links, someLink{From: fmt.Sprint(i), To: fmt.Sprint((i * 7) % 100), Label: "back"})
		}
	}
	for b.Loop() {
		network("worlds", nodes, links).SVG()
	}
}

func TestAllDrawsSeveralElements(t *testing.T) {
	m := load(t, "testdata/train.sysml", library.Embedded())
	k := load(t, "testdata/kettle.sysml", library.Embedded())
	for _, c := range []struct {
		name     string
		elements []*model.Element
		view     View
		keys     string
	}{
		{"definitions", []*model.Element{m.Find("Train::Vehicle"), m.Find("Train::Wagon"), m.Find("Train::Wagon")}, Auto, "Vehicle Wagon lamps"},
		{"machines", []*model.Element{k.Find("Kettle::Control"), k.Find("Kettle::Kitchen"), k.Find("Kettle::Press")}, State, "Control Kitchen"},
		{"parts", []*model.Element{m.Find("Train::Generator"), m.Find("Train::Motor")}, Interconnection, "Generator Generator.feed Motor Motor.intake"},
		{"mixed", []*model.Element{m.Find("Train::Power"), k.Find("Kettle::Brew")}, Auto, "Power Brew"},
	} {
		p, err := All(c.name, c.elements, c.view, Options{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		checkSVG(t, c.name, p)
		var keys []string
		for _, n := range p.shape.(*graph).nodes {
			if c.name != "machines" || n.parent < 0 {
				keys = append(keys, n.key)
			}
		}
		if got := strings.Join(keys, " "); got != c.keys {
			t.Errorf("%s: the nodes are %s, want %s", c.name, got, c.keys)
		}
	}
	for _, list := range [][]*model.Element{nil, {m.Find("Train::Power")}} {
		if _, err := All("empty", list, State, Options{}); diagnostic.Of(err)[0].Code != cannotDraw {
			t.Errorf("nothing to draw: %v", err)
		}
	}
}

// TestVegaLite: a plot is JSON that carries its data with it.
func TestVegaLite(t *testing.T) {
	for _, name := range []string{"histogram", "outcomes", "plot", "steps", "cloud", "empty", "nothing"} {
		var spec struct {
			Schema   string `json:"$schema"`
			Data     struct{ Values []any }
			Mark     any
			Layer    []any
			Encoding map[string]any
		}
		if err := json.Unmarshal([]byte(runs[name].VegaLite()), &spec); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if spec.Schema != vegaSchema || spec.Data.Values == nil || spec.Mark == nil && spec.Layer == nil || spec.Encoding["x"] == nil {
			t.Errorf("%s is no plot: %+v", name, spec)
		}
	}
	if runs["timeline"].VegaLite() != "" {
		t.Error("a timeline is no plot of numbers")
	}
}

func TestSlides(t *testing.T) {
	m := load(t, "testdata/kettle.sysml", library.Embedded())
	var slides []Slide
	for i, at := range []string{"start", "heat", "pour"} {
		p, err := Of(m.Find("Kettle::Brew"), Action, Options{Marks: Marks{Tokens: map[string][]string{at: {"1"}}}})
		if err != nil {
			t.Fatal(err)
		}
		slides = append(slides, Slide{fmt.Sprintf("step %d: 1@%s", i+1, at), p})
	}
	html := Slides("run of Brew", slides)
	golden(t, "slides.html", html)
	if strings.Contains(html, "<script") || strings.Count(html, "<svg") != 3 || strings.Count(html, " checked>") != 1 {
		t.Error("the slides are not three pictures with one chosen and no script")
	}
	if strings.Contains(html, " id=") {
		t.Error("slides that look alike would have the same id")
	}
}

// TestWideLettersKeepTheirBox: letters that take two columns, or none, do not
// move the border behind them.
func TestWideLettersKeepTheirBox(t *testing.T) {
	for _, label := range []string{"列车", "e\u0301tat", "Straße", "a → b"} {
		text := network("one", []someNode{{ID: "x", Label: label}}, nil).Text(80)
		var widths []int
		for line := range strings.Lines(text) {
			widths = append(widths, display.Width(strings.TrimSuffix(line, "\n")))
		}
		if len(widths) != 3 || widths[0] != widths[1] || widths[1] != widths[2] {
			t.Errorf("the lines of the box have %v columns\n%s", widths, text)
		}
	}
}
