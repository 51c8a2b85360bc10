package budget

import (
	"context"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// grain is how many steps pass between two looks at the context.
const grain = 1024

// A Meter counts one outermost operation against a Budget. The executor takes
// steps out of Fuel and asks Refill when it runs out. One goroutine at a time.
type Meter struct {
	Budget Budget
	// Fuel is the steps that may be taken before the next Refill.
	Fuel int64

	ctx      context.Context
	left     int64 // steps beyond Fuel
	elements int64
	counts   [names]int64
}

// NewMeter starts a count under ctx.
func NewMeter(ctx context.Context, b Budget) *Meter {
	return &Meter{Budget: b, ctx: ctx, left: b.Limit(Steps)}
}

// Refill is asked when Fuel is below zero: it gives more, or says why not.
func (m *Meter) Refill() error {
	if err := m.Cancelled(); err != nil {
		return err
	}
	m.left += min(m.Fuel, 0)
	if m.left < 0 {
		m.Fuel, m.left = 0, 0
		return m.Budget.Spent(Steps)
	}
	m.Fuel = min(m.left, grain)
	m.left -= m.Fuel
	return nil
}

// Step charges n evaluation steps.
func (m *Meter) Step(n int64) error {
	m.Fuel -= n
	if m.Fuel < 0 {
		return m.Refill()
	}
	return nil
}

// Used is the number of evaluation steps charged so far.
func (m *Meter) Used() int64 { return m.Budget.Limit(Steps) - m.left - m.Fuel }

// Cancelled says whether the context has ended.
func (m *Meter) Cancelled() error {
	select {
	case <-m.ctx.Done():
		return diagnostic.New(diagnostic.Interrupted, source.Span{}, "interrupted").
			WithHint("what was whole before the interrupt is kept")
	default:
		return nil
	}
}

// Count charges one unit of a bound other than Steps and Elements, and sees
// now and then whether the context has ended.
func (m *Meter) Count(n Name) error {
	m.counts[n]++
	if m.counts[n] > m.Budget.Limit(n) {
		return m.Budget.Spent(n)
	}
	if m.counts[n]%64 == 0 {
		return m.Cancelled()
	}
	return nil
}

// Hold charges n elements of collections; Release gives them back at the end
// of the statement or step that made them.
func (m *Meter) Hold(n int) error {
	m.elements += int64(n)
	if m.elements > m.Budget.Limit(Elements) {
		return m.Budget.Spent(Elements)
	}
	return m.Step(int64(n))
}

// Text charges a text of n bytes that was made: a step for each 256 bytes.
func (m *Meter) Text(n int) error {
	if int64(n) > m.Budget.Limit(Bytes) {
		return m.Budget.Spent(Bytes)
	}
	return m.Step(int64(n >> 8))
}

// Within sees that there are no more than the limit of a bound at one time.
func (m *Meter) Within(n Name, there int) error {
	if int64(there) > m.Budget.Limit(n) {
		return m.Budget.Spent(n)
	}
	return nil
}

// Release gives back all elements that were charged.
func (m *Meter) Release() { m.elements = 0 }
