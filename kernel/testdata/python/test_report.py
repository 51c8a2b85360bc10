"""The report of a walk, opened in a browser and used as a reader would."""

import base64
import os
import pathlib
import subprocess
import tempfile
import unittest

from browser import Browser

ORRERY = os.environ["ORRERY"]

# Leaves of every outcome, and names that are markup.
PLAN = r'''
EVIL = "<img src=x onerror=document.title='evil'></script><b>"

def body():
    x = choose("x" + EVIL, ["pass", "fail", "error", "inconclusive", "halted"])
    y = choose("y", [1, EVIL])
    print(EVIL)
    expect(x != "fail", "failed " + EVIL)
    if x == "error":
        fail("erred " + EVIL)
    if x == "inconclusive":
        inconclusive("open " + EVIL)
    if x == "halted":
        halt("no use " + EVIL)

test("grid" + EVIL, body = body)

def test_kept():
    choose("n", [1, 2, 3])
    choose("m", [1, 2])
    choose("k", [1, 2])
    expect(True)

test("asked", body = lambda: choose("q", [1, 2]), assume = [lambda c: c["q"] == 1])
'''

VISIBLE = "[...document.querySelectorAll('tr[data-row]')].filter(e => e.offsetParent !== null).length"


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        folder = pathlib.Path(cls.folder.name)
        (folder / "evil.plan.star").write_text(PLAN)
        r = subprocess.run([ORRERY, "walk", "evil.plan.star", "--report", "page", "--trace", "--jobs", "2"],
                           cwd=folder, capture_output=True, text=True)
        assert r.returncode == 1, (r.returncode, r.stdout, r.stderr)
        cls.url = (folder / "page" / "index.html").as_uri()
        cls.browser = Browser()
        cls.browser.__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__(None, None, None)
        cls.folder.cleanup()

    def setUp(self):
        b = self.browser
        b.call("Emulation.setEmulatedMedia", media="", features=[])
        b.goto("about:blank")
        b.wait("location.href === 'about:blank'")
        b.goto(self.url)
        b.wait("document.documentElement.dataset.ready === 'yes'", timeout=60, what="the page has unpacked its leaves")

    def tearDown(self):
        b = self.browser
        self.assertEqual(b.js("document.images.length"), 0, "a name became markup")
        self.assertNotEqual(b.js("document.title"), "evil")
        self.assertEqual(b.errors, [])

    def rows(self, n):
        self.browser.wait(VISIBLE, what="%d visible rows" % n, until=lambda v: v == n)

    def test_pills(self):
        b = self.browser
        self.rows(10 + 12 + 2)
        for outcome in ("pass", "fail", "error", "inconclusive", "halted"):
            self.assertGreater(b.js("document.querySelectorAll('td .outcome-%s').length" % outcome), 1, outcome)
        style = "getComputedStyle(document.querySelector('td .outcome-%s'))"
        self.assertEqual(b.js((style % "halted") + ".borderTopStyle"), "dashed")
        r, g, blue = b.js((style % "halted") + ".color.match(/[0-9.]+/g).map(Number)")[:3]
        self.assertTrue(r == g == blue, "halted is not grey")
        self.assertIn("no use <img", b.js("document.querySelector('.matrix .outcome-halted').title"))
        self.assertIn("<b>", b.js("[...document.querySelectorAll('h2')].map(e => e.textContent).join()"))

    def test_filter(self):
        b = self.browser
        b.click("#filter input[value=halted]")
        self.rows(24 - 3)
        b.click("#filter input[value=halted]")
        self.rows(24)
        b.click("#filter [type=search]")
        b.type("kept n=2 k=1")
        self.rows(2)
        b.js("document.querySelector('#filter [type=search]').value = ''; document.forms.filter.dispatchEvent(new Event('input')); true")
        self.rows(24)

    def test_detail(self):
        b = self.browser
        b.click("tr[data-outcome=fail]")
        b.wait("!document.getElementById('panel').hidden")
        text = b.js("document.getElementById('panel').textContent")
        for part in ("fail", "failed <img", "onerror", "output", "detail", "replay", "orrery walk evil.plan.star"):
            self.assertIn(part, text)
        link = b.js("location.hash")
        self.assertRegex(link, "^#leaf=[a-z2-7]{10}$")
        b.click("#panel button")
        b.wait("document.getElementById('panel').hidden")
        b.goto("about:blank")
        b.wait("location.href === 'about:blank'")
        b.goto(self.url + link)  # a link to a leaf opens it
        b.wait("document.documentElement.dataset.ready === 'yes' && !document.getElementById('panel').hidden")
        self.assertEqual(b.js("document.querySelector('#panel .pill').textContent"), "fail")
        b.key("Escape", number=27)
        b.wait("document.getElementById('panel').hidden")

    def test_matrix(self):
        b = self.browser
        self.assertEqual(b.js("document.querySelectorAll('.matrix').length"), 1)
        self.assertEqual(b.js("document.querySelectorAll('.matrix td').length"), 10)
        b.click(".matrix td .outcome-halted")
        b.wait("!document.getElementById('panel').hidden")
        self.assertIn("no use", b.js("document.getElementById('panel').textContent"))

    def test_sorting(self):
        b = self.browser
        b.click(".leaves th")
        first = "document.querySelector('.leaves tbody tr').dataset.outcome"
        b.wait(first, until=lambda v: v != "pass")

    def test_themes_and_print(self):
        b = self.browser
        colour = "getComputedStyle(document.querySelector('td .outcome-pass')).color"
        b.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "light"}])
        light = b.js(colour)
        b.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        b.wait(colour, until=lambda v: v != light)
        b.wait("getComputedStyle(document.documentElement).colorScheme", until=lambda v: "dark" in v)
        b.call("Emulation.setEmulatedMedia", media="print", features=[])
        b.wait("getComputedStyle(document.getElementById('filter')).display", until=lambda v: v == "none")
        self.rows(24)
        pdf = base64.b64decode(b.call("Page.printToPDF")["data"])
        self.assertTrue(pdf.startswith(b"%PDF") and len(pdf) > 10000)


if __name__ == "__main__":
    unittest.main()
