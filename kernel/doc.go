// Package kernel is the Jupyter side of Orrery: one process that answers the
// five channels of the Jupyter messaging protocol, version 5.5.
//
// [Serve] reads a connection file, binds the sockets, opens an [Interpreter]
// behind them and returns when a client asks for shutdown, when a signal says
// so or when the parent process is gone. What a cell means is the business of
// the Interpreter (magics.Shell implements it); this package counts, orders,
// publishes, replies and interrupts, and holds no feature of the language.
// The layers below it are kernel/zmtp (sockets) and kernel/wire (signed
// messages); kernel/install lays down kernelspecs and
// kernel/labextension, the colours of cells in a browser.
package kernel
