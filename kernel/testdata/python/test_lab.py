"""What a user does in JupyterLab with keys and buttons, in headless Chromium.

SCREENSHOTS names the folder for pictures (default: screenshots).
"""

import json
import os
import tempfile
import time
import unittest

import harness  # installs the kernelspec
import nbformat
from browser import Browser

import cells
import lab

SCREENSHOTS = os.environ.get("SCREENSHOTS", "screenshots")

SHIFT, CTRL = 8, 2


def notebook(*sources, kernel=harness.KERNEL):
    nb = nbformat.v4.new_notebook()
    nb.metadata.kernelspec = {"name": kernel, "display_name": kernel, "language": kernel}
    nb.cells = [nbformat.v4.new_code_cell(s) for s in sources]
    return nb


class Lab(unittest.TestCase):
    """One server and one page; each test opens a notebook of its own."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.server = lab.server(cls.folder.name)
        cls.base, cls.path = cls.server.__enter__()
        cls.page = Browser().__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.page.__exit__(None, None, None)
        cls.server.__exit__(None, None, None)
        cls.folder.cleanup()

    def open(self, *sources, kernel=harness.KERNEL):
        name = self.id().rsplit(".", 1)[1] + ".ipynb"
        nbformat.write(notebook(*sources, kernel=kernel), os.path.join(self.folder.name, name))
        lab.open_notebook(self.page, self.base, self.path, name)
        self.addCleanup(self.stop)

    def stop(self):
        self.page.js("(%s).sessionContext.shutdown().then(() => true)" % lab.NOTEBOOK)

    def picture(self, name):
        self.page.screenshot(os.path.join(SCREENSHOTS, "lab-%s.png" % name))

    def edit(self, cell):
        """Puts the cursor at the end of a cell."""
        self.page.js("""(() => { const n = (%s).content; n.activeCellIndex = %d; n.mode = 'edit'; const e = n.activeCell.editor;
            e.focus(); e.setCursorPosition(e.getPositionAt(n.activeCell.model.sharedModel.getSource().length)); return true })()""" % (lab.NOTEBOOK, cell))

    def source(self, cell):
        return self.page.js("(%s).content.widgets[%d].model.sharedModel.getSource()" % (lab.NOTEBOOK, cell))

    def run_cell(self, cell):
        """Runs one cell with the keyboard."""
        self.edit(cell)
        self.page.key("Enter", modifiers=CTRL, number=13)

    def text(self, cell):
        return self.page.js("""[...document.querySelectorAll('.jp-Notebook .jp-CodeCell')][%d].querySelector('.jp-OutputArea').innerText""" % cell)

    def wait_text(self, cell, text, timeout=20):
        self.page.wait("""[...document.querySelectorAll('.jp-Notebook .jp-CodeCell')][%d].querySelector('.jp-OutputArea').innerText.includes(%s)"""
                       % (cell, json.dumps(text)), timeout, "cell %d shows %r" % (cell, text))

    def wait_colour(self, editor, word, role):
        """Waits until word has the colour that the theme gives role; editor is a JavaScript expression."""
        colour = """(() => {
            const walk = document.createTreeWalker(%s, NodeFilter.SHOW_TEXT);
            while (walk.nextNode()) if (walk.currentNode.data.includes(%s)) return getComputedStyle(walk.currentNode.parentElement).color;
            })()""" % (editor, json.dumps(word))
        wanted = """(() => { const e = document.body.appendChild(document.createElement('i'));
            e.style.color = 'var(--jp-mirror-editor-%s-color)'; const c = getComputedStyle(e).color; e.remove(); return c })()""" % role
        wanted = self.page.js(wanted)
        try:
            self.page.wait("%s === %s" % (colour, json.dumps(wanted)), 10)
        except AssertionError:
            self.fail("%r is %s, and %s is %s" % (word, self.page.js(colour), role, wanted))

    def content(self, cell):
        return "[...document.querySelectorAll('.jp-Notebook .jp-CodeCell')][%d].querySelector('.cm-content')" % cell

    def test_colours(self):
        self.open(
            "%echo --err \"hello\"\npackage Garage {\n    part def 'old Car' :> Vehicle; // a note\n    attribute n = 12 % 7;\n}\n%list\n"
            "/* more\n   text */",
            "\n%%time\n%%starlark\ndef double(x):\n    # a note\n    return len('part') + x.action\n",
            "%%kerml\nclassifier Thing specializes part;",
            "%%html\n<b>part def</b>")
        for cell, word, role in (
                (0, "%echo", "meta"), (0, "--err", "attribute"), (0, '"hello"', "string"), (0, "package", "keyword"),
                (0, "Garage", "def"), (0, "part", "keyword"), (0, "'old Car'", "def"), (0, "// a note", "comment"),
                (0, "attribute", "keyword"), (0, "12", "number"), (0, "%list", "meta"), (0, "text */", "comment"),
                (1, "%%time", "meta"), (1, "%%starlark", "meta"), (1, "def", "keyword"), (1, "double", "def"),
                (1, "# a note", "comment"), (1, "return", "keyword"), (1, "len", "builtin"), (1, "'part'", "string"), (1, "action", "property"),
                (2, "%%kerml", "meta"), (2, "classifier", "keyword"), (2, "Thing", "def"), (3, "%%html", "meta")):
            with self.subTest(cell=cell, word=word):
                self.wait_colour(self.content(cell), word, role)
        self.assertFalse(self.page.js("!!%s.querySelectorAll('.cm-line')[1].querySelector('span')" % self.content(3)))
        self.picture("colours")

    def test_editing(self):
        self.open("package P {", "%%starlark\nif x:", "part a;", "%%starlark\nx = 1")
        self.wait_colour(self.content(0), "package", "keyword")  # the language is there
        self.wait_colour(self.content(3), "%%starlark", "meta")
        for cell, want in ((0, "package P {\n    x"), (1, "%%starlark\nif x:\n    x")):
            self.edit(cell)
            self.page.key("Enter", number=13, text="\r")
            self.page.type("x")
            self.assertEqual(self.source(cell), want)
        for cell, want in ((2, "// part a;"), (3, "%%starlark\n# x = 1")):
            self.edit(cell)
            self.page.key("/", code="Slash", modifiers=CTRL, number=191)
            self.assertEqual(self.source(cell), want)

    def test_files(self):
        for name, text in (("wheel.sysml", "part def Wheel {\n    attribute n = 1;\n}\n"), ("thing.kerml", "datatype Thing;\n")):
            with open(os.path.join(self.folder.name, name), "w") as f:
                f.write(text)
        self.open(cells.HELLO)
        editor = "[...document.querySelectorAll('.jp-FileEditor')].find(e => e.offsetParent).querySelector('.cm-content')"
        for name, word in (("wheel.sysml", "part"), ("thing.kerml", "datatype")):
            self.page.js("jupyterapp.commands.execute('docmanager:open', {path: '%s', factory: 'Editor'}).then(() => true)" % name)
            self.page.wait("!!(%s)" % editor, what="an editor of " + name)
            self.wait_colour(editor, word, "keyword")
            self.assertTrue(self.page.js("""(() => { const t = jupyterapp.docRegistry.getFileTypesForPath('%s')[0];
                return t.name === '%s' && t.icon.name === 'orrery-sysml:%s' })()""" % (name, *(name.split(".")[1],) * 2)))
            if name.endswith("sysml"):
                self.picture("file")

    def test_starlark_kernel(self):
        self.open("%echo hello\ndef double(x):\n    return 2 * x\ndouble(21)", "%%sysml\npart def Wheel;", kernel="starlark")
        self.wait_colour(self.content(0), "%echo", "meta")
        self.wait_colour(self.content(0), "return", "keyword")
        self.wait_colour(self.content(1), "part", "keyword")
        self.run_cell(0)
        self.wait_text(0, "42")
        self.run_cell(1)
        self.wait_text(1, "Wheel")

    def test_tab_completes(self):
        self.open("package Garage { part def Vehicle; part def Van; }", "part p : Garage::V")
        self.run_cell(0)
        self.page.wait(lab.IDLE)
        self.edit(1)
        self.page.key("Tab", number=9)
        self.page.wait("document.querySelectorAll('.jp-Completer-item').length >= 2", what="two completions")
        self.picture("completion")
        items = self.page.js("[...document.querySelectorAll('.jp-Completer-item')].map(i => i.innerText)")
        self.assertTrue(any("Vehicle" in i for i in items) and any("Van" in i for i in items), items)
        self.page.key("Enter", number=13)
        self.page.wait("!document.querySelector('.jp-Completer:not(.lm-mod-hidden) .jp-Completer-item')")
        self.assertRegex(self.source(1), r"^part p : Garage::(Vehicle|Van)$")

    def test_shift_tab_explains(self):
        self.open("%echo")
        self.edit(0)
        self.page.key("Tab", modifiers=SHIFT, number=9)
        self.page.wait("!!document.querySelector('.jp-Tooltip') && document.querySelector('.jp-Tooltip').innerText.includes('echo')", what="a tooltip")
        self.picture("tooltip")

    def test_interrupt_button(self):
        self.open(cells.SPIN, cells.HELLO)
        self.run_cell(0)
        self.page.wait("(%s).sessionContext.session.kernel.status === 'busy'" % lab.NOTEBOOK)
        self.page.click("[data-jp-item-name='interrupt'] jp-button, [data-jp-item-name='interrupt'] button")
        self.wait_text(0, "interrupt")
        self.run_cell(1)
        self.wait_text(1, "hello, world")

    def test_progress(self):
        self.open(cells.RACE, cells.PROGRESS)
        self.run_cell(0)
        self.page.wait(lab.IDLE)
        self.run_cell(1)
        bar = "document.querySelectorAll('.jp-Notebook .jp-CodeCell')[1].querySelector('.jp-OutputArea progress')"
        first = self.page.wait("(%s || {}).value" % bar, what="a progress bar that moves")
        self.page.wait("%s.value > %s" % (bar, first), what="a progress bar that moves on")
        self.picture("progress")
        self.assertEqual(self.page.js("document.querySelectorAll('.jp-OutputArea progress').length"), 1)
        self.page.click("[data-jp-item-name='interrupt'] jp-button, [data-jp-item-name='interrupt'] button")
        self.wait_text(1, "stopped")

    def test_drawing_in_both_themes(self):
        self.open(cells.RACE, cells.DRAWING)
        self.run_cell(0)
        self.page.wait(lab.IDLE)
        self.run_cell(1)
        drawing = "document.querySelectorAll('.jp-Notebook .jp-CodeCell')[1].querySelector('.jp-OutputArea .jp-RenderedSVG img')"
        for theme in ("Light", "Dark"):
            self.page.js("jupyterapp.commands.execute('apputils:change-theme', {theme: 'JupyterLab %s'}).then(() => true)" % theme)
            self.page.wait("document.body.dataset.jpThemeLight === '%s'" % str(theme == "Light").lower())
            width = self.page.wait("(i => i && i.complete && i.naturalWidth && i.getBoundingClientRect().width)(%s)" % drawing, what="a drawing")
            self.assertGreater(width, 50)
            # The theme's colours do not reach it: its paper must be its own.
            paper = self.page.wait("""(img => { if (!img || !img.complete) return null; const c = document.createElement('canvas'); c.width = c.height = 8;
                const p = c.getContext('2d'); p.drawImage(img, 0, 0, 8, 8, 0, 0, 8, 8); return [...p.getImageData(1, 1, 1, 1).data] })(%s)""" % drawing,
                                   what="a drawing of the theme " + theme)
            self.assertEqual(paper, [255, 255, 255, 255])
            time.sleep(0.3)
            self.picture("drawing-" + theme.lower())

    def test_restart(self):
        self.open(cells.HELLO)
        for _ in range(2):
            self.run_cell(0)
            self.wait_text(0, "hello, world")
            self.page.js("(%s).sessionContext.session.kernel.restart().then(() => true)" % lab.NOTEBOOK)
            # The page may have missed the idle that came before it listened
            # again; what counts is that the next cell runs.
        self.run_cell(0)
        self.page.wait("document.querySelector('.jp-InputPrompt').textContent.includes('[1]')", what="a count that begins anew")

    def test_question(self):
        self.open(cells.ASK)
        self.run_cell(0)
        self.page.wait("!!document.querySelector('.jp-Stdin-input')", what="a field to answer in")
        self.page.js("(document.querySelector('.jp-Stdin-input').focus(), true)")
        self.page.type("bob")
        self.page.key("Enter", number=13)
        self.wait_text(0, "got bob")

    def test_running_a_cell_again_replaces_what_it_declared(self):
        self.open("package Again { attribute x = 1; }", "Again::x")
        for value in ("1", "2"):
            self.page.js("((%s).content.widgets[0].model.sharedModel.setSource('package Again { attribute x = %s; }'), true)" % (lab.NOTEBOOK, value))
            self.run_cell(0)
            self.page.wait(lab.IDLE)
            self.run_cell(1)
            self.wait_text(1, value)

    def test_run_all_stops_at_an_error(self):
        self.open(cells.HELLO, cells.ERROR, cells.HELLO)
        self.page.js("(jupyterapp.commands.execute('notebook:run-all-cells'), true)")
        self.wait_text(1, "nowhere")
        time.sleep(0.5)
        self.assertEqual(self.text(2), "")
        self.picture("error")

    def test_last_line_of_a_flood_is_shown(self):
        self.open(cells.lines(20000))
        self.run_cell(0)
        self.wait_text(0, "19999")


if __name__ == "__main__":
    unittest.main()
