package main

import (
	"fmt"
	"syscall"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
	"github.com/orrery-sysml/orrery/sysml/source"
)

var narrowSpace = diagnostic.Register("address-space",
	"The address space of the process is bounded (ulimit -v) more tightly than Go and the Starlark interpreter like it: they reserve large stretches of addresses that they do not use. The process may end without a word of its own.")

// leastSpace is the address space, in bytes, within which every command has
// been seen to run.
const leastSpace = 2_000_000 << 10

// warnOfAddressSpace says so where the process may be refused the addresses
// that it is going to reserve.
func warnOfAddressSpace() {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &limit) != nil || limit.Cur >= leastSpace {
		return
	}
	d := diagnostic.New(narrowSpace, source.Span{}, fmt.Sprintf("the address space is bounded to %d MB, and %d MB are needed to be safe", limit.Cur>>20, leastSpace>>20)).
		WithHint("ulimit -v unlimited lifts the bound")
	d.Severity = diagnostic.Warning
	complain(d)
}
