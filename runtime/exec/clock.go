package exec

import (
	"math"

	"github.com/orrery-sysml/orrery/runtime/schedule"
	"github.com/orrery-sysml/orrery/runtime/trace"
	"github.com/orrery-sysml/orrery/runtime/value"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// This file is the clock and the model's own randomness.

// due is the instant at which a wait that begins now comes due: after v, or
// at v. With a clock step it is the first tick not before it.
func (e *Engine) due(at bool, v value.Value, span source.Span) (float64, error) {
	seconds, err := e.seconds(v, span)
	if err != nil {
		return 0, err
	}
	now := e.World.now()
	instant := seconds
	if !at {
		instant = now + seconds
	}
	instant = math.Max(instant, now)
	if e.ClockStep > 0 && instant > now {
		ticks := math.Ceil(instant / e.ClockStep)
		if back := (ticks - 1) * e.ClockStep; back >= instant {
			ticks--
		}
		instant = ticks * e.ClockStep
	}
	return instant, nil
}

// seconds is a time as a number of seconds: a plain number is one already.
func (e *Engine) seconds(v value.Value, span source.Span) (float64, error) {
	return seconds(v, span, e.World.Text)
}

// Seconds is a time that a user gives as a number of seconds.
func Seconds(v value.Value) (float64, error) { return seconds(v, source.Span{}, value.Trace) }

func seconds(v value.Value, span source.Span, text func(value.Value) string) (float64, error) {
	if x, ok := v.AsFloat(); ok {
		return x, nil
	}
	if _, unit, ok := v.AsQuantity(); ok {
		x, ok := inSeconds(v, unit)
		if ok {
			return x, nil
		}
		return 0, failAt(BadTime, span, "incommensurable units: time duration "+text(v)+" is not a time: "+
			unit.Written()+" does not measure a duration")
	}
	return 0, failAt(BadTime, span, "time duration "+text(v)+" is not a time")
}

// inSeconds converts a quantity whose one base unit is the second.
func inSeconds(v value.Value, unit *value.Unit) (float64, bool) {
	bases := unit.Bases()
	if len(bases) != 1 || !isSecond(bases[0].Name) || bases[0].Power != (value.Exponent{Num: 1, Den: 1}) {
		return 0, false
	}
	x, err := v.In(value.NewUnit("s", 1, 1, 0, bases))
	return x, err == nil
}

func isSecond(name string) bool {
	return name == "SI::second" || name == "SI::s" || name == "second" || name == "s"
}

// nextDue is the earliest instant after now that anything waits for.
func (e *Engine) nextDue() (float64, bool) {
	w := e.World
	next, found := math.Inf(1), false
	consider := func(at float64) {
		if at < next {
			next, found = at, true
		}
	}
	for i := range w.Behavior.Tokens.Len() {
		if t := w.Token(TokenID(i)); t.Used && t.State == ClockWait && t.Due > w.now() {
			consider(t.Due)
		}
	}
	for i := range w.Behavior.Events.Len() {
		if ev := w.Event(int32(i)); ev.Used && ev.Kind == TimeEvent && ev.Time > w.now() {
			consider(ev.Time)
		}
	}
	return next, found
}

// setClock moves the clock on.
func (e *Engine) setClock(to float64) {
	e.World.Behavior.Clock = to
	e.observe(trace.Event{Kind: trace.Time})
}

// refused is the draw policy of probes.
const refused = schedule.Draws(255)

// draw resolves a random function by the draw policy.
func (e *Engine) draw(fn *value.LibraryFunction, args []value.Value) (value.Value, error) {
	if e.Draws == refused {
		return value.Value{}, failAt(NotHere, source.Span{}, "a random value is not drawn while looking")
	}
	var stream *value.Stream
	if e.World.Behavior.Seeded {
		stream = &e.World.Behavior.Model
	}
	v, call, err := value.Draw(fn, args, e.Draws, stream)
	if err == nil {
		e.observe(trace.Event{Kind: trace.Draw, Name: call, Value: value.Trace(v)})
	}
	return v, err
}
