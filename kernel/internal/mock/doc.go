// Package mock is an interpreter for tests of the kernel: a language of
// one-word commands, each of which makes one thing happen that a real session
// can do to its front end. It knows nothing of models.
package mock
