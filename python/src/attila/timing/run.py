"""Runs captures on the simulator and compares its statistics with those of the original. Used by
timing/main.py. Not here: files of cases (timing/data.py), printing (timing/report.py).
"""

from __future__ import annotations

import csv
import functools
import os
import re
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from attila import cli, simulator
from attila.cli import Error
from attila.timing.data import CLOSE, Case, Group, SMALL, TARGET, families, read_lines


@dataclass(frozen=True)
class Difference:
    """A statistic of the original and ours, which is None if we do not count it."""

    group: Any
    name: str
    original: float
    ours: float | None

    @property
    def ratio(self) -> Any:
        if self.ours is None:
            return None
        if not self.original:
            return float("inf") if self.ours else 1.0
        return self.ours / self.original

    def within(self, tolerance: float) -> bool:
        return self.ours is None or abs(self.ratio - 1) <= tolerance


class Result:
    """A case and the statistics that the simulator counted for it."""

    def __init__(self, case: Case, counted: dict[str, float], groups: Sequence[Group]) -> None:
        self.case, self.counted = case, counted
        self.cycles = int(counted["cycles"])
        self.compared = []
        if not case.original:
            return
        for group in groups:
            known = {n: case.original[n] - case.original.get(besides, 0)
                     for n, besides in group.names.items() if n in case.original}
            total = sum(known.values())
            for name, original in known.items():
                ours = counted.get(name)
                if group.sums and max(original, ours or 0) < SMALL * total:
                    continue
                if original or ours:
                    self.compared.append(Difference(group, name, original, ours))

    @property
    def ratio(self) -> Any:
        original = self.case.original.get("cycles")
        return self.cycles / original if original else None

    @property
    def close(self) -> bool:
        return self.ratio is None or abs(self.ratio - 1) <= CLOSE

    @property
    def peak(self) -> float | None:
        """The rate of the limiting unit as a part of its peak."""
        return self.case.bound / self.cycles if self.case.bound else None

    def beyond(self, tolerance: float = CLOSE) -> list[Any]:
        return [d for d in self.compared if not d.within(tolerance)]

    def missed_targets(self) -> list[Any]:
        """The statistics with a target that we do not count, or that are more than 15 % off."""
        return [d for d in self.compared
                if d.group.target and (d.ours is None or not d.within(TARGET))]


class Machine:
    """The simulator's program and a configuration."""

    def __init__(self, sim: str, config: str, sets: Sequence[str] = ()) -> None:
        self.sim, self.config, self.sets = sim, config, list(sets)
        if not os.access(sim, os.X_OK):
            raise Error(f"no {sim}: run scripts/setup or scripts/setup --sim-only first")

    def options(self) -> list[str]:
        return ["--config", self.config] + [a for s in self.sets for a in ("--set", s)]

    def description(self) -> simulator.Answer:
        """The keys and values of the machine as text, and why it cannot be built, or None."""
        return simulator.ask(self.sim, "--describe", "--format", "ini", *self.options())

    def replay(self, capture: str, out: str, *options: str) -> None:
        """Plays the capture; its record goes to the folder out."""
        simulator.call(self.sim, "run", capture, "--out", out, *options, *self.options())

    def frames(self, capture: str, *options: str) -> list[dict[str, str]]:
        """The rows of frames.csv, at least one: [{column: text}]."""
        with tempfile.TemporaryDirectory() as out:
            self.replay(capture, out, "--draws-columns", "none", "--record", "csv", *options)
            with open(os.path.join(out, "frames.csv"), newline="") as f:
                rows = list(csv.DictReader(f))
        if not rows:
            raise Error(f"{capture}: no frame in it")
        return rows

    def run(self, capture: str, *options: str) -> dict[str, float]:
        """{family: value} summed over the frames, cycles among them."""
        return families(self.frames(capture, *options))


class Progress:
    """'3 of 30' on a terminal; nothing elsewhere."""

    def __init__(self, what: str, total: int) -> None:
        self.what, self.total, self.done = what, total, 0
        self.show = sys.stderr.isatty()

    def step(self, name: str, _: object = None) -> None:
        self.done += 1
        if self.show:
            text = f"{self.what}: {self.done} of {self.total} ({name})"
            cli.in_place(f"{text[:78]:<78}")
            if self.done == self.total:
                cli.in_place(f"{'':<78}", "\r")


def in_parallel(jobs: int, tasks: Sequence[tuple[str, Callable[[], Any]]],
                progress: Progress | None = None) -> list[Any]:
    """Calls the functions of [(name, function)] in so many threads; returns their results in
    order."""
    with cli.threads(jobs) as pool:
        futures = []
        for name, task in tasks:
            future = pool.submit(task)
            if progress:
                future.add_done_callback(functools.partial(progress.step, name))
            futures.append(future)
        return [f.result() for f in futures]


def run_cases(machine: Machine, cases: Sequence[Case], groups: Sequence[Group],
              jobs: int) -> list[Result]:
    progress = Progress("cases", len(cases))
    tasks = [(c.name, lambda c=c: machine.run(c.capture, *c.options)) for c in cases]
    counted = in_parallel(jobs, tasks, progress)
    return [Result(c, n, groups) for c, n in zip(cases, counted)]


# --- Changes of the configuration ---

# Settings with which the original changes what a program draws. Here the program itself must
# request it, so this folder beside the cases has captures of such programs. MSAASamples is 4 in the
# configuration.
ASKED_FOR = {"SIMULATOR.ForceMSAA=TRUE": "forced_msaa"}


def capture_of(case: Case, change: str) -> Any:
    if change not in ASKED_FOR:
        return case.capture
    return os.path.join(case.folder, ASKED_FOR[change], case.name + ".attila")


def changed(text: str, change: str) -> Any:
    """The text of the configuration with the changes 'SECTION.Key=value;...'; it must have every
    key."""
    for part in change.split(";"):
        m = re.fullmatch(r"(\w+)\.(\w+)=(\S+)", part)
        if not m:
            raise Error(f"'{part}' is not SECTION.Key=value")
        section, key, value = m.groups()
        start = text.find(f"[{section}]")
        end = text.find("\n[", start + 1)
        end = len(text) if end < 0 else end
        body, count = re.subn(r"(?m)^%s *=.*$" % key, f"{key} = {value}", text[start:end])
        if start < 0 or not count:
            raise Error(f"the configuration has no {key} in [{section}]")
        text = text[:start] + body + text[end:]
    return text


def run_changes(sim: str, config: str, changes: Sequence[str], cases: Sequence[Case],
                jobs: int) -> dict[Any, Any]:
    """{change: {case: cycles}} of our simulator; the change 'base' is the unchanged machine.
    Changes that the simulator refuses, or that have unknown keys, are left out and reported."""
    text = "\n".join(read_lines(config))
    taken, tasks = [], []
    unchanged = Machine(sim, config).description()[0]
    with tempfile.TemporaryDirectory() as folder:
        for n, change in enumerate(changes):
            file = os.path.join(folder, str(n) + ".ini")
            with open(file, "w", encoding="utf-8") as f:
                f.write(text if change == "base" else changed(text, change))
            machine = Machine(sim, file)
            description, why = machine.description()
            if (not why and description == unchanged and change != "base" and
                    change not in ASKED_FOR):
                why = "there is no such key"
            if why:
                print(f"not measured: {change}: {why}", file=sys.stderr)
                continue
            taken.append(change)
            tasks += [(f"{change}, {c.name}",
                       lambda m=machine, file=capture_of(c, change): m.run(file)) for c in cases]
        counted = in_parallel(jobs, tasks, Progress("changes", len(tasks)))
    cycles = iter(counted)
    return {change: {c.name: int(next(cycles)["cycles"]) for c in cases} for change in taken}
