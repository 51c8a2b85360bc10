// Package zmtp has the ZeroMQ sockets that a Jupyter kernel binds: a [Router]
// for shell, control and stdin, an [XPub] for iopub, an [Echo] for the
// heartbeat, and a [Dealer] that announces the kernel to a launcher.
//
// Greeting, NULL handshake and socket types are those of go-zeromq/zmq4; the
// frames behind the handshake are read and written here, since its sockets
// let one peer stop all others. Every connection has its own reader, writer
// and bounded queue: a peer that is silent, slow, hostile or gone costs
// nobody else anything. Messages are lists of frames; this package knows
// nothing of what is in them.
package zmtp
