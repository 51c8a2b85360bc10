// The kernel.js of a kernelspec: Notebook 6 and nbclassic load it beside the
// kernel and colour by CodeMirror 5.

import CodeMirror from "codemirror/lib/codemirror";
import { cell } from "./cell.js";
import { notation } from "./notation.js";

const comments = { lineComment: "//", blockCommentStart: "/*", blockCommentEnd: "*/", fold: "brace" };
const modes = {
  sysml: [cell("sysml"), comments],
  kerml: [notation("kerml"), comments],
  starlark: [cell("starlark"), { lineComment: "#", fold: "indent" }],
};

export function onload() {
  for (const [name, [parser, data]] of Object.entries(modes)) {
    CodeMirror.defineMode(name, (config) => ({
      ...parser,
      ...data,
      electricInput: /^\s*[})\]]$/,
      indent: (state, after) => parser.indent(state, after, { unit: config.indentUnit }) ?? CodeMirror.Pass,
    }));
    CodeMirror.defineMIME("text/x-" + name, name);
  }
}
