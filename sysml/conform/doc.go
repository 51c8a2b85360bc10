// Package conform judges how the language is read: cases of names, scopes and
// rules, each a model with what is expected of it.
//
// A [Case] is NAME.sysml or NAME.kerml with NAME.expected.json beside it, whose
// keys are `language`, `documents`, `libraries`, `library_files`, `exhaustive`,
// `undecided_lines` and `expect`; see [Case.Judge] for what is judged. The
// notation extensions that Orrery knows are off here. Cases that run a model
// belong to runtime/conform; nothing here prints.
package conform
