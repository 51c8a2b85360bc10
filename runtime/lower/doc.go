// Package lower makes Programs of models.
//
// A [Lowering] turns the bodies, defaults, conditions and types of one model
// into the code and the layouts of runtime/exec: names become registers and
// slots, bodies become instructions with their places in the text and the
// lines of their trace. It lowers what is asked for and all that this can
// reach, in an order that depends on the model alone, and keeps it until the
// model gives other answers than before. Nothing runs here.
package lower
