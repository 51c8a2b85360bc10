"""Starts the kernel that the tests talk to, and talks to it.

ORRERY names the executable under test. It is installed into a folder of its
own with `orrery install`, so that every test also tests the kernelspec.
"""

import atexit
import contextlib
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile
import time

from jupyter_client import KernelManager
from jupyter_client.kernelspec import KernelSpecManager

KERNEL = "sysml"
TIMEOUT = 60  # seconds; only a failure waits for so long

_work = tempfile.mkdtemp(prefix="orrery ö ")  # a path with a space and more than ASCII
atexit.register(shutil.rmtree, _work, ignore_errors=True)


def executable():
    """The path of the executable under test."""
    path = os.environ.get("ORRERY")
    if not path:
        raise SystemExit("set ORRERY to the path of the orrery executable")
    return os.path.abspath(path)


def install():
    """Installs the kernelspec where this process and its children find it."""
    prefix = os.path.join(_work, "prefix")
    subprocess.run([executable(), "install", "--prefix", prefix, "--force"], check=True, stdout=subprocess.DEVNULL)
    os.environ["JUPYTER_PATH"] = os.path.join(prefix, "share", "jupyter")
    os.environ["XDG_STATE_HOME"] = os.path.join(_work, "state")
    return os.path.join(prefix, "share", "jupyter", "kernels", KERNEL)


SPEC_DIR = install()


class Result:
    """What came of one request."""

    def __init__(self, reply, outputs):
        self.reply = reply
        self.content = reply["content"] if reply else None
        self.outputs = outputs  # iopub messages between busy and idle

    @property
    def status(self):
        return self.content["status"]

    @property
    def types(self):
        return [m["msg_type"] for m in self.outputs]

    def of(self, msg_type):
        return [m["content"] for m in self.outputs if m["msg_type"] == msg_type]

    def text(self, name="stdout"):
        return "".join(c["text"] for c in self.of("stream") if c["name"] == name)


class Session:
    """A kernel process and a client of it."""

    def __init__(self, transport="tcp", kernel=KERNEL, env=None, cwd=None, **kwargs):
        self.log = tempfile.TemporaryFile()
        self.km = KernelManager(kernel_name=kernel, transport=transport, **kwargs)
        if transport == "ipc":
            self.km.ip = os.path.join(tempfile.mkdtemp(prefix="ipc"), "k")
        self.km.start_kernel(env=dict(os.environ) if env is None else env, cwd=cwd or _work, stderr=self.log, stdout=self.log)
        self.kc = self.km.client()
        self.kc.start_channels()
        self.kc.wait_for_ready(timeout=TIMEOUT)

    @property
    def pid(self):
        return self.km.provisioner.process.pid

    def server_log(self):
        self.log.seek(0)
        return self.log.read().decode("utf-8", "replace")

    def send(self, msg_type, content, channel="shell", metadata=None):
        """Sends a request and returns its msg_id."""
        msg = self.kc.session.msg(msg_type, content, metadata=metadata)
        getattr(self.kc, channel + "_channel").send(msg)
        return msg["header"]["msg_id"]

    def start(self, code, metadata=None, **kwargs):
        """Sends a cell and returns its msg_id."""
        content = dict(code=code, silent=False, store_history=True, user_expressions={}, allow_stdin=False, stop_on_error=True)
        content.update(kwargs)
        return self.send("execute_request", content, metadata=metadata)

    def reply(self, msg_id, channel="shell", timeout=TIMEOUT):
        end = time.time() + timeout
        while True:
            msg = getattr(self.kc, "get_%s_msg" % channel)(timeout=max(end - time.time(), 0.01))
            if msg["parent_header"].get("msg_id") == msg_id:
                return msg

    def outputs(self, msg_id, timeout=TIMEOUT):
        """The iopub messages of a request; checks that busy is first."""
        found, end = [], time.time() + timeout
        while True:
            msg = self.kc.get_iopub_msg(timeout=max(end - time.time(), 0.01))
            if msg["parent_header"].get("msg_id") != msg_id:
                continue
            found.append(msg)
            if len(found) == 1:
                assert msg["content"].get("execution_state") == "busy", msg
            if msg["content"].get("execution_state") == "idle":
                return found[1:-1]

    def finish(self, msg_id, channel="shell", timeout=TIMEOUT):
        return Result(self.reply(msg_id, channel, timeout), self.outputs(msg_id, timeout))

    def run(self, code, metadata=None, **kwargs):
        return self.finish(self.start(code, metadata, **kwargs))

    def ask(self, msg_type, content, channel="shell"):
        return self.finish(self.send(msg_type, content, channel), channel)

    def wait_for_output(self, msg_id, msg_type, timeout=TIMEOUT):
        end = time.time() + timeout
        while True:
            msg = self.kc.get_iopub_msg(timeout=max(end - time.time(), 0.01))
            if msg["parent_header"].get("msg_id") == msg_id and msg["msg_type"] == msg_type:
                return msg

    def client(self):
        """One more client of the same kernel."""
        kc = self.km.client()
        kc.session.session = kc.session.session + "-2"
        kc.start_channels()
        kc.wait_for_ready(timeout=TIMEOUT)
        return kc

    def close(self):
        self.kc.stop_channels()
        if self.km.has_kernel:
            self.km.shutdown_kernel(now=True)
        self.km.cleanup_resources()
        self.log.close()


@contextlib.contextmanager
def session(**kwargs):
    s = Session(**kwargs)
    try:
        yield s
    finally:
        s.close()


def median(measure, times=7):
    """The median of what measure, called so many times, returns: for a limit
    of time that one unlucky turn on a busy machine must not break.
    """
    return statistics.median(measure() for _ in range(times))


def spec():
    return KernelSpecManager().get_kernel_spec(KERNEL)


def scratch(name):
    """A path in a folder that goes when the tests end."""
    return pathlib.Path(_work) / name
