//go:build !linux

package main

// warnOfAddressSpace has nothing to say where addresses are not counted.
func warnOfAddressSpace() {}
