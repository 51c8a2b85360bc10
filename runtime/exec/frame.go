package exec

import "github.com/orrery-sysml/orrery/runtime/value"

// A Stack is a paused body: frames, and the registers of all of them. A body
// that runs is worked on by a Runner and is not in the World.
type Stack struct {
	frames []Frame
	values []value.Value
}

func (s *Stack) detach() {
	s.frames = append([]Frame(nil), s.frames...)
	s.values = append([]value.Value(nil), s.values...)
}

// Depth is the number of frames.
func (s *Stack) Depth() int { return len(s.frames) }

// Frame is frame i, the outermost being 0.
func (s *Stack) Frame(i int) Frame { return s.frames[i] }

// A Frame is one activation of a Unit.
type Frame struct {
	Unit UnitID
	PC   int32
	Base int32 // of its registers among the values of the stack
	Env  EnvID // what surrounds a statement of a behaviour
	Self value.ObjectID
	// Return says what becomes of the value the frame returns, A and B where.
	Return Return
	A, B   int32
	// Resumed says that the instruction at PC has begun before: its trace and
	// its steps are not counted again.
	Resumed bool
	// Failing says that a condition here is being tried: see OpTry.
	Failing bool
}

// Return says what becomes of the value that a frame returns.
type Return uint8

// The ways to return.
const (
	ToHost     Return = iota // it is the result of the stack
	ToRegister               // register A of the caller; the caller goes on behind its call
	ToSlot                   // slot B of object A; the caller runs its instruction again
	ToMemo                   // register A of the caller takes the registers of the frame as a run
	ToJoin                   // slot B of object A, until the next read; the caller runs its instruction again
)

// StackID is the number of a Stack. NoStack stands where there is none.
type StackID int32

// NoStack stands where there is no Stack.
const NoStack StackID = -1

// FreeStack ends the life of a paused body.
func (w *World) FreeStack(id StackID) { w.Stacks.release(w.owner, int32(id)) }
