package kernel

import (
	"context"
	"path"
	"slices"
	"strings"
)

// A historyRequest is the content of a history_request.
type historyRequest struct {
	Output  bool   `json:"output"`
	Access  string `json:"hist_access_type"` // range, tail, search
	Session int    `json:"session"`          // of a range: 0 is this one, -1 the one before
	Start   int    `json:"start"`
	Stop    *int   `json:"stop"` // absent: to the end
	N       *int   `json:"n"`    // absent: all
	Pattern string `json:"pattern"`
	Unique  bool   `json:"unique"`
}

// history answers what was executed, in this session and those before.
func (k *server) history(_ context.Context, r *request) (*reply, error) {
	var req historyRequest
	if err := read(r, &req); err != nil {
		return nil, err
	}
	rows := [][]any{}
	for _, e := range k.hist.find(req) {
		row := []any{e.Session, e.Line, e.Input}
		if req.Output {
			var out any
			if e.Output != "" {
				out = e.Output
			}
			row[2] = []any{e.Input, out}
		}
		rows = append(rows, row)
	}
	return &reply{msgType: "history_reply", content: object{"status": "ok", "history": rows}}, nil
}

// find selects the entries that req asks for, the oldest first.
func (h *history) find(req historyRequest) []entry {
	h.load()
	h.mu.Lock()
	defer h.mu.Unlock()
	switch req.Access {
	case "range":
		return h.inRange(req)
	case "search":
		return last(h.matching(req), req.N)
	default:
		return last(slices.Clone(h.entries), req.N)
	}
}

func (h *history) inRange(req historyRequest) (found []entry) {
	session := req.Session
	if session <= 0 {
		session += h.session
	}
	for _, e := range h.entries {
		if e.Session == session && e.Line >= req.Start && (req.Stop == nil || e.Line < *req.Stop) {
			found = append(found, e)
		}
	}
	return found
}

// matching are the entries whose whole input matches the glob pattern; with
// Unique, the latest of equal inputs alone.
func (h *history) matching(req historyRequest) (found []entry) {
	if req.Pattern == "" {
		req.Pattern = "*"
	}
	known := map[string]bool{}
	for _, e := range slices.Backward(h.entries) {
		if !glob(req.Pattern, e.Input) || req.Unique && known[e.Input] {
			continue
		}
		known[e.Input] = true
		found = append(found, e)
	}
	slices.Reverse(found)
	return found
}

func last(entries []entry, n *int) []entry {
	if n == nil || *n < 0 || *n >= len(entries) {
		return entries
	}
	return entries[len(entries)-*n:]
}

// glob matches with the * and ? of a shell, over lines and slashes alike. A
// set in brackets counts as path.Match has it; one that never closes is text.
func glob(pattern, text string) bool {
	hide := strings.NewReplacer("/", "\x00")
	ok, err := path.Match(hide.Replace(pattern), hide.Replace(text))
	if err != nil {
		return strings.Contains(text, strings.Trim(pattern, "*"))
	}
	return ok
}
