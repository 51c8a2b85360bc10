// Package walk searches the assignments of a test.
//
// [Tree] runs every leaf of a test, depth first, with as many workers as asked
// for, and hands out rows in the order of leaves whatever the workers did: the
// leaves that ran, and those that a predicate removed, predicted from the
// subtree beside them. [Sample] draws leaves, [Cover] runs a covering array,
// [Shrink] looks for the least failing assignment. The package knows tests as
// leaf.Test alone, so it is tested with tests that are tables.
package walk
