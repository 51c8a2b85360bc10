package bundle

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
)

// This file keeps the rows of a long walk out of memory: the first ones stay
// in the manifest, the others go to a temporary file, one JSON line each.

// keptRows is how many rows a manifest holds in memory.
const keptRows = 20_000

// A spool is the rows of a manifest behind the kept ones.
type spool struct {
	file *os.File
	out  *bufio.Writer
}

// Add adds a row at the end.
func (m *Manifest) Add(r *Row) error {
	if len(m.Rows) < keptRows {
		m.Rows = append(m.Rows, *r)
		return nil
	}
	if m.more == nil {
		f, err := os.CreateTemp("", "orrery-rows-")
		if err != nil {
			return err
		}
		m.more = &spool{file: f, out: bufio.NewWriter(f)}
	}
	line, err := encodeRow(r)
	if err != nil {
		return err
	}
	_, err = m.more.out.Write(line)
	return err
}

// Close removes what Add keeps outside of memory.
func (m *Manifest) Close() {
	if m.more != nil {
		m.more.file.Close()
		os.Remove(m.more.file.Name())
		m.more = nil
	}
}

// encodeRow is r as a line of JSON.
func encodeRow(r *Row) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	err := e.Encode(r)
	return out.Bytes(), err
}

// lines calls f with every row as a line of JSON.
func (m *Manifest) lines(f func(line []byte) error) error {
	for i := range m.Rows {
		line, err := encodeRow(&m.Rows[i])
		if err != nil {
			return err
		}
		if err := f(line); err != nil {
			return err
		}
	}
	if m.more == nil {
		return nil
	}
	if err := m.more.out.Flush(); err != nil {
		return err
	}
	in := bufio.NewReader(io.NewSectionReader(m.more.file, 0, 1<<62))
	for {
		line, err := in.ReadBytes('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := f(line); err != nil {
			return err
		}
	}
}

// Each calls f with every row in order; r is valid until f returns.
func (m *Manifest) Each(f func(i int, r *Row) error) error {
	for i := range m.Rows {
		if err := f(i, &m.Rows[i]); err != nil {
			return err
		}
	}
	if m.more == nil {
		return nil
	}
	i := 0
	return m.lines(func(line []byte) error {
		if i++; i <= len(m.Rows) {
			return nil
		}
		var r Row
		if err := json.Unmarshal(line, &r); err != nil {
			return err
		}
		return f(i-1, &r)
	})
}

// Write writes m as JSON, one row a line.
func (m *Manifest) Write(w io.Writer) error {
	out := bufio.NewWriter(w)
	head, tail := *m, struct {
		Tests   []TestSummary   `json:"tests"`
		Models  []ModelCoverage `json:"models,omitempty"`
		Summary Summary         `json:"summary"`
	}{m.Tests, m.Models, m.Summary}
	head.Rows, head.Tests, head.Models, head.Summary = nil, nil, nil, Summary{}
	first, err := Encode(headOf(&head))
	if err != nil {
		return err
	}
	out.Write(bytes.TrimSuffix(first, []byte("\n}\n")))
	out.WriteString(",\n \"rows\": [")
	sep := "\n"
	err = m.lines(func(line []byte) error {
		out.WriteString(sep)
		sep = ",\n"
		_, err := out.Write(bytes.TrimSuffix(line, []byte("\n")))
		return err
	})
	if err != nil {
		return err
	}
	last, err := Encode(tail)
	if err != nil {
		return err
	}
	out.WriteString("\n ],\n")
	out.Write(bytes.TrimPrefix(last, []byte("{\n")))
	return out.Flush()
}

// headOf is the fields of m that stand before the rows.
func headOf(m *Manifest) any {
	return struct {
		SchemaVersion int               `json:"schema_version"`
		Plan          string            `json:"plan"`
		Digest        string            `json:"digest"`
		Engine        string            `json:"engine"`
		Seed          int64             `json:"seed"`
		Options       map[string]string `json:"options,omitempty"`
		Partial       bool              `json:"partial,omitempty"`
		Shard         *Shard            `json:"shard,omitempty"`
		Regressions   []Regression      `json:"regressions,omitempty"`
	}{m.SchemaVersion, m.Plan, m.Digest, m.Engine, m.Seed, m.Options, m.Partial, m.Shard, m.Regressions}
}
