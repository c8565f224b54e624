"""Measures what the record of a run costs, compared with the same replay without files: CPU time of
the thread that simulates and of the whole process, or instructions of both.

CPU times are the least of TIMES replays, taken in turns, so that a host that gets slower makes all
of them slower. Instructions are counted by valgrind, once: they are nearly the same every time, on
any host. Cases: the default record; with intervals of 10,000 and of 1,000 cycles; with energies;
with a trace of the cycles 0 to 100,000. "times": the cost of these 100,000 cycles as a multiple of
what as many cycles of this stream cost without files. The cost of the trace in all other cycles is
not in it; it is measured with a trace of two cycles. "later": the default record again, only for
the frames after the first, which is the cost of each frame of a long run. "once": what the record
costs besides, whatever is drawn, in seconds or millions of instructions (tables, views). "-": there
is only one frame. The last part of the table is the size of the record.

With @A-B only these frames are simulated. The frames before them run in functional mode and are
part of all times, so A should be 0 or small, or the capture should have an index (attila-sim
index). Not here: how fast the simulator is (scripts/bench without --record).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from typing import Any

from attila.cli import Error
from attila.records import reader

Pair = tuple[float, float]
CASES: tuple[tuple[str, tuple[str, ...]], ...] = (("record", ()),
         ("interval 10000", ("--interval", "10000")),
         ("interval 1000", ("--interval", "1000")),
         ("power", ("--power", "builtin")),
         ("trace", ("--trace", "run.perfetto-trace", "--trace-cycles", "0-100000")))
# Options to measure what a trace costs outside its window, where rows and the activities of boxes
# are counted.
OUTSIDE = ("--trace", "empty.perfetto-trace", "--trace-cycles", "0-1")


def fail(command: list[str], error: str) -> None:
    raise Error(f"{' '.join(command)}: {error.strip()}")


def cpu_seconds(command: list[str], folder: str) -> tuple[float, float]:
    """(CPU seconds of the main thread, which simulates; of the process)"""
    with tempfile.TemporaryFile("w+") as error:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=error, cwd=folder)
        # The thread's time is readable until the process has been waited for.
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        with open(f"/proc/{process.pid}/task/{process.pid}/schedstat") as f:
            thread = int(f.read().split()[0]) * 1e-9
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            error.seek(0)
            fail(command, error.read())
    return thread, usage.ru_utime + usage.ru_stime


def instructions(command: list[str], folder: str) -> Pair:
    """The same in instructions."""
    name = os.path.join(folder, "callgrind")
    done = subprocess.run(["valgrind", "--tool=callgrind", "--separate-threads=yes",
                           "--callgrind-out-file=" + name] + command, cwd=folder,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        fail(command, done.stderr)
    threads = []
    for entry in sorted(os.listdir(folder)):
        if re.fullmatch(r"callgrind-\d+", entry):
            with open(os.path.join(folder, entry)) as f:
                found = re.search(r"^totals: (\d+)", f.read(), re.M)
            threads.append(int(found[1]) if found else 0)
            os.unlink(os.path.join(folder, entry))
    return threads[0], sum(threads)


def size_of(folder: str) -> tuple[Any, ...]:
    """(frames, their cycles, rows of work, bytes of the record)"""
    path = os.path.join(folder, "run.sqlite")
    db = reader.open_record(folder)
    rows = db.execute("SELECT count(*) FROM work").fetchone()[0]
    frames, cycles = db.execute("SELECT count(*), sum(cycles) FROM frames").fetchone()
    db.close()
    return frames, cycles, rows, os.path.getsize(path)


def parts(stream: str) -> tuple[Any, ...]:
    """(file, options) of CAPTURE[@A-B]"""
    found = re.fullmatch(r"(.+)@(\d+(?:-\d+)?)", stream)
    return (found[1], ["--frames", found[2]]) if found else (stream, [])


def least(runs: Sequence[Sequence[Pair]]) -> list[Any]:
    """Returns the least values of several runs of the same cases."""
    return [tuple(max(min(pair[i] for pair in case), 1e-6) for i in range(2))
            for case in zip(*runs)]


def added(case: Sequence[float], none: Sequence[float]) -> str:
    return "%+.1f %+.1f" % tuple(100 * (a / b - 1) for a, b in zip(case, none))


def apart(none: tuple[float, float], record: tuple[float, float], none_first: tuple[float, float],
          record_first: tuple[float, float]) -> tuple[str, list[float]]:
    """The cost of the record: in percent of the frames after the first, and once per run."""
    later = [max(a - b, 1e-6) for a, b in zip(none, none_first)]
    with_files = [a - b for a, b in zip(record, record_first)]
    once = [record_first[i] - none_first[i] * with_files[i] / later[i] for i in range(2)]
    return added(with_files, later), once


def measure(sim: str, config: str, times: int, stream: str,
            what: Callable[[list[str], str], Pair]) -> None:
    capture, frames = parts(stream)
    base = [os.path.abspath(sim), "run", os.path.abspath(capture), "--config",
            os.path.abspath(config)]
    first = base + ["--frames", frames[1].split("-")[0] if frames else "0"]
    base += frames
    with tempfile.TemporaryDirectory() as folder:
        commands = [base] + [base + ["--out", name.replace(" ", "-")] + list(options)
                             for name, options in CASES] + [base + list(OUTSIDE)]
        none, *files = least([[what(c, folder) for c in commands] for _ in range(times)])
        num_frames, cycles, rows, size = size_of(os.path.join(folder, "record"))
        later, once = "-", "-"
        if num_frames > 1:
            later, extra = apart(none, files[0], *least(
                [[what(c, folder) for c in (first, first + ["--out", "first"])]
                 for _ in range(times)]))
            once = "%.0f %.0f M" % tuple(e / 1e6 for e in extra) if what is instructions else (
                "%.3f %.3f s" % tuple(extra))
    outside = files.pop()
    traced = 1 + (files[-1][1] - outside[1]) / (none[1] * min(100000 / cycles, 1))
    name = os.path.basename(stream).replace(".attila", "").replace("@", " ")
    print("| %s | %s | %s | %.2f | %s | %s | %d | %.0f |" % (
        name, f"{none[0]:.3f} s" if what is cpu_seconds else f"{none[0] / 1000000.0:.0f} M",
        " | ".join(added(case, none) for case in files), traced, later, once, rows, size / 1e3),
        flush=True)


def main(sim: str, config: str, times: int, captures: list[str], count: bool) -> int:
    what, times = (instructions, 1) if count else (cpu_seconds, times)
    sim, config = os.path.abspath(sim), os.path.abspath(config)
    if count and not shutil.which("valgrind"):
        raise Error("valgrind is not installed")
    print(f"{'Instructions' if what is instructions else 'CPU time'} without files; what files add "
          "in percent, for the thread that simulates and for the process; times: the 100,000 "
          "cycles of the trace, of the process; the record of frames after the first, and what it "
          "costs once; the record: rows, kB\n")
    print(f"| stream | none | {' | '.join(name for name, _ in CASES)} | times | later | once | "
          "rows | kB |")
    print(f"|---|--:|{'--:|' * len(CASES)}--:|--:|--:|--:|--:|")
    for capture in captures:
        measure(sim, config, times, capture, what)
    return 0
