package conform

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/orrery-sysml/orrery/runtime/schedule"
)

// An Expectation is the content of an expected.json file. Fields that a case
// does not state are zero; which ones a case of each Type may state is in
// fieldsOf.
type Expectation struct {
	Type        string   `json:"type"`
	Evaluate    string   `json:"evaluate"`
	Instantiate string   `json:"instantiate"`
	Libraries   bool     `json:"libraries"`
	Documents   []string `json:"documents"`
	Diagnostics []string `json:"diagnostics"`
	Trace       bool     `json:"trace"`
	Error       string   `json:"error"`

	Inputs   []Expected       `json:"inputs"`
	Bindings Values           `json:"bindings"`
	Subject  string           `json:"subject"`
	Result   *Expected        `json:"result"`
	Outputs  Values           `json:"outputs"`
	Reads    Values           `json:"reads"`
	Calls    []CallOfFunction `json:"evaluations"`

	Schedule   *string  `json:"schedule"`
	ModelSeed  *int64   `json:"modelSeed"`
	Draws      string   `json:"draws"`
	ClockStep  *float64 `json:"clockStep"`
	TokenCount *int     `json:"tokenCount"`

	Events      []Event     `json:"events"`
	FinalState  *string     `json:"finalState"`
	StateVisits []string    `json:"stateVisits"`
	Performers  []Performer `json:"performers"`

	Outcomes      []Outcome      `json:"outcomes"`
	Admissible    string         `json:"admissible"`
	ExploreBudget *ExploreBudget `json:"exploreBudget"`

	Satisfied     *bool             `json:"satisfied"`
	Assertions    map[string]bool   `json:"assertions"`
	Verdict       string            `json:"verdict"`
	VerdictDetail string            `json:"verdictDetail"`
	Subcases      map[string]string `json:"subcases"`
	Verdicts      map[string]string `json:"verdicts"`

	Slots           Values           `json:"slots"`
	Constraints     map[string]bool  `json:"constraints"`
	Identical       [][2]string      `json:"identical"`
	Distinct        [][2]string      `json:"distinct"`
	Objects         []ObjectExpected `json:"objects"`
	Materialization *Materialization `json:"materialization"`
	Validation      *Validation      `json:"validation"`

	// Settings are the settings that the case pins; Pinned says that it pins
	// the schedule.
	Settings schedule.Settings `json:"-"`
	Pinned   bool              `json:"-"`

	stated map[string]bool
}

// Stated reports whether the file has the key.
func (e *Expectation) Stated(key string) bool { return e.stated[key] }

// A CallOfFunction is one call of a function value that an analysis made.
type CallOfFunction struct {
	Function  string     `json:"function"`
	Arguments []Expected `json:"arguments"`
	Result    *Expected  `json:"result"`
	Selected  bool       `json:"selected"`
}

// An Event is posted to a machine: a signal or a call, with its arguments.
type Event struct {
	Signal  string    `json:"signal"`
	Call    string    `json:"call"`
	Args    Values    `json:"args"`
	Value   *Expected `json:"value"`
	Results Values    `json:"results"`

	HasResults bool `json:"-"`
}

// UnmarshalJSON reads an event; it has a signal or a call.
func (e *Event) UnmarshalJSON(data []byte) error {
	type plain Event
	stated, err := strict(data, (*plain)(e))
	e.HasResults = stated["results"]
	switch {
	case err != nil:
		return err
	case (e.Signal == "") == (e.Call == ""):
		return errors.New("an event states a signal or a call")
	case e.HasResults && e.Call == "":
		return errors.New("results belong to a call")
	}
	return nil
}

// An Outcome is one admissible result of an action or a state case.
type Outcome struct {
	Outputs          Values      `json:"outputs"`
	FinalState       *string     `json:"finalState"`
	StateVisits      []string    `json:"stateVisits"`
	Terminated       bool        `json:"terminated"`
	Probability      *float64    `json:"probability"`
	ProbabilityRange *[2]float64 `json:"probabilityRange"`
	Witness          []string    `json:"witness"`

	stated map[string]bool
}

// UnmarshalJSON reads an outcome and remembers what it states.
func (o *Outcome) UnmarshalJSON(data []byte) error {
	type plain Outcome
	stated, err := strict(data, (*plain)(o))
	o.stated = stated
	return err
}

// A Performer is an object that performs the machine of a case.
type Performer struct {
	Object      string   `json:"object"`
	Events      []Event  `json:"events"`
	FinalState  *string  `json:"finalState"`
	StateVisits []string `json:"stateVisits"`
	Outputs     Values   `json:"outputs"`
}

// An ObjectExpected is what an instance case says of one object.
type ObjectExpected struct {
	Path        string   `json:"path"` // "" is the root
	Events      []Event  `json:"events"`
	FinalState  *string  `json:"finalState"`
	StateVisits []string `json:"stateVisits"`
	Slots       Values   `json:"slots"`
}

// An ExploreBudget bounds the exploration of a case; an absent bound is the
// default one.
type ExploreBudget struct {
	Runs  *int `json:"runs"`
	Depth *int `json:"depth"`
}

// A Materialization is what reading everything of an object reports.
type Materialization struct {
	Errors  []string `json:"errors"`
	Bounded bool     `json:"bounded"`
}

// A Validation is what validating an object as a whole reports.
type Validation struct {
	Verdicts []Verdict `json:"verdicts"`
	Valid    *bool     `json:"valid"`
	Bounded  bool      `json:"bounded"`
	Unread   []string  `json:"unread"`
}

// A Verdict is one of a Validation.
type Verdict struct {
	Kind      string `json:"kind"`
	Assertion string `json:"assertion"`
	Object    string `json:"object"`
	Status    string `json:"status"`
	Error     string `json:"error"`
}

// A CheckExpectation is the content of a check.expected.json file.
type CheckExpectation struct {
	Verdict   string              `json:"verdict"`
	Divergent map[string][]string `json:"divergent"`
	Agreed    map[string]string   `json:"agreed"`
	// Failures are texts of the violations, matched as parts of them.
	Failures []string `json:"failures"`
}

// caseTypes are the types of case, in the order in which a report lists them.
func caseTypes() []string {
	return []string{"action", "state", "calc", "calcUsage", "constraint", "requirement", "satisfy", "verification", "analysis", "instance"}
}

// fieldsOf is the keys that a case of each type may state beside commonFields.
var fieldsOf = map[string]string{
	"action":       "evaluate outputs tokenCount error schedule modelSeed draws clockStep outcomes admissible exploreBudget",
	"state":        "evaluate events finalState stateVisits outputs error performers schedule modelSeed draws clockStep outcomes admissible exploreBudget",
	"calc":         "evaluate inputs result error modelSeed draws",
	"calcUsage":    "evaluate inputs result outputs reads error modelSeed draws",
	"constraint":   "evaluate instantiate bindings satisfied error modelSeed draws",
	"requirement":  "evaluate instantiate bindings satisfied error modelSeed draws",
	"satisfy":      "evaluate assertions satisfied error modelSeed draws",
	"verification": "evaluate subject inputs bindings outputs verdicts reads verdict verdictDetail subcases error schedule modelSeed draws clockStep",
	"analysis":     "evaluate subject inputs bindings outputs verdicts reads evaluations error schedule modelSeed draws clockStep",
	"instance":     "instantiate slots constraints identical distinct objects materialization validation error schedule modelSeed draws clockStep",
}

const commonFields = "type libraries documents diagnostics trace"

// Decode reads an expected.json file. A key that the schema does not have, or
// not for this type, is an error.
func Decode(data []byte) (*Expectation, error) {
	e := &Expectation{}
	stated, err := strict(data, e)
	if err != nil {
		return nil, err
	}
	e.stated = stated
	if fieldsOf[e.Type] == "" {
		return nil, fmt.Errorf("type %q is none of %s", e.Type, strings.Join(caseTypes(), ", "))
	}
	allowed := strings.Fields(commonFields + " " + fieldsOf[e.Type])
	for _, key := range slices.Sorted(maps.Keys(stated)) {
		if !slices.Contains(allowed, key) {
			return nil, fmt.Errorf("a case of type %s states no %q", e.Type, key)
		}
	}
	return e, errors.Join(e.readSettings(), e.checkOutcomes())
}

// decodeCheck reads a check.expected.json file.
func decodeCheck(data []byte) (*CheckExpectation, error) {
	c := &CheckExpectation{}
	_, err := strict(data, c)
	return c, err
}

func (e *Expectation) readSettings() error {
	if e.Schedule != nil && *e.Schedule != "" {
		if d := e.Settings.Set("schedule", *e.Schedule); d != nil {
			return d
		}
		e.Pinned = true
	}
	if e.ModelSeed != nil {
		e.Settings.Seed, e.Settings.Seeded = *e.ModelSeed, true
	}
	if d := e.Settings.Set("draws", e.Draws); d != nil {
		return d
	}
	if e.ClockStep != nil {
		e.Settings.ClockStep = *e.ClockStep
		if *e.ClockStep < 0 {
			return errors.New("clockStep is negative")
		}
	}
	return nil
}

func (e *Expectation) checkOutcomes() error {
	single := e.stated["outputs"] || e.stated["finalState"] || e.stated["stateVisits"]
	switch {
	case !e.stated["outcomes"] && e.stated["exploreBudget"]:
		return errors.New("exploreBudget stands beside outcomes")
	case !e.stated["outcomes"] && e.stated["admissible"]:
		return errors.New("admissible stands beside outcomes")
	case !e.stated["outcomes"]:
		return nil
	case len(e.Outcomes) < 2:
		return errors.New("outcomes lists at least two")
	case e.Admissible == "":
		return errors.New("outcomes needs admissible beside it")
	case single:
		return errors.New("a case states outcomes or one result, not both")
	case e.stated["performers"]:
		return errors.New("a case with performers states no outcomes")
	}
	for i, o := range e.Outcomes {
		if len(o.stated) == 0 {
			return fmt.Errorf("outcome %d states nothing", i+1)
		}
	}
	if b := e.ExploreBudget; b != nil && (b.Runs != nil && *b.Runs < 1 || b.Depth != nil && *b.Depth < 0) {
		return errors.New("exploreBudget: runs is at least 1, depth at least 0")
	}
	return nil
}

// strict decodes an object into v, refusing keys that v does not have and
// anything behind the object, and says which keys there were.
func strict(data []byte, v any) (map[string]bool, error) {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("more than one JSON value")
	}
	stated := map[string]bool{}
	for key := range raw {
		stated[key] = true
	}
	return stated, nil
}

// Values are named values in the order of the file.
type Values []Named

// Named is one of Values.
type Named struct {
	Name string
	Expected
}

// UnmarshalJSON reads an object and keeps its order; null states nothing.
func (v *Values) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(data))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return errors.New("expected an object of named values")
	}
	*v = Values{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		n := Named{Name: key.(string)}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return err
		}
		if err := n.Expected.UnmarshalJSON(raw); err != nil {
			return fmt.Errorf("%s: %w", n.Name, err)
		}
		*v = append(*v, n)
	}
	return nil
}
