package lang

import (
	"fmt"
	"runtime"
	"runtime/metrics"
	"strings"
	"sync"
	"time"

	"go.starlark.net/starlark"
)

// A limit on steps does not bound memory: one step can double a list. So one
// goroutine of the process looks at the heap while threads run and cancels
// them when it has grown too far. It cannot tell which of several threads
// holds the memory, and ends them all.

const memoryPeriod = 10 * time.Millisecond

// memorySetting is what raises the limit.
const memorySetting = "max-bytes"

var watched = struct {
	sync.Mutex
	threads map[*starlark.Thread]*Context
	base    heapSize // when the first of threads began
}{threads: map[*starlark.Thread]*Context{}}

// outOfMemory reports whether the thread was ended for what it holds.
func (c *Context) outOfMemory() bool {
	stop := c.Stopped()
	return stop != nil && strings.Contains(stop.Hint, memorySetting)
}

// watch has the heap looked at while thread runs.
func watch(thread *starlark.Thread, c *Context) (unwatch func()) {
	watched.Lock()
	defer watched.Unlock()
	watched.threads[thread] = c
	if len(watched.threads) == 1 {
		startMemory()
	}
	return func() {
		watched.Lock()
		delete(watched.threads, thread)
		watched.Unlock()
		if c.outOfMemory() {
			runtime.GC() // what it held is no measure of what comes next
		}
	}
}

var memoryRuns bool // guarded by watched

func startMemory() {
	if memoryRuns {
		return
	}
	memoryRuns = true
	watched.base = heap()
	go func() {
		tick := time.NewTicker(memoryPeriod)
		defer tick.Stop()
		idle := 0
		for range tick.C {
			if idle = lookAtMemory(idle); idle < 0 {
				return
			}
		}
	}()
}

// lookAtMemory ends threads when the heap has grown too far. It counts the
// idle looks, and gives -1 when the goroutine should end.
func lookAtMemory(idle int) int {
	watched.Lock()
	defer watched.Unlock()
	now := heap()
	if len(watched.threads) == 0 {
		watched.base = now
		if idle > 100 {
			memoryRuns = false
			return -1
		}
		return idle + 1
	}
	watched.base.live = min(watched.base.live, now.live)
	watched.base.all = min(watched.base.all, now.all)
	for thread, c := range watched.threads {
		limitBytes := c.limits.Bytes
		// Garbage counts in all until it is collected, and may be as much as
		// is alive.
		if now.live-watched.base.live > limitBytes || now.all-watched.base.all > garbage*limitBytes+now.live {
			c.end(thread, limit(fmt.Sprintf("the Starlark text holds more than %d MiB", limitBytes>>20), memorySetting))
		}
	}
	return 0
}

// garbage is how many times the limit the heap may grow with what is not
// known to be alive.
const garbage = 3

// heapSize is bytes of the heap: of all objects, and of those that the last
// collection found alive.
type heapSize struct{ all, live int64 }

func heap() heapSize {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return heapSize{int64(sample[0].Value.Uint64()), int64(sample[1].Value.Uint64())}
}
