// Package syntax reads the SysML v2 and KerML textual notations and writes
// them.
//
// [Parse] makes a [Tree] of a text, always, and says with diagnostics what is
// wrong with it; [ParsePart] reads the next declaration or expression of a
// cell; [ParseExpression] reads one expression. A [Decl] is any member that a
// body can hold, an [Expr] any expression. [Format] lays a tree out, comments
// kept. [Tokens] is for colours, [Keywords] for completion.
//
// Nothing here knows what a name means: names, types and inheritance belong to
// sysml/model, and what a model does belongs to runtime.
//
// Positions: the tree counts bytes from the start of the text. Lines and
// columns (one-based, in code points), Jupyter's code points and UTF-16 units
// are made from them in sysml/source, where somebody has to see them.
package syntax
