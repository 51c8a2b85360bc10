package kernel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"github.com/orrery-sysml/orrery/kernel/zmtp"
)

// This file is the start-up in which the kernel chooses its ports and tells
// them to the launcher (Jupyter enhancement proposal 66), in place of ports in
// the connection file.

// registrationTime is how long the launcher may take to confirm.
const registrationTime = 5 * time.Second

// register announces the ports and waits for the launcher's signed word.
func (k *server) register(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, registrationTime)
	defer cancel()
	to := k.conn.registration
	address := net.JoinHostPort(to.IP, strconv.Itoa(int(to.Port)))
	if k.conn.Transport == "ipc" {
		address = fmt.Sprintf("%s-%d", to.IP, to.Port)
	}
	d, err := zmtp.DialDealer(ctx, k.conn.Transport, address)
	if err != nil {
		return notRegisteredError(fmt.Sprintf("%s does not answer", address))
	}
	defer d.Close()
	content, err := json.Marshal(k.conn.announcement())
	if err != nil {
		return notRegisteredError(err.Error())
	}
	if d.Send(k.signer.EncodeContent(content)...) != nil {
		return notRegisteredError("it has gone")
	}
	for {
		frames, err := d.Receive()
		if err != nil {
			return notRegisteredError(fmt.Sprintf("no word from it within %v", registrationTime))
		}
		if err := k.signer.DecodeContent(frames); err == nil {
			break
		}
		k.log.dropped(errors.New("an unsigned confirmation of the registration"))
	}
	if path := runtimeFile(to.KernelID); path != "" && k.conn.write(path) != nil {
		k.log.printf("the connection file %s for other clients cannot be written", path)
	}
	return nil
}

// announcement is the content of the registration.
func (c *connection) announcement() object {
	text := func(p port) string { return strconv.Itoa(int(p)) }
	out := object{"kernel_id": c.registration.KernelID,
		"control_port": text(c.ControlPort), "shell_port": text(c.ShellPort), "stdin_port": text(c.StdinPort),
		"iopub_port": text(c.IOPubPort), "hb_port": text(c.HBPort)}
	if c.Transport == "ipc" {
		out["ip"] = c.IP
	}
	return out
}

// runtimeFile is where other clients look for the connection file of a kernel;
// "" where there is no such place.
func runtimeFile(kernelID string) string {
	if kernelID == "" || filepath.Base(kernelID) != kernelID {
		return ""
	}
	dir := os.Getenv("JUPYTER_RUNTIME_DIR")
	if home, err := os.UserHomeDir(); dir == "" && err == nil {
		switch runtime.GOOS {
		case "darwin":
			dir = filepath.Join(home, "Library", "Jupyter", "runtime")
		case "windows":
			dir = filepath.Join(os.Getenv("APPDATA"), "jupyter", "runtime")
		default:
			dir = filepath.Join(home, ".local", "share", "jupyter", "runtime")
		}
	}
	if dir == "" || os.MkdirAll(dir, 0o700) != nil {
		return ""
	}
	return filepath.Join(dir, "kernel-"+kernelID+".json")
}
