"""A headless Chromium, driven by its own debugging protocol."""

import base64
import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import urllib.request

import websocket

# How long a busy machine may take for what takes a blink on an idle one: only
# a failure waits for so long.
PATIENCE = 120

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
        self.socket = websocket.create_connection(self._page(self._port()), timeout=PATIENCE)
        self.serial = 0
        self.errors = []  # what the page has written to its console as errors
        self.call("Page.enable")
        self.call("Runtime.enable")

    def _port(self):
        file = pathlib.Path(self.profile, "DevToolsActivePort")
        end = time.time() + PATIENCE
        while time.time() < end and self.process.poll() is None:
            if file.exists() and len(file.read_text().split()) == 2:
                return file.read_text().split()[0]
            time.sleep(0.1)
        raise SystemExit("Chromium does not start")

    def _page(self, port):
        """The address of the page, which comes somewhat later than the port."""
        end = time.time() + PATIENCE
        while time.time() < end:
            with contextlib.suppress(OSError), urllib.request.urlopen("http://127.0.0.1:%s/json/list" % port, timeout=10) as r:
                for page in json.load(r):
                    if page["type"] == "page":
                        return page["webSocketDebuggerUrl"]
            time.sleep(0.1)
        raise SystemExit("Chromium opens no page")

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
            try:
                msg = json.loads(self.socket.recv())
            except websocket.WebSocketTimeoutException:
                raise AssertionError("the browser is silent for %d s: %s %s" % (PATIENCE, method, str(params)[:300])) from None
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
        """The value of a JavaScript expression; promises are awaited. For what
        takes long, start it and wait for a sign of its end.
        """
        r = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in r:
            raise RuntimeError(r["exceptionDetails"].get("exception", {}).get("description") or str(r["exceptionDetails"]))
        return r["result"].get("value")

    def wait(self, expression, timeout=PATIENCE, what=None, until=bool):
        """Waits until the value of a JavaScript expression is what until, a
        function, asks for, and returns it.
        """
        end = time.time() + timeout
        while True:
            try:
                value = self.js(expression)
            except RuntimeError as e:
                value = None  # the page is still loading
                seen = str(e)
            else:
                seen = repr(value)
            if value is not None and until(value):
                return value
            if time.time() > end:
                raise AssertionError("timed out: %s; it is %s" % (what or expression, seen))
            time.sleep(0.05)

    def painted(self):
        """Returns when what has been laid out by now is on the screen."""
        self.js("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")

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
        """Clicks the middle of the first element that selector finds, when it
        stands still and nothing lies over it.
        """
        box = self.wait("""(async () => { const e = document.querySelector(%s); if (!e) return null; e.scrollIntoView({block: 'center'});
            const at = () => { const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] };
            const [x, y] = at(); await new Promise(requestAnimationFrame); const top = document.elementFromPoint(x, y);
            return String(at()) === String([x, y]) && top && e.contains(top) ? [x, y] : null })()""" % json.dumps(selector), what=selector)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)

    def screenshot(self, path):
        pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
        data = self.call("Page.captureScreenshot", format="png")["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))
