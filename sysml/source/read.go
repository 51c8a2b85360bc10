package source

import (
	"fmt"
	"io"
	"io/fs"
	"os"
)

// MaxFile bounds the bytes that Read takes from one file.
const MaxFile = 256 << 20

// Read is the content of the file called name. Unlike os.ReadFile it ends for
// a device or pipe that never ends. The error is an *fs.PathError.
func Read(name string) ([]byte, error) {
	f, err := os.Open(name)
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
	if err != nil {
		return nil, err
	}
	return text, nil
}
