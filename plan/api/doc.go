// Package api is what a plan or a Starlark cell can do with a model.
//
// It holds the builtins over runtime.Session (models, calculations,
// judgements, objects, behaviours), the handles that they give, and how values
// pass between Starlark and the runtime. An [Environment] is the state of one
// leaf or of the cells of a session: which session each model runs in, the
// settings in force and what was done. Where a builtin may be called is
// decided by its effect class, in lang.
package api
