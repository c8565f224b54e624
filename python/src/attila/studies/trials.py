"""Experiments for rows of the table of claims that differ: a value of one machine, or of several,
as they are and with one thing changed, on the captures of a study. Not here: what the values say
about a claim (claims.ini), the experiments (Study.trials).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from attila.records import reader
from attila.studies.results import percent, share
from attila.studies.runs import cycles_of, records

Machine = tuple[str, list[str]]  # file of configs/, settings


def speed(folders: Sequence[str]) -> str:
    """How much faster the second machine is than the first."""
    slow, fast = map(cycles_of, folders)
    return percent(slow / fast)


def limiter(folders: Sequence[str]) -> str:
    return reader.limits(folders[-1])[1][0][0]


def executed(lanes: int) -> Callable[[Sequence[str]], str]:
    """What shaders that can execute instructions for this many lanes in a cycle do execute."""
    def value(folders: Sequence[str]) -> str:
        return share(counted(folders[-1], '"ExecutedInstructions_ShDX-FS"') /
                     (lanes * cycles_of(folders[-1])))
    return value


def busy(unit: str, statistic: str = "CyclesBusy") -> Callable[[Sequence[str]], str]:
    """How long the boxes of a unit were busy, or what else a statistic counts; the mean."""
    def value(folders: Sequence[str]) -> str:
        db = reader.open_record(folders[-1])
        boxes, = db.execute("SELECT count(*) FROM boxes WHERE unit = ?", (unit,)).fetchone()
        db.close()
        return share(counted(folders[-1], f'"{statistic}_{unit}"') /
                     (boxes * cycles_of(folders[-1])))
    return value


def counted(folder: str, what: str) -> float:
    """The sum of an SQL expression of statistics over the frames of a run."""
    db = reader.open_record(folder)
    total, = db.execute(f"SELECT sum({what}) FROM frame_all").fetchone()
    db.close()
    return float(total)


@dataclass(frozen=True)
class Trial:
    """what: the value, in words; machines: those it is of; changed: what is, in words, by
    settings or by options of attila-sim run. captures: only these; empty: all."""

    what: str
    machines: list[Machine]
    changed: str
    settings: list[str] = field(default_factory=list)
    options: list[str] = field(default_factory=list)
    value: Callable[[Sequence[str]], str] = speed
    captures: Sequence[str] = ()


def rows(o: argparse.Namespace, trials: Sequence[Trial],
         captures: Sequence[tuple[str, str, list[str]]]) -> list[Any]:
    """A row for each trial and capture (label, path, options): what, capture, value, what is
    changed, value then."""
    made = [(t, c) for t in trials for c in captures if not t.captures or c[0] in t.captures]
    wanted = {}
    for t, (label, path, options) in made:
        for at, (config, settings) in enumerate(t.machines):
            wanted[t.what, label, at, ""] = (path, config, settings, options)
            wanted[t.what, label, at, t.changed] = (
                path, config, [*settings, *t.settings], [*options, *t.options])
    folders = records(o, wanted) if wanted else {}

    def value(t: Trial, label: str, changed: str) -> str:
        return t.value([folders[t.what, label, at, changed] for at in range(len(t.machines))])
    return [[t.what, label, value(t, label, ""), t.changed, value(t, label, t.changed)]
            for t, (label, _, _) in made]
