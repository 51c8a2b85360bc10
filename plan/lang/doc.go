// Package lang is Starlark as plans and cells speak it.
//
// It holds what any Starlark text here has in common: how a text is parsed
// and its globals live on, the table of builtins with the effect class that
// says where each may be called, the limits on steps, depth and memory, and how
// errors become diagnostics with the place and the stack of calls. The
// operators of plans and the sandbox of predicates are here too. What a
// builtin does with a model is in api, and which leaves are run in walk.
package lang
