// Starlark as a stream parser: of CodeMirror 6 (StreamLanguage) and, by the
// same names of tokens, of CodeMirror 5.

import { closes, indentation, opens } from "./brackets.js";
import { builtins } from "./words.js";

const words = new Set(
  "and break continue def elif else for if in lambda load not or pass return while".split(" "));
const atoms = new Set(["True", "False", "None"]);

export const starlark = {
  startState: () => ({
    brackets: [], // open ones, as brackets.js keeps them
    until: null, // what ends the string that is open
    member: false, // a dot stands before
    def: false, // def stands before
    indent: 0, // of the last line with a statement, in columns
    block: 0, // 1 behind a colon that ends the line, -1 in a line that ends its block
  }),
  copyState: (s) => ({ ...s, brackets: s.brackets.slice() }),
  token(stream, s) {
    if (s.until) return string(stream, s);
    if (stream.sol() && !s.brackets.length && !stream.match(/^\s*(?:#|$)/, false)) {
      s.indent = stream.indentation();
      s.block = stream.match(/^\s*(?:return|break|continue|pass)\b/, false) ? -1 : 0;
    }
    if (stream.eatSpace()) return null;
    if (stream.match("#")) {
      stream.skipToEnd();
      return "comment";
    }
    if (s.block === 1) s.block = 0; // the colon did not end the line
    const token = word(stream, s);
    if (stream.current() !== "." && token !== "keyword") s.def = false;
    s.member = stream.current() === ".";
    return token;
  },
  indent(s, after, context) {
    if (s.until) return null;
    const inner = indentation(s.brackets, after, context.unit);
    if (inner !== null) return inner;
    let indent = Math.max(0, s.indent + s.block * context.unit);
    if (s.block === 0 && /^\s*(?:else|elif)\b.*:$/.test(after)) indent = Math.max(0, indent - context.unit);
    return indent;
  },
};

function word(stream, s) {
  const quote = stream.match(/^[rRbB]{0,2}("""|'''|"|')/);
  if (quote) {
    s.until = quote[1];
    return string(stream, s);
  }
  if (stream.match(/^(?:0[xX][\da-fA-F]+|0[oO][0-7]+|0[bB][01]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)/)) return "number";
  const name = stream.match(/^[\p{L}_][\p{L}\p{N}_]*/u);
  if (name) {
    const text = name[0];
    if (s.member) return "property";
    if (words.has(text)) {
      s.def = text === "def";
      return "keyword";
    }
    if (atoms.has(text)) return "atom";
    if (s.def) return "def";
    return builtins.has(text) ? "builtin" : "variable";
  }
  const c = stream.next();
  if (opens(c)) s.brackets.push({ closer: opens(c), indent: stream.indentation() });
  else if (/[})\]]/.test(c)) closes(s.brackets, c);
  else if (c === ":" && !s.brackets.length) s.block = 1;
  if (/[{}()[\]]/.test(c)) return "bracket";
  return /[-+*/%<>=!|&^~]/.test(c) ? "operator" : "punctuation";
}

// string reads on in a string, to its end or that of the line.
function string(stream, s) {
  let escaped = false;
  while (!stream.eol()) {
    if (!escaped && stream.match(s.until)) {
      s.until = null;
      return "string";
    }
    escaped = stream.next() === "\\" && !escaped;
  }
  if (s.until.length === 1 && !escaped) s.until = null;
  return "string";
}
