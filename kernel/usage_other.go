//go:build !linux

package kernel

import "time"

// Other systems have no files to read this from; a monitor shows what is there.

func processTime() (time.Duration, bool)      { return 0, false }
func residentBytes() (int64, bool)            { return 0, false }
func hostTicks() (busy, all float64, ok bool) { return 0, 0, false }
func hostMemory() (object, bool)              { return nil, false }
