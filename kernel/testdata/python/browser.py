"""A headless Chromium, driven by its own debugging protocol."""

import base64
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import urllib.request

import websocket

CANDIDATES = ("chromium", "chromium-browser", "google-chrome", "chrome")


class Browser:
    """One page. Use as a context."""

    def __init__(self, width=1280, height=1600):
        program = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, CANDIDATES)), None)
        if not program:
            raise SystemExit("no Chromium on the path; set CHROMIUM to one")
        self.profile = tempfile.mkdtemp(prefix="chromium-")
        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--remote-debugging-port=0", "--remote-allow-origins=*", "--user-data-dir=" + self.profile,
             "--window-size=%d,%d" % (width, height), "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        port = self._port()
        with urllib.request.urlopen("http://127.0.0.1:%s/json/list" % port) as r:
            page = next(p for p in json.load(r) if p["type"] == "page")
        self.socket = websocket.create_connection(page["webSocketDebuggerUrl"], timeout=60)
        self.serial = 0
        self.errors = []  # what the page has written to its console as errors
        self.call("Page.enable")
        self.call("Runtime.enable")

    def _port(self):
        file = pathlib.Path(self.profile, "DevToolsActivePort")
        end = time.time() + 30
        while time.time() < end:
            if file.exists() and file.read_text().strip():
                return file.read_text().split()[0]
            time.sleep(0.1)
        raise SystemExit("Chromium does not start")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()
        self.process.terminate()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def call(self, method, **params):
        self.serial += 1
        ours = self.serial
        self.socket.send(json.dumps({"id": ours, "method": method, "params": params}))
        while True:
            msg = json.loads(self.socket.recv())
            if msg.get("id") == ours:
                if "error" in msg:
                    raise RuntimeError("%s: %s" % (method, msg["error"]))
                return msg["result"]
            if msg.get("method") == "Page.javascriptDialogOpening":  # leave this page? yes
                self.serial += 1
                self.socket.send(json.dumps({"id": self.serial, "method": "Page.handleJavaScriptDialog", "params": {"accept": True}}))
            if msg.get("method") == "Runtime.exceptionThrown":
                details = msg["params"]["exceptionDetails"]
                self.errors.append("%s %s" % (details.get("text", ""), details.get("exception", {}).get("description", "")))

    def goto(self, url):
        self.call("Page.navigate", url=url)

    def js(self, expression):
        """The value of a JavaScript expression; promises are awaited."""
        r = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in r:
            raise RuntimeError(r["exceptionDetails"].get("exception", {}).get("description") or str(r["exceptionDetails"]))
        return r["result"].get("value")

    def wait(self, expression, timeout=60, what=None):
        """Waits until a JavaScript expression is true, and returns it."""
        end = time.time() + timeout
        while True:
            try:
                value = self.js(expression)
            except RuntimeError:
                value = None  # the page is still loading
            if value:
                return value
            if time.time() > end:
                raise AssertionError("timed out: " + (what or expression))
            time.sleep(0.1)

    def key(self, key, code=None, modifiers=0, text=None, number=0):
        """Presses a key: modifiers 1 alt, 2 ctrl, 4 meta, 8 shift."""
        params = dict(key=key, code=code or key, modifiers=modifiers, windowsVirtualKeyCode=number)
        if text:
            params["text"] = text
        self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **params)
        params.pop("text", None)
        self.call("Input.dispatchKeyEvent", type="keyUp", **params)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def click(self, selector):
        """Clicks the middle of the first element that selector finds."""
        box = self.wait("""(() => { const e = document.querySelector(%s); if (!e) return null; e.scrollIntoView({block: 'center'});
            const r = e.getBoundingClientRect(); return r.width ? [r.x + r.width / 2, r.y + r.height / 2] : null })()""" % json.dumps(selector), what=selector)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)

    def screenshot(self, path):
        pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
        data = self.call("Page.captureScreenshot", format="png")["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))
