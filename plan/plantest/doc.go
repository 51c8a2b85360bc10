// Package plantest runs plans as Go tests.
//
// Run makes a subtest of every leaf, named by its test and short id, so that
// `go test -run` and the tools around it work on leaves. It fails what the
// walk fails and judges nothing itself.
package plantest
