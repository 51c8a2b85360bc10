package syntax

// Inspect calls visit with every declaration and expression below and at root,
// in the order of the text as far as nodes go, parents first. Where visit
// returns false, what lies below the node is left out. root is a *Decl, an
// Expr or a *Tree; the nodes visited are *Decl and Expr.
func Inspect(root any, visit func(node any) bool) {
	switch root := root.(type) {
	case *Tree:
		inspectDecls(root.Members, visit)
	case *Decl:
		inspectDecl(root, visit)
	case Expr:
		inspectExpr(root, visit)
	}
}

func inspectDecls(members []*Decl, visit func(node any) bool) {
	for _, d := range members {
		inspectDecl(d, visit)
	}
}

func inspectDecl(d *Decl, visit func(node any) bool) {
	if d == nil || !visit(d) {
		return
	}
	inspectDecl(d.Cross, visit)
	if d.Then != nil {
		inspectMultiplicity(d.Then.Multiplicity, visit)
	}
	inspectMultiplicity(d.Multiplicity, visit)
	if d.Value != nil {
		inspectExpr(d.Value.Expr, visit)
	}
	inspectDetail(d.Detail, visit)
	inspectDecls(d.Members(), visit)
}

func inspectMultiplicity(m *MultiplicityPart, visit func(node any) bool) {
	if m != nil {
		inspectExpr(m.Lower, visit)
		inspectExpr(m.Upper, visit)
	}
}

func inspectEnd(e *ConnectorEnd, visit func(node any) bool) {
	if e != nil {
		inspectMultiplicity(e.Multiplicity, visit)
	}
}

func inspectAccept(part *AcceptPart, visit func(node any) bool) {
	if part != nil {
		inspectDecl(part.Payload, visit)
		inspectDecls(part.Parameters, visit)
		inspectExpr(part.Expr, visit)
		inspectExpr(part.Via, visit)
	}
}

func inspectDetail(detail Detail, visit func(node any) bool) {
	switch part := detail.(type) {
	case *ConnectorPart:
		inspectMultiplicity(part.SourceMultiplicity, visit)
		inspectDecl(part.Payload, visit)
		for _, e := range part.Ends {
			inspectEnd(e, visit)
		}
	case *TransitionPart:
		inspectAccept(part.Trigger, visit)
		inspectExpr(part.Guard, visit)
		inspectDecl(part.Effect, visit)
		inspectEnd(part.Target, visit)
	case *AcceptPart:
		inspectAccept(part, visit)
	case *SendPart:
		inspectExprs(visit, part.Payload, part.Via, part.To)
	case *AssignPart:
		inspectExprs(visit, part.Target, part.Value)
	case *TerminatePart:
		inspectExpr(part.Target, visit)
	case *IfPart:
		inspectExpr(part.Condition, visit)
		inspectDecl(part.Then, visit)
		inspectDecl(part.Else, visit)
	case *WhileLoopPart:
		inspectExpr(part.While, visit)
		inspectDecl(part.Loop, visit)
		inspectExpr(part.Until, visit)
	case *ForLoopPart:
		inspectDecl(part.Variable, visit)
		inspectExpr(part.Sequence, visit)
		inspectDecl(part.Loop, visit)
	case *ExpressionPart:
		inspectExpr(part.Expr, visit)
	case *ImportPart:
		inspectExprs(visit, part.Filters...)
	}
}

func inspectExprs(visit func(node any) bool, exprs ...Expr) {
	for _, e := range exprs {
		inspectExpr(e, visit)
	}
}

func inspectExpr(e Expr, visit func(node any) bool) {
	if e == nil || !visit(e) {
		return
	}
	switch e := e.(type) {
	case *FeatureChainExpression:
		inspectExpr(e.Operand, visit)
	case *OperatorExpression:
		inspectExprs(visit, e.Operands...)
	case *InvocationExpression:
		inspectExpr(e.Receiver, visit)
		inspectArguments(e.Arguments, visit)
		if e.BodyArgument != nil {
			inspectExpr(e.BodyArgument, visit)
		}
	case *ConstructorExpression:
		inspectArguments(e.Arguments, visit)
	case *SequenceExpression:
		inspectExprs(visit, e.Elements...)
	case *IndexExpression:
		inspectExprs(visit, e.Operand, e.Index)
	case *BracketExpression:
		inspectExprs(visit, e.Operand, e.Bracket)
	case *CollectExpression:
		inspectExprs(visit, e.Operand, e.Body)
	case *SelectExpression:
		inspectExprs(visit, e.Operand, e.Body)
	case *BodyExpression:
		if e.Body != nil {
			inspectDecls(e.Body.Members, visit)
		}
	}
}

func inspectArguments(arguments []Argument, visit func(node any) bool) {
	for i := range arguments {
		inspectExpr(arguments[i].Value, visit)
	}
}
