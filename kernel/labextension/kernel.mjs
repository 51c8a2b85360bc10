// Makes built/kernel.js, a module as the loader of Notebook 6 reads them.
import { rspack } from "@rspack/core";

const compiler = rspack({
  mode: "production",
  devtool: false,
  entry: "./src/kernel.js",
  output: { path: process.cwd() + "/built", filename: "kernel.js", library: { type: "amd" } },
  externals: { "codemirror/lib/codemirror": "codemirror/lib/codemirror" },
});

compiler.run((error, stats) => {
  if (error || stats.hasErrors()) {
    console.error(error ?? stats.toString());
    process.exit(1);
  }
});
