// The textual notation of SysML and KerML as a stream parser: of CodeMirror 6
// (StreamLanguage) and, by the same names of tokens, of CodeMirror 5.

import { reserved, expression } from "./words.js";
import { closes, indentation, opens } from "./brackets.js";

const name = /^[\p{L}_][\p{L}\p{N}_]*/u;
const symbol = /^(?:::>|::|:>>|:>|:=|:|===|!==|==|!=|<=|>=|\*\*|\.\.|\?\?|->|=>|[-+*/%^|&~<>=!?.@#$])/;

// Words behind which a name is declared, and those behind which a type stands.
const declaring = new Set(["def", "package", "namespace", "alias", "classifier", "class", "datatype", "struct", "assoc",
  "behavior", "function", "predicate", "metaclass", "interaction"]);
const typing = new Set([":", ":>", ":>>", "::>", "by", "defined", "specializes", "subsets", "redefines", "references", "typed"]);
// What may stand between such a word and the name: in a name, and before it.
const joining = new Set(["::", "."]);
const passing = new Set([...joining, "<", ">", "def", "~", "all", "struct"]);
const atoms = new Set(["true", "false", "null"]);

export function notation(language) {
  const words = reserved[language];
  return {
    startState: () => ({
      brackets: [], // open ones, as brackets.js keeps them
      until: null, // what ends the comment, string or name that is open
      token: null, // and what it is
      open: false, // a declaration has begun and not ended
      expect: "", // what the next name is: "def", "type" or "meta"
      typed: false, // the name before was a type: another can follow a comma
    }),
    copyState: (s) => ({ ...s, brackets: s.brackets.slice() }),
    token(stream, s) {
      if (s.until) return rest(stream, s);
      if (stream.eatSpace()) return null;
      const start = stream.pos;
      const token = word(stream, s, words);
      if (stream.pos === start) stream.next();
      return token;
    },
    // between reports whether a new part of a cell can begin here.
    between: (s) => !s.until && !s.open && !s.brackets.length,
    indent: (s, after, context) => (s.until ? null : indentation(s.brackets, after, context.unit)),
  };
}

// rest reads on in what is open, to its end or that of the line.
function rest(stream, s) {
  const { until, token } = s;
  let escaped = false;
  while (!stream.eol()) {
    if (!escaped && stream.match(until)) {
      s.until = null;
      return token;
    }
    escaped = stream.next() === "\\" && !escaped && until !== "*/";
  }
  if (until !== "*/") s.until = null; // a string and a name end with the line
  return token;
}

function begin(stream, s, until, token) {
  s.until = until;
  s.token = token;
  return rest(stream, s);
}

function word(stream, s, words) {
  const { expect } = s;
  if (stream.match(/^\/\/\*|^\/\*/)) return begin(stream, s, "*/", "comment");
  if (stream.match("//")) {
    stream.skipToEnd();
    return "comment";
  }
  if (stream.match('"')) {
    s.expect = "";
    return begin(stream, s, '"', "string");
  }
  if (stream.match(/^\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|^\.\d+(?:[eE][-+]?\d+)?/)) return "number";
  if (stream.match("'")) return begin(stream, s, "'", named(stream, s, expect, "string-2"));
  if (stream.match(/^[#@]\s*(?=[\p{L}_'])/u)) {
    s.expect = "meta";
    return "operator";
  }
  const match = stream.match(name);
  if (match) {
    const text = match[0];
    if (!words.has(text)) return named(stream, s, expect, "variable");
    s.typed = false;
    if (!expression.has(text)) s.open = true;
    if (declaring.has(text)) s.expect = "def";
    else if (typing.has(text)) s.expect = "type";
    else if (!passing.has(text)) s.expect = "";
    return atoms.has(text) ? "atom" : "keyword";
  }
  const bracket = stream.match(/^[{}()[\]]/);
  if (bracket) {
    const c = bracket[0];
    s.expect = "";
    s.typed = false;
    if (opens(c)) s.brackets.push({ closer: opens(c), indent: stream.indentation() });
    else closes(s.brackets, c);
    if (c === "}" && !s.brackets.length) s.open = false;
    return "bracket";
  }
  if (stream.match(/^[;,]/)) {
    s.expect = stream.current() === "," && s.typed ? "type" : "";
    if (stream.current() === ";" && !s.brackets.length) s.open = false;
    return "punctuation";
  }
  const operator = stream.match(symbol);
  if (operator) {
    if (typing.has(operator[0])) s.expect = "type";
    else if (!passing.has(operator[0])) s.expect = "";
    if (!joining.has(operator[0])) s.typed = false;
    if (typing.has(operator[0])) s.open = true; // no expression goes on like this
    return "operator";
  }
  return null;
}

// The token of a name by what is expected. Themes leave a "type" as it is, and
// "meta" can hardly be read in a dark one.
const tokens = { def: "def", type: "variable-2", meta: "operator" };

// named is the token of a name, by what stands before it. A name in angle
// brackets is a short one: the name itself follows.
function named(stream, s, expect, otherwise) {
  const qualified = stream.match(/^\s*(?:::(?!>)|\.(?!\.))/, false);
  const short = stream.match(/^\s*>/, false) && expect === "def";
  s.typed = expect === "type";
  if (!qualified && !short && expect !== "type") s.expect = "";
  return tokens[expect] ?? otherwise;
}
