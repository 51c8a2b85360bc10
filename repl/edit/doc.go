// Package edit is the editor of cells at a terminal.
//
// A cell is a block of lines. [Editor] holds one and changes it key by key:
// [Decode] tells keys apart in what a terminal sends, the keymap says what each
// does, [Editor.Picture] lays the block out for a terminal of some size, and
// [Terminal] puts that picture onto the screen below what is there already,
// changing no more rows than it must. All but Terminal are pure: the same keys
// give the same block and the same picture. The package knows text and keys;
// what a cell means (whether it is whole, what could stand at the cursor, which
// colours it has) it asks of its caller. Widths are those of package display.
package edit
