"""What a run, a sweep, a sample or a comparison left in its folder, as pandas data frames. pandas
is imported when the first frame is asked for. Not here: writing any of it, plots.
"""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from attila.cli import Error
from attila.record import reader

if TYPE_CHECKING:
    from pandas import DataFrame

KINDS = ("frame", "work", "interval")


def _csv(*path: str) -> DataFrame:
    import pandas
    file = os.path.join(*path)
    if not os.path.exists(file):
        raise Error(f"no {file}")
    return pandas.read_csv(file)


class Run:
    """What attila-run --out DIR or attila-sim run --out DIR recorded. A frame for each table of the
    record (docs/reference/record.md): frames, work, intervals, programs, configuration, ...; and
    what the statistics say of each frame, piece of work or interval (kind)."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = os.fspath(folder)
        self.db = reader.open_record(self.folder)
        about = self.db.execute("SELECT * FROM run")
        self.about = dict(zip([d[0] for d in about.description], about.fetchone()))

    def __repr__(self) -> str:
        return f"attila.Run({self.folder!r}, mode={self.about['mode']!r})"

    def sql(self, query: str, arguments: Sequence[Any] = ()) -> DataFrame:
        """The result of any query of the record."""
        import pandas
        return pandas.read_sql(query, self.db, params=list(arguments))

    def table(self, name: str) -> DataFrame:
        """A table or view of the record."""
        return self.sql(f'SELECT * FROM "{name}"')

    @functools.cached_property
    def frames(self) -> DataFrame:
        return self.table("frames")

    @functools.cached_property
    def work(self) -> DataFrame:
        """All work: draws, clears, copies, ... in the order of commands."""
        return self.table("work")

    @functools.cached_property
    def draws(self) -> DataFrame:
        return self.work[self.work["kind"] == "draw"].reset_index(drop=True)

    @functools.cached_property
    def intervals(self) -> DataFrame:
        return self.table("intervals")

    @functools.cached_property
    def programs(self) -> DataFrame:
        return self.table("programs")

    @functools.cached_property
    def configuration(self) -> DataFrame:
        return self.table("configuration")

    @functools.cached_property
    def statistics(self) -> DataFrame:
        """What each statistic means: its name, unit, measure, ..."""
        return self.table("counters")

    def counters(self, kind: str = "frame") -> DataFrame:
        """Every statistic that is not 0 throughout, a column each; a row for each frame, piece of
        work or interval, with its number as index."""
        wide = self._derived(kind, "counters").set_index(kind).fillna(0).astype("int64")
        return wide.loc[:, (wide != 0).any()]

    def units(self, kind: str = "frame") -> DataFrame:
        """How busy, blocked, starved and idle each unit was."""
        return self._derived(kind, "units")

    def bytes(self, kind: str = "frame") -> DataFrame:
        """Bytes that each client of the memory read and wrote."""
        return self._derived(kind, "bytes")

    def caches(self, kind: str = "frame") -> DataFrame:
        return self._derived(kind, "caches")

    def energy(self, kind: str = "frame") -> DataFrame:
        """Femtojoules of each unit; of runs with --power, and of those that attila-sim power
        --write evaluated."""
        return self._derived(kind, "energy")

    def _derived(self, kind: str, what: str) -> DataFrame:
        self._check(kind)
        name = f"{kind}_{what}"
        if not self.db.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (name,)).fetchone():
            raise Error(f"{self.folder} has no {name}")
        return self.table(name)

    @staticmethod
    def _check(kind: str) -> None:
        if kind not in KINDS:
            raise Error(f"'{kind}' is none of {', '.join(KINDS)}")


class Sweep:
    """What attila sweep left in its folder, of the design that ran last."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        from attila.sweep.store import Store
        self.folder = os.fspath(folder)
        path = os.path.join(self.folder, "sweep.sqlite")
        if not os.path.isfile(path):
            raise Error(f"no {path}")
        self.store = Store(path)
        self.design = self.store.latest()
        if self.design is None:
            raise Error(f"nothing in {path} yet")

    @functools.cached_property
    def results(self) -> Any:
        """attila.sweep.report.Results: speed-ups over the baseline, Pareto fronts."""
        from attila.sweep.report import Results
        return Results(self.store, self.design)

    @functools.cached_property
    def points(self) -> DataFrame:
        """A row for each configuration and capture: its parameters, area, cycles, speed (over the
        baseline) and, where the space has energies, joules."""
        import pandas
        rows = []
        for p in self.results.places:
            for capture in self.results.captures:
                cycles = p["cycles"].get(capture)
                joules = p["energy"].get(capture)
                rows.append({"place": p["place"], "machine": p["machine"],
                             **{k: int(v) if v.isdigit() else v
                                for k, v in p["settings"].items()},
                             "area": p["area"], "capture": capture,
                             "cycles": cycles and cycles[0], "speed": p["speed"].get(capture),
                             "joules": joules and joules * 1e-15})
        return pandas.DataFrame(rows).dropna(axis="columns", how="all")

    @functools.cached_property
    def frames(self) -> DataFrame:
        """A row for each simulated frame, with its statistics."""
        import pandas
        found = pandas.read_sql(
            "SELECT place, c.name AS capture, frame, cycles, statistics FROM members "
            "JOIN captures c USING (capture) JOIN frames USING (point) WHERE design = ? "
            "ORDER BY place, capture, frame", self.store.db, params=[self.design])
        counted = pandas.DataFrame([json.loads(s) for s in found.pop("statistics")])
        return pandas.concat([found, counted.fillna(0)], axis=1)

    def front(self) -> DataFrame:
        """The points that none beats in both area and speed."""
        best = [p["place"] for p in self.results.front]
        return self.points[self.points["place"].isin(best)]


class Sample:
    """What attila sample left in its folder: features of all frames, the frames that were simulated
    (sampled), and the estimate of every statistic."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = os.fspath(folder)
        self.estimate = _csv(self.folder, "estimate.csv").set_index("statistic")

    @functools.cached_property
    def features(self) -> DataFrame:
        return _csv(self.folder, "features.csv").set_index("frame")

    @functools.cached_property
    def sampled(self) -> DataFrame:
        return _csv(self.folder, "sampled.csv").set_index("frame")


class Timing:
    """What attila validate-timing -o FILE wrote: statistics of the original and ours by case."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.statistics = _csv(os.fspath(path))
        self.statistics["ratio"] = self.statistics["ours"] / self.statistics["original"]

    @functools.cached_property
    def cycles(self) -> DataFrame:
        found = self.statistics[self.statistics["statistic"] == "cycles"]
        return found.drop(columns="statistic").set_index("case")


class Comparison:
    """What attila compare left in its folder: how each frame differs from another driver's, and
    with --time the times of draws."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = os.fspath(folder)

    @functools.cached_property
    def frames(self) -> DataFrame:
        return _csv(self.folder, "frames.csv")

    @functools.cached_property
    def times(self) -> DataFrame:
        return _csv(self.folder, "times.csv")
