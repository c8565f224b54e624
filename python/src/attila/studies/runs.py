"""Single runs of attila-sim with a record: for the limits of a capture, and for studies that
examine a frame or evaluate energies in many ways. Each run is made once and kept. Not here: sweeps
(studies/command.py), how studies use a record (studies/frame.py, studies/clocks.py).
"""

from __future__ import annotations

import argparse
import concurrent.futures
import csv
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from attila import cli
from attila.cli import UsageError
from attila.paths import TOP
from attila.records import reader

TOLD = 10  # runs between two lines of progress


def command(*words: Any) -> str:
    """Runs a command and returns its output; raises UsageError on failure."""
    try:
        done = subprocess.run([str(w) for w in words], capture_output=True, text=True, check=False)
    except OSError as e:
        raise UsageError(f"cannot run {words[0]}: {e.strerror}") from None
    if done.returncode:
        why = [n for n in done.stderr.split("\n") if n.strip()]
        raise UsageError(why[-1] if why else f"{words[1]} ended with {done.returncode}")
    return done.stdout


def _key(sim: str, capture: str, options: Sequence[str]) -> Any:
    """A hash of all that a result depends on. Programs and captures are identified by path, size
    and time."""
    files = [(os.path.realpath(p), os.stat(p).st_size, os.stat(p).st_mtime_ns)
             for p in [sim, capture] + [w for w in options if os.path.isfile(w)]]
    return hashlib.sha256(json.dumps([files, options]).encode()).hexdigest()[:16]


def record(o: argparse.Namespace, capture: str, config: str, settings: Sequence[str] = (),
           options: Sequence[str] = ()) -> str:
    """Makes a run on a machine of configs/, unless it exists; returns its folder."""
    options = ["--config", os.path.join(TOP, "configs", config + ".ini"), *options]
    options += [a for s in settings for a in ("--set", s)]
    folder = os.path.join(o.out, "runs", _key(o.sim, capture, options))
    if not os.path.exists(os.path.join(folder, "done")):
        shutil.rmtree(folder, ignore_errors=True)
        command(o.sim, "run", capture, *options, "--record", "sqlite,boxes", "--out", folder)
        with open(os.path.join(folder, "done"), "w", encoding="utf-8"):
            pass
    return folder


def records(o: argparse.Namespace, wanted: Mapping[Any, tuple[Any, ...]]) -> dict[Any, str]:
    """Makes the runs wanted, {name: arguments of record()}, --jobs at a time; returns {name:
    folder}."""
    with cli.threads(o.jobs or len(os.sched_getaffinity(0))) as pool:
        running = {name: pool.submit(record, o, *arguments) for name, arguments in wanted.items()}
        for n, _ in enumerate(concurrent.futures.as_completed(running.values()), 1):
            if n % TOLD == 0 or n == len(running):
                print(f"studies: {n} of {len(running)} runs", file=sys.stderr)
        return {name: r.result() for name, r in running.items()}


def of_stages(folder: str, column: str) -> dict[str, int]:
    """{stage: sum of a column of frame_instructions} over all frames of a run."""
    db = reader.open_record(folder)
    found = dict(db.execute(f"SELECT stage, sum({column}) FROM frame_instructions "
                            "JOIN programs USING (program) GROUP BY stage"))
    db.close()
    return found


def leakage_in(rows: list[dict[str, str]]) -> float:
    """The share of leakage in what a chip dissipates. rows: of attila-sim power."""
    total, off, leaked = (sum(int(r[kind + "_fj"]) for r in rows)
                          for kind in ("total", "offchip", "leakage"))
    return leaked / (total - off)


def leakage_of(sim: str, folder: str, table: str) -> float:
    """The share of leakage in what the chip of a run dissipates."""
    text = command(sim, "power", folder, "--table", table, "--format", "csv")
    return leakage_in(list(csv.DictReader(io.StringIO(text))))


def cycles_of(folder: str) -> int:
    """Returns the cycles of all frames of a run."""
    db = reader.open_record(folder)
    cycles, = db.execute("SELECT sum(cycles) FROM frames").fetchone()
    db.close()
    return int(cycles)


class Timeline:
    """A run of one frame with intervals. cycles: the ends of the intervals, from the beginning of
    the frame; lengths: their lengths; counters {name: [value]}, busy {unit: [percent]}, bytes
    {client: [bytes]}."""

    def __init__(self, folder: str, frame: int) -> None:
        self.db = reader.open_record(folder)
        # The record has only this frame.
        rows = self.db.execute("SELECT interval, start_cycle, end_cycle FROM intervals "
                               "WHERE cycles > 0 ORDER BY interval").fetchall()
        if not rows:
            raise UsageError(f"no interval in frame {frame}: is it in the capture?")
        self.start = rows[0][1]
        self.place = {r[0]: n for n, r in enumerate(rows)}
        self.cycles = [r[2] - self.start for r in rows]
        self.lengths = [r[2] - r[1] for r in rows]
        self.counters: dict[Any, Any] = {}
        for interval, name, value in reader.values(self.db, "interval"):
            if interval in self.place:
                self.column(self.counters, name)[self.place[interval]] += value
        self.busy = self.columns("SELECT unit, interval, busy_percent FROM interval_units")
        self.bytes = self.columns("SELECT client, interval, read_bytes + written_bytes FROM "
                                  "interval_bytes")

    def column(self, columns: dict[Any, list[Any]], name: Any) -> list[Any]:
        return columns.setdefault(name, [0] * len(self.cycles))

    def columns(self, sql: str, *values: Any) -> dict[Any, list[Any]]:
        """{name: [value]} of rows (name, interval, value)"""
        found: dict[Any, Any] = {}
        for name, interval, value in self.db.execute(sql, values):
            if interval in self.place:
                self.column(found, name)[self.place[interval]] += value or 0
        return found

    def instances(self, counter: str) -> dict[Any, list[Any]]:
        """{number of the box: [value]} of a counter"""
        of, = self.db.execute("SELECT class FROM counters WHERE name = ?", (counter,)).fetchone()
        return self.columns(
            f'SELECT b.instance, v.interval, v."{counter}" FROM "interval_{of}_boxes" v JOIN boxes '
            "b ON b.name = v.box")

    def per_cycle(self, counter: str) -> list[float]:
        return [v / n for v, n in zip(self.counters[counter], self.lengths)]
