"""Runs points of a sweep: one in a process of the simulator, many on this machine, with progress.
Not here: what is to be run (sweep/main.py), keeping results (sweep/store.py).
"""

from __future__ import annotations

import csv
import dataclasses
import fnmatch
import hashlib
import json
import os
import queue
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any

from attila import simulator, whole_file

# Columns of frames.csv that are no statistics, or depend on the host.
NO_STATISTICS = {"frame", "draws", "start_cycle", "end_cycle", "cycles", "simulated_ms",
                 "host_seconds", "cpu_seconds", "kcycles_per_s", "shader_cycles", "memory_cycles"}


def now() -> str:
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass
class Point:
    """One run. capture and configuration are hashes; first and last frame are None for all; frames
    is a list of them, "3,7-9", or None for all of these; program is a list of arguments or None;
    path is the capture's file."""

    configuration: str
    capture: str
    first: int | None = None
    last: int | None = None
    mode: str = "cycle"
    ideal: str | None = None
    version: str | None = None
    simulator: str | None = None
    statistics: str | None = None
    path: str | None = None
    program: list[str] | None = None
    run_options: list[str] | None = None
    # [hash of the table, its file or None, changes of it], None if not computed.
    energy: list[Any] | None = None
    frames: str | None = None

    def __post_init__(self) -> None:
        # All that the result depends on. The path of a capture is not of it, its content is.
        made_of: list[Any] = list(self.fields().values())[:9]
        if self.energy:
            made_of.append([self.energy[0], *self.energy[2]])
        if self.frames:
            made_of.append(self.frames)
        self.id = hashlib.sha256(json.dumps(made_of).encode()).hexdigest()[:32]

    def fields(self) -> dict[str, Any]:
        return {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}


@dataclass(frozen=True)
class Tools:
    """Programs that run a point: paths of attila-sim and attila-run."""

    sim: str
    run: str | None = None


def command_of(point: Point, tools: Tools, config: str, out: str) -> list[Any]:
    options = ["--config", config, "--mode", point.mode, "--out", out, "--record",
               "csv,sqlite" if point.energy else "csv", "--draws-columns", "none"]
    if point.ideal:
        options += ["--ideal", point.ideal]
    if point.program:
        if point.last is not None:
            options += ["--frames", str(point.last + 1)]
        return [tools.run, *options, *(point.run_options or []), *point.program]
    if point.frames:  # each begins warm, in a process that is forked for it
        options += ["--frames", point.frames, "--jobs", "1"]
    elif point.first is not None:
        options += ["--frames", f"{point.first}-{point.last}"]
    return [tools.sim, "run", point.path, *options]


def read_frames(path: str, statistics: str | None) -> tuple[Any, ...]:
    """(rows of frames.csv with the statistics that are not 0 and that a pattern names, seconds of
    the processor)"""
    patterns = statistics.split(",") if statistics else ["*"]
    rows, seconds = [], 0.0
    with open(path, newline="", encoding="utf-8") as f:
        for row in csv.DictReader(f):
            counted = {n: int(v) for n, v in row.items()
                       if n not in NO_STATISTICS and v != "0" and
                       any(fnmatch.fnmatchcase(n, p.strip()) for p in patterns)}
            rows.append({"frame": int(row["frame"]), "cycles": int(row["cycles"]),
                         "shader_cycles": int(row["shader_cycles"]),
                         "memory_cycles": int(row["memory_cycles"]),
                         "simulated_ms": float(row["simulated_ms"]), "statistics": counted})
            seconds += float(row["cpu_seconds"])
    return rows, round(seconds, 3)


def add_energy(point: Point, tools: Tools, out: str, frames: list[dict[str, Any]]) -> None:
    """Energies of the frames (attila-sim power) become statistics, in femtojoules: of each unit,
    and of all by kind."""
    _, file, sets = point.energy or (None, None, [])
    table = ["--table", file] if file else []
    changes = [a for s in sets for a in ("--set", s)]
    text, why = simulator.ask(tools.sim, "power", out, "--by", "frame", "--format", "csv", *table,
                              *changes)
    if why:
        raise ValueError(why)
    by_frame = {f["frame"]: f["statistics"] for f in frames}
    for row in csv.DictReader(text.split("\n")):
        counted = by_frame[int(row["frame"])]
        counted["Energy_" + row["unit"]] = int(row["total_fj"])
        for kind in ("dynamic", "clock", "leakage", "offchip", "total"):
            name = "Energy" + kind.capitalize()
            counted[name] = counted.get(name, 0) + int(row[kind + "_fj"])


def run_point(point: Point, tools: Tools, config_text: str, scratch: str,
              timeout: float | None = None,
              started: Callable[[Any], None] = lambda process: None) -> Any:
    """Runs it in the folder scratch, which it makes and removes; returns what Store.add takes. A
    simulator that ends with an error is a result; one that is killed is not (state lost)."""
    os.makedirs(scratch, exist_ok=True)
    config, out = os.path.join(scratch, "machine.ini"), os.path.join(scratch, "out")
    begin = time.monotonic()
    result: dict[str, Any] = {"point": point.id, "host": socket.gethostname(), "started": now()}
    try:
        with whole_file.opened(config, encoding="utf-8") as f:
            f.write(config_text)
        # A kill of this process must not leave simulators behind.
        process = subprocess.Popen(["setpriv", "--pdeathsig", "KILL", "--",
                                    *command_of(point, tools, config, out)],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True, errors="replace")
        started(process)
        try:
            _, errors = process.communicate(timeout=timeout)
            status = process.returncode
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            status, errors = 1, f"it took longer than {timeout} s"
        last = ([n for n in errors.strip().split("\n") if n] or [""])[-1].strip()
        if status < 0 or status in (128 + signal.SIGKILL, 128 + signal.SIGTERM):
            name = signal.Signals(-status if status < 0 else status - 128).name
            crashed = name in ("SIGSEGV", "SIGABRT", "SIGBUS", "SIGILL", "SIGFPE")
            result.update(state="failed" if crashed else "lost",
                          message=f"ended by {name} {last}")
        elif status:
            result.update(state="failed", message=f"status {status}: {last}")
        else:
            frames, seconds = read_frames(os.path.join(out, "frames.csv"), point.statistics)
            if point.energy:
                add_energy(point, tools, out, frames)
            result.update(state="done", frames=frames, cpu_seconds=seconds)
            if not result["frames"]:
                result.update(state="failed", message="no frame was drawn")
    except (OSError, ValueError, KeyError) as e:
        result.update(state="lost", message=f"cannot run: {e}")
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    result["wall_seconds"] = round(time.monotonic() - begin, 3)
    return result


def in_words(seconds: float) -> str:
    if seconds < 90:
        return f"{int(seconds)} s"
    return f"{int(seconds / 60)} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


class Progress:
    """How far it is: a line that stays on a terminal, elsewhere a line now and then. seconds:
    {capture: expected seconds of a point}."""

    def __init__(self, total: int, finished: int, jobs: int, seconds: Mapping[str, float]) -> None:
        self.total, self.finished, self.jobs = total, finished, jobs
        self.known = {c: [s, 1] for c, s in seconds.items() if s}
        self.failed = 0
        self.waiting: dict[Any, Any] = {}
        self.terminal, self.told = sys.stderr.isatty(), time.monotonic()

    def expect(self, points: Sequence[Point]) -> None:
        for p in points:
            self.waiting[p.capture] = self.waiting.get(p.capture, 0) + 1

    def remaining(self) -> Any:
        """Seconds, or None while nothing is known."""
        total, count = map(sum, zip(*self.known.values())) if self.known else (0, 0)
        if not count:
            return None
        each = {c: t / n for c, (t, n) in self.known.items()}
        return sum(n * each.get(c, total / count) for c, n in self.waiting.items()) / self.jobs

    def step(self, point: Point, result: dict[str, Any]) -> None:
        self.finished += 1
        self.failed += result["state"] != "done"
        self.waiting[point.capture] -= 1
        seconds, count = self.known.get(point.capture, [0, 0])
        self.known[point.capture] = [seconds + result.get("wall_seconds", 0), count + 1]
        self.tell()

    def tell(self) -> None:
        last = self.finished == self.total
        if not self.terminal and not last and time.monotonic() - self.told < 20:
            return
        self.told = time.monotonic()
        left = self.remaining()
        text = "attila-sweep: %d of %d points%s%s" % (
            self.finished, self.total, f", {self.failed} failed" if self.failed else "",
            f", {in_words(left)} left" if left is not None and not last else "")
        end = "\n" if last or not self.terminal else ""
        sys.stderr.write((f"\r{text:<70}" if self.terminal else text) + end)
        sys.stderr.flush()


class Pool:
    """Runs points in a number of processes at a time; each result goes to keep(point, result) in
    the calling thread."""

    def __init__(self, jobs: int, tools: Tools, texts: Mapping[str, str], scratch: str,
                 timeout: float | None) -> None:
        self.jobs, self.tools, self.texts = jobs, tools, texts
        self.scratch, self.timeout = scratch, timeout
        self.todo: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.results: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.lock, self.stopping = threading.Lock(), False
        self.processes: set[Any] = set()

    def _started(self, process: Any) -> None:
        with self.lock:
            if self.stopping:
                process.kill()
            self.processes.add(process)

    def _work(self) -> None:
        while not self.stopping:
            try:
                point = self.todo.get_nowait()
            except queue.Empty:
                return
            result = run_point(point, self.tools, self.texts[point.configuration],
                               os.path.join(self.scratch, point.id), self.timeout, self._started)
            # The next one waits until this one is kept: a kill loses one point per process.
            kept = threading.Event()
            self.results.put((point, result, kept))
            while not kept.wait(1) and not self.stopping:
                pass

    def run(self, points: Sequence[Point], keep: Callable[..., None]) -> None:
        for p in points:
            self.todo.put(p)
        threads = [threading.Thread(target=self._work) for _ in range(min(self.jobs, len(points)))]
        for t in threads:
            t.start()
        try:
            for _ in points:
                point, result, kept = self.results.get()
                keep(point, result)
                kept.set()
        except BaseException:  # an interrupt, a full disk: nothing may go on behind our back
            with self.lock:
                self.stopping = True
                for process in self.processes:
                    process.kill()
            raise
        finally:
            for t in threads:
                t.join()
