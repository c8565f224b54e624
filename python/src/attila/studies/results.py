"""What the studies have in common: results of sweeps, means, tables. Not here: running
(studies/main.py), what a study says (studies/*.py).
"""

from __future__ import annotations

import json
import math
import os
import sqlite3

from attila.cli import UsageError


def added(dictionaries):
    """{key: sum of its values}"""
    total = {}
    for d in dictionaries:
        for key, value in d.items():
            total[key] = total.get(key, 0) + value
    return total


class Place:
    """A configuration of a space: machine, settings {short key: text}, area in mm2, and for each
    capture cycles, seconds and {statistic: value}, summed over the frames but the first where there
    are several; cpu: seconds of a processor that the whole run took."""

    def __init__(self, space, machine, settings, area):
        self.space, self.machine, self.settings, self.area = space, machine, settings, area
        self.cycles, self.seconds, self.statistics, self.frames = {}, {}, {}, {}
        self.cpu = {}

    def fits(self, wanted: dict[str, str]) -> bool:
        return all((self.space if k == "space" else self.machine if k == "machine" else
                    self.settings.get(k)) == str(v) for k, v in wanted.items())

    def total(self):
        """{statistic: value} over all captures."""
        return added(self.statistics.values())


class Results:
    """Places of one study over all its sweeps; captures in order; what its experiment found."""

    def __init__(self):
        self.places, self.captures, self.experiment = [], [], None

    def add(self, space: str, folder: str) -> None:
        db = sqlite3.connect(os.path.join(folder, "sweep.sqlite"))
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
            self._captures(db, design[0], number, place)
        db.close()

    def _captures(self, db: sqlite3.Connection, design: int, number: int, place: Place) -> None:
        for name, point, path in db.execute(
                "SELECT c.name, m.point, c.path FROM members m JOIN captures c USING (capture) "
                "WHERE design = ? AND place = ? ORDER BY m.rowid", (design, number)).fetchall():
            rows = db.execute("SELECT cycles, simulated_ms, statistics FROM frames WHERE point = ? "
                              "ORDER BY frame", (point,)).fetchall()
            if not rows:
                why = db.execute("SELECT message FROM points WHERE point = ?", (point,)).fetchone()
                raise UsageError(f"{name} on {place.machine or place.settings} has no result: "
                                 f"{why and why[0]}")
            rows = rows[1:] or rows
            if name not in self.captures:
                self.captures.append(name)
            place.cpu[name] = db.execute("SELECT cpu_seconds FROM points WHERE point = ?",
                                         (point,)).fetchone()[0]
            place.cycles[name] = sum(r[0] for r in rows)
            place.seconds[name] = sum(r[1] for r in rows) / 1000
            place.frames[name] = len(rows)
            place.statistics[name] = added(json.loads(text) for _, _, text in rows)

    def all(self, **wanted):
        return [p for p in self.places if p.fits(wanted)]

    def one(self, **wanted):
        found = self.all(**wanted)
        if len(found) != 1:
            raise UsageError(f"{len(found)} configurations are {wanted}")
        return found[0]

    def speed(self, fast: Place, slow: Place, captures=None) -> float:
        """Speed of a place over another one, mean of the captures."""
        return mean([slow.seconds[c] / fast.seconds[c] for c in captures or self.captures])


def mean(ratios) -> float:
    """Geometric."""
    return math.exp(sum(math.log(r) for r in ratios) / len(ratios))


def texture_hits(statistics):
    """Of the texture units, all together: their share in percent as text; "": no such caches. An
    access that misses counts once, when it asks for its line, as in the record's views."""
    hits = statistics.get("HitsFetch_FC64_TU-FSTU", 0)
    looks = hits + statistics.get("MissOKFetch_FC64_TU-FSTU", 0)
    return f"{100 * hits / looks:.1f} %" if looks else ""


def percent(ratio):
    return f"{100 * (ratio - 1):+.1f} %"


def table(head: list[str], rows: list[list[str]]) -> str:
    out = f"| {' | '.join(head)} |\n|{'---|' + '---:|' * (len(head) - 1)}\n"
    return out + "".join(f"| {' | '.join(r)} |\n" for r in rows)


def cycles_table(results, label):
    """A row for each capture: cycles on each place."""
    return "\n## Cycles\n\n" + table(
        ["configuration"] + results.captures,
        [[label(p)] + [f"{p.cycles[c]}" for c in results.captures] for p in results.places])


class Study:
    """name, title, source: of its page; spaces: files of designs/; variants: {suffix: line of their
    [sweep] that is put there}, each a space of its own (name + suffix); scenes: of glmark2, or
    streams of tests/; games: it also takes these; measures: it runs what it needs with measure(o),
    whose result text() and plot() get, and design(o) says what it ran."""

    name = title = source = what = ""
    spaces: list[str] = []
    scenes: list[str] = []
    games, measures = True, False
    variants: dict[str, str | None] = {"": None}

    @staticmethod
    def experiment(o, captures) -> None:
        """Runs besides the sweeps; captures: [(path, frames or None)]."""

    def text(self, results) -> None:
        raise NotImplementedError

    def plot(self, plt, results) -> None:
        """(figure, title)"""
        raise NotImplementedError
