package magics

import (
	"github.com/orrery-sysml/orrery/render"
)

// A visible Sink shows signs in place of what would steer a terminal or turn
// the letters behind it round: names and strings of a model are anybody's.
// What programs print, which Stream takes, stays as it is.
type visible struct{ Sink }

func (v visible) Display(b render.Bundle, displayID string) { v.Sink.Display(b.Visible(), displayID) }
func (v visible) Update(displayID string, b render.Bundle)  { v.Sink.Update(displayID, b.Visible()) }
func (v visible) Result(b render.Bundle)                    { v.Sink.Result(b.Visible()) }
func (v visible) Page(b render.Bundle)                      { v.Sink.Page(b.Visible()) }
