"""How long the kernel takes, with ipykernel measured beside it.

    python kernel_latency.py [--check] [--starts N] [--runs N]

Prints a Markdown table of medians as a Python client sees them, the client's
own share included. The two kernels take turns, so that both meet the same load
of the machine. With --check, exits 1 where a target is missed; what a first
measurement misses may be the machine's doing, and is measured twice more.
"""

import argparse
import platform
import statistics
import sys
import time

import harness  # installs the kernelspec
import psutil
from jupyter_client import KernelManager

import cells

US, THEM = "orrery", "ipykernel"
KERNELS = {US: harness.KERNEL, THEM: "python3"}
LINES = {US: cells.lines(20000), THEM: "for i in range(20000):\n    print(i)"}
HALF = {US: "%ech", THEM: "pri"}


def ms(seconds):
    return seconds * 1000


def start(name):
    """Milliseconds from the start of the process to the first reply."""
    km = KernelManager(kernel_name=KERNELS[name])
    began = time.perf_counter()
    km.start_kernel()
    kc = km.client()
    kc.start_channels()
    while True:
        msg_id = kc.kernel_info()
        try:
            msg = kc.get_shell_msg(timeout=20)
        except Exception:
            continue
        if msg["parent_header"].get("msg_id") == msg_id:
            break
    return km, kc, ms(time.perf_counter() - began)


def stop(km, kc):
    began = time.perf_counter()
    kc.stop_channels()
    km.shutdown_kernel()
    return ms(time.perf_counter() - began)


def until_idle(kc, msg_id):
    while True:
        msg = kc.get_iopub_msg(timeout=30)
        if msg["parent_header"].get("msg_id") == msg_id and msg["content"].get("execution_state") == "idle":
            return


def reply(kc, msg_id):
    while True:
        msg = kc.get_shell_msg(timeout=30)
        if msg["parent_header"].get("msg_id") == msg_id:
            return msg


def execute(kc, code):
    """Milliseconds from sending a cell to its idle."""
    began = time.perf_counter()
    msg_id = kc.execute(code)
    until_idle(kc, msg_id)
    took = ms(time.perf_counter() - began)
    assert reply(kc, msg_id)["content"]["status"] == "ok", code
    return took


def request(kc, send):
    began = time.perf_counter()
    msg_id = send()
    reply(kc, msg_id)
    took = ms(time.perf_counter() - began)
    until_idle(kc, msg_id)
    return took


def memory(km):
    return psutil.Process(km.provisioner.process.pid).memory_info().rss / (1 << 20)


def measure(starts, runs):
    found = {name: {} for name in KERNELS}

    def note(name, what, value):
        found[name].setdefault(what, []).append(value)

    for _ in range(starts):
        for name in KERNELS:
            km, kc, took = start(name)
            note(name, "start", took)
            note(name, "memory", memory(km))
            note(name, "shutdown", stop(km, kc))
    open_kernels = {name: start(name)[:2] for name in KERNELS}
    for name, (km, kc) in open_kernels.items():
        kc.wait_for_ready(timeout=30)
        for _ in range(10):  # warm up both
            execute(kc, "1")
    for i in range(runs):
        for name, (km, kc) in open_kernels.items():
            note(name, "execute", execute(kc, "1"))
            if i % 4 == 0:
                note(name, "info", request(kc, kc.kernel_info))
                note(name, "complete", request(kc, lambda: kc.complete(HALF[name])))
    for _ in range(11):
        for name, (km, kc) in open_kernels.items():
            note(name, "lines", execute(kc, LINES[name]))
    for name, (km, kc) in open_kernels.items():
        stop(km, kc)
    return found


ROWS = [
    ("start", "start to first kernel_info_reply", "ms"),
    ("execute", "execute `1` to idle", "ms"),
    ("info", "kernel_info to reply", "ms"),
    ("complete", "complete to reply", "ms"),
    ("lines", "20,000 printed lines to idle", "ms"),
    ("shutdown", "shutdown", "ms"),
    ("memory", "resident memory before the first cell", "MiB"),
]


def table(found):
    lines = ["| | %s, median (min, 95 %%) | %s | ratio |" % (US, THEM), "|---|---|---|---|"]
    for key, label, unit in ROWS:
        cols, medians = [], []
        for name in (US, THEM):
            values = sorted(found[name][key])
            medians.append(statistics.median(values))
            cols.append("%.2f %s (%.2f, %.2f)" % (medians[-1], unit, values[0], values[int(len(values) * 0.95)]))
        lines.append("| %s | %s | %s | %.1f |" % (label, cols[0], cols[1], medians[1] / medians[0]))
    return "\n".join(lines)


def missed(found):
    """The targets that were not met."""
    med = {name: {key: statistics.median(found[name][key]) for key, _, _ in ROWS} for name in KERNELS}
    us, them = med[US], med[THEM]
    for held, text in (
        (us["start"] * 10 <= them["start"], "start ten times sooner than ipykernel"),
        (us["execute"] < 3, "execute to idle under 3 ms"),
        (us["execute"] * 2 <= them["execute"], "execute to idle twice as soon as ipykernel"),
        (us["complete"] < 5, "completion within 5 ms"),
        (us["lines"] < 100, "20,000 lines within 100 ms"),
        (us["memory"] < 20, "memory before the first cell under 20 MiB"),
    ):
        if not held:
            yield text


def cpu():
    try:
        with open("/proc/cpuinfo") as f:
            return next(line.split(":", 1)[1].strip() for line in f if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or "unknown processor"


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--check", action="store_true", help="exit 1 where a target is missed")
    args.add_argument("--starts", type=int, default=10)
    args.add_argument("--runs", type=int, default=200)
    args = args.parse_args()
    print("%s, %d processors; %s; Python %s; %d starts, %d runs" % (
        cpu(), psutil.cpu_count(), platform.system(), platform.python_version(), args.starts, args.runs))
    for _ in range(3 if args.check else 1):
        found = measure(args.starts, args.runs)
        print("\n" + table(found))
        failures = list(missed(found))
        for text in failures:
            print("missed: " + text, file=sys.stderr)
        if not failures:
            break
    sys.exit(bool(args.check and failures))


if __name__ == "__main__":
    main()
