#!/usr/bin/env bash
# Builds the extension from its sources, in a folder of its own, with what
# package-lock.json pins. Needs Node and npm; users of Orrery need neither.
#
#   build.sh           writes built/ anew, and the golden file of test.mjs
#   build.sh --check   fails where either is not what the sources give
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -R package.json package-lock.json *.mjs *.cjs src style testdata "$work"
(
  cd "$work"
  npm ci --ignore-scripts --no-audit --no-fund --omit-lockfile-registry-resolved --loglevel=error
  node node_modules/@jupyter/builder/lib/build-labextension.js \
    --core-package-file node_modules/@jupyterlab/core-meta/core.package.json .
  node kernel.mjs
  node test.mjs $([ "${1:-}" = --check ] || echo --update)
)
if [ "${1:-}" = --check ]; then
  diff -r "$work/built" built && echo "built/ is what the sources give"
else
  rm -rf built
  cp -R "$work/built" built
  cp "$work/testdata/cells.golden" testdata
fi
