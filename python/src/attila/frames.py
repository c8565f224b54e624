"""What a run, a sweep, a sample or a comparison has left in its folder, as pandas data frames.
pandas is imported when the first data frame is read. Not here: writing these files, plots.
"""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Self

from attila.cli import Error
from attila.records import reader
from attila.records import state as states

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
    """What attila-run --out DIR, attila-sim run --out DIR or attila.simulate() recorded: a data
    frame for each table of the record (docs/reference/record.md), and statistics for each frame,
    piece of work or interval (kind).

        with attila.open_run("out/run") as run:
            print(run.frames[["frame", "cycles", "limiter"]])

    folder: the folder of the run. about: facts about the whole run, a dict: mode, config, version,
    capture, ... A data frame is read when it is first used, and kept. close(), or the end of
    "with", closes the record; data frames that were read stay valid."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = os.fspath(folder)
        self.db = reader.open_record(self.folder)
        about = self.db.execute("SELECT * FROM run")
        self.about = dict(zip([d[0] for d in about.description], about.fetchone()))
        self._closing: list[Callable[[], Any]] = []
        self._closed = False

    def __repr__(self) -> str:
        return f"attila.Run({self.folder!r}, mode={self.about['mode']!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the record. A temporary folder of simulate() is removed."""
        self._closed = True
        self.db.close()
        for call in self._closing:
            call()

    def on_close(self, call: Callable[[], Any]) -> None:
        """Lets close() call this function after the record is closed."""
        self._closing.append(call)

    def _open(self) -> reader.Database:
        if self._closed:
            raise Error(f"the run in {self.folder} is closed")
        return self.db

    def sql(self, query: str, arguments: Sequence[Any] = ()) -> DataFrame:
        """The result of any query of the record. arguments: the values for its question marks."""
        import pandas
        return pandas.read_sql(query, self._open(), params=list(arguments))

    def table(self, name: str) -> DataFrame:
        """A table or view of the record."""
        return self.sql(f'SELECT * FROM "{name}"')

    @functools.cached_property
    def frames(self) -> DataFrame:
        """A row for each frame: draws, cycles, simulated_ms, limiter, limiter_share, ..."""
        return self.table("frames")

    @functools.cached_property
    def work(self) -> DataFrame:
        """A row for each piece of work, in the order of commands: draws, clears, copies, ..."""
        return self.table("work")

    @functools.cached_property
    def draws(self) -> DataFrame:
        """A row for each draw: cycles, exclusive_cycles, primitive, limiter, ..."""
        return self.work[self.work["kind"] == "draw"].reset_index(drop=True)

    @functools.cached_property
    def intervals(self) -> DataFrame:
        """A row for each interval of a run with --interval N."""
        return self.table("intervals")

    @functools.cached_property
    def programs(self) -> DataFrame:
        """A row for each shader program."""
        return self.table("programs")

    @functools.cached_property
    def configuration(self) -> DataFrame:
        """A row for each parameter of the machine, with its value."""
        return self.table("configuration")

    @functools.cached_property
    def statistics(self) -> DataFrame:
        """A row for each statistic: name, unit, measure, meaning, ..."""
        return self.table("counters")

    def state(self, draw: int | tuple[int, int]) -> DataFrame:
        """The state of a draw by OpenGL's names: a row for each item, by part ("depth"), number (of
        the texture, ...; -1: the part is there once) and name ("GL_DEPTH_FUNC"). before is the
        value of the draw before; None: absent. Uniforms also have a type, in GLSL.

            state = run.state((0, 5))  # draw 5 of frame 0; or its number in run.work
            state.loc[("depth", -1, "GL_DEPTH_FUNC"), "value"]
            state.loc[("fragment uniform", -1, "lights[0].position"), "value"]
            state[state["value"] != state["before"]]
        """
        import pandas
        db = self._open()
        rows = states.items(db, states.find(db, draw))
        index = pandas.MultiIndex.from_tuples(
            [(i.part, -1 if i.number is None else i.number, i.name) for i in rows],
            names=["part", "number", "name"])
        return pandas.DataFrame({"value": [i.value for i in rows],
                                 "before": [i.before for i in rows],
                                 "type": [i.type for i in rows]}, index=index, dtype=object)

    def counters(self, kind: str = "frame") -> DataFrame:
        """A column for each statistic that is not 0 everywhere; a row for each frame, piece of work
        or interval, with its number as index."""
        wide = self._derived(kind, "counters").set_index(kind).fillna(0).astype("int64")
        return wide.loc[:, (wide != 0).any()]

    def units(self, kind: str = "frame") -> DataFrame:
        """How busy, blocked, starved and idle each unit was."""
        return self._derived(kind, "units")

    def bytes(self, kind: str = "frame") -> DataFrame:
        """Bytes that each client of memory has read and written."""
        return self._derived(kind, "bytes")

    def caches(self, kind: str = "frame") -> DataFrame:
        """Hits, misses, retries and hit_percent of each cache."""
        return self._derived(kind, "caches")

    def energy(self, kind: str = "frame") -> DataFrame:
        """Femtojoules of each unit, for runs with --power and for runs that attila-sim power
        --write has evaluated."""
        return self._derived(kind, "energy")

    def _derived(self, kind: str, what: str) -> DataFrame:
        self._check(kind)
        name = f"{kind}_{what}"
        if not reader.has(self._open(), name):
            raise Error(f"{self.folder} has no {name}")
        return self.table(name)

    @staticmethod
    def _check(kind: str) -> None:
        if kind not in KINDS:
            raise Error(f"'{kind}' is none of {', '.join(KINDS)}")


class Sweep:
    """What attila sweep has left in its folder; with several designs, of the one that ran last.

        with attila.open_sweep("space.sweep") as sweep:
            print(sweep.points.sort_values("speed"))

    close(), or the end of "with", closes the file."""

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

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes sweep.sqlite; data frames that were read stay valid."""
        self.store.db.close()

    @functools.cached_property
    def results(self) -> Any:
        """attila.sweep.report.Results: speed-ups over the baseline, Pareto fronts."""
        from attila.sweep.report import Results
        return Results(self.store, self.design)

    @functools.cached_property
    def points(self) -> DataFrame:
        """A row for each configuration and capture: its parameters, area, cycles, speed (relative
        to the baseline) and, if the space has energies, joules."""
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
        """The points that no other point beats in both area and speed."""
        best = [p["place"] for p in self.results.front]
        return self.points[self.points["place"].isin(best)]


class Sample:
    """What attila sample left in its folder.

    estimate: a row for each statistic: its estimate for the whole capture, with the interval."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = os.fspath(folder)
        self.estimate = _csv(self.folder, "estimate.csv").set_index("statistic")

    @functools.cached_property
    def features(self) -> DataFrame:
        """A row for each frame of the capture: what it needs of a GPU."""
        return _csv(self.folder, "features.csv").set_index("frame")

    @functools.cached_property
    def sampled(self) -> DataFrame:
        """A row for each frame that was simulated, with its statistics."""
        return _csv(self.folder, "sampled.csv").set_index("frame")


class Timing:
    """What attila validate-timing -o FILE wrote.

    statistics: a row for each case and statistic: original, ours, and their ratio."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.statistics = _csv(os.fspath(path))
        self.statistics["ratio"] = self.statistics["ours"] / self.statistics["original"]

    @functools.cached_property
    def cycles(self) -> DataFrame:
        """Cycles of the original and ours, and their ratio, by case."""
        found = self.statistics[self.statistics["statistic"] == "cycles"]
        return found.drop(columns="statistic").set_index("case")


class Comparison:
    """What attila compare left in its folder: how each frame differs from another driver's, and
    with --time the times of draws."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = os.fspath(folder)

    @functools.cached_property
    def frames(self) -> DataFrame:
        """A row for each frame: how its picture differs from the other driver's."""
        return _csv(self.folder, "frames.csv")

    @functools.cached_property
    def times(self) -> DataFrame:
        """A row for each draw: its time on both drivers."""
        return _csv(self.folder, "times.csv")
