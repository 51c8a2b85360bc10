// Brackets that are open, innermost last: {closer, indent}, where indent is
// that of the line that a bracket opened in, in columns.

const closers = { "{": "}", "(": ")", "[": "]" };

// opens is what closes the bracket c; undefined where c opens none.
export const opens = (c) => closers[c];

// closes takes the innermost bracket that c closes off the list, and what is
// open inside it.
export function closes(brackets, c) {
  for (let i = brackets.length - 1; i >= 0; i--) {
    if (brackets[i].closer === c) {
      brackets.length = i;
      return;
    }
  }
}

// indentation is that of a line before which brackets are open and that
// begins with after.
export function indentation(brackets, after, unit) {
  const inner = brackets[brackets.length - 1];
  if (!inner) return null;
  return /^\s*[})\]]/.test(after) ? inner.indent : inner.indent + unit;
}
