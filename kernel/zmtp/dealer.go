package zmtp

import (
	"context"
	"net"

	"github.com/go-zeromq/zmq4"
)

// A Dealer is a connected DEALER socket for one exchange with one peer. One
// goroutine at a time.
type Dealer struct {
	conn net.Conn
	r    *reader
}

// DialDealer connects to a bound socket. ctx ends dialling and, with its
// deadline, every later call.
func DialDealer(ctx context.Context, transport, address string) (*Dealer, error) {
	network, err := network(transport)
	if err != nil {
		return nil, err
	}
	var d net.Dialer
	conn, err := d.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	if _, err := handshake(conn, zmq4.Dealer, false); err != nil {
		conn.Close()
		return nil, err
	}
	if t, ok := ctx.Deadline(); ok {
		conn.SetDeadline(t)
	}
	return &Dealer{conn, newReader(conn)}, nil
}

// Send sends one message.
func (d *Dealer) Send(frames ...[]byte) error {
	_, err := d.conn.Write(Encode(frames...))
	return err
}

// Receive waits for one message; commands are passed over.
func (d *Dealer) Receive() ([][]byte, error) {
	for {
		frames, isCommand, err := d.r.message()
		if err != nil || !isCommand {
			return frames, err
		}
	}
}

// Close ends the connection.
func (d *Dealer) Close() error { return d.conn.Close() }
