// Package conform judges cases of the execution conformance schema.
//
// A case is a model (name.sysml), what must come of it (name.expected.json),
// and, where it has them, traces (name.trace.golden, name.POLICY.trace.golden),
// partial orders (name.trace.order) and what checking every schedule finds
// (name.check.expected.json). [Load] reads cases and refuses what the schema
// does not have; [Run] judges them through runtime.Session under several
// scheduling policies and gives a [Report]; a [Known] list names the parts
// that may fail, with reasons. The package says what a case demands; what a
// model does is decided below it.
package conform
