// Modules are numbered in the order that they are met, not by their paths, so
// that the same sources give the same files wherever they lie.
module.exports = { optimization: { moduleIds: "natural", chunkIds: "natural" } };
