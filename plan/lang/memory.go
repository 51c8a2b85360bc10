package lang

import (
	"fmt"
	"math"
	"runtime"
	"runtime/metrics"
	"sync"
	"time"

	"go.starlark.net/starlark"

	"github.com/orrery-sysml/orrery/sysml/diagnostic"
)

// A limit on steps does not bound memory: one step can double a list. So one
// goroutine of the process looks at the heap while threads run and cancels
// them when it has grown too far. It cannot tell which of several threads
// holds the memory, and ends them all.

const memoryPeriod = 5 * time.Millisecond

var watched = struct {
	sync.Mutex
	threads map[*starlark.Thread]*Context
	base    heapSize // when the first of threads began
	looked  int64    // objects that the last forced collection left
}{threads: map[*starlark.Thread]*Context{}}

// outOfMemory reports whether the thread was ended for what it holds.
func (c *Context) outOfMemory() bool {
	stop := c.stop.Load()
	return stop != nil && stop.memory
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
		watched.base, watched.looked = now, 0
		if idle > 100 {
			memoryRuns = false
			return -1
		}
		return idle + 1
	}
	watched.base.live = min(watched.base.live, now.live)
	watched.base.all = min(watched.base.all, now.all)
	least := int64(math.MaxInt64)
	for _, c := range watched.threads {
		least = min(least, c.limits.Bytes)
	}
	if now.all-watched.base.all <= least || now.all-watched.looked <= least/4 {
		return 0
	}
	for _, c := range watched.threads {
		if c.away.Load() != present { // what a model takes has bounds of its own
			c.away.Store(awayGrown)
			return 0
		}
	}
	// Garbage counts in all until it is collected: what is alive tells.
	runtime.GC()
	now = heap()
	watched.looked = now.all
	for thread, c := range watched.threads {
		if bytes := c.limits.Bytes; now.live-watched.base.live > bytes {
			c.end(thread, stopping{memoryLimit(bytes), true})
		}
	}
	return 0
}

// Where a thread is: in its text, in a model, or in a model that made the heap
// grow.
const (
	present int32 = iota
	away
	awayGrown
)

// leave says that the thread of c runs a model now; the function that it gives
// says that it is back. What the model has taken by then is not the text's.
func (c *Context) leave() (back func()) {
	if !c.away.CompareAndSwap(present, away) {
		return func() {} // it was gone before
	}
	return func() {
		if c.away.Swap(present) == awayGrown {
			watched.Lock()
			watched.base, watched.looked = heap(), 0
			watched.Unlock()
		}
	}
}

// charged passes on a value that an operation of thread made. Large values are
// added up, so that the heap is looked at in time when one step makes much
// and the goroutine that looks is late.
func charged(thread *starlark.Thread) func(starlark.Value, error) (starlark.Value, error) {
	return func(v starlark.Value, err error) (starlark.Value, error) {
		n, limit, _, ok := extent(v)
		if !ok || n < 10_000 {
			return v, err
		}
		if limit == maxElements {
			n *= 16 // bytes of a reference
		}
		c := Of(thread)
		if c.made += int64(n); c.made > c.limits.Bytes/4 {
			c.made = 0
			lookAtMemory(0)
		}
		return v, err
	}
}

func memoryLimit(bytes int64) *diagnostic.Diagnostic {
	return limit(fmt.Sprintf("the Starlark text holds more than %d MiB", bytes>>20), "a loop that keeps all it makes?")
}

// heapSize is bytes of the heap: of all objects, and of those that the last
// collection found alive.
type heapSize struct{ all, live int64 }

func heap() heapSize {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return heapSize{int64(sample[0].Value.Uint64()), int64(sample[1].Value.Uint64())}
}
