"""What a user does in JupyterLab with keys and buttons, in headless Chromium.

SCREENSHOTS names the folder for pictures (default: screenshots).
"""

import contextlib
import json
import os
import tempfile
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
        self.addCleanup(self.stop)
        lab.open_notebook(self.page, self.base, self.path, name)
        self.page.js("""(() => { window.sent = 0; %s.anyMessage.connect((_, m) => {
            if (m.direction === 'send' && m.msg.header.msg_type === 'execute_request') window.sent++ }); return true })()""" % lab.KERNEL)

    def stop(self):
        with contextlib.suppress(RuntimeError):  # the test may have failed before there was one
            self.page.js("%s.shutdown().then(() => true)" % lab.KERNEL)

    def picture(self, name):
        self.page.screenshot(os.path.join(SCREENSHOTS, "lab-%s.png" % name))

    def edit(self, cell):
        """Puts the cursor at the end of a cell."""
        self.page.js("""(() => { const n = (%s).content; n.activeCellIndex = %d; n.mode = 'edit'; const e = n.activeCell.editor;
            e.focus(); e.setCursorPosition(e.getPositionAt(n.activeCell.model.sharedModel.getSource().length)); return true })()""" % (lab.NOTEBOOK, cell))
        self.page.wait("%s.contains(document.activeElement)" % self.content(cell), what="the cursor in cell %d" % cell)

    def wait_source(self, cell, want):
        self.page.wait("(%s).content.widgets[%d].model.sharedModel.getSource()" % (lab.NOTEBOOK, cell), what="cell %d is %r" % (cell, want), until=want.__eq__)

    def run_cell(self, cell):
        """Runs one cell with the keyboard; returns when it has been sent, and
        so shows that it is running or has run.
        """
        self.edit(cell)
        before = self.page.js("sent")
        self.page.key("Enter", modifiers=CTRL, number=13)
        self.page.wait("sent", what="cell %d sent" % cell, until=lambda n: n > before)

    def answer(self, text):
        """Answers what a cell asks."""
        self.page.wait("(() => { const e = document.querySelector('.jp-Stdin-input'); e.focus(); return document.activeElement === e })()", what="a field to answer in")
        self.page.type(text)
        self.page.key("Enter", number=13)

    def wait_text(self, cell, text):
        self.page.wait("""[...document.querySelectorAll('.jp-Notebook .jp-CodeCell')][%d].querySelector('.jp-OutputArea').innerText.includes(%s)"""
                       % (cell, json.dumps(text)), what="cell %d shows %r" % (cell, text))

    def wait_colour(self, editor, word, role):
        """Waits until word has the colour that the theme gives role; editor is a JavaScript expression."""
        colour = """(() => {
            const walk = document.createTreeWalker(%s, NodeFilter.SHOW_TEXT);
            while (walk.nextNode()) if (walk.currentNode.data.includes(%s)) return getComputedStyle(walk.currentNode.parentElement).color;
            })()""" % (editor, json.dumps(word))
        wanted = """(() => { const e = document.body.appendChild(document.createElement('i'));
            e.style.color = 'var(--jp-mirror-editor-%s-color)'; const c = getComputedStyle(e).color; e.remove(); return c })()""" % role
        defined = "getComputedStyle(document.body).getPropertyValue('--jp-mirror-editor-%s-color')" % role
        self.page.wait("[%s && %s, %s]" % (defined, colour, wanted), what="%r has the colour of %s" % (word, role), until=lambda c: c[0] == c[1])

    def content(self, cell):
        return "[...document.querySelectorAll('.jp-Notebook .jp-CodeCell')][%d].querySelector('.cm-content')" % cell

    def test_colours(self):
        self.open(
            "%echo --err \"hello\"\npackage Garage {\n    part def 'old Car' :> Vehicle; // a note\n    attribute n = 12 % 7;\n}\n%list\n"
            "/* more\n   text */",
            "\n%%time\n%%starlark\ndef double(x):\n    # a note\n    return len('part') + x.action\nexplore(x)",
            "%%kerml\nclassifier Thing specializes part;",
            "%%html\n<b>part def</b>")
        for cell, word, role in (
                (0, "%echo", "operator"), (0, "--err", "attribute"), (0, '"hello"', "string"), (0, "package", "keyword"),
                (0, "Garage", "def"), (0, "part", "keyword"), (0, "'old Car'", "def"), (0, "Vehicle", "variable-2"), (0, "// a note", "comment"),
                (0, "attribute", "keyword"), (0, "12", "number"), (0, "%list", "operator"), (0, "text */", "comment"),
                (1, "%%time", "operator"), (1, "%%starlark", "operator"), (1, "def", "keyword"), (1, "double", "def"),
                (1, "# a note", "comment"), (1, "return", "keyword"), (1, "len", "builtin"), (1, "explore", "builtin"), (1, "'part'", "string"), (1, "action", "property"),
                (2, "%%kerml", "operator"), (2, "classifier", "keyword"), (2, "Thing", "def"), (2, "part", "variable-2"), (3, "%%html", "operator")):
            with self.subTest(cell=cell, word=word):
                self.wait_colour(self.content(cell), word, role)
        self.assertFalse(self.page.js("!!%s.querySelectorAll('.cm-line')[1].querySelector('span')" % self.content(3)))
        self.picture("colours")

    def test_editing(self):
        self.open("package P {", "%%starlark\nif x:", "part a;", "%%starlark\nx = 1")
        for cell, word, role in ((0, "package", "keyword"), (1, "if", "keyword"), (2, "part", "keyword"), (3, "1", "number")):
            self.wait_colour(self.content(cell), word, role)  # the language is there and has read the cell
        for cell, want in ((0, "package P {\n    x"), (1, "%%starlark\nif x:\n    x")):
            self.edit(cell)
            self.page.key("Enter", number=13, text="\r")
            self.page.type("x")
            self.wait_source(cell, want)
        for cell, want in ((2, "// part a;"), (3, "%%starlark\n# x = 1")):
            self.edit(cell)
            self.page.key("/", code="Slash", modifiers=CTRL, number=191)
            self.wait_source(cell, want)

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
        self.wait_colour(self.content(0), "%echo", "operator")
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
        self.page.wait("!!document.activeElement.closest('.jp-mod-completer-enabled')", what="a cell that completes")
        self.page.key("Tab", number=9)
        self.page.wait("[...document.querySelectorAll('.jp-Completer-item')].map(i => i.innerText)", what="two completions",
                       until=lambda items: all(any(name in i for i in items) for name in ("Vehicle", "Van")))
        self.picture("completion")
        self.page.key("Enter", number=13)
        self.page.wait("!document.querySelector('.jp-Completer:not(.lm-mod-hidden) .jp-Completer-item')")
        self.page.wait("(%s).content.widgets[1].model.sharedModel.getSource()" % lab.NOTEBOOK, what="one of them in the cell",
                       until=lambda text: text in ("part p : Garage::Vehicle", "part p : Garage::Van"))

    def test_shift_tab_explains(self):
        asked = {"%echo": "write to the error stream", "part": "systems", "%%starlark\nexplore": "every order", "1 + size": "SequenceFunctions"}
        self.open(*asked)
        for cell, want in enumerate(asked.values()):
            self.edit(cell)
            self.page.key("Tab", modifiers=SHIFT, number=9)
            self.page.wait("[...document.querySelectorAll('.jp-Tooltip')].map(e => e.innerText).join()", what="a tooltip that says " + want, until=lambda text: want in text)
        self.picture("tooltip")

    def test_interrupt_button(self):
        self.open(cells.SPIN, cells.HELLO)
        self.run_cell(0)
        self.wait_text(0, cells.RUNNING)
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
        self.page.wait("%s.value" % bar, what="a progress bar that moves on", until=lambda value: value > first)
        self.picture("progress")
        self.page.wait("document.querySelectorAll('.jp-OutputArea progress').length === 1", what="one progress bar")
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
            self.page.wait("(%s).getBoundingClientRect().width > 50" % drawing, what="a drawing")
            # The theme's colours do not reach it: its paper must be its own.
            self.page.wait("""(async () => { const img = %s; await img.decode(); const c = document.createElement('canvas'); c.width = c.height = 8;
                const p = c.getContext('2d'); p.drawImage(img, 0, 0, 8, 8, 0, 0, 8, 8); return [...p.getImageData(1, 1, 1, 1).data] })()""" % drawing,
                           what="white paper", until=[255, 255, 255, 255].__eq__)
            self.page.painted()
            self.picture("drawing-" + theme.lower())

    def test_restart(self):
        self.open(cells.HELLO)
        for _ in range(2):
            self.run_cell(0)
            self.wait_text(0, "hello, world")
            self.page.js("(%s).sessionContext.session.kernel.restart().then(() => true)" % lab.NOTEBOOK)
            self.page.wait(lab.IDLE, what="an idle kernel after the restart")
        self.run_cell(0)
        self.page.wait("document.querySelector('.jp-InputPrompt').textContent.includes('[1]')", what="a count that begins anew")

    def test_question(self):
        self.open(cells.ASK)
        self.run_cell(0)
        self.answer("bob")
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
        self.open(cells.HELLO, cells.ASK_AND_FAIL, cells.HELLO)
        lab.begin_all(self.page)
        self.page.wait("sent === 3", what="every cell sent")  # what is sent behind the error is no cell of this run
        self.answer("bob")
        shown = lab.end_all(self.page)
        self.wait_text(1, "sadly, bob")
        self.assertEqual([c["error"] for c in shown], [False, True, False])
        self.assertEqual(shown[2]["text"], "")
        self.picture("error")

    def test_last_line_of_a_flood_is_shown(self):
        self.open(cells.lines(20000))
        self.run_cell(0)
        self.wait_text(0, "19999")


if __name__ == "__main__":
    unittest.main()
