"""Executes notebooks in JupyterLab or Notebook 7, in headless Chromium.

    python lab.py [--app lab|notebook] [--screenshots DIR] [--theme dark] NOTEBOOK...

Opens each notebook in turn, in one server and one page, runs all cells, and
reads the outputs from the page. Each code cell must have been executed and none
may show an error, save those tagged raises-exception; where the file has stored
outputs, the texts on the page must be theirs. Keeps a screenshot of each. Exit
status 1 where any of that does not hold.
"""

import argparse
import contextlib
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

import harness  # installs the kernelspec
import nbformat
from browser import PATIENCE, Browser
from contrast import faint

# Command, trait, and path of a notebook; each has a workspace of its own.
APPS = {"lab": ("lab", "LabApp", "/lab/workspaces/%(workspace)s/tree/%(name)s"),
        "notebook": ("notebook", "JupyterNotebookApp", "/notebooks/%(name)s"),
        "classic": ("nbclassic", "NotebookApp", "/nbclassic/notebooks/%(name)s")}  # Notebook 6, as the newest servers have it


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


@contextlib.contextmanager
def server(folder, app="lab", settings=None):
    """A Jupyter server over folder; gives the address of its notebooks."""
    command, trait, path = APPS[app]
    home = tempfile.mkdtemp(prefix="jupyter-")
    plugins = {
        "@jupyterlab/notebook-extension/tracker": {"windowingMode": "none"},  # every cell is in the page
        "@jupyterlab/apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
        "@jupyterlab/completer-extension/manager": {"providerTimeout": 1000 * PATIENCE},  # not the one second of default
    }
    plugins.update(settings or {})
    for plugin, values in plugins.items():
        file = pathlib.Path(home, "settings", *(plugin + ".jupyterlab-settings").split("/"))
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(values))
    env = dict(os.environ, JUPYTERLAB_SETTINGS_DIR=os.path.join(home, "settings"), JUPYTERLAB_WORKSPACES_DIR=os.path.join(home, "workspaces"))
    log = open(os.path.join(home, "log"), "w+")

    def launch():
        """A server process and its address; None where another has taken the port meanwhile."""
        port = free_port()
        process = subprocess.Popen(
            [sys.executable, "-m", "jupyter", command, "--no-browser", "--allow-root", "--ServerApp.port=%d" % port,
             "--ServerApp.port_retries=0", "--IdentityProvider.token=", "--ServerApp.password=", "--ServerApp.disable_check_xsrf=True",
             "--ServerApp.root_dir=" + str(folder), "--%s.expose_app_in_browser=True" % trait],
            env=env, stdout=log, stderr=log)
        base = "http://127.0.0.1:%d" % port
        end = time.time() + PATIENCE
        while process.poll() is None and time.time() < end:
            with contextlib.suppress(OSError), urllib.request.urlopen(base + "/api/status", timeout=10) as r:
                r.read()
                if process.poll() is None:
                    return process, base
            time.sleep(0.1)
        process.kill()
        process.wait()
        return None, None

    process = None
    try:
        for _ in range(3):
            process, base = launch()
            if process:
                break
        else:
            log.seek(0)
            raise SystemExit("the server does not start:\n" + log.read())
        yield base, path
    finally:
        if process:
            process.terminate()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        log.close()
        shutil.rmtree(home, ignore_errors=True)


NOTEBOOK = "[...jupyterapp.shell.widgets('main')].find(w => w.sessionContext && w.content && w.content.widgets)"
KERNEL = "(%s).sessionContext.session.kernel" % NOTEBOOK
READY = """(() => { const w = %s; return !!(w && w.sessionContext && w.sessionContext.session && w.sessionContext.session.kernel
    && w.sessionContext.session.kernel.status === 'idle' && w.content.widgets.length) })()""" % NOTEBOOK
IDLE = """(() => { const w = %s; return [...w.content.widgets].every(c => c.model.type !== 'code' || !c.promptNode
    || !/\\*/.test(c.promptNode.textContent)) && w.sessionContext.session.kernel.status === 'idle' })()""" % NOTEBOOK
CELLS = """[...document.querySelectorAll('.jp-Notebook .jp-CodeCell')].map((c, i) => ({
    prompt: c.querySelector('.jp-InputPrompt').textContent,
    error: (%s).content.widgets.filter(w => w.model.type === 'code')[i].model.outputs.toJSON().some(o => o.output_type === 'error'),
    text: [...c.querySelectorAll('.jp-OutputArea-output')].map(o => o.innerText).join('\\n') }))""" % NOTEBOOK


def open_notebook(page, base, path, name):
    page.goto(base + path % {"name": name, "workspace": re.sub(r"\W", "", name)})
    page.wait("!!window.jupyterapp", what="the application")
    page.wait(READY, what="a notebook with an idle kernel")
    page.js("(jupyterapp.shell.activateById((%s).id), true)" % NOTEBOOK)


def command(page, name, args="{}"):
    """Executes a command of the application."""
    page.js("jupyterapp.commands.execute(%s, %s).then(() => true)" % (json.dumps(name), args))


def run_all(page, timeout=2 * PATIENCE):
    """Runs all cells; what the page shows when the last has ended."""
    begin_all(page)
    return end_all(page, timeout)


def begin_all(page):
    page.js("(window.ran = false, jupyterapp.commands.execute('notebook:run-all-cells').finally(() => { window.ran = true }), true)")


def end_all(page, timeout=2 * PATIENCE):
    page.wait("window.ran", timeout, "an end of Run All")
    page.wait(IDLE, timeout, "an idle notebook")
    page.painted()
    return page.js(CELLS)


def squeeze(text):
    """Text without what a page lays out differently."""
    return re.sub(r"\s+", " ", re.sub(r"\x1b\[[0-9;]*m", "", text)).strip()


def stored_text(cell):
    """The plain texts that a cell was saved with, where the page shows them as text."""
    for out in cell.outputs:
        if out.output_type == "stream":
            yield out.text
        elif out.output_type in ("execute_result", "display_data") and set(out.data) == {"text/plain"}:
            yield out.data["text/plain"]


def check(nb, shown):
    """What is wrong with the page."""
    code = [c for c in nb.cells if c.cell_type == "code"]
    if len(code) != len(shown):
        yield "%d code cells in the file, %d on the page" % (len(code), len(shown))
    for i, (cell, seen) in enumerate(zip(code, shown), 1):
        if not cell.source.strip():
            continue
        if not re.search(r"\d", seen["prompt"]):
            yield "code cell %d was not executed: %s" % (i, seen["prompt"])
        fails = "raises-exception" in cell.metadata.get("tags", [])
        if seen["error"] != fails:
            yield "code cell %d %s:\n%s" % (i, "shows an error" if seen["error"] else "shows no error", seen["text"])
        for text in stored_text(cell):
            if squeeze(text) not in squeeze(seen["text"]):
                yield "code cell %d shows\n%s\nand not the stored\n%s" % (i, seen["text"], text)


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--app", choices=["lab", "notebook"], default="lab")
    args.add_argument("--screenshots", default="screenshots")
    args.add_argument("--theme", choices=["light", "dark"], default="light")
    args.add_argument("notebooks", nargs="+")
    args = args.parse_args()
    theme = {"@jupyterlab/apputils-extension/themes": {"theme": "JupyterLab " + args.theme.capitalize()}}
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        for notebook in args.notebooks:
            nbformat.write(blank(notebook), os.path.join(folder, os.path.basename(notebook)))
            with contextlib.suppress(FileNotFoundError):
                shutil.copytree(os.path.join(os.path.dirname(notebook), "solutions"), os.path.join(folder, "solutions"), dirs_exist_ok=True)
        with server(folder, args.app, theme) as (base, path), Browser() as page:
            for notebook in args.notebooks:
                name, start = os.path.basename(notebook), time.time()
                open_notebook(page, base, path, name)
                run_all(page)
                page.js("(document.querySelectorAll('.jp-WindowedPanel-outer, .jp-Notebook').forEach(e => e.scrollTo(0, 0)), true)")
                picture = os.path.join(args.screenshots, "%s-%s-%s.png" % (args.app, os.path.splitext(name)[0], args.theme))
                page.screenshot(picture)
                command(page, "notebook:show-all-cell-code")  # that of solutions, too
                shown = settled(page, nbformat.read(notebook, as_version=4))
                wrong = list(check(nbformat.read(notebook, as_version=4), shown))
                wrong += faint(page, ".jp-OutputArea-output")
                # Notebook 7 reads a setting of its own too early; what is ours lies in the extension's folder.
                wrong += [e for e in page.errors if args.app == "lab" or "labextensions/orrery-sysml" in e]
                page.errors.clear()
                faults += len(wrong)
                for w in wrong:
                    print(w)
                print("%s in %s: %d code cells, %d faults, %.0f s; %s" % (name, args.app, len(shown), len(wrong), time.time() - start, picture))
                page.js("(%s).sessionContext.shutdown().then(() => true)" % NOTEBOOK)
    sys.exit(bool(faults))


def settled(page, nb):
    """What the page shows when it shows what it should, or has had time to:
    outputs are painted behind the run.
    """
    end = time.time() + 20
    while True:
        shown = page.js(CELLS)
        if time.time() > end or not list(check(nb, shown)):
            return shown
        time.sleep(0.2)


def blank(path):
    """The notebook without outputs, as one that was never run."""
    nb = nbformat.read(path, as_version=4)
    for cell in nb.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return nb


if __name__ == "__main__":
    main()
