package runtime

// running is the stepped run of a session and the way it came.
type running struct{}

func (r *running) stepping() bool { return false }

func (r *running) end() { *r = running{} }
