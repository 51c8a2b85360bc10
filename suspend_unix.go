//go:build unix

package main

import "syscall"

// suspend stops the processes of this command, as Ctrl-Z does, until the user
// has them go on.
func suspend() { _ = syscall.Kill(0, syscall.SIGTSTP) }
