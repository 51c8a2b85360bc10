package value

// Depth is the height of the tree of a sequence, for the test of balance.
func Depth(v Value) int {
	if s := v.elements(); s != nil {
		return s.height
	}
	return 0
}
