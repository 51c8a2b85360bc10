"""Executes notebooks through Jupyter's wire protocol, over tcp and over ipc.

    python run_notebook.py [--stored] NOTEBOOK...

Each run begins in a folder that has the solutions of exercises and nothing
else, where the notebook may write files. Every cell must succeed and both transports must give the same outputs; with
--stored they must also be the outputs that the notebook was saved with. A cell
tagged raises-exception may fail, and must. Exit status 1 where any of that
does not hold.
"""

import argparse
import contextlib
import os
import shutil
import sys
import tempfile

import harness  # installs the kernelspec
import nbformat
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError


def comparable(cell):
    """The outputs of a cell without what may differ from run to run."""
    found = []
    for out in cell.get("outputs", []):
        kind = out["output_type"]
        if kind == "stream":
            if found and found[-1][:2] == ("stream", out["name"]):
                found[-1] = ("stream", out["name"], found[-1][2] + out["text"])
            else:
                found.append(("stream", out["name"], out["text"]))
        elif kind == "error":
            found.append(("error", out["ename"], out["evalue"]))
        else:
            data = {mime: content for mime, content in out["data"].items()}
            found.append((kind, sorted(data), data.get("text/plain")))
    return found


def execute(path, transport, scratch):
    nb = nbformat.read(path, as_version=4)
    km = AsyncKernelManager(kernel_name=harness.KERNEL, transport=transport)
    if transport == "ipc":
        km.ip = os.path.join(scratch, "k")
    client = NotebookClient(nb, km=km, timeout=120, resources={"metadata": {"path": scratch}})
    client.execute()
    return nb


def differences(name, ours, theirs):
    for i, (a, b) in enumerate(zip(ours.cells, theirs.cells), 1):
        if comparable(a) != comparable(b):
            yield "%s, cell %d:\n  %r\n  %r" % (name, i, comparable(a), comparable(b))


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--stored", action="store_true", help="compare with the outputs in the file, too")
    args.add_argument("notebooks", nargs="+")
    args = args.parse_args()
    failures = 0
    for path in args.notebooks:
        runs = {}
        for transport in ("tcp", "ipc"):
            with tempfile.TemporaryDirectory() as scratch:
                with contextlib.suppress(FileNotFoundError):
                    shutil.copytree(os.path.join(os.path.dirname(path), "solutions"), os.path.join(scratch, "solutions"))
                try:
                    runs[transport] = execute(path, transport, scratch)
                except CellExecutionError as e:
                    print("%s over %s: %s" % (path, transport, e))
                    failures += 1
        if len(runs) < 2:
            continue
        found = list(differences("tcp and ipc", runs["tcp"], runs["ipc"]))
        if args.stored:
            found += differences("the file and this run", nbformat.read(path, as_version=4), runs["tcp"])
        for f in found:
            print("%s: %s" % (path, f))
        failures += len(found)
        cells = sum(c.cell_type == "code" for c in runs["tcp"].cells)
        print("%s: %d cells over tcp and ipc, %d differences" % (path, cells, len(found)))
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
