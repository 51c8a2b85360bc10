package axis

import (
	"strings"
	"testing"
)

// made makes a path of axes whose options are the letters a to z.
func made(t *testing.T, text string) Path {
	t.Helper()
	var p Path
	for _, part := range strings.Fields(text) {
		name, key, _ := strings.Cut(part, "=")
		a := &Axis{ID: name, Named: true, Fans: true}
		for c := 'a'; c <= 'z'; c++ {
			a.Options = append(a.Options, Option{Key: string(c), Label: string(c)})
		}
		p = append(p, Pick{a, a.Index(key)})
	}
	return p
}

// TestIDs holds the ids of leaves to what they may depend on.
func TestIDs(t *testing.T) {
	base := made(t, "x=a y=b")
	id := base.ID("test_a")
	if len(id) != 52 || id != strings.ToLower(id) {
		t.Errorf("id %q", id)
	}
	if got := made(t, "y=b x=a").ID("test_a"); got != id {
		t.Error("the order of axes changes the id")
	}
	reordered := Path{{&Axis{ID: "x", Fans: true, Options: []Option{{Key: "q"}, {Key: "a"}}}, 1}, base[1]}
	if reordered.ID("test_a") != id {
		t.Error("the order of options, or one more, changes the id")
	}
	moved := Path{{&Axis{ID: "x", Fans: true, Scope: Body, Site: Site{Line: 7}, Options: base[0].Axis.Options}, 0}, base[1]}
	if moved.ID("test_a") != id {
		t.Error("scope or line changes the id")
	}
	quiet := append(Path{{&Axis{ID: "z", Options: []Option{{Key: "only"}}}, 0}}, base...)
	if quiet.ID("test_a") != id {
		t.Error("an axis that does not fan out changes the id")
	}
	for _, other := range []string{base.ID("test_b"), made(t, "x=a y=c").ID("test_a"), made(t, "x=a w=b").ID("test_a"), made(t, "x=a y=b z=a").ID("test_a")} {
		if other == id {
			t.Error("two leaves have one id")
		}
	}
	if (Path{}).ID("test_a") != "" {
		t.Error("a leaf without axes has an id")
	}
}

func TestCompare(t *testing.T) {
	tests := []struct {
		a, b string
		want int
	}{{"x=a", "x=b", -1}, {"x=a y=z", "x=b y=a", -1}, {"x=a", "x=a y=a", -1}, {"x=b", "x=b", 0}, {"", "x=a", -1}}
	for _, test := range tests {
		if got := made(t, test.a).Compare(made(t, test.b)); got != test.want {
			t.Errorf("%q, %q: %d", test.a, test.b, got)
		}
	}
}

func TestProbability(t *testing.T) {
	weighted := &Axis{ID: "w", Fans: true, Options: []Option{{Key: "a", Weight: 1}, {Key: "b", Weight: 3}}}
	even := &Axis{ID: "e", Fans: true, Options: []Option{{Key: "a"}, {Key: "b"}}}
	if got := (Path{{weighted, 1}, {even, 0}}).Probability(); got != 0.375 {
		t.Error(got)
	}
}

func TestSelectors(t *testing.T) {
	p := made(t, "x=a y=b")
	id := p.ID("test_a")
	tests := []struct {
		text string
		want bool
	}{{id[:4], true}, {id[:10], true}, {id, true}, {"zzzzzzzz", false}, {"x=a", true}, {"x=b", false}, {"x=a,y=b", true}, {"x=a y=c", false}, {"w=a", false}}
	for _, test := range tests {
		s, err := ParseSelector(test.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Matches(id, p); got != test.want {
			t.Errorf("%q: %v", test.text, got)
		}
	}
	for _, text := range []string{"abc", "x", "=a", "ABCDEF"} {
		if _, err := ParseSelector(text); err == nil {
			t.Errorf("%q is read", text)
		}
	}
	quoted := &Axis{ID: "fault", Fans: true, Options: []Option{{Key: `"time, out"`, Label: `"time, out"`}, {Key: "3", Label: "three"}}}
	for _, text := range []string{`fault="time, out"`, "fault=three", "fault=3"} {
		s, err := ParseSelector(text)
		if err != nil || len(s.Pins) != 1 || quoted.Index(s.Pins[0].Key) < 0 {
			t.Errorf("%q: %+v %v", text, s, err)
		}
	}
}
