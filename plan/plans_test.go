package plan

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/orrery-sysml/orrery/plan/bundle"
	"github.com/orrery-sysml/orrery/plan/report"
)

// TestPlans walks every plan of testdata/plans and compares its summary and
// rows with the file beside it.
func TestPlans(t *testing.T) {
	files, err := filepath.Glob("testdata/plans/*.plan.star")
	if err != nil || len(files) == 0 {
		t.Fatal("no plans", err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			f, err := OpenFile(context.Background(), name, FileOptions{})
			if err != nil {
				t.Fatal(err)
			}
			m, err := f.Walk(context.Background(), name, WalkOptions{Jobs: 2, NoShrink: true})
			if err != nil {
				t.Fatal(err)
			}
			var got strings.Builder
			for _, r := range m.Rows {
				got.WriteString(r.Outcome.String() + " " + r.LeafPath + " [" + r.LeafID + "]")
				if r.Reason != "" {
					got.WriteString(" : " + r.Reason)
				}
				got.WriteByte('\n')
			}
			got.WriteString("\n" + report.Summary(m, false))
			golden := strings.TrimSuffix(name, ".plan.star") + ".rows"
			if *update {
				if err := os.WriteFile(golden, []byte(got.String()), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got.String() != string(want) {
				t.Errorf("got\n%s", got.String())
			}
		})
	}
}

// TestBundlesAgree walks each plan by one and by eight workers, twice, in
// shards, and interrupted and resumed: the bundles are the same bytes.
func TestBundlesAgree(t *testing.T) {
	files, _ := filepath.Glob("testdata/plans/*.plan.star")
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			dir := t.TempDir()
			walk := func(file string, change func(*WalkOptions)) []byte {
				t.Helper()
				o := WalkOptions{Bundle: filepath.Join(dir, file), Jobs: 1, Trace: true}
				change(&o)
				var out bytes.Buffer
				if status, err := Walk(context.Background(), name, o, &out); status == 2 {
					t.Fatal(err)
				}
				data, err := os.ReadFile(o.Bundle)
				if err != nil {
					t.Fatal(err)
				}
				return data
			}
			one := walk("one", func(*WalkOptions) {})
			if !bytes.Equal(one, walk("again", func(*WalkOptions) {})) {
				t.Error("two walks differ")
			}
			if !bytes.Equal(one, walk("eight", func(o *WalkOptions) { o.Jobs = 8 })) {
				t.Error("eight workers differ from one")
			}
			ctx, cancel := context.WithCancel(context.Background())
			stopped := WalkOptions{Bundle: filepath.Join(dir, "stopped"), Trace: true, Jobs: 2, Progress: func(done int, _ *bundle.Row) {
				if done == 3 {
					cancel()
				}
			}}
			if status, err := Walk(ctx, name, stopped, io.Discard); status == 2 {
				t.Fatal(err)
			}
			cancel()
			if !bytes.Equal(one, walk("stopped", func(o *WalkOptions) { o.Resume, o.Jobs = bundle.Continue, 8 })) {
				t.Error("a walk that was interrupted and resumed differs from one that was left alone")
			}
			var shards []string
			for _, i := range []string{"1", "2", "3"} {
				walk("shard"+i, func(o *WalkOptions) { o.Shard = i + "/3" })
				shards = append(shards, filepath.Join(dir, "shard"+i))
			}
			joined := filepath.Join(dir, "joined")
			if status, err := Merge(shards, MergeOptions{Bundle: joined}, io.Discard); status == 2 {
				t.Fatal(err)
			}
			if data, err := os.ReadFile(joined); err != nil || !bytes.Equal(one, data) {
				t.Error("the shards joined differ from the whole", err)
			}
		})
	}
}
