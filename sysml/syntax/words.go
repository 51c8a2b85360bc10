package syntax

import "github.com/orrery-sysml/orrery/sysml/source"

// This file gives the words and tokens of the notation to those who complete
// and colour.

// WordUse says where a reserved word stands; a word may have several.
type WordUse uint8

// The uses of a word.
const (
	StartsMember WordUse = 1 << iota // begins a member of a body: part, private, entry
	InMember                         // stands inside a member: def, by, redefines
	InExpression                     // stands in an expression: and, istype, new
)

// A Keyword is a reserved word.
type Keyword struct {
	Word         string
	SysML, KerML bool // which notation reserves it
	Use          WordUse
}

// Keywords lists the reserved words of both notations in alphabetical order.
func Keywords() []Keyword {
	list := make([]Keyword, len(words))
	for i, w := range words {
		k := firstKeyword + tokenKind(i)
		list[i] = Keyword{w.word, w.in&inSysML != 0, w.in&inKerML != 0, wordUse(k)}
	}
	return list
}

func wordUse(k tokenKind) (use WordUse) {
	switch {
	case binaryOperators[k].precedence != 0, unaryOperators[k] != NoOperator:
		use |= InExpression
	}
	switch k {
	case kwAll, kwNew, kwNull, kwTrue, kwFalse, kwIf, kwElse, kwMetadata:
		use |= InExpression
	}
	if !insideOnly[k] || k == kwElse {
		use |= StartsMember
	} else if use == 0 || k == kwAll || k == kwNot || k == kwTrue || k == kwFalse {
		use |= InMember
	}
	return use
}

// IsReserved reports whether word is reserved in language; only a quoted name can be
// spelled like it.
func IsReserved(word string, language source.Language) bool {
	in := inSysML
	if language == source.KerML {
		in = inKerML
	}
	return wordKind(word, in) != ident
}

// Quote is s as the notation writes it as a name: in single quotes where it
// is no basic name or is reserved in either notation.
func Quote(s string) string {
	if isBasicName(s) && wordKind(s, inBoth) == ident {
		return s
	}
	quoted := make([]byte, 0, len(s)+2)
	quoted = append(quoted, '\'')
	for i := 0; i < len(s); i++ {
		switch b := s[i]; b {
		case '\'', '\\':
			quoted = append(quoted, '\\', b)
		case '\b', '\f', '\n', '\r', '\t', '\v':
			quoted = append(quoted, '\\', "btnvfr"[b-'\b'])
		default:
			quoted = append(quoted, b)
		}
	}
	return string(append(quoted, '\''))
}

func isBasicName(s string) bool {
	if s == "" || classes[s[0]] != letterClass {
		return false
	}
	for i := 1; i < len(s); i++ {
		if c := classes[s[i]]; c != letterClass && c != digitClass {
			return false
		}
	}
	return true
}

// TokenKind is the kind of a Token.
type TokenKind uint8

// The kinds of token.
const (
	NameToken      TokenKind = iota
	WordToken                // a reserved word
	NumberToken              // 12, 1.5
	StringToken              // "text"
	CommentToken             // /* text */, which is part of the model
	NoteToken                // // and //* */, which are not
	SymbolToken              // operators and punctuation
	MalformedToken           // what is no token, or is not closed
)

// A Token is one token of a text.
type Token struct {
	Kind TokenKind
	Range
}

// Tokens lists the tokens of file, notes included, in the order of the text.
// What lies between two of them is white space. It never fails.
func Tokens(file *source.File) []Token {
	in := inSysML
	if file.Language == source.KerML {
		in = inKerML
	}
	s := file.Text
	var tokens []Token
	for pos := 0; ; {
		next, f := scan(s, pos, in)
		tokens = appendNotes(tokens, s, pos, int(next.start))
		if next.kind == endOfText {
			return tokens
		}
		tokens = append(tokens, Token{tokenKindOf(next.kind, f), Range{next.start, next.end}})
		pos = int(next.end)
	}
}

// appendNotes adds the notes between two offsets that scan has passed over.
func appendNotes(tokens []Token, s string, from, to int) []Token {
	for from < to {
		if s[from] != '/' {
			from++
			continue
		}
		end := noteEnd(s, from)
		tokens = append(tokens, Token{NoteToken, Range{int32(from), int32(end)}})
		from = end
	}
	return tokens
}

func tokenKindOf(k tokenKind, f fault) TokenKind {
	switch {
	case f != noFault:
		return MalformedToken
	case k == ident:
		return NameToken
	case k == decimalValue || k == realValue:
		return NumberToken
	case k == stringValue:
		return StringToken
	case k == regularComment:
		return CommentToken
	case k >= firstKeyword:
		return WordToken
	}
	return SymbolToken
}
