package zmtp

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"time"
)

// maxPath is the longest path of a Unix socket that every system takes.
const maxPath = 103

// network is Go's name of a transport of the connection file.
func network(transport string) (string, error) {
	switch transport {
	case "tcp":
		return "tcp", nil
	case "ipc":
		return "unix", nil
	}
	return "", fmt.Errorf("transport %q is neither tcp nor ipc", transport)
}

// Listen binds address: "host:port" for transport "tcp", a path for "ipc". A
// socket file that a dead process left behind is replaced; a living one is
// not. Errors are sentences for the user.
func Listen(transport, address string) (net.Listener, error) {
	n, err := network(transport)
	if err != nil {
		return nil, err
	}
	if n == "unix" {
		if len(address) > maxPath {
			return nil, fmt.Errorf("the path of the socket has %d bytes, and a Unix socket takes at most %d: %s",
				len(address), maxPath, address)
		}
		removeStale(address)
	}
	ln, err := net.Listen(n, address)
	if err != nil {
		return nil, fmt.Errorf("cannot bind %s: %w", address, cause(err))
	}
	return ln, nil
}

// removeStale removes the socket file at path where nobody answers behind it.
func removeStale(path string) {
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&fs.ModeSocket == 0 {
		return
	}
	conn, err := net.DialTimeout("unix", path, time.Second)
	if err == nil {
		conn.Close()
		return
	}
	os.Remove(path)
}

// cause is the operating system's word inside a network error.
func cause(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}
