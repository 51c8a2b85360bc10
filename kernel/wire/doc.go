// Package wire reads and writes Jupyter messages: the frames of a ZeroMQ
// message, their HMAC signature, and the header.
//
// A [Signer] has the key of one kernel. Decode gives a [Message] whose header
// is also kept as the bytes that came, since a reply repeats them; Encode
// makes the frames of a message of ours. What is malformed, unsigned or sent
// twice is an error here and is dropped by the kernel: nothing that a peer
// sends stops the process. This package knows no message type.
package wire
