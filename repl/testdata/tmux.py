#!/usr/bin/env python3
"""Drives the terminal of Orrery in tmux through a file of interactions.

    tmux.py ORRERY [--update] [WIDTHxHEIGHT | dumb]...

Each interaction of terminal.txt does something and names text that the screen
must show then. The whole screen must be the one of terminal-SIZE.txt, which
--update writes. A screen is waited for and never slept for: it has come when
it is the expected one, and, where none is known yet, when it shows the text
and no longer changes.

    [name]
    only screen      or: only dumb; both where nothing is said
    type TEXT        types a text
    key NAME...      presses keys, as tmux calls them
    paste TEXT       pastes a text, in which ⏎ ends a line
    press NAME...    presses single keys of a mode of such keys; a dumb
                     terminal sends Enter behind each
    resize WxH       gives the terminal another size, and the old one back
                     with `resize`
    see TEXT         must be on the screen; may be repeated
    gone TEXT        must not be on it
"""

import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
PATIENCE = float(os.environ.get("PATIENCE", "40"))  # seconds until a screen is late
QUIET = 0.4  # seconds without a change, where no screen is known yet


class Late(Exception):
    """A screen that did not come."""


def interactions():
    """Yields (name, lines) in the order of the file."""
    name, lines = None, []
    for line in (HERE / "terminal.txt").read_text().splitlines():
        if match := re.fullmatch(r"\[(.*)\]", line):
            if name:
                yield name, lines
            name, lines = match[1], []
        elif line.strip() and not line.startswith("#"):
            lines.append(line)
    if name:
        yield name, lines


class Terminal:
    """One Orrery in one tmux of its own."""

    def __init__(self, orrery, size):
        self.dumb = size == "dumb"
        self.width, self.height = (80, 24) if self.dumb else map(int, size.split("x"))
        self.home = tempfile.mkdtemp(prefix="orrery-terminal-")
        self.socket = f"orrery-{os.getpid()}-{size}"
        (pathlib.Path(self.home) / "kitchen.sysml").write_text((HERE / "kitchen.sysml").read_text())
        environment = f"HOME={self.home} XDG_CONFIG_HOME={self.home}/.config LC_ALL=C.UTF-8 NO_COLOR=1 PAGER= EDITOR='sed -i s/soup$/stew/' VISUAL='sed -i s/soup$/stew/'"
        if self.dumb:
            environment += " TERM=dumb"
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", str(self.width), "-y", str(self.height), "-c", self.home,
                  f"env {environment} {orrery} kitchen.sysml; echo the shell again; exec cat")
        self.tmux("set-option", "-g", "status", "off")
        self.tmux("resize-window", "-x", str(self.width), "-y", str(self.height))

    def tmux(self, *words):
        done = subprocess.run(["tmux", "-u", "-L", self.socket, *words], capture_output=True, text=True, timeout=PATIENCE)
        if done.returncode:
            raise Late(f"tmux {' '.join(words)}: {done.stderr.strip()}")
        return done.stdout

    def screen(self):
        text = self.tmux("capture-pane", "-p").rstrip("\n")
        return re.sub(r"Orrery \d+\.\d+\.\d+", "Orrery VERSION", "\n".join(line.rstrip() for line in text.split("\n")))

    def act(self, line):
        verb, _, rest = line.partition(" ")
        if verb == "type":
            if rest.endswith(";"):  # tmux takes it for the end of its command
                rest = rest[:-1] + "\\;"
            self.tmux("send-keys", "-l", "--", rest)
        elif verb == "key":
            self.tmux("send-keys", *rest.split())
        elif verb == "paste":
            self.tmux("set-buffer", "--", rest.replace("⏎", "\n"))
            self.tmux("paste-buffer", "-p")
        elif verb == "press":
            for key in rest.split():
                self.press(key)
        elif verb == "resize":
            width, height = rest.split("x") if rest else (self.width, self.height)
            self.tmux("resize-window", "-x", str(width), "-y", str(height))
        else:
            raise SystemExit(f"terminal.txt: what is {line!r}?")

    def press(self, key):
        """Presses a key; on a dumb terminal, whose echo would come before the
        answer to the key before, it waits for the next prompt."""
        if not self.dumb:
            self.tmux("send-keys", key)
            return
        before, late = self.lines(), time.monotonic() + PATIENCE
        self.tmux("send-keys", key, "Enter")
        while self.lines() == before or not re.search(r"(> ?|watch:|send:)$", self.screen()):
            if time.monotonic() > late:
                raise Late(f"no prompt behind the key {key}:\n{self.screen()}")
            time.sleep(0.02)

    def lines(self):
        """How many lines stand above the cursor."""
        return sum(map(int, self.tmux("display-message", "-p", "#{history_size} #{cursor_y}").split()))

    def wait(self, want, see, gone):
        """Is the screen, once it has come."""
        late, before, since = time.monotonic() + PATIENCE, None, time.monotonic()
        while True:
            now = self.screen()
            fits = all(s in now for s in see) and not any(s in now for s in gone)
            if now != before:
                before, since = now, time.monotonic()
            if want is not None and now == want and fits:
                return now
            if want is None and fits and time.monotonic() - since > QUIET:
                return now
            if time.monotonic() > late:
                missing = [f"does not show {s!r}" for s in see if s not in now] + [f"still shows {s!r}" for s in gone if s in now]
                shown = difflib.unified_diff((want or now).split("\n"), now.split("\n"), "expected", "shown", lineterm="", n=99)
                raise Late("\n".join(missing + (list(shown) if want is not None else [now])))
            time.sleep(0.02)

    def close(self):
        subprocess.run(["tmux", "-L", self.socket, "kill-server"], capture_output=True)
        shutil.rmtree(self.home, ignore_errors=True)


def read_screens(path):
    """Maps the names of interactions to their screens."""
    screens = {}
    if path.exists():
        for part in path.read_text().split("\n==== ")[1:]:
            name, _, screen = part.partition("\n")
            screens[name] = screen.rstrip("\n")
    return screens


def drive(orrery, size, update):
    """Runs every interaction at a size and is how many were wrong."""
    path = HERE / f"terminal-{size}.txt"
    known = {} if update else read_screens(path)
    kind, wrong, count = ("dumb" if size == "dumb" else "screen"), 0, 0
    written = [f"The screens of terminal.txt, {size}; written by tmux.py --update."]
    terminal = Terminal(orrery, size)
    start = time.monotonic()
    try:
        for name, lines in interactions():
            only = [line[5:] for line in lines if line.startswith("only ")]
            if only and kind not in only:
                continue
            count += 1
            if not update and name not in known:
                print(f"{size}: no screen is known for [{name}]")
                wrong += 1
            try:
                for line in lines:
                    if not line.startswith(("see ", "gone ", "only ")):
                        terminal.act(line)
                screen = terminal.wait(known.get(name), [s[4:] for s in lines if s.startswith("see ")], [s[5:] for s in lines if s.startswith("gone ")])
                written.append(f"==== {name}\n{screen}")
            except Late as late:
                wrong += 1
                print(f"{size}: [{name}]\n{late}")
                if update or wrong > 2:
                    break
    finally:
        terminal.close()
    if update and not wrong:
        path.write_text("\n".join(written) + "\n")
    print(f"{size}: {count} interactions, {wrong} wrong, {time.monotonic() - start:.1f} s")
    return wrong


def main():
    words = sys.argv[1:]
    update = "--update" in words
    words = [w for w in words if w != "--update"]
    if not words:
        raise SystemExit(__doc__)
    orrery = str(pathlib.Path(words[0]).resolve())
    wrong = sum(drive(orrery, size, update) for size in words[1:] or ["80x24", "200x60", "dumb"])
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
