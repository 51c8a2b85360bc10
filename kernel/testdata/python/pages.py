"""Renders notebooks as HTML pages and looks at them in headless Chromium.

    python pages.py [--screenshots DIR] [--theme dark] NOTEBOOK...

nbconvert makes a page of each notebook with its stored outputs. No script of
the page may fail, no cell may show an error save those tagged raises-exception,
and nothing may look broken: no text in a picture may lie on another, none may
stick out of its picture, and no text of an output may be too faint to read. No
page may show a solution that a cell loads from a file. Keeps a picture of the
whole page. Exit status 1 where any of that does not hold.
"""

import argparse
import base64
import os
import pathlib
import re
import sys
import tempfile

import nbformat
from browser import Browser
from contrast import faint
from nbconvert import HTMLExporter

# Two texts of a picture that lie on each other by more than a fifth of the
# smaller one's height and width, and texts that stick out of their picture.
# A picture with a slider holds one group of each moment; only what is shown counts.
LOOK = """(() => { const wrong = [];
for (const svg of document.querySelectorAll('.jp-OutputArea svg')) {
  const frame = svg.getBoundingClientRect(); if (!frame.width) continue;
  const texts = [...svg.querySelectorAll('text')].filter(t => t.textContent.trim() && t.checkVisibility({checkOpacity: true, checkVisibilityCSS: true}))
      .map(t => ({name: t.textContent.trim().slice(0, 60), box: t.getBoundingClientRect()})).filter(t => t.box.width);
  texts.forEach((a, i) => {
    if (a.box.left < frame.left - 2 || a.box.right > frame.right + 2 || a.box.top < frame.top - 2 || a.box.bottom > frame.bottom + 2)
      wrong.push('sticks out of its picture: ' + a.name);
    for (const b of texts.slice(i + 1)) {
      const w = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
      const h = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
      if (w > 0.2 * Math.min(a.box.width, b.box.width) && h > 0.2 * Math.min(a.box.height, b.box.height))
        wrong.push('texts lie on each other: ' + a.name + ' | ' + b.name);
    }
  });
}
return wrong })()"""
ERRORS = "document.querySelectorAll('[data-mime-type=\"application/vnd.jupyter.error\"], [data-mime-type=\"application/vnd.jupyter.stderr\"]').length"
HEIGHT = "Math.ceil(document.querySelector('main').getBoundingClientRect().height) + 40"
LIMIT = 16000  # pixels that Chromium paints in one picture


def screenshot(page, path, width=1100):
    height = min(page.js(HEIGHT), LIMIT)
    page.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
    data = page.call("Page.captureScreenshot", format="png", captureBeyondViewport=True,
                     clip={"x": 0, "y": 0, "width": width, "height": height, "scale": 1})["data"]
    pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
    pathlib.Path(path).write_bytes(base64.b64decode(data))


def shown(page, nb, folder):
    """Comments and lines of solutions, which no exercise has, that are on the page."""
    written = "\n".join(c.source for c in nb.cells)
    visible = page.js("document.body.innerText")
    for c in nb.cells:
        for name in re.findall(r"^%(?:load|plan run) (solutions/\S+)", c.source, re.M):
            for line in pathlib.Path(folder, name).read_text(encoding="utf-8").splitlines():
                if line.strip() and line.strip() not in written and line.strip() in visible:
                    yield "the page shows the solution in %s: %s" % (name, line.strip())


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--screenshots", default="screenshots")
    args.add_argument("--theme", choices=["light", "dark"], default="light")
    args.add_argument("notebooks", nargs="+")
    args = args.parse_args()
    exporter = HTMLExporter(theme=args.theme, mathjax_url="", require_js_url="",
                            mermaid_js_url="data:text/javascript,export default {initialize() {}}")  # nothing is fetched
    faults = 0
    with tempfile.TemporaryDirectory() as folder, Browser(width=1100) as page:
        page.call("Emulation.setDeviceMetricsOverride", width=1100, height=1600, deviceScaleFactor=1, mobile=False)
        for notebook in args.notebooks:
            name = os.path.splitext(os.path.basename(notebook))[0]
            nb = nbformat.read(notebook, as_version=4)
            html = pathlib.Path(folder, name + ".html")
            html.write_text(exporter.from_filename(notebook)[0], encoding="utf-8")
            page.goto(html.as_uri())
            page.wait("document.readyState === 'complete' && document.title === %r" % name, what="the page of " + name)
            wrong = page.js(LOOK)
            expected = sum("raises-exception" in c.metadata.get("tags", []) for c in nb.cells)
            if (errors := page.js(ERRORS)) != expected:
                wrong.append("%d errors are shown, %d expected" % (errors, expected))
            wrong += faint(page, ".jp-OutputArea-output")
            wrong += shown(page, nb, os.path.dirname(notebook))
            wrong += page.errors
            page.errors.clear()
            picture = os.path.join(args.screenshots, "page-%s-%s.png" % (name, args.theme))
            screenshot(page, picture)
            faults += len(wrong)
            for w in wrong:
                print("%s: %s" % (name, w))
            print("%s: %d faults; %s" % (name, len(wrong), picture))
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
