// Package explore resolves the choices of a behaviour every way.
//
// A [Search] makes each move once for each way its choices can go, and joins
// Worlds that no future can tell apart. What it builds is a graph of Worlds;
// numbers of linearizations and shares of the schedule space are sums over that
// graph, exact however many linearizations there are. A World of an action is
// kept as a vector of numbers, one for each of its parts; what the move of a
// token does is learned on a World once, and then made on vectors. A World in
// which several runs are under way, such as the machines of parts, is cut into
// sections; what a run does at its turn is told by the sections that it looks at
// meanwhile, which is noted when its turn is made on a World. Instants are
// relative to now unless something tells the time.
//
// A [Result] lists the outcomes, a [Verdict] is what a check of all of them
// finds, fair runs without an end included, and a [Graph] is what a drawing shows
// of either. The steps themselves are runtime/exec's; which behaviour of which
// model is explored is the business of package runtime.
package explore
