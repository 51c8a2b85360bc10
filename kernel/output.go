package kernel

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/orrery-sysml/orrery/kernel/zmtp"
	"github.com/orrery-sysml/orrery/magics"
	"github.com/orrery-sysml/orrery/render"
)

const (
	// Text of a stream waits this long for more of it: a moment when the
	// stream has been quiet, longer while it keeps flowing.
	quietDelay = 25 * time.Millisecond
	flowDelay  = 200 * time.Millisecond
	// streamCap is how many bytes one stream message holds at most.
	streamCap = 128 << 10
)

// An output is the Sink of one cell. Text is collected and published in
// pieces; everything else goes out at once, behind the text before it.
type output struct {
	k   *server
	r   *request
	req executeRequest
	ctx context.Context

	mu       sync.Mutex
	closed   bool // the cell has ended: nothing more is its output
	stream   magics.Stream
	text     []byte
	timer    *time.Timer // runs while text waits
	waiting  bool
	flushed  time.Time
	progress progress

	payload    []any  // of the reply
	resultText string // of the result, for the history
}

func newOutput(ctx context.Context, k *server, r *request, req executeRequest) *output {
	return &output{k: k, r: r, req: req, ctx: ctx, payload: []any{}}
}

var _ magics.Sink = (*output)(nil)

// Stream collects text.
func (o *output) Stream(name magics.Stream, text string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed || o.req.Silent || text == "" {
		return
	}
	if name != o.stream {
		o.flush(true)
		o.stream = name
	}
	o.text = append(o.text, text...)
	o.flushFull()
	if len(o.text) > 0 && !o.waiting {
		o.arm()
	}
}

// arm starts the timer of the text that waits; o.mu held.
func (o *output) arm() {
	delay := quietDelay
	if since := time.Since(o.flushed); since < flowDelay {
		delay = max(flowDelay-since, quietDelay)
	}
	o.waiting = true
	if o.timer == nil {
		o.timer = time.AfterFunc(delay, o.tick)
	} else {
		o.timer.Reset(delay)
	}
}

func (o *output) tick() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.waiting = false
	if !o.closed {
		o.flush(false)
	}
}

// flushFull publishes pieces of streamCap as long as there is text for one,
// each to the end of a line where it has one; o.mu held.
func (o *output) flushFull() {
	rest := o.text
	for len(rest) >= streamCap {
		n := bytes.LastIndexByte(rest[:streamCap], '\n') + 1
		if n == 0 {
			n = streamCap - cutShort(rest[:streamCap])
		}
		o.piece(rest[:n])
		rest = rest[n:]
	}
	o.keep(rest)
}

// flush publishes the text that waits; o.mu held. Unless all of it must go,
// the first bytes of a character whose rest is still to come stay.
func (o *output) flush(all bool) {
	o.flushFull()
	n := len(o.text)
	if !all {
		n -= cutShort(o.text)
	}
	if n > 0 {
		o.piece(o.text[:n])
		o.keep(o.text[n:])
	}
}

// piece publishes one stream message.
func (o *output) piece(text []byte) {
	o.k.publishAs(zmtp.Missable, o.ctx.Done(), o.r.msg.RawHeader, "stream",
		object{"name": o.stream, "text": string(text)})
	o.flushed = time.Now()
}

// keep leaves rest, the end of o.text, to wait.
func (o *output) keep(rest []byte) {
	switch {
	case len(rest) == len(o.text):
	case len(rest) == 0 && cap(o.text) > 2*streamCap:
		o.text = nil // a flood is over: give its room back
	default:
		o.text = append(o.text[:0], rest...)
	}
}

// cutShort is how many bytes at the end of text begin a character that is not
// complete.
func cutShort(text []byte) int {
	for n := 1; n <= min(utf8.UTFMax-1, len(text)); n++ {
		if b := text[len(text)-n]; utf8.RuneStart(b) {
			if utf8.FullRune(text[len(text)-n:]) {
				return 0
			}
			return n
		}
	}
	return 0
}

// close ends the output: text that waits goes out, what comes later is lost.
func (o *output) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.timer != nil {
		o.timer.Stop()
	}
	o.stopProgress()
	o.flush(true)
	o.closed = true
}

// emit publishes a message behind the text before it.
func (o *output) emit(msgType string, content object) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.emitLocked(msgType, content)
}

func (o *output) emitLocked(msgType string, content object) {
	if o.closed || o.req.Silent {
		return
	}
	o.flush(true)
	o.k.publishAs(zmtp.Steady, o.ctx.Done(), o.r.msg.RawHeader, msgType, content)
}

// Display publishes display_data.
func (o *output) Display(b render.Bundle, displayID string) {
	o.emit("display_data", displayed(b, displayID))
}

// Update publishes update_display_data.
func (o *output) Update(displayID string, b render.Bundle) {
	o.emit("update_display_data", displayed(b, displayID))
}

// Clear publishes clear_output.
func (o *output) Clear(wait bool) { o.emit("clear_output", object{"wait": wait}) }

// Result publishes execute_result.
func (o *output) Result(b render.Bundle) {
	if b.IsEmpty() {
		return
	}
	content := bundle(b)
	content["execution_count"] = o.k.count
	o.emit("execute_result", content)
	o.resultText = b.PlainText()
}

// Page adds b to the reply, for the front end's pager.
func (o *output) Page(b render.Bundle) {
	o.payload = append(o.payload, object{"source": "page", "data": bundle(b)["data"], "start": 0})
}

// NextInput adds code to the reply, for the front end's next cell.
func (o *output) NextInput(code string, replace bool) {
	o.payload = append(o.payload, object{"source": "set_next_input", "text": code, "replace": replace})
}

// displayed is the content of a display.
func displayed(b render.Bundle, displayID string) object {
	content, transient := bundle(b), object{}
	if displayID != "" {
		transient["display_id"] = displayID
	}
	content["transient"] = transient
	return content
}

// bundle is the data and metadata of b. What cannot be written as JSON is left
// out rather than losing the message.
func bundle(b render.Bundle) object {
	data := make(object, len(b.Data))
	for mime, v := range b.Data {
		switch v := v.(type) {
		case string:
			data[mime] = strings.ToValidUTF8(v, "\uFFFD")
		case json.RawMessage:
			if json.Valid(v) {
				data[mime] = v
			}
		default:
			if raw, err := json.Marshal(v); err == nil {
				data[mime] = json.RawMessage(raw)
			}
		}
	}
	metadata := object{}
	for mime, v := range b.Metadata {
		if raw, err := json.Marshal(v); err == nil {
			metadata[mime] = json.RawMessage(raw)
		}
	}
	return object{"data": data, "metadata": metadata}
}
