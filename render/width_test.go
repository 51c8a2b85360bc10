package render

import (
	"strings"
	"testing"
	"time"
)

// A long line is broken in time that grows with its length, not its square.
func TestLongLinesAreBrokenInTime(t *testing.T) {
	start := time.Now()
	lines := wrap(strings.Repeat("p → ", 500_000), 76)
	if d := time.Since(start); len(lines) < 20_000 || d > 5*time.Second {
		t.Errorf("%d lines in %v", len(lines), d)
	}
}

func TestVeryManyVisitsAreCut(t *testing.T) {
	got := visits(strings.Split(strings.Repeat("p", 1000), ""))
	if !strings.Contains(got, "→ … 960 more … →") || strings.Count(got, "p") != 40 {
		t.Error(got)
	}
}
