package syntax

// This file reads packages, imports, aliases, dependencies, filters and
// annotations, which SysML and KerML share.

func (p *parser) parsePackage(d *Decl) {
	d.Keyword = p.here()
	d.Metaclass = Package
	if p.accept(kwStandard) {
		d.Flags |= Standard
		if !p.at(kwLibrary) {
			p.expected("'library'")
			d.Metaclass = NoMetaclass
			return
		}
	}
	if p.accept(kwLibrary) {
		d.Metaclass = LibraryPackage
		p.parseUserKeywords(d)
		d.Keyword = p.here()
	}
	if !p.accept(kwPackage) {
		p.expected("'package'")
		d.Metaclass = NoMetaclass
		return
	}
	p.parseIdentification(d)
	if p.at(colonColon) || p.at(dot) {
		p.fail(p.here(), "a declared name is not qualified").Hint = "nest the packages: package a { package b { ... } }"
	}
	p.parseBody(d, bodyOf(inPackage, inNamespace, p.kerml))
}

// parseImport is Import; the visibility has been read.
func (p *parser) parseImport(d *Decl) {
	d.Keyword = p.here()
	if d.Visibility == NoVisibility {
		p.extension(d.Keyword, "import without visibility", "'private import', or 'public import' to pass it on")
	}
	p.advance()
	p.parseImported(d, MembershipImport, NamespaceImport)
}

// parseExpose is Expose.
func (p *parser) parseExpose(d *Decl) {
	p.advance()
	p.parseImported(d, MembershipExpose, NamespaceExpose)
}

func (p *parser) parseImported(d *Decl, ofMember, ofNamespace Metaclass) {
	part := &ImportPart{}
	d.Detail = part
	d.Metaclass = ofMember
	part.All = p.accept(kwAll)
	p.parseImportTarget(d, part, ofNamespace)
	for p.at(lbracket) {
		d.Metaclass = ofNamespace
		p.advance()
		part.Filters = append(part.Filters, p.parseExpr())
		if !p.accept(rbracket) {
			p.expectedMark("']'", "the filter")
		}
	}
	if p.at(kwAs) {
		p.fail(p.here(), "an import gives no other name").Hint = "write 'alias name for a::b;'"
	}
	p.parseBody(d, bodyOf(inRelationship, inKerMLRelation, p.kerml))
}

// parseImportTarget reads the qualified name with `::*` and `::**`.
func (p *parser) parseImportTarget(d *Decl, part *ImportPart, ofNamespace Metaclass) {
	q := &part.Target
	start := p.tok.start
	if p.accept(dollar) {
		q.Global = true
		if !p.want(colonColon) {
			return
		}
	}
	from := p.names.open()
	what := "the name of what is imported"
	for {
		n := p.parseName(what)
		if n.IsZero() {
			break
		}
		p.names.push(n)
		q.Range = p.since(start)
		if !p.accept(colonColon) {
			break
		}
		if p.accept(star) {
			d.Metaclass, part.Members = ofNamespace, true
			if p.accept(colonColon) {
				part.Recursive = true
				p.want(starStar)
			}
			break
		}
		if p.accept(starStar) {
			part.Recursive = true
			break
		}
		what = "a name, '*' or '**'"
	}
	q.Segments = p.names.close(from)
	if p.at(colonColon) && part.Recursive {
		p.fail(p.here(), "'::**' stands last")
	}
}

// parseAlias is AliasMember.
func (p *parser) parseAlias(d *Decl) {
	d.Keyword = p.here()
	p.advance()
	d.Metaclass = Membership
	p.parseIdentification(d)
	part := &AliasPart{}
	d.Detail = part
	if p.accept(kwFor) {
		part.Target = p.parseQualifiedName("the name of an element")
	} else {
		p.expectedMark("'for'", "the name of the alias")
	}
	p.parseBody(d, bodyOf(inRelationship, inKerMLRelation, p.kerml))
}

// parseDependency is Dependency; its annotations have been read.
func (p *parser) parseDependency(d *Decl) {
	d.Keyword = p.here()
	p.advance()
	d.Metaclass = Dependency
	part := &DependencyPart{}
	d.Detail = part
	declared := p.at(less) || p.at(kwFrom)
	if p.at(ident) {
		declared = p.peek() == kwFrom
	}
	if declared {
		p.parseIdentification(d)
		p.want(kwFrom)
	}
	part.Clients = p.parseQualifiedNames("the name of an element")
	if p.accept(kwTo) {
		part.Suppliers = p.parseQualifiedNames("the name of an element")
	} else {
		p.expectedMark("'to'", "what depends")
	}
	p.parseBody(d, bodyOf(inRelationship, inKerMLRelation, p.kerml))
}

// parseFilter is ElementFilterMember.
func (p *parser) parseFilter(d *Decl) {
	d.Keyword = p.here()
	p.advance()
	d.Metaclass = ElementFilterMembership
	d.Detail = &ExpressionPart{p.parseExpr()}
	if !p.accept(semicolon) {
		p.expectedMark("';'", "the condition of the filter")
	}
}

// parseComment is Comment, with its word or without.
func (p *parser) parseComment(d *Decl) {
	d.Metaclass = Comment
	part := p.comments.make()
	d.Detail = part
	if p.at(kwComment) {
		d.Keyword = p.here()
		p.advance()
		p.parseIdentification(d)
		if p.accept(kwAbout) {
			part.About = p.parseQualifiedNames("the name of an element")
		}
	}
	p.parseCommentText(part, "comment")
}

// parseDocumentation is Documentation.
func (p *parser) parseDocumentation(d *Decl) {
	d.Keyword = p.here()
	p.advance()
	d.Metaclass = Documentation
	part := p.comments.make()
	d.Detail = part
	p.parseIdentification(d)
	p.parseCommentText(part, "documentation")
}

// parseTextualRepresentation is TextualRepresentation.
func (p *parser) parseTextualRepresentation(d *Decl) {
	d.Keyword = p.here()
	d.Metaclass = TextualRepresentation
	part := p.comments.make()
	d.Detail = part
	if p.accept(kwRep) {
		p.parseIdentification(d)
	}
	if !p.want(kwLanguage) {
		return
	}
	part.Language = p.parseString("the name of the language")
	p.parseCommentText(part, "textual representation")
}

func (p *parser) parseString(what string) string {
	if !p.at(stringValue) {
		p.expected(what + " in double quotes")
		return ""
	}
	s := unquote(p.word())
	p.advance()
	return s
}

// parseCommentText reads the locale and the text.
func (p *parser) parseCommentText(part *CommentPart, what string) {
	if p.accept(kwLocale) {
		part.Locale = p.parseString("the locale")
	}
	if !p.at(regularComment) {
		p.expected("the text of the " + what + " between /* and */")
		return
	}
	part.Comment = p.here()
	part.Raw = p.text[p.tok.start+2 : max(p.tok.end-2, p.tok.start+2)]
	p.advance()
}

// parseAnnotationOnly reads a member of the body of a relationship.
func (p *parser) parseAnnotationOnly(d *Decl) {
	if p.at(hash) {
		p.parseUserKeywords(d)
	}
	switch p.tok.kind {
	case kwComment, kwLocale:
		p.parseComment(d)
	case kwDoc:
		p.parseDocumentation(d)
	case kwRep, kwLanguage:
		p.parseTextualRepresentation(d)
	case atSign, kwMetadata:
		p.parseMetadataUsage(d)
	default:
		p.expected("an annotation")
	}
}

// parseMetadataUsage is MetadataUsage or MetadataFeature at `@` or `metadata`.
func (p *parser) parseMetadataUsage(d *Decl) {
	d.Keyword = p.here()
	p.advance()
	p.parseMetadataDeclaration(d)
}

// parseMetadataDeclaration is MetadataUsageDeclaration with what follows it.
func (p *parser) parseMetadataDeclaration(d *Decl) {
	d.Metaclass = MetadataUsage
	if p.kerml {
		d.Metaclass = MetadataFeature
	}
	if p.metadataIsNamed() {
		p.parseIdentification(d)
		switch {
		case p.accept(colon):
		case p.at(kwTyped), p.at(kwDefined), p.at(ident) && p.word() == "typed":
			p.advance()
			p.want(kwBy)
		default:
			p.expected("':' and the type of the metadata")
		}
	}
	target := p.parseReference("the type of the metadata")
	d.Relationships = p.relationships.one(Relationship{TypedBy, false, target, target.Range})
	if p.accept(kwAbout) {
		d.Detail = &MetadataPart{p.parseQualifiedNames("the name of an element")}
	}
	p.parseBody(d, bodyOf(inMetadata, inKerMLMetadata, p.kerml))
}

// metadataIsNamed reports whether a name and a colon stand before the type.
func (p *parser) metadataIsNamed() bool {
	if p.at(less) || p.at(colon) {
		return true
	}
	if !p.at(ident) {
		return false
	}
	t, _ := scan(p.text, int(p.tok.end), p.words)
	return t.kind == colon || t.kind == kwTyped || t.kind == kwDefined || t.kind == ident && p.text[t.start:t.end] == "typed"
}

// parseMetadataBodyUsage is MetadataBodyUsage or MetadataBodyFeature; false
// where another member follows.
func (p *parser) parseMetadataBodyUsage(d *Decl) bool {
	switch p.tok.kind {
	case ident, dollar, redefineSign, kwRedefines:
	case kwRef, kwFeature:
		switch p.peek() {
		case ident, dollar, redefineSign, kwRedefines:
		default:
			return false
		}
		d.Keyword = p.here()
		if p.at(kwRef) {
			d.Flags |= Ref
		}
		p.advance()
	default:
		return false
	}
	d.Metaclass = ReferenceUsage
	if p.kerml {
		d.Metaclass = Feature
	}
	if p.at(redefineSign) || p.at(kwRedefines) {
		p.advance()
	}
	p.parseByReference(d, Redefines, "a feature of the metadata")
	p.parseValuePart(d)
	p.parseBody(d, bodyOf(inMetadata, inKerMLMetadata, p.kerml))
	return true
}

// parseEnumerationItem reads a member of EnumerationBody.
func (p *parser) parseEnumerationItem(d *Decl) {
	p.parseUserKeywords(d)
	switch p.tok.kind {
	case kwComment, kwLocale:
		p.parseComment(d)
		return
	case kwDoc:
		p.parseDocumentation(d)
		return
	case kwRep, kwLanguage:
		p.parseTextualRepresentation(d)
		return
	case atSign, kwMetadata:
		p.parseMetadataUsage(d)
		return
	case kwAttribute:
		d.Keyword = p.here()
		d.Flags |= Extended
		p.extension(d.Keyword, "attribute in an enumeration", "the attribute in a definition that the enumeration specializes")
		p.advance()
		p.parseUsage(d, AttributeUsage, inDefinition)
		return
	case kwEnum:
		d.Keyword = p.here()
		p.advance()
	default:
		if !p.at(ident) && !p.at(less) && !startsSpecialization[p.tok.kind] && !p.at(equalsSign) && !p.at(becomes) &&
			!p.at(kwDefault) && len(d.Keywords) == 0 {
			p.expected("a value of the enumeration").Hint = "an enumeration holds values only"
			return
		}
	}
	d.Member, d.Metaclass = VariantMember, EnumerationUsage
	p.parseUsageDeclaration(d)
	p.parseValuePart(d)
	p.parseBody(d, inDefinition)
}
