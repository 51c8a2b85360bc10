//go:build !unix

package main

// suspend is nil: this system does not stop commands.
var suspend func()
