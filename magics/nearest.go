package magics

import (
	"strings"

	"github.com/orrery-sysml/orrery/sysml/spell"
)

// nearest is the candidate that a reader most likely meant by name: the one
// that is spelled most like it, else the first that begins with its three
// letters or more. It is "" where there is none.
func nearest(name string, candidates []string) string {
	if near := spell.First(name, candidates); near != "" || len(name) < 3 {
		return near
	}
	for _, c := range candidates {
		if strings.HasPrefix(strings.ToLower(c), strings.ToLower(name)) {
			return c
		}
	}
	return ""
}
