"""The protocol beyond jupyter_kernel_test, against the real executable."""

import ctypes
import os
import random
import signal
import socket
import subprocess
import sys
import time
import unittest

import harness  # installs the kernelspec
import psutil

import cells


class WithKernel(unittest.TestCase):
    """One kernel for the tests of a class."""

    transport = "tcp"

    @classmethod
    def setUpClass(cls):
        cls.s = harness.Session(transport=cls.transport)

    @classmethod
    def tearDownClass(cls):
        cls.s.close()


class Execute(WithKernel):
    def test_counts(self):
        first = self.s.run(cells.RESULT[0])
        n = first.content["execution_count"]
        self.assertEqual(first.of("execute_input")[0]["execution_count"], n)
        self.assertEqual(first.of("execute_result")[0]["execution_count"], n)
        self.assertEqual(self.s.run("1", store_history=False).content["execution_count"], n)
        self.assertEqual(self.s.run("1", silent=True).content["execution_count"], n)
        self.assertEqual(self.s.run("", silent=True).content["execution_count"], n)
        self.assertEqual(self.s.run(cells.ERROR).content["execution_count"], n + 1)
        self.assertEqual(self.s.run("1").content["execution_count"], n + 2)

    def test_silent(self):
        for code in (cells.HELLO, cells.RESULT[0], cells.ERROR, cells.DISPLAY[0]):
            self.assertEqual(self.s.run(code, silent=True).types, [], code)

    def test_nothing_is_no_result(self):
        self.assertEqual(self.s.run(cells.NOTHING).types, ["execute_input"])

    def test_error_is_one_output(self):
        r = self.s.run(cells.ERROR)
        self.assertEqual(r.status, "error")
        self.assertEqual(r.types, ["execute_input", "error"])
        for field in ("ename", "evalue", "traceback"):
            self.assertEqual(r.content[field], r.of("error")[0][field])
        self.assertIn("nowhere", "".join(r.content["traceback"]))

    def test_user_expressions(self):
        r = self.s.run("1", user_expressions={"a": "2 + 3", "b": "nowhere + 1"})
        self.assertEqual(r.status, "ok")
        values = r.content["user_expressions"]
        self.assertEqual(values["a"]["status"], "ok")
        self.assertEqual(values["a"]["data"]["text/plain"], "5")
        self.assertEqual(values["b"]["status"], "error")
        self.assertTrue(values["b"]["traceback"])
        self.assertEqual(self.s.run(cells.ERROR, user_expressions={"a": "1"}).content["user_expressions"], {})

    def test_streams_stay_in_order(self):
        r = self.s.run("%echo one\n%echo --err two\n%echo three\n1 + 1")
        self.assertEqual([c["name"] for c in r.of("stream")], ["stdout", "stderr", "stdout"])
        self.assertEqual(r.types[-1], "execute_result")

    def test_every_byte_is_a_stream_message(self):
        before = self.s.server_log()
        r = self.s.run(cells.HELLO + "\n" + cells.STDERR)
        self.assertIn("hello, world", r.text())
        self.assertIn("to standard error", r.text("stderr"))
        self.assertEqual(self.s.server_log(), before)

    def test_whole_cell_is_executed(self):
        # A magic first does not hide the rest of the cell.
        r = self.s.run("%echo first\npackage WholeCell { attribute a = 3; }\n%echo last\nWholeCell::a + 1")
        self.assertEqual(r.text(), "first\nlast\n")
        self.assertEqual(r.of("execute_result")[0]["data"]["text/plain"], "4")

    def test_cell_id_replaces(self):
        meta = {"cellId": "cell-a"}
        self.assertEqual(self.s.run("package Once { attribute x = 1; }", metadata=meta).status, "ok")
        self.assertEqual(self.s.run("package Twice { attribute x = 2; }", metadata=meta).status, "ok")
        self.assertEqual(self.s.run("Once::x").status, "error")
        self.assertEqual(self.s.run("Twice::x").of("execute_result")[0]["data"]["text/plain"], "2")
        self.assertEqual(self.s.run("1", metadata={"cellId": "cell-b", "deletedCells": ["cell-a"]}).status, "ok")
        self.assertEqual(self.s.run("Twice::x").status, "error")

    def test_reply_says_when_it_started(self):
        self.assertIn("started", self.s.run("1").reply["metadata"])


class Errors(WithKernel):
    def test_queue_is_aborted(self):
        failing = self.s.start(cells.lines(200000) + "\nfail('enough')")
        queued = [self.s.start("1") for _ in range(20)]
        info = self.s.send("kernel_info_request", {})
        self.assertEqual(self.s.reply(failing)["content"]["status"], "error")
        after = self.s.start(cells.RESULT[0])
        for msg_id in queued:
            r = self.s.reply(msg_id)["content"]
            self.assertEqual(r["status"], "aborted")
            self.assertIn("execution_count", r)
        self.assertEqual(self.s.reply(info)["content"]["status"], "ok")
        self.assertEqual(self.s.reply(after)["content"]["status"], "ok")

    def test_cell_right_after_the_error_runs(self):
        for _ in range(20):
            self.s.reply(self.s.start(cells.ERROR))
            self.assertEqual(self.s.reply(self.s.start("1"))["content"]["status"], "ok")

    def test_stop_on_error_off(self):
        self.s.start(cells.ERROR, stop_on_error=False)
        self.assertEqual(self.s.reply(self.s.start("1"))["content"]["status"], "ok")

    def test_syntax_errors_do_not_kill(self):
        pid = self.s.pid
        for code in ("{{{", "part def", "\x00", "é" * 1000, "%", "%%", "%%starlark\ndef (", "'" * 999, "/*", "1 +" * 500):
            self.assertEqual(self.s.run(code).status, "error", code)
        self.assertEqual(self.s.pid, pid)
        self.assertTrue(self.s.km.is_alive())


class Questions(WithKernel):
    def answer(self, value):
        msg = self.s.kc.get_stdin_msg(timeout=harness.TIMEOUT)
        self.assertEqual(msg["msg_type"], "input_request")
        if value is not None:
            self.s.kc.input(value)
        return msg["content"]

    def test_input(self):
        msg_id = self.s.start(cells.ASK, allow_stdin=True)
        asked = self.answer("bob")
        self.assertEqual(asked, {"prompt": "name?", "password": False})
        self.assertEqual(self.s.finish(msg_id).text(), "got bob\n")

    def test_input_is_refused(self):
        self.assertEqual(self.s.run(cells.ASK, allow_stdin=False).status, "error")

    def test_end_of_input(self):
        msg_id = self.s.start(cells.ASK, allow_stdin=True)
        self.answer("\x04")
        self.assertEqual(self.s.finish(msg_id).status, "error")

    def test_interrupt_ends_input(self):
        msg_id = self.s.start(cells.ASK, allow_stdin=True)
        self.answer(None)
        self.s.km.interrupt_kernel()
        self.assertEqual(self.s.finish(msg_id).content["ename"], "KeyboardInterrupt")
        self.test_input()


class Interrupts(WithKernel):
    def stop(self, code, interrupt, sign="stream"):
        """Interrupts a cell when it has shown sign; seconds until its reply."""
        msg_id = self.s.start(code)
        self.s.wait_for_output(msg_id, sign)
        began = time.time()
        interrupt()
        reply = self.s.reply(msg_id)
        took = time.time() - began
        self.assertEqual(reply["content"]["status"], "error", code)
        self.assertEqual(reply["content"]["ename"], "KeyboardInterrupt", code)
        return took

    def by_message(self):
        r = self.s.reply(self.s.send("interrupt_request", {}, "control"), "control")
        self.assertEqual(r["content"], {"status": "ok"})

    def by_signal(self):
        os.kill(self.s.pid, signal.SIGINT)

    def test_loops(self):
        self.assertEqual(self.s.run("package Kept { attribute v = 42; }").status, "ok")
        for code in (cells.SPIN, cells.EXPAND, cells.PRINT_FOREVER):
            for interrupt in (self.by_message, self.by_signal):
                self.assertLess(harness.median(lambda: self.stop(code, interrupt)), 0.2, code)
        self.assertEqual(self.s.run("Kept::v").of("execute_result")[0]["data"]["text/plain"], "42")

    def test_idle_kernel(self):
        self.by_message()
        self.by_signal()
        while pending(self.s.pid, signal.SIGINT):
            time.sleep(0.01)
        time.sleep(1)  # nothing tells from outside that the process has seen to it
        self.assertEqual(self.s.run("1").status, "ok")

    def test_output_does_not_leak_into_the_next_cell(self):
        old = self.s.start(cells.PRINT_FOREVER)
        self.s.wait_for_output(old, "stream")
        self.by_message()
        self.s.reply(old)
        new = self.s.start(cells.HELLO)
        ended, seen = False, []
        while True:
            msg = self.s.kc.get_iopub_msg(timeout=harness.TIMEOUT)
            parent, idle = msg["parent_header"].get("msg_id"), msg["content"].get("execution_state") == "idle"
            if parent == old:
                self.assertFalse(ended, msg)
                ended = ended or idle
            if parent == new:
                seen.append(msg)
                if idle:
                    break
        text = "".join(m["content"]["text"] for m in seen if m["msg_type"] == "stream")
        self.assertEqual(text, "hello, world\n")

    def test_progress_is_one_display_that_updates(self):
        self.assertEqual(self.s.run(cells.RACE).status, "ok")
        msg_id = self.s.start(cells.PROGRESS)
        self.s.wait_for_output(msg_id, "display_data")
        updates = [self.s.wait_for_output(msg_id, "update_display_data") for _ in range(12)]
        self.assertEqual(len({msg["content"]["transient"]["display_id"] for msg in updates}), 1)
        # Ten a second by the clock of the kernel, whenever we come to read them.
        took = updates[-1]["header"]["date"] - updates[0]["header"]["date"]
        self.assertGreater(took.total_seconds(), (len(updates) - 1) / 10 - 0.1)
        self.by_message()
        self.assertEqual(self.s.reply(msg_id)["content"]["ename"], "KeyboardInterrupt")
        self.assertIn("stopped", self.s.wait_for_output(msg_id, "update_display_data")["content"]["data"]["text/plain"])
        self.assertLess(harness.median(lambda: self.stop(cells.PROGRESS, self.by_message, "update_display_data")), 0.2)

    def test_control_answers_meanwhile(self):
        msg_id = self.s.start(cells.SPIN)
        self.s.wait_for_output(msg_id, "execute_input")
        for kind in ("kernel_info", "usage"):
            reply = self.s.reply(self.s.send(kind + "_request", {}, "control"), "control")
            self.assertEqual(reply["msg_type"], kind + "_reply")
        self.by_message()
        self.s.reply(msg_id)


class Requests(WithKernel):
    def test_kernel_info(self):
        info = self.s.ask("kernel_info_request", {}).content
        self.assertEqual(info["protocol_version"], "5.5")
        self.assertEqual(info["language_info"]["mimetype"], "text/x-sysml")
        self.assertEqual(info["supported_features"], [])
        for link in info["help_links"]:
            self.assertTrue(link["text"] and link["url"].startswith("https://"), link)
        self.assertTrue(info["help_links"])

    def test_completion_of_a_qualified_name(self):
        self.s.run("package Garage { part def Vehicle; part def Van; }")
        code = "part p : Garage::V"
        r = self.s.ask("complete_request", {"code": code, "cursor_pos": len(code)}).content
        texts = {code[: r["cursor_start"]] + m + code[r["cursor_end"] :] for m in r["matches"]}
        self.assertLessEqual({"part p : Garage::Vehicle", "part p : Garage::Van"}, texts)
        types = r["metadata"]["_jupyter_types_experimental"]
        self.assertEqual([t["text"] for t in types], r["matches"])

    def test_cursor_counts_code_points(self):
        code = "%echo 🚀\n%ech"
        r = self.s.ask("complete_request", {"code": code, "cursor_pos": len(code)}).content
        self.assertEqual(code[: r["cursor_start"]] + "%echo", "%echo 🚀\n%echo")
        self.assertEqual(r["cursor_end"], len(code))

    def test_comms_are_refused(self):
        content = {"comm_id": "c1", "target_name": "jupyter.widget", "data": {}}
        msg_id = self.s.send("comm_open", content)
        closed = self.s.outputs(msg_id)
        self.assertEqual([(m["msg_type"], m["content"]["comm_id"]) for m in closed], [("comm_close", "c1")])
        self.assertEqual(self.s.ask("comm_info_request", {}).content["comms"], {})

    def test_debugger_is_refused(self):
        r = self.s.ask("debug_request", {"type": "request", "seq": 9, "command": "initialize", "arguments": {}}, "control")
        self.assertEqual((r.content["success"], r.content["request_seq"]), (False, 9))

    def test_usage(self):
        r = self.s.ask("usage_request", {}, "control").content
        self.assertEqual(r["pid"], self.s.pid)
        self.assertGreater(r["kernel_memory"], 1 << 20)

    def test_unknown_types_are_ignored(self):
        self.assertEqual(self.s.outputs(self.s.send("unheard_of_request", {})), [])
        self.assertEqual(self.s.run("1").status, "ok")

    def test_history_of_earlier_kernels(self):
        mark = "%%echo mark %f" % time.time()
        self.s.run(mark)
        with harness.session() as other:
            other.run("1")
            r = other.ask("history_request", {"output": False, "raw": True, "hist_access_type": "search", "pattern": mark, "n": 1})
            self.assertEqual([row[2] for row in r.content["history"]], [mark])


class StarlarkKernel(unittest.TestCase):
    """The second kernelspec: a cell is Starlark unless it says otherwise."""

    def test_cells(self):
        with harness.session(kernel="starlark") as s:
            info = s.ask("kernel_info_request", {}).content["language_info"]
            self.assertEqual((info["name"], info["file_extension"], info["pygments_lexer"]), ("starlark", ".star", "python"))
            self.assertEqual(s.run("print('hello')\n6 * 7").of("execute_result")[0]["data"]["text/plain"], "42")
            self.assertEqual(s.run("%%sysml\npart def Wheel;\n1 + 1").of("execute_result")[0]["data"]["text/plain"], "2")
            self.assertIn("%%sysml", "".join(s.run("part def Wheel;").of("error")[0]["traceback"]))
            for code, want in (("for i in range(3):", "incomplete"), ("x = 1", "complete"), ("x = = 1", "invalid")):
                self.assertEqual(s.ask("is_complete_request", {"code": code}).content["status"], want, code)
            self.assertIn("print", s.ask("complete_request", {"code": "pri", "cursor_pos": 3}).content["matches"])

    def test_kernelspec(self):
        spec = harness.KernelSpecManager().get_kernel_spec("starlark")
        self.assertEqual((spec.language, spec.interrupt_mode), ("starlark", "message"))
        self.assertTrue(os.path.samefile(spec.argv[0], harness.spec().argv[0]))


class Drawings(unittest.TestCase):
    """Pictures of models, where there is no program to draw them."""

    @staticmethod
    def picture(result):
        return next(c["data"]["image/svg+xml"] for kind in ("display_data", "execute_result")
                    for c in result.of(kind) if "image/svg+xml" in c["data"])

    def test_without_graphviz(self):
        with harness.session(env={"PATH": ""}) as s:
            s.run(cells.RACE)
            self.assertIn("split", self.picture(s.run(cells.DRAWING)))

    def test_view_shows_what_it_exposes(self):
        with harness.session() as s:
            s.run("package Shown { part def Engine { part rod : Rod; } part def Rod; part def Wheel; view v { expose Shown::Engine; } }")
            picture = self.picture(s.run("%view Shown::v"))
            self.assertIn("Engine", picture)
            self.assertIn("rod", picture)
            self.assertNotIn("Wheel", picture)


class OverIPC(WithKernel):
    transport = "ipc"

    def test_cells(self):
        self.assertIn("hello, world", self.s.run(cells.HELLO).text())
        self.assertEqual(self.s.run(cells.RESULT[0]).of("execute_result")[0]["data"]["text/plain"], "2")

    def test_restart(self):
        self.s.km.restart_kernel(now=True)
        self.s.kc.wait_for_ready(timeout=harness.TIMEOUT)
        self.assertEqual(self.s.run("1").content["execution_count"], 1)


class Signing(unittest.TestCase):
    def test_schemes(self):
        for scheme in ("hmac-sha256", "hmac-sha512", "hmac-md5"):
            self.answers(signature_scheme=scheme)

    def answers(self, **session):
        """A kernel with these traits of the client's session answers it."""
        km = harness.KernelManager(kernel_name=harness.KERNEL)
        for name, value in session.items():
            setattr(km.session, name, value)
        km.start_kernel()
        kc = km.client()
        kc.start_channels()
        kc.wait_for_ready(timeout=harness.TIMEOUT)
        kc.stop_channels()
        km.shutdown_kernel()

    def test_wrong_key_is_ignored(self):
        with harness.session() as s:
            right = s.kc.session.key
            s.kc.session.key = b"wrong"
            for _ in range(50):
                s.start(cells.HELLO)
                s.send("shutdown_request", {"restart": False}, "control")
            s.kc.session.key = right
            self.assertEqual(s.run("1").content["execution_count"], 1)
            self.assertIn("signature", s.server_log())

    def test_no_key(self):
        self.answers(key=b"")


class Lifecycle(unittest.TestCase):
    def test_shutdown_exits_with_zero(self):
        with harness.session() as s:
            process = s.km.provisioner.process
            reply = s.reply(s.send("shutdown_request", {"restart": False}, "control"), "control")
            self.assertEqual(reply["content"], {"status": "ok", "restart": False})
            self.assertEqual(process.wait(timeout=harness.TIMEOUT), 0)

    def test_shutdown_stops_a_running_cell(self):
        with harness.session() as s:
            process = s.km.provisioner.process
            s.wait_for_output(s.start(cells.SPIN), "execute_input")
            s.send("shutdown_request", {"restart": False}, "control")
            self.assertEqual(process.wait(timeout=5), 0)  # a client kills it then

    def test_restart(self):
        with harness.session() as s:
            info = s.km.get_connection_info()
            old = s.ask("kernel_info_request", {}).reply["header"]["session"]
            s.run("1")
            for now in (False, True):
                s.km.restart_kernel(now=now)
                s.kc.wait_for_ready(timeout=harness.TIMEOUT)
                r = s.run("1")
                self.assertEqual(r.content["execution_count"], 1)
                self.assertNotEqual(r.reply["header"]["session"], old)
                self.assertEqual(s.km.get_connection_info(), info)

    def test_parent_is_killed(self):
        self.assertLess(harness.median(self.orphaned, 3), 2)

    def orphaned(self):
        """Kills the parent of a kernel; seconds that the kernel outlives it."""
        # An orphan comes to us, not to process 1, as under systemd.
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
        script = (
            "import harness, sys, time\n"
            "s = harness.Session()\n"
            "print(s.pid, flush=True)\n"
            "time.sleep(600)\n"
        )
        parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True,
                                  cwd=os.path.dirname(os.path.abspath(__file__)))
        pid = int(parent.stdout.readline())
        parent.kill()
        parent.wait()
        parent.stdout.close()
        began = time.time()
        while alive(pid):
            self.assertLess(time.time(), began + harness.TIMEOUT, "the kernel outlives its parent")
            time.sleep(0.02)
        return time.time() - began

    def test_start_from_elsewhere_with_a_bare_environment(self):
        with harness.session(env={"PATH": "/usr/bin"}, cwd="/") as s:
            self.assertEqual(s.run("1").status, "ok")

    def test_twenty_starts_in_an_odd_path(self):
        cwd = harness.scratch("ein Pfad — путь")
        cwd.mkdir(exist_ok=True)
        for _ in range(20):
            with harness.session(cwd=str(cwd)) as s:
                self.assertEqual(s.run("1").status, "ok")

    def test_failure_is_said_in_one_line(self):
        p = subprocess.run([harness.executable(), "kernel", "/no/such/file"], capture_output=True, text=True)
        self.assertNotEqual(p.returncode, 0)
        self.assertIn("/no/such/file", p.stderr.splitlines()[0])
        self.assertNotIn("goroutine", p.stderr)

    def test_kernelspec(self):
        spec = harness.spec()
        self.assertTrue(os.path.isabs(spec.argv[0]), spec.argv)
        self.assertTrue(os.access(spec.argv[0], os.X_OK))
        self.assertEqual((spec.language, spec.interrupt_mode, spec.kernel_protocol_version), ("sysml", "message", "5.5"))
        for logo in ("logo-32x32.png", "logo-64x64.png", "logo-svg.svg"):
            self.assertTrue(os.path.exists(os.path.join(spec.resource_dir, logo)), logo)


def alive(pid):
    try:
        with open("/proc/%d/stat" % pid) as f:
            return ") Z " not in f.read()
    except FileNotFoundError:
        return False


def pending(pid, sig):
    """Whether a signal lies before a process that it has not taken."""
    with open("/proc/%d/status" % pid) as f:
        return any(int(line.split()[1], 16) >> (sig - 1) & 1 for line in f if line.startswith(("SigPnd", "ShdPnd")))


class FirstIdle(unittest.TestCase):
    def test_cold_starts(self):
        """A request sent before anybody listens to iopub: its idle is seen."""
        for _ in range(100):
            km = harness.KernelManager(kernel_name=harness.KERNEL)
            km.start_kernel()
            kc = km.client()
            kc.kernel_info()  # connects shell
            end = time.time() + harness.TIMEOUT
            while True:
                msg = kc.get_iopub_msg(timeout=max(end - time.time(), 0.01))
                if msg["content"].get("execution_state") == "idle":
                    break
            kc.stop_channels()
            km.shutdown_kernel(now=True)


class Floods(WithKernel):
    def test_a_million_lines(self):
        msg_id = self.s.start(cells.lines(1000000))
        outputs = self.s.outputs(msg_id, timeout=180)
        text = "".join(m["content"]["text"] for m in outputs if m["msg_type"] == "stream")
        self.assertLessEqual(len(outputs), 200)
        self.assertEqual(text.count("\n"), 1000000)
        self.assertTrue(text.endswith("999999\n"))
        self.assertEqual(self.s.reply(msg_id)["content"]["status"], "ok")

    def memory(self):
        return psutil.Process(self.s.pid).memory_info().rss / (1 << 20)

    def test_endless_printing_while_nobody_reads(self):
        before = self.memory()
        msg_id = self.s.start(cells.PRINT_FOREVER)
        time.sleep(1.5)
        self.assertLess(self.memory(), before + 150)
        self.s.send("interrupt_request", {}, "control")
        reply = self.s.reply(msg_id)
        self.assertEqual(reply["content"]["ename"], "KeyboardInterrupt")
        self.s.outputs(msg_id, timeout=180)  # idle comes behind all of it
        self.assertEqual(self.s.run("1").status, "ok")

    def test_stopped_subscriber(self):
        """A client that is stopped in the middle of it harms no other."""
        script = (
            "import sys, time\n"
            "from jupyter_client import BlockingKernelClient\n"
            "kc = BlockingKernelClient(connection_file=sys.argv[1])\n"
            "kc.load_connection_file(); kc.start_channels(); kc.wait_for_ready(20)\n"
            "print('ready', flush=True); time.sleep(600)\n"
        )
        other = subprocess.Popen([sys.executable, "-c", script, self.s.km.connection_file], stdout=subprocess.PIPE, text=True)
        self.addCleanup(other.stdout.close)
        self.addCleanup(other.wait)
        self.addCleanup(other.kill)
        self.assertEqual(other.stdout.readline(), "ready\n")
        other.send_signal(signal.SIGSTOP)
        before = self.memory()
        for _ in range(6):
            msg_id = self.s.start(cells.lines(1000000))
            outputs = self.s.outputs(msg_id, timeout=180)
            text = "".join(m["content"]["text"] for m in outputs if m["msg_type"] == "stream")
            self.assertEqual(text.count("\n"), 1000000)
            self.s.reply(msg_id)
        self.assertLess(self.memory(), before + 150)

    def test_fifty_clients(self):
        """Three times fifty clients at once: all are answered, and what they
        took, files, threads and memory, is given back.
        """
        process = psutil.Process(self.s.pid)
        self.fifty_clients()
        files, threads, memory = process.num_fds(), process.num_threads(), self.memory()
        for _ in range(2):
            self.fifty_clients()
        end = time.time() + harness.TIMEOUT
        while process.num_fds() > files:
            self.assertLess(time.time(), end, "%d files, before %d" % (process.num_fds(), files))
            time.sleep(0.1)
        self.assertLess(process.num_threads(), threads + 20)
        self.assertLess(self.memory(), memory + 30)

    def fifty_clients(self):
        clients = []
        for i in range(50):
            kc = self.s.km.client()
            kc.session.session = "client-%d" % i
            kc.start_channels()
            clients.append(kc)
        sent = [(kc, kc.execute(cells.RESULT[0])) for kc in clients]
        for kc, msg_id in sent:
            while True:
                msg = kc.get_shell_msg(timeout=harness.TIMEOUT)
                if msg["parent_header"].get("msg_id") == msg_id:
                    self.assertEqual(msg["content"]["status"], "ok")
                    break
        process = psutil.Process(self.s.pid)
        many = process.num_fds()
        for kc in clients:
            kc.stop_channels()
        end = time.time() + harness.TIMEOUT
        while process.num_fds() > many - 4 * 50:  # shell, iopub, control, stdin at the least
            self.assertLess(time.time(), end, "%d files, with fifty clients %d" % (process.num_fds(), many))
            time.sleep(0.1)

    def test_ten_thousand_cells(self):
        """Soup of tokens: every cell is answered, by the same process."""
        soup = ["package", "part", "def", "P", "Q", "{", "}", ";", ":", ":>", ":>>", "attribute", "x", "=", "1", "2.5", "+", "*", "(", ")",
                "[", "]", "'a b'", "\"s", "\"s\"", "/*", "*/", "//", "\n", "%echo", "%%starlark\n", "%help", "%list", "%nothing", "?", "é", "🚀",
                "\x00", "import", "::", "**", "action", "first", "then", "if", "else", "null", ".", ",", "print(", "for x in", "def f():", "return"]
        random.seed(20)
        pid, pending = self.s.pid, []
        for i in range(10000):
            code = " ".join(random.choice(soup) for _ in range(random.randint(1, 14)))
            pending.append(self.s.start(code, stop_on_error=False, store_history=False))
            if len(pending) == 100:
                for msg_id in pending:
                    self.assertIn(self.s.reply(msg_id)["content"]["status"], ("ok", "error"))
                self.s.outputs(pending[-1])
                pending = []
        self.assertEqual(self.s.pid, pid)
        self.assertTrue(self.s.km.is_alive())
        self.assertNotIn("panic", self.s.server_log())

    def test_hostile_connections(self):
        info = self.s.km.get_connection_info()
        ports = [info[p] for p in ("shell_port", "control_port", "iopub_port", "stdin_port", "hb_port")]
        greeting = b"\xff" + bytes(8) + b"\x7f\x03\x00NULL" + bytes(16) + bytes(32)
        attacks = (b"", b"GET / HTTP/1.0\r\n\r\n" * 10, greeting + b"\x06" + (1 << 62).to_bytes(8, "big"), greeting[:20])
        held = []
        for port in ports:
            for attack in attacks:
                c = socket.create_connection((info["ip"], port))
                try:
                    c.sendall(attack)
                except OSError:
                    pass  # it has closed already
                held.append(c)
        self.assertEqual(self.s.run("1").status, "ok")
        other = self.s.client()
        other.stop_channels()
        for c in held:
            c.close()

    def test_flooding_client(self):
        other = self.s.client()
        for _ in range(3000):
            other.kernel_info()
        self.assertEqual(self.s.run("1").status, "ok")
        other.stop_channels()


if __name__ == "__main__":
    unittest.main()
