package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"
)

// This file is the flags that take numbers. The domain of a flag is declared
// where the flag is; what parses and what helps go by it.

// countOf declares a flag for a whole number of at least least. What into holds
// stands where the flag is not given.
func countOf[T int | int64](c *invocation, into *T, name string, least T, usage string) {
	c.set.Var(&countFlag[T]{into, least}, name, bounded(usage, int64(least)))
}

// bounded is usage with the least number, where that is not 0.
func bounded(usage string, least int64) string {
	if least == 0 {
		return usage
	}
	return fmt.Sprintf("%s; at least %d", usage, least)
}

type countFlag[T int | int64] struct {
	into  *T
	least T
}

// String is the number that stands; "" of the zero flag.
func (f *countFlag[T]) String() string {
	if f.into == nil || *f.into == 0 {
		return ""
	}
	return strconv.FormatInt(int64(*f.into), 10)
}

// Set reads the number.
func (f *countFlag[T]) Set(text string) error {
	n, err := strconv.ParseInt(text, 10, strconv.IntSize)
	if err != nil || T(n) < f.least {
		return fmt.Errorf("want a whole number of at least %d, not %q", f.least, text)
	}
	*f.into = T(n)
	return nil
}

// period declares a flag for a time, such as 90s, that is longer than none.
func (c *invocation) period(into *time.Duration, name, usage string) {
	c.set.Var((*periodFlag)(into), name, usage)
}

type periodFlag time.Duration

// String is the time that stands; "" for none.
func (f *periodFlag) String() string {
	if *f == 0 {
		return ""
	}
	return time.Duration(*f).String()
}

// Set reads the time.
func (f *periodFlag) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return fmt.Errorf("want a time longer than none, such as 90s, not %q", text)
	}
	*f = periodFlag(d)
	return nil
}

// seconds declares a flag for a number of seconds above 0, or a time as period
// has it.
func (c *invocation) seconds(into *float64, name, usage string) {
	c.set.Var((*secondsFlag)(into), name, usage)
}

type secondsFlag float64

// String is the number that stands; "" for none.
func (f *secondsFlag) String() string {
	if *f == 0 {
		return ""
	}
	return strconv.FormatFloat(float64(*f), 'g', -1, 64)
}

// Set reads the number.
func (f *secondsFlag) Set(text string) error {
	s, err := strconv.ParseFloat(text, 64)
	if err != nil {
		var d time.Duration
		d, err = time.ParseDuration(text)
		s = d.Seconds()
	}
	if err != nil || !(s > 0) || s > math.MaxInt64/float64(time.Second) {
		return errors.New("want a number of seconds above 0, not " + strconv.Quote(text))
	}
	*f = secondsFlag(s)
	return nil
}
