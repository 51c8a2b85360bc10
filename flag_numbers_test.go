package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
)

// TestFlagsOfNumbersHaveADomain asks every command for its flags: none takes a
// number as package flag reads it, and each refuses what is out of its domain,
// in words that say what it wants.
func TestFlagsOfNumbersHaveADomain(t *testing.T) {
	nowhere, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer nowhere.Close()
	before := stdout
	defer func() { stdout = before }()
	stdout = &output{file: nowhere}
	seen := 0
	for i := range commands {
		c := &invocation{command: &commands[i], printFlags: true}
		c.command.run(context.Background(), c)
		c.set.SetOutput(io.Discard)
		c.set.VisitAll(func(f *flag.Flag) {
			name := c.command.name + " --" + f.Name
			bad := []string{"x", "", "1.5.2", "99999999999999999999999", "-1", "nan"}
			switch v := f.Value.(type) {
			case *countFlag[int]:
				bad = append(bad, fmt.Sprint(v.least-1), "2.5")
			case *countFlag[int64]:
				bad = append(bad, fmt.Sprint(v.least-1), "2.5")
			case *periodFlag:
				bad = append(bad, "0", "0s", "-5s", "5")
			case *secondsFlag:
				bad = append(bad, "0", "-5s", "inf")
			default:
				if kind := fmt.Sprintf("%T", v); strings.HasPrefix(kind, "*flag.int") || strings.HasPrefix(kind, "*flag.uint") ||
					strings.HasPrefix(kind, "*flag.float") || strings.HasPrefix(kind, "*flag.duration") {
					t.Errorf("%s is a %s without a domain", name, kind)
				}
				return
			}
			seen++
			before := f.Value.String()
			for _, text := range bad {
				if err := f.Value.Set(text); err == nil {
					t.Errorf("%s takes %q", name, text)
				} else if !strings.HasPrefix(err.Error(), "want ") {
					t.Errorf("%s %q: %v", name, text, err)
				}
			}
			if f.Value.String() != before {
				t.Errorf("%s: what was refused changed it to %s", name, f.Value)
			}
		})
	}
	if seen < 25 {
		t.Errorf("only %d flags take numbers", seen)
	}
}
