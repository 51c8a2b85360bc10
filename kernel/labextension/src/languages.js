// The languages as CodeMirror 6 has them: colours, and beside them comments,
// brackets and folds that go by what stands at a place.

import { LanguageSupport, StreamLanguage, foldService, matchBrackets, syntaxTree } from "@codemirror/language";
import { EditorState, Prec } from "@codemirror/state";
import { cell, region } from "./cell.js";
import { notation } from "./notation.js";

const slashes = {
  commentTokens: { line: "//", block: { open: "/*", close: "*/" } },
  closeBrackets: { brackets: ["(", "[", "{", "'", '"'] },
  indentOnInput: /^\s*[})\]]$/,
};
const hashes = {
  commentTokens: { line: "#" },
  closeBrackets: { brackets: ["(", "[", "{", "'", '"', '"""', "'''"] },
  indentOnInput: /^\s*(?:[})\]]|else:|elif .*:)$/,
};

// languageAt is that of the text at offset pos of a cell.
function languageAt(state, pos, language) {
  const found = region(state.doc.iterLines(), language);
  return pos >= state.doc.length || state.doc.lineAt(pos).number > found.from ? found.language : language;
}

function inComment(state, pos) {
  return /\bcomment\b/.test(syntaxTree(state).resolveInner(pos, 1).type.name);
}

// braces is the fold of a line that opens a brace or a comment, from behind it
// to what closes it.
function braces(state, start, end) {
  const text = state.doc.sliceString(start, end);
  for (let i = text.length - 1; i >= 0; i--) {
    if (!"{([".includes(text[i])) continue;
    const match = matchBrackets(state, start + i, 1, { maxScanDistance: state.doc.length });
    if (match?.matched && match.start.from === start + i && match.end.from > end) {
      return { from: start + i + 1, to: match.end.from };
    }
  }
  const open = text.lastIndexOf("/*");
  if (open < 0 || text.indexOf("*/", open + 2) >= 0 || !inComment(state, start + open)) return null;
  const rest = state.doc.sliceString(end).indexOf("*/");
  return rest < 0 ? null : { from: start + open + 2, to: end + rest };
}

// block is the fold of a line that ends in a colon: the lines indented deeper.
function block(state, start, end) {
  const first = state.doc.lineAt(start);
  if (!/:\s*(?:#.*)?$/.test(first.text)) return null;
  const depth = first.text.search(/\S/);
  let last = first;
  for (let n = first.number + 1; n <= state.doc.lines; n++) {
    const line = state.doc.line(n);
    const indent = line.text.search(/\S/);
    if (indent >= 0 && indent <= depth) break;
    if (indent >= 0) last = line;
  }
  return last.to > end ? { from: end, to: last.to } : null;
}

// stream is a language of CodeMirror by one of our parsers. The data that
// depends on the place overrides what the language has everywhere.
function support(name, parser, data, byPlace) {
  const language = StreamLanguage.define({ ...parser, name, languageData: data });
  return new LanguageSupport(language, byPlace);
}

function cellSupport(name, data) {
  const dataAt = (state, pos) => [languageAt(state, pos, name) === "starlark" ? hashes : slashes];
  return support(name, cell(name), data, [
    Prec.highest(EditorState.languageData.of(dataAt)),
    foldService.of((state, start, end) => {
      const starlark = languageAt(state, start, name) === "starlark";
      return (starlark && block(state, start, end)) || braces(state, start, end);
    }),
  ]);
}

// languages is what the registry of editors is given.
export const languages = [
  {
    name: "sysml",
    displayName: "SysML",
    mime: "text/x-sysml",
    extensions: ["sysml"],
    support: cellSupport("sysml", slashes),
  },
  {
    name: "kerml",
    displayName: "KerML",
    mime: "text/x-kerml",
    extensions: ["kerml"],
    support: support("kerml", notation("kerml"), slashes, foldService.of(braces)),
  },
  {
    name: "starlark",
    displayName: "Starlark",
    mime: "text/x-starlark",
    extensions: ["star"],
    support: cellSupport("starlark", hashes),
  },
];
