"""Front ends other than the browser: nbconvert, papermill, console, REST API.

NOTEBOOK names the notebook that they execute.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request
import uuid

import harness  # installs the kernelspec
import nbformat
import pexpect
import websocket
from browser import Browser

import cells
import lab

NOTEBOOK = os.path.abspath(os.environ.get("NOTEBOOK", "notebooks/01-first-steps.ipynb"))


def jupyter(*args):
    p = subprocess.run([sys.executable, "-m", *args], capture_output=True, text=True)
    if p.returncode:
        raise AssertionError("%s: %s%s" % (args, p.stdout, p.stderr))
    return p.stdout + p.stderr


class Batch(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = lambda name: os.path.join(folder.name, name)

    def test_nbconvert_to_html(self):
        log = jupyter("nbconvert", "--to", "html", "--execute", "--output", self.out("n.html"), NOTEBOOK)
        with open(self.out("n.html"), encoding="utf-8") as f:
            page = f.read()
        self.assertIn("jp-OutputArea-output", page)
        self.assertIn("hl-java", page)  # and not hl-text
        self.assertNotIn("lexer", log)  # nbconvert knows the one that we name

    def test_papermill(self):
        jupyter("papermill", "--no-progress-bar", "--cwd", os.path.dirname(NOTEBOOK), NOTEBOOK, self.out("n.ipynb"))
        nb = nbformat.read(self.out("n.ipynb"), as_version=4)
        for cell in nb.cells:
            if cell.cell_type == "code" and cell.source.strip():
                self.assertIsNotNone(cell.execution_count, cell.source)


class Extension(unittest.TestCase):
    def test_installed_without_node(self):
        with tempfile.TemporaryDirectory() as prefix:
            subprocess.run([harness.executable(), "install", "--prefix", prefix], check=True, env={"PATH": ""}, stdout=subprocess.DEVNULL)
            p = subprocess.run([sys.executable, "-m", "jupyter", "labextension", "list"], capture_output=True, text=True,
                               env={"PATH": "", "HOME": prefix, "JUPYTER_PATH": os.path.join(prefix, "share", "jupyter")})
            self.assertRegex(p.stdout + p.stderr, r"orrery-sysml v[\d.]+ \S*enabled\S* \S*OK")


class Console(unittest.TestCase):
    def test_session(self):
        console = pexpect.spawn(
            sys.executable, ["-m", "jupyter", "console", "--simple-prompt", "--kernel", harness.KERNEL,
                             "--ZMQTerminalInteractiveShell.image_handler=None"],
            encoding="utf-8", timeout=120, env=dict(os.environ, TERM="dumb", NO_COLOR="1"))
        self.addCleanup(console.close, force=True)
        console.expect(r"In \[1\]")
        console.sendline(cells.HELLO)
        console.expect("\nhello, world\r\n")  # and not what we typed
        console.expect(r"In \[2\]")
        console.sendline(cells.RESULT[0])
        console.expect(r"Out\[2\]: .*" + cells.RESULT[1])
        console.expect(r"In \[3\]")
        console.sendline(cells.ERROR)
        console.expect("nowhere")
        console.expect(r"In \[4\]")
        console.sendline("%quit")
        console.expect(pexpect.EOF)


class Colours(unittest.TestCase):
    """Both ages of Notebook colour a cell; Lab is in test_lab.py."""

    def colours(self, app):
        nb = nbformat.v4.new_notebook()
        nb.metadata.kernelspec = {"name": harness.KERNEL, "display_name": harness.KERNEL, "language": "sysml"}
        nb.cells = [nbformat.v4.new_code_cell("%echo\npackage P;"), nbformat.v4.new_code_cell("%%starlark\nlambda x: 1")]
        with tempfile.TemporaryDirectory() as folder, lab.server(folder, app) as (base, path), Browser() as page:
            nbformat.write(nb, os.path.join(folder, "colours.ipynb"))
            page.goto(base + path % {"name": "colours.ipynb"})
            for word in ("package", "lambda"):
                page.wait("""[...document.querySelectorAll('.cm-line span, .CodeMirror-line span')].some(
                    e => e.textContent === '%s' && getComputedStyle(e).fontWeight >= 600)""" % word, what="a coloured " + word)

    def test_notebook_7(self):
        self.colours("notebook")

    def test_notebook_6(self):
        self.colours("classic")


class Server(unittest.TestCase):
    """The kernel behind the REST API and its websocket, without a browser."""

    def call(self, method, path, body=None):
        request = urllib.request.Request(self.base + path, method=method, data=json.dumps(body).encode() if body else None)
        with urllib.request.urlopen(request, timeout=120) as r:
            text = r.read()
            return json.loads(text) if text else None

    def test_api(self):
        with tempfile.TemporaryDirectory() as folder, lab.server(folder) as (self.base, _):
            specs = self.call("GET", "/api/kernelspecs")["kernelspecs"]
            self.assertIn(harness.KERNEL, specs)
            for logo in specs[harness.KERNEL]["resources"].values():
                with urllib.request.urlopen(self.base + logo) as r:
                    self.assertGreater(len(r.read()), 100, logo)
            kernel = self.call("POST", "/api/kernels", {"name": harness.KERNEL})
            url = "%s/api/kernels/%s/channels" % (self.base.replace("http", "ws"), kernel["id"])
            ws = websocket.create_connection(url, timeout=harness.TIMEOUT)
            header = {"msg_id": uuid.uuid4().hex, "msg_type": "execute_request", "username": "", "session": uuid.uuid4().hex,
                      "version": "5.4", "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}
            ws.send(json.dumps({"header": header, "parent_header": {}, "metadata": {}, "channel": "shell", "buffers": [],
                                "content": {"code": cells.RESULT[0], "silent": False}}))
            seen = {}
            while not {"execute_result", "execute_reply"} <= set(seen) or not seen.get("idle"):
                msg = json.loads(ws.recv())
                if msg["parent_header"].get("msg_id") == header["msg_id"]:
                    seen[msg["msg_type"]] = msg["content"]
                    seen["idle"] = seen.get("idle") or msg["content"].get("execution_state") == "idle"
            self.assertEqual(seen["execute_result"]["data"]["text/plain"], cells.RESULT[1])
            ws.close()
            self.call("POST", "/api/kernels/%s/interrupt" % kernel["id"])
            self.call("POST", "/api/kernels/%s/restart" % kernel["id"])
            self.call("DELETE", "/api/kernels/%s" % kernel["id"])


if __name__ == "__main__":
    unittest.main()
