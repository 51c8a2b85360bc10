package schedule

import (
	"math"
	"strconv"

	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// Draws says what a call of a random function takes. The zero value is
// Random.
type Draws = value.DrawPolicy

// The draw policies.
const (
	Random  = value.DrawRandom  // drawn from the model's stream
	Min     = value.DrawMin     // the least value of the distribution
	Max     = value.DrawMax     // its greatest value
	Average = value.DrawAverage // its mean
)

// parseDraws reads random (or nothing), min, max or average.
func parseDraws(text string) (Draws, *diagnostic.Diagnostic) {
	if d, ok := value.ParseDrawPolicy(text); ok {
		return d, nil
	}
	return Random, settingError("draw policy", text, "want one of random, min, max, average")
}

// Settings are the four settings of a run. Magics, flags, plan axes and
// conformance cases fill this struct with Set and print it with Get; none
// has a parser of its own. The zero Settings are the defaults. Settings are
// comparable with ==.
type Settings struct {
	Schedule Policy
	// Seed seeds the model's own randomness where Seeded is set; without it
	// a draw under Random is refused.
	Seed   int64
	Seeded bool
	Draws  Draws
	// ClockStep is the tick of the clock in seconds, finite and not
	// negative; 0 is the continuous clock.
	ClockStep float64
}

// Names are the spellings of the settings, in the order they are listed.
func Names() []string { return []string{"schedule", "seed", "draws", "clock-step"} }

// Set reads text into the setting called name. "off" takes seed and
// clock-step back to their defaults, and an empty text every setting.
func (s *Settings) Set(name, text string) *diagnostic.Diagnostic {
	var d *diagnostic.Diagnostic
	switch name {
	case "schedule":
		var p Policy
		if p, d = ParsePolicy(text); d == nil {
			s.Schedule = p
		}
	case "seed":
		return s.setSeed(text)
	case "draws":
		var v Draws
		if v, d = parseDraws(text); d == nil {
			s.Draws = v
		}
	case "clock-step":
		return s.setClockStep(text)
	default:
		d = diagnostic.New(InvalidSetting, source.Span{}, "no setting "+strconv.Quote(name)).
			WithHint("the settings are schedule, seed, draws and clock-step")
	}
	return d
}

func (s *Settings) setSeed(text string) *diagnostic.Diagnostic {
	if text == "" || text == "off" {
		s.Seed, s.Seeded = 0, false
		return nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return settingError("seed", text, "want a 64-bit integer, or off")
	}
	s.Seed, s.Seeded = n, true
	return nil
}

func (s *Settings) setClockStep(text string) *diagnostic.Diagnostic {
	if text == "" || text == "off" {
		s.ClockStep = 0
		return nil
	}
	step, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(step) || math.IsInf(step, 0) || step < 0 {
		return settingError("clock step", text, "want a number of seconds that is not negative, or off")
	}
	s.ClockStep = step
	return nil
}

func settingError(what, text, want string) *diagnostic.Diagnostic {
	return diagnostic.New(InvalidSetting, source.Span{}, "invalid "+what+" "+strconv.Quote(text)+": "+want)
}

// Get is the spelling of the setting called name, as Set reads it; "" where
// there is no such setting.
func (s Settings) Get(name string) string {
	switch name {
	case "schedule":
		return s.Schedule.String()
	case "seed":
		if s.Seeded {
			return strconv.FormatInt(s.Seed, 10)
		}
		return "off"
	case "draws":
		return s.Draws.String()
	case "clock-step":
		if s.ClockStep != 0 {
			return strconv.FormatFloat(s.ClockStep, 'g', -1, 64)
		}
		return "off"
	}
	return ""
}
