package kernel

import (
	"os"
	"runtime"
	"sync"
	"time"
)

// usage answers what a resource monitor asks. Shares of a processor are over
// the time since the last question; the first has none. Safe for any
// goroutine; the zero usage is ready.
type usage struct {
	mu   sync.Mutex
	at   time.Time
	own  time.Duration // processor time of the kernel
	busy float64       // ticks of all processors, busy
	all  float64       // and in all
}

// read is the content of a usage_reply. What the system does not tell is
// left out.
func (u *usage) read() object {
	u.mu.Lock()
	defer u.mu.Unlock()
	host, _ := os.Hostname()
	content := object{"hostname": host, "pid": os.Getpid(), "cpu_count": runtime.NumCPU()}
	now := time.Now()
	if own, ok := processTime(); ok {
		if !u.at.IsZero() && now.After(u.at) {
			content["kernel_cpu"] = percent(float64(own-u.own), float64(now.Sub(u.at)))
		}
		u.own = own
	}
	if busy, all, ok := hostTicks(); ok {
		if u.all > 0 && all > u.all {
			content["host_cpu_percent"] = percent(busy-u.busy, all-u.all)
		}
		u.busy, u.all = busy, all
	}
	u.at = now
	if rss, ok := residentBytes(); ok {
		content["kernel_memory"] = rss
	}
	if memory, ok := hostMemory(); ok {
		content["host_virtual_memory"] = memory
	}
	return content
}

// percent is a share with one decimal.
func percent(part, whole float64) float64 {
	return float64(int(part/whole*1000+0.5)) / 10
}
