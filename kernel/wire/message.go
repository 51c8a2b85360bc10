package wire

import (
	"encoding/json"
	"time"
)

// ProtocolVersion is what our headers and kernel_info_reply claim.
const ProtocolVersion = "5.5"

// A Header is the header of a message, as far as the kernel reads it.
type Header struct {
	MsgID    string `json:"msg_id"`
	Session  string `json:"session"`
	Username string `json:"username"`
	Date     string `json:"date"` // ISO 8601 with zone
	MsgType  string `json:"msg_type"`
	Version  string `json:"version"`
}

// dateLayout is ISO 8601 in UTC with microseconds, as jupyter_client writes it.
const dateLayout = "2006-01-02T15:04:05.000000Z"

// Date is t as a header writes it.
func Date(t time.Time) string { return t.UTC().Format(dateLayout) }

// Sent is when the sender says it made the message; the zero Time where the
// date is missing or cannot be read. A date without a zone counts as UTC.
func (h *Header) Sent() time.Time {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02T15:04:05.999999999-0700"} {
		if t, err := time.Parse(layout, h.Date); err == nil {
			return t
		}
	}
	return time.Time{}
}

// A Message is one that was received and verified.
type Message struct {
	// Route are the frames before the delimiter, which lead a reply back
	// through whatever proxies the message came by.
	Route [][]byte
	// Header is the header, RawHeader the bytes it came as.
	Header    Header
	RawHeader json.RawMessage
	// Parent, Metadata and Content are JSON objects, unread.
	Parent, Metadata, Content json.RawMessage
	// Buffers are the binary frames behind the content.
	Buffers [][]byte
}

// ParentID is the msg_id of the message that m answers, "" where it names none.
func (m *Message) ParentID() string {
	var h struct {
		MsgID string `json:"msg_id"`
	}
	if json.Unmarshal(m.Parent, &h) != nil {
		return ""
	}
	return h.MsgID
}
