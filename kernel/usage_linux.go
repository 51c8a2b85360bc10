package kernel

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// processTime is what the kernel has used of all processors.
func processTime() (time.Duration, bool) {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0, false
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano()), true
}

// residentBytes is the memory that the kernel occupies.
func residentBytes() (int64, bool) {
	text, err := os.ReadFile("/proc/self/statm")
	fields := strings.Fields(string(text))
	if err != nil || len(fields) < 2 {
		return 0, false
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize()), err == nil
}

// hostTicks are the first line of /proc/stat: all processors, since boot.
func hostTicks() (busy, all float64, ok bool) {
	text, err := os.ReadFile("/proc/stat")
	line, _, _ := bytes.Cut(text, []byte("\n"))
	fields := strings.Fields(string(line))
	if err != nil || len(fields) < 6 {
		return 0, 0, false
	}
	for i, f := range fields[1:min(len(fields), 9)] { // guest time is part of user time
		n, err := strconv.ParseFloat(f, 64)
		if err != nil {
			return 0, 0, false
		}
		all += n
		if i != 3 && i != 4 { // idle, waiting for a disk
			busy += n
		}
	}
	return busy, all, true
}

// hostMemory is the machine's memory in the terms of psutil, in bytes.
func hostMemory() (object, bool) {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return nil, false
	}
	sizes := map[string]int64{}
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) == 3 {
			if n, err := strconv.ParseInt(f[1], 10, 64); err == nil {
				sizes[strings.TrimSuffix(f[0], ":")] = n << 10
			}
		}
	}
	total, available := sizes["MemTotal"], sizes["MemAvailable"]
	if total == 0 {
		return nil, false
	}
	return object{"total": total, "available": available, "free": sizes["MemFree"],
		"used": total - available, "percent": percent(float64(total-available), float64(total))}, true
}
