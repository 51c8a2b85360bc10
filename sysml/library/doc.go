// Package library holds the standard library that models import, in our own
// text, and reads a user's copy of the published one.
//
// A [Source] finds the file that declares a top-level package. [Embedded] is
// ours: kernel, systems and domain libraries of KerML and SysML v2, and the
// extension packages Stochastic, RandomFunctions and OpenSysMLMathFunctions.
// Most of it is text (text/); what is regular, namely quantities, units,
// prefixes and metaclasses, is kept as tables of facts (facts/) and expanded
// package by package at first use. [Open] reads a folder or a .kpar archive.
//
// Names, types, multiplicities, directions, dimensions and conversion factors
// agree with the published library. Function bodies and invariants are left
// out where the runtime computes a function itself. Nothing here parses or
// resolves: the texts go to sysml/syntax and sysml/model as any other.
package library
