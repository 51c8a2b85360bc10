package kernel

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"os"
	"strconv"
	"strings"

	"github.com/orrery-sysml/orrery/kernel/wire"
	"github.com/orrery-sysml/orrery/kernel/zmtp"
	"github.com/orrery-sysml/orrery/sysml/source"
)

// A port of a connection file is a number, or a number in a string.
type port int

// UnmarshalJSON takes both spellings.
func (p *port) UnmarshalJSON(text []byte) error {
	s := strings.Trim(string(text), `"`)
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > 65535 {
		return fmt.Errorf("%s is no port", text)
	}
	*p = port(n)
	return nil
}

// A connection is what a connection file says, or a registration file, which
// has an address to announce the ports to in their place.
type connection struct {
	Transport       string `json:"transport"`
	IP              string `json:"ip"`
	ShellPort       port   `json:"shell_port"`
	IOPubPort       port   `json:"iopub_port"`
	StdinPort       port   `json:"stdin_port"`
	ControlPort     port   `json:"control_port"`
	HBPort          port   `json:"hb_port"`
	Key             string `json:"key"`
	SignatureScheme string `json:"signature_scheme"`
	KernelName      string `json:"kernel_name,omitempty"`

	registration *registration // nil in a connection file
	path         string
	rest         map[string]json.RawMessage // all keys as they were read
}

// A registration is where a launcher waits for the ports of a kernel.
type registration struct {
	KernelID string `json:"kernel_id"`
	IP       string `json:"registration_ip"`
	Port     port   `json:"registration_port"`
}

// readConnection reads the file at path. The error is a diagnostic.
func readConnection(path string) (*connection, error) {
	text, err := source.Read(path)
	if err != nil {
		what := "cannot be read"
		if errors.Is(err, fs.ErrNotExist) {
			what = "does not exist"
		}
		return nil, connectionFileError(path, what)
	}
	c := &connection{path: path}
	if err := json.Unmarshal(text, &c.rest); err != nil {
		return nil, connectionFileError(path, "is not JSON")
	}
	if err := json.Unmarshal(text, c); err != nil {
		return nil, connectionFileError(path, err.Error())
	}
	if _, ok := c.rest["registration_port"]; ok {
		c.registration = &registration{}
		if err := json.Unmarshal(text, c.registration); err != nil {
			return nil, connectionFileError(path, err.Error())
		}
	}
	for _, key := range []string{"curve_publickey", "curve_secretkey"} {
		if raw, ok := c.rest[key]; ok && string(raw) != "null" && string(raw) != `""` {
			return nil, connectionFileError(path, "asks for CurveZMQ encryption, which this kernel does not have")
		}
	}
	if c.Transport == "" {
		c.Transport = "tcp"
	}
	if c.Transport != "tcp" && c.Transport != "ipc" {
		return nil, connectionFileError(path, fmt.Sprintf("transport %q is neither tcp nor ipc", c.Transport))
	}
	if c.IP == "" && c.registration == nil {
		c.IP = "127.0.0.1"
		if c.Transport == "ipc" {
			c.IP = "kernel-ipc"
		}
	}
	if c.registration != nil {
		c.IP = c.registration.IP
		if c.Transport == "ipc" {
			c.IP = fmt.Sprintf("%s/orrery-%d", strings.TrimSuffix(os.TempDir(), "/"), os.Getpid())
		}
	}
	return c, nil
}

// A channel is one of the five sockets of a kernel.
type channel struct {
	name string
	port *port
	ln   net.Listener
}

// bind listens on all five channels. A port 0 is chosen, and c.chosen reports
// it. Where one cannot be bound, none is.
func (c *connection) bind() (ch channels, err error) {
	ch = channels{
		shell:   channel{name: "shell", port: &c.ShellPort},
		control: channel{name: "control", port: &c.ControlPort},
		iopub:   channel{name: "iopub", port: &c.IOPubPort},
		stdin:   channel{name: "stdin", port: &c.StdinPort},
		hb:      channel{name: "heartbeat", port: &c.HBPort},
	}
	for i, one := range ch.all() {
		if err := c.listen(one, i+1); err != nil {
			for _, bound := range ch.all()[:i] {
				bound.ln.Close()
			}
			return channels{}, bindError(one.name, err)
		}
	}
	return ch, nil
}

// channels are the five, bound.
type channels struct{ shell, control, iopub, stdin, hb channel }

func (ch *channels) all() []*channel {
	return []*channel{&ch.shell, &ch.control, &ch.iopub, &ch.stdin, &ch.hb}
}

// listen binds one channel; ordinal is the port of an ipc channel that has none.
func (c *connection) listen(ch *channel, ordinal int) (err error) {
	if c.Transport == "ipc" {
		if *ch.port == 0 {
			*ch.port = port(ordinal)
		}
		ch.ln, err = zmtp.Listen("ipc", fmt.Sprintf("%s-%d", c.IP, *ch.port))
		return err
	}
	host := strings.Trim(c.IP, "[]")
	if host == "*" {
		host = ""
	}
	ch.ln, err = zmtp.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(int(*ch.port))))
	if err == nil {
		*ch.port = port(ch.ln.Addr().(*net.TCPAddr).Port)
	}
	return err
}

// write puts a connection file with the ports of c at path, keeping what else
// the file that was read said. It is private to the user, since it has the key.
func (c *connection) write(path string) error {
	out := map[string]any{}
	for k, v := range c.rest {
		if !strings.HasPrefix(k, "registration_") {
			out[k] = v
		}
	}
	maps.Copy(out, map[string]any{
		"transport": c.Transport, "ip": c.IP, "key": c.Key,
		"shell_port": c.ShellPort, "iopub_port": c.IOPubPort, "stdin_port": c.StdinPort,
		"control_port": c.ControlPort, "hb_port": c.HBPort,
	})
	text, err := json.MarshalIndent(out, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o600)
}

// anyPortChosen reports whether the file leaves a port to the kernel.
func (c *connection) anyPortChosen() bool {
	return c.ShellPort == 0 || c.IOPubPort == 0 || c.StdinPort == 0 || c.ControlPort == 0 || c.HBPort == 0
}

// signer makes the Signer of the connection's key. The error is a diagnostic.
func (c *connection) signer() (*wire.Signer, error) {
	s, err := wire.NewSigner(c.SignatureScheme, c.Key)
	if err != nil {
		return nil, connectionFileError(c.path, err.Error())
	}
	return s, nil
}
