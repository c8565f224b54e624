"""What the studies have in common: results of sweeps, means, tables. Not here: running them
(studies/command.py), the studies (studies/*.py).
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import os
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from attila.cli import UsageError
from attila.records import reader


def added(dictionaries: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """{key: sum of its values}"""
    total: dict[Any, Any] = {}
    for d in dictionaries:
        for key, value in d.items():
            total[key] = total.get(key, 0) + value
    return total


class Place:
    """A configuration of a space: machine, settings {short key: text}, area in mm2, and for each
    capture cycles, seconds and {statistic: value}, summed over its frames. cpu: CPU seconds of the
    whole run."""

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
    """The results of a study. places: of all its sweeps; captures: in order; games: the captures
    that are frames of games; estimates: {(space, sampled game): [(speed-up, half its interval)]},
    in the order of places. For the machines of Study.bounds: bounds {machine: {capture: folder of
    the run}} and limits {machine: {capture: [(unit, share of the time)]}}, the largest share
    first."""

    def __init__(self) -> None:
        self.places: list[Place] = []
        self.captures: list[str] = []
        self.games: list[str] = []
        self.estimates: dict[tuple[str, str], list[tuple[float, float]]] = {}
        self.bounds: dict[str, dict[str, str]] = {}
        self.limits: dict[str, dict[str, list[tuple[str, float]]]] = {}
        self.experiment: Any = None

    def add(self, space: str, folder: str, label: str | None = None) -> None:
        """Adds the places of a sweep. label: the name of its only capture."""
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
        """The speed of a place relative to another one, the mean over the captures."""
        return mean([slow.seconds[c] / fast.seconds[c] for c in captures or self.captures])


def estimates_of(folder: str) -> list[tuple[float, float]]:
    """[(speed-up over the first place, half its interval)] for a sampled sweep of one capture, in
    the order of its places."""
    with open(os.path.join(folder, "table.csv"), newline="", encoding="utf-8") as f:
        return [(float(row["speed-up"]), float(row["+-"])) for row in csv.DictReader(f)]


def mean(ratios: Sequence[float]) -> float:
    """The geometric mean."""
    return math.exp(sum(math.log(r) for r in ratios) / len(ratios))


def texture_hits(statistics: Mapping[str, float]) -> float | None:
    """The hit rate of the texture caches, or None if there are none. A miss counts once, when its
    line is requested, as in the views of the record."""
    hits = statistics.get("HitsFetch_FC64_TU-FSTU", 0)
    looks = hits + statistics.get("MissOKFetch_FC64_TU-FSTU", 0)
    return hits / looks if looks else None


def share(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.1f} %"


def change(ratio: float) -> float:
    """Returns the change of a ratio from 1, in percent."""
    return 100 * (ratio - 1)


def percent(ratio: float) -> str:
    return f"{change(ratio):+.1f} %"


def cycles_table(results: Any, label: Callable[[Place], str]) -> list[Any]:
    """A row for each configuration: cycles of each capture."""
    return [[label(p)] + [f"{p.cycles[c]}" for c in results.captures] for p in results.places]


class Study:
    """name, title, source: for its page, pages/NAME.md.jinja; spaces: files of designs/; scenes:
    scenes of glmark2, or streams of tests/; size: of the scenes; games: whether it also uses frames
    of games; sampled: sampled games {game: (last frame recorded, "sample" of [sweep], space)};
    warm_up: "warm-up" of [sweep]; bounds: machines {description: (file of configs/, settings)} for
    which the page says what limits each capture; trials: experiments (trials.py), on the captures
    of trial_captures; measures: the study has no sweeps; instead
    measure(o) makes its runs, and its result replaces Results."""

    name = title = source = ""
    spaces: list[str] = []
    scenes: list[str] = []
    size = (1024, 768)
    games, measures = True, False
    sampled: dict[str, tuple[int, str, str]] = {}
    warm_up = 0
    bounds: dict[str, tuple[str, list[str]]] = {}
    trials: list[Any] = []

    def made(self, folder: str, space: str) -> list[str]:
        """Makes captures for a space in a folder, of which the second frame is used."""
        return []

    def trial_captures(self, o: argparse.Namespace) -> list[tuple[str, str, list[str]]]:
        """[(label, path, options of attila-sim run)]; otherwise the frames of games"""
        return [(label, path, ["--frames", frame]) for label, path, frame in o.frames]

    def experiment(self, o: argparse.Namespace) -> Any:
        """Makes runs that are not sweeps; the result becomes Results.experiment."""

    def measure(self, o: argparse.Namespace) -> Any:
        """If measures is set: makes all runs; the result replaces Results."""

    def found(self, results: Any) -> dict[str, Any]:
        """Returns {claim of claims.ini: values, or Seen} for the claims that the results test."""
        raise NotImplementedError

    def data(self, results: Any) -> dict[str, Any]:
        """Values for the page's template."""
        raise NotImplementedError

    def plot(self, plt: Any, results: Any) -> tuple[Any, str]:
        """(figure, title)"""
        raise NotImplementedError
