// Colours, indents, folds and comments of testdata/cells.txt, compared with
// testdata/cells.golden. With --update, writes the golden file anew.

import { readFileSync, writeFileSync } from "node:fs";
import { StringStream, foldable, getIndentation, indentUnit, ensureSyntaxTree } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { cell } from "./src/cell.js";
import { languages } from "./src/languages.js";
import { notation } from "./src/notation.js";

const unit = 4;

// tokens is a line as a parser reads it.
function tokens(parser, state, line) {
  const found = [];
  const stream = new StringStream(line, unit, unit);
  while (!stream.eol()) {
    const token = parser.token(stream, state);
    if (stream.pos === stream.start) throw new Error(`nothing is read of ${line} at ${stream.pos}`);
    if (token) found.push(`${token}(${stream.current()})`);
    stream.start = stream.pos;
  }
  return found.join(" ");
}

function described(name, text) {
  const parser = name === "kerml" ? notation(name) : cell(name);
  const language = languages.find((l) => l.name === name);
  const editor = EditorState.create({ doc: text, extensions: [language.support, indentUnit.of(" ".repeat(unit))] });
  ensureSyntaxTree(editor, text.length, 10000);
  let state = parser.startState();
  const out = [];
  for (let n = 1; n <= editor.doc.lines; n++) {
    const { from, to, text: line } = editor.doc.line(n);
    const colours = tokens(parser, state, line);
    state = parser.copyState(state); // a copy goes on like the original
    const fold = foldable(editor, from, to);
    const notes = [`indent ${getIndentation(editor, from) ?? "as before"}`];
    if (fold) notes.push(`fold ${n}-${editor.doc.lineAt(fold.to).number}`);
    notes.push(editor.languageDataAt("commentTokens", from)[0].line);
    out.push(line, `    [${notes.join(", ")}] ${colours}`.trimEnd());
  }
  return out.join("\n") + "\n";
}

const golden = "testdata/cells.golden";
const got = readFileSync("testdata/cells.txt", "utf8").split("====\n").map((block) => {
  const end = block.indexOf("\n");
  return `${block.slice(0, end)}\n${described(block.slice(0, end), block.slice(end + 1, -1))}`;
}).join("====\n");

if (process.argv.includes("--update")) {
  writeFileSync(golden, got);
} else {
  const want = readFileSync(golden, "utf8").split("\n");
  const lines = got.split("\n");
  const at = lines.findIndex((line, i) => line !== want[i]);
  if (at >= 0 || lines.length !== want.length) {
    console.error(`${golden}:${at + 1}:\n  want ${want[at]}\n  got  ${lines[at]}`);
    process.exit(1);
  }
}
