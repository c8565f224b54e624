"""What the studies have in common: results of sweeps, means, tables. Not here: running
(studies/command.py), what a study says (studies/*.py).
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from attila.cli import UsageError
from attila.record import reader


def added(dictionaries: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """{key: sum of its values}"""
    total: dict[Any, Any] = {}
    for d in dictionaries:
        for key, value in d.items():
            total[key] = total.get(key, 0) + value
    return total


class Place:
    """A configuration of a space: machine, settings {short key: text}, area in mm2, and for each
    capture cycles, seconds and {statistic: value}, summed over its frames; cpu: seconds of a
    processor that the whole run took."""

    def __init__(self, space: str, machine: str, settings: dict[str, str],
                 area: float | None) -> None:
        self.space, self.machine, self.settings, self.area = space, machine, settings, area
        self.cycles: dict[Any, Any] = {}
        self.seconds: dict[Any, Any] = {}
        self.statistics: dict[Any, Any] = {}
        self.frames: dict[Any, Any] = {}
        self.cpu: dict[Any, Any] = {}

    def fits(self, wanted: dict[str, str]) -> bool:
        return all((self.space if k == "space" else self.machine if k == "machine" else
                    self.settings.get(k)) == str(v) for k, v in wanted.items())

    def total(self) -> Any:
        """{statistic: value} over all captures."""
        return added(self.statistics.values())


class Results:
    """Places of one study over all its sweeps; captures in order, and those that are frames of
    games; of the study's bounds, bounds {machine: {capture: folder of the run}} and limits
    {machine: {capture: [(unit, share of the time)]}}, most first."""

    def __init__(self) -> None:
        self.places: list[Place] = []
        self.captures: list[str] = []
        self.games: list[str] = []
        self.bounds: dict[str, dict[str, str]] = {}
        self.limits: dict[str, dict[str, list[tuple[str, float]]]] = {}
        self.experiment: Any = None

    def add(self, space: str, folder: str, label: str | None = None) -> None:
        """The places of a sweep; label: what its only capture is called here."""
        db = reader.connect(os.path.join(folder, "sweep.sqlite"), "ro")
        design = db.execute("SELECT design FROM designs ORDER BY ran DESC, design DESC").fetchone()
        for number, machine, area in db.execute(
                "SELECT place, machine, area FROM places WHERE design = ? ORDER BY place",
                design).fetchall():
            settings = {k.split(".")[-1] if k.split(".")[0] != "VERTEXSHADER" else k: v
                        for k, v in db.execute("SELECT key, value FROM settings WHERE design = ? "
                                               "AND place = ?", (*design, number))}
            found = [p for p in self.places if p.space == space and p.machine == machine and
                     p.settings == settings]
            place = found[0] if found else Place(space, machine, settings, area)
            if not found:
                self.places.append(place)
            self._captures(db, design[0], number, place, label)
        db.close()

    def _captures(self, db: sqlite3.Connection, design: int, number: int, place: Place,
                  label: str | None) -> None:
        for name, point, path in db.execute(
                "SELECT c.name, m.point, c.path FROM members m JOIN captures c USING (capture) "
                "WHERE design = ? AND place = ? ORDER BY m.rowid", (design, number)).fetchall():
            rows = db.execute("SELECT cycles, simulated_ms, statistics FROM frames WHERE point = ? "
                              "ORDER BY frame", (point,)).fetchall()
            if not rows:
                why = db.execute("SELECT message FROM points WHERE point = ?", (point,)).fetchone()
                raise UsageError(f"{name} on {place.machine or place.settings} has no result: "
                                 f"{why and why[0]}")
            name = label or name
            if name not in self.captures:
                self.captures.append(name)
            place.cpu[name] = db.execute("SELECT cpu_seconds FROM points WHERE point = ?",
                                         (point,)).fetchone()[0]
            place.cycles[name] = sum(r[0] for r in rows)
            place.seconds[name] = sum(r[1] for r in rows) / 1000
            place.frames[name] = len(rows)
            place.statistics[name] = added(json.loads(text) for _, _, text in rows)

    def all(self, **wanted: Any) -> list[Place]:
        return [p for p in self.places if p.fits(wanted)]

    def one(self, **wanted: Any) -> Place:
        found = self.all(**wanted)
        if len(found) != 1:
            raise UsageError(f"{len(found)} configurations are {wanted}")
        return found[0]

    def speed(self, fast: Place, slow: Place, captures: Sequence[str] | None = None) -> float:
        """Speed of a place over another one, mean of the captures."""
        return mean([slow.seconds[c] / fast.seconds[c] for c in captures or self.captures])


def mean(ratios: Sequence[float]) -> float:
    """Geometric."""
    return math.exp(sum(math.log(r) for r in ratios) / len(ratios))


def texture_hits(statistics: Mapping[str, float]) -> float | None:
    """Hit rate of the texture caches, None: no such caches. An access that misses counts once, when
    it asks for its line, as in the record's views."""
    hits = statistics.get("HitsFetch_FC64_TU-FSTU", 0)
    looks = hits + statistics.get("MissOKFetch_FC64_TU-FSTU", 0)
    return hits / looks if looks else None


def share(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.1f} %"


def change(ratio: float) -> float:
    """In percent."""
    return 100 * (ratio - 1)


def percent(ratio: float) -> str:
    return f"{change(ratio):+.1f} %"


def cycles_table(results: Any, label: Callable[[Place], str]) -> list[Any]:
    """A row for each configuration: cycles of each capture."""
    return [[label(p)] + [f"{p.cycles[c]}" for c in results.captures] for p in results.places]


class Study:
    """name, title, source: of its page, pages/NAME.md.jinja; spaces: files of designs/; scenes: of
    glmark2, or streams of tests/; size: of the scenes; games: it takes frames of games, too;
    bounds: machines {what: (file of configs/, settings)} on which the page tells what limits each
    capture; measures: it runs what it needs with measure(o), whose result takes the place of
    Results."""

    name = title = source = ""
    spaces: list[str] = []
    scenes: list[str] = []
    size = (1024, 768)
    games, measures = True, False
    bounds: dict[str, tuple[str, list[str]]] = {}

    def experiment(self, o: argparse.Namespace) -> Any:
        """Runs besides the sweeps; becomes the results' experiment."""

    def measure(self, o: argparse.Namespace) -> Any:
        """What takes the place of Results, if measures."""

    def found(self, results: Any) -> dict[str, Any]:
        """{claim of claims.ini: values, or Seen}: those that these results say something of."""
        raise NotImplementedError

    def data(self, results: Any) -> dict[str, Any]:
        """What the page's template shows."""
        raise NotImplementedError

    def plot(self, plt: Any, results: Any) -> tuple[Any, str]:
        """(figure, title)"""
        raise NotImplementedError
