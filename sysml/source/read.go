package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// MaxFile bounds the bytes that Read takes from one file.
const MaxFile = 256 << 20

// Read is the content of the file called name. Unlike os.ReadFile it ends for
// a device or pipe that never ends, and for a named pipe that nobody writes to.
// The error is an *fs.PathError.
func Read(name string) ([]byte, error) {
	f, err := open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var text []byte
	info, err := f.Stat()
	if err == nil && info.Size() <= MaxFile {
		text, err = io.ReadAll(io.LimitReader(f, MaxFile+1))
	}
	if err == nil && max(info.Size(), int64(len(text))) > MaxFile {
		err = &fs.PathError{Op: "read", Path: name, Err: fmt.Errorf("longer than %d MB", MaxFile>>20)}
	}
	if err == nil && len(text) == 0 && info.Mode()&fs.ModeNamedPipe != 0 {
		err = &fs.PathError{Op: "read", Path: name, Err: errors.New("a named pipe that nobody writes to")}
	}
	if err != nil {
		return nil, err
	}
	return text, nil
}

// open opens a file for reading, a named pipe without waiting for a writer.
func open(name string) (*os.File, error) {
	if info, err := os.Stat(name); err == nil && info.Mode()&fs.ModeNamedPipe != 0 {
		return os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	}
	return os.Open(name)
}
