// A cell as a stream parser: what its language is, magics between its parts,
// and the language that a %% magic on its first line changes to.

import { notation } from "./notation.js";
import { starlark } from "./starlark.js";

// Text that is coloured by nothing.
const plain = {
  startState: () => ({}),
  copyState: (s) => s,
  token(stream) {
    stream.skipToEnd();
    return null;
  },
};

const parsers = { sysml: notation("sysml"), kerml: notation("kerml"), starlark, plain };

// What stands below the first line, by its magic; "" is a cell of its own.
const bodies = { starlark: "starlark", star: "starlark", plan: "starlark", sysml: "", kerml: "kerml", time: "", capture: "" };

// below is the language below a line, and whether it is a cell of its own, as
// it would be without that line; null where the line is no %% magic.
function below(line, language) {
  const name = /^\s*%%([\w-]*)(?!.*\?\s*$)/.exec(line)?.[1];
  if (name === undefined) return null;
  const body = Object.hasOwn(bodies, name) ? bodies[name] : "plain";
  if (name === "sysml") language = "sysml";
  return { language: body || language, begin: !body || name === "kerml" };
}

// region is the language of what a cell holds behind its %% lines, and the
// number of the first line of it, from 0. lines gives its lines in order.
export function region(lines, language) {
  let number = 0;
  let found = { language, begin: true, from: 0 };
  for (const line of lines) {
    number++;
    if (!line.trim()) continue;
    const next = found.begin && below(line, found.language);
    if (!next) break;
    found = { ...next, from: number };
  }
  return found;
}

const question = /^\s*%{0,2}[\p{L}_'#$][\p{L}\p{N}_:.#$[\]' -]*\?{1,2}\s*$/u;

// command reports whether line is one of ours where a part can begin; # begins
// a comment of Starlark.
function command(line, language) {
  return /^\s*[%!]/.test(line) || (question.test(line) && !(language === "starlark" && /^\s*#/.test(line)));
}

// cell is the parser of cells that are of language where they do not say
// otherwise.
export function cell(language) {
  return {
    startState: () => ({
      language,
      begin: true, // a %% magic can stand here
      first: true, // no statement has been read: magics of a Starlark cell stand here
      magic: "", // what the line of a magic is at: "" (none), "name", "rest"
      inner: parsers[language].startState(),
    }),
    copyState: (s) => ({ ...s, inner: parsers[s.language].copyState(s.inner) }),
    token(stream, s) {
      if (stream.sol()) s.magic = "";
      if (stream.sol() && stream.string.trim()) line(stream, s);
      return s.magic ? magic(stream, s) : parsers[s.language].token(stream, s.inner);
    },
    blankLine() {},
    indent: (s, after, context) => (s.magic ? 0 : parsers[s.language].indent?.(s.inner, after, context) ?? null),
  };
}

// line decides what a line is that begins.
function line(stream, s) {
  const next = s.begin && below(stream.string, s.language);
  if (next) {
    s.language = next.language;
    s.begin = next.begin;
    s.inner = parsers[next.language].startState();
    s.magic = "name";
    return;
  }
  s.begin = false;
  const here = s.language === "starlark" ? s.first : parsers[s.language].between?.(s.inner);
  if (here && command(stream.string, s.language)) s.magic = "name";
  else s.first = false;
}

// magic colours the line of a magic. Its name has the colour of an operator: that
// of "meta" can hardly be read in JupyterLab's dark theme.
function magic(stream, s) {
  if (stream.eatSpace()) return null;
  if (s.magic === "name") {
    s.magic = "rest";
    if (stream.match(/^%{1,2}[\w-]*/) || stream.match("!")) return "operator";
  }
  if (stream.match(/^--?[A-Za-z][\w-]*/)) return "attribute";
  if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return "string";
  if (stream.match(/^'(?:[^'\\]|\\.)*'?/)) return "string-2";
  if (stream.match(/^\d+(?:\.\d+)?(?![\w:])/)) return "number";
  if (stream.match(/^\?+\s*$/)) return "operator";
  if (stream.match(/^[\p{L}\p{N}_]+/u)) return "variable";
  stream.next();
  return null;
}
