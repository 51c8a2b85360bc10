// Mockkernel is the kernel around the mock interpreter, as a process of its
// own: tests of signals, parents and restarts start it.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/orrery-sysml/orrery/kernel"
	"github.com/orrery-sysml/orrery/kernel/internal/mock"
	"github.com/orrery-sysml/orrery/sysml/diagnostic"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: mockkernel CONNECTION_FILE")
		os.Exit(2)
	}
	err := kernel.Serve(context.Background(), kernel.Options{
		ConnectionFile: os.Args[len(os.Args)-1], // before it comes the word that the real command needs
		Version:        "0.0.0", Banner: "mock",
		Open:       func() (kernel.Interpreter, error) { return &mock.Interpreter{}, nil },
		HistoryDir: os.Getenv("MOCK_HISTORY"),
	})
	if err != nil {
		for _, d := range diagnostic.Of(err) {
			fmt.Fprint(os.Stderr, diagnostic.Text(d, diagnostic.Style{}))
		}
		os.Exit(2)
	}
}
