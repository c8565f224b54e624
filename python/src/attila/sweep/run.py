"""Runs a point of a sweep in a process of the simulator, and shows the progress of the sweep. Not
here: many at a time (pool.py), what is to be run (sweep/command.py), keeping results
(sweep/store.py).
"""

from __future__ import annotations

import csv
import dataclasses
import fnmatch
import hashlib
import json
import os
import shutil
import socket
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any

from attila import simulator, whole_file
from attila.pool import Line, Started, in_words, watched

# Columns of frames.csv that are not statistics, or depend on the host.
NO_STATISTICS = {"frame", "draws", "start_cycle", "end_cycle", "cycles", "simulated_ms",
                 "host_seconds", "cpu_seconds", "kcycles_per_s", "shader_cycles", "memory_cycles"}


def now() -> str:
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass
class Point:
    """One run. capture, configuration: hashes; first, last: the first and last frame, None: all;
    frames: a list such as "3,7-9" of frames between these, None: all between; program: a list of
    arguments, or None; path: the file of the capture."""

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
    # [hash of the table, its file or None, changes of it]; None: no energy.
    energy: list[Any] | None = None
    frames: str | None = None
    warm_up: int = 0  # frames simulated before each range, without rows

    def __post_init__(self) -> None:
        # All that the result depends on: the content of a capture, not its path.
        made_of: list[Any] = list(self.fields().values())[:9]
        if self.energy:
            made_of.append([self.energy[0], *self.energy[2]])
        if self.frames:
            made_of.append(self.frames)
        if self.warm_up:
            made_of.append({"warm_up": self.warm_up})
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
    if point.frames:  # each frame begins warm, in a process that is forked for it
        options += ["--frames", point.frames, "--jobs", "1"]
    elif point.first is not None:
        options += ["--frames", f"{point.first}-{point.last}"]
    if point.warm_up:
        options += ["--warm-up", str(point.warm_up)]
    return [tools.sim, "run", point.path, *options]


def read_frames(path: str, statistics: str | None) -> tuple[Any, ...]:
    """(rows of frames.csv, with the statistics that are not 0 and match a pattern; CPU seconds)"""
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
    """Adds the energies of the frames (attila-sim power) as statistics, in femtojoules: of each
    unit, and of all units by kind."""
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
              started: Started = lambda process: None) -> Any:
    """Runs a point in the folder scratch, which it makes and removes; returns a result for
    Store.add. If the simulator ends with an error, this is a result; if it is killed, it is not
    (state lost)."""
    os.makedirs(scratch, exist_ok=True)
    config, out = os.path.join(scratch, "machine.ini"), os.path.join(scratch, "out")
    begin = time.monotonic()
    result: dict[str, Any] = {"point": point.id, "host": socket.gethostname(), "started": now()}
    try:
        with whole_file.opened(config, encoding="utf-8") as f:
            f.write(config_text)
        state, message = watched(command_of(point, tools, config, out), timeout, started)
        if state != "done":
            result.update(state=state, message=message)
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


class Progress:
    """The progress of a sweep. seconds: {capture: expected seconds of a point}."""

    def __init__(self, total: int, finished: int, jobs: int, seconds: Mapping[str, float]) -> None:
        self.total, self.finished, self.jobs = total, finished, jobs
        self.known = {c: [s, 1] for c, s in seconds.items() if s}
        self.failed = 0
        self.waiting: dict[Any, Any] = {}
        self.line = Line()

    def expect(self, points: Sequence[Point]) -> None:
        for p in points:
            self.waiting[p.capture] = self.waiting.get(p.capture, 0) + 1

    def remaining(self) -> Any:
        """The remaining seconds, or None while they are unknown."""
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
        left = self.remaining()
        text = "attila-sweep: %d of %d points%s%s" % (
            self.finished, self.total, f", {self.failed} failed" if self.failed else "",
            f", {in_words(left)} left" if left is not None and not last else "")
        self.line.show(text, self.finished / self.total, last)
