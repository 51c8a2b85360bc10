package lang

import (
	"fmt"
	"runtime"
	"runtime/metrics"
	"sync"
	"time"

	"go.starlark.net/starlark"
)

// A limit on steps does not bound memory: one step can double a list. So one
// goroutine of the process looks at the heap while threads run and cancels
// them when it has grown too far. It cannot tell which of several threads
// holds the memory, and ends them all.

const memoryPeriod = 10 * time.Millisecond

var watched = struct {
	sync.Mutex
	threads map[*starlark.Thread]*Context
	base    int64 // heap when the first of threads began
	floor   int64 // heap behind the last collection that was asked for
}{threads: map[*starlark.Thread]*Context{}}

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
		defer watched.Unlock()
		delete(watched.threads, thread)
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
	watched.base = min(watched.base, now)
	if !grown(now) || now < watched.floor+watched.base/4 {
		return 0
	}
	// Garbage counts until it is collected: look again behind a collection.
	watched.Unlock()
	runtime.GC()
	now = heap()
	watched.Lock()
	watched.floor = now
	for thread, c := range watched.threads {
		if now-watched.base > c.limits.Bytes {
			c.end(thread, limit(fmt.Sprintf("the Starlark text holds more than %d MiB", c.limits.Bytes>>20), "max-bytes"))
		}
	}
	return 0
}

// grown reports whether the heap is too large for some thread.
func grown(now int64) bool {
	for _, c := range watched.threads {
		if now-watched.base > c.limits.Bytes {
			return true
		}
	}
	return false
}

func heap() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}
