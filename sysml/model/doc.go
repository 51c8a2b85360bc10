// Package model makes elements of syntax trees and says what their names mean.
//
// A [Model] holds the documents of a session and the library beneath them. An
// [Element] is one namespace, type, feature, import or annotation of a
// document; it knows its owner, its members, what it specializes (implied
// library types included), its effective features, types, multiplicity and
// value. [Model.Check] reports what is wrong with what documents declare.
// Everything is worked out when it is first asked for and remembered until a
// document it could depend on changes; a library file is read when a name
// leads into it.
//
// What a model does when it runs belongs to runtime; how it is written, to
// sysml/syntax; where library texts come from, to sysml/library.
package model
