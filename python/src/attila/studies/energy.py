"""Studies after Qsilver, Figures 3 and 4: time and energy against the rates of fragments and
vertices. Not here: running (studies/command.py), energies (attila-sim power).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from attila.studies.claims import Seen
from attila.studies.results import Results, Study, cycles_table, mean, percent, share
from attila.studies.clocks import CLOCKS, TABLE
from attila.studies.runs import leakage_of, of_stages, records
from attila.studies.shaders import SCENES, fewer


Rows = Sequence[tuple[int, float, float, float]]  # number, T, E, ED2


class Rate(Study):
    """T, E and ED2 for numbers of shaders of a kind, relative to those for the number base."""

    scenes = SCENES
    key = kind = ""
    base = 1

    def values(self, r: Results, captures: Sequence[str]) -> Any:
        """[(number, T, E, ED2)] relative to the base, means over the captures."""
        base = r.one(**{self.key: self.base})
        rows = []
        for p in r.places:
            t = mean([p.seconds[c] / base.seconds[c] for c in captures])
            e = mean([p.statistics[c]["EnergyTotal"] / base.statistics[c]["EnergyTotal"]
                      for c in captures])
            rows.append((int(p.settings[self.key]), t, e, e * t * t))
        return rows

    @staticmethod
    def least(rows: Rows, column: int) -> int:
        """The number with the least T (1), E (2) or ED2 (3)."""
        return min(rows, key=lambda v: v[column])[0]

    def inside(self, rows: Rows) -> Seen:
        best = self.least(rows, 3)
        return Seen(f"at {best} of {rows[0][0]} to {rows[-1][0]} {self.kind}",
                    rows[0][0] < best < rows[-1][0])

    def experiment(self, o: argparse.Namespace) -> dict[str, float]:
        """{frame of a game, machine of bounds: the share of leakage in what its chip dissipates}"""
        folders = records(o, {
            f"{label}, {what}": (path, config, [*settings, *CLOCKS], ["--frames", frame])
            for label, path, frame in o.frames for what, (config, settings) in self.bounds.items()})
        return {name: leakage_of(o.sim, folder, TABLE) for name, folder in folders.items()}

    def data(self, r: Results) -> dict[str, Any]:
        rows = self.values(r, fewer(r))
        single = {c: self.values(r, [c]) for c in r.captures}
        return {"kind": self.kind, "base": self.base, "over": fewer(r),
                "rows": [[f"{n}"] + [f"{v:.3f}" for v in values] for n, *values in rows],
                "least": [self.least(rows, i) for i in (1, 2, 3)],
                "leakage": [[name, share(v)] for name, v in r.experiment.items()],
                "by_capture": [[c] + [percent(v) for v in found[-1][1:3]] +
                               [f"{self.least(found, i)}" for i in (2, 3)]
                               for c, found in single.items()],
                "cycles": cycles_table(r, lambda p: p.settings[self.key])}

    def plot(self, plt: Any, r: Results) -> tuple[Any, str]:
        figure, axes = plt.subplots(figsize=(7, 4))
        rows = self.values(r, fewer(r))
        for i, what in enumerate(("T", "E", "ED²"), 1):
            axes.plot([v[0] for v in rows], [v[i] for v in rows], marker="o", label=what)
        axes.axhline(1, color="#222222", linewidth=.6)
        axes.set_xlabel(self.kind)
        axes.set_ylabel(f"relative to {self.base}; less is better")
        axes.set_ylim(0)
        axes.legend(frameon=False)
        return figure, f"{self.title}: time, energy and ED²"


class FragmentRate(Rate):
    name = "fragment-rate"
    title = "Energy against the rate of fragments"
    source = "Qsilver (Sheaffer and others 2004), section 5.2.1, Figure 3"
    spaces, key, kind, base = ["fragment-rate"], "NumFragmentShaders", "fragment shaders", 2
    bounds = {f"{n} fragment shaders": ("ispass2006-split", [f"GPU.NumFragmentShaders={n}"])
              for n in (2, 12)}

    def found(self, r: Results) -> dict[str, Any]:
        if not r.games:
            return {}
        rows = self.values(r, r.games)
        best = self.least(rows, 3)
        beyond = [1 - b[1] / a[1] for a, b in zip(rows, rows[1:]) if a[0] >= best]
        return {"inside": self.inside(rows),
                "time": Seen(", ".join(f"{100 * v:.1f} %" for v in beyond) or "no step beyond it",
                             bool(beyond) and max(beyond) < .05),
                "energy": Seen(percent(rows[-1][2] / min(v[2] for v in rows)),
                               self.least(rows, 2) < rows[-1][0])}


class VertexRate(Rate):
    name = "vertex-rate"
    title = "Energy against the rate of vertices"
    source = "Qsilver (Sheaffer and others 2004), section 5.2.1, Figure 4"
    spaces, key, kind, base = ["vertex-rate"], "NumVertexShaders", "vertex shaders", 2
    bounds = {f"{n} vertex shaders": ("ispass2006-split", [f"GPU.NumVertexShaders={n}"])
              for n in (1, 8)}

    def data(self, r: Results) -> dict[str, Any]:
        """Adds the ALU cycles that a shader needs for a vertex, for each capture."""
        one = r.one(NumVertexShaders=1)
        rates = {c: of_stages(folder, "alu_cycles")["vertex"] /
                 one.statistics[c]["ShadedVertices_FFU"]
                 for c, folder in r.bounds["1 vertex shaders"].items()}
        return {**super().data(r), "of_a_vertex":
                ", ".join(f"{v:.1f} ({c})" for c, v in rates.items())}

    def found(self, r: Results) -> dict[str, Any]:
        if not r.games:
            return {}
        rows = self.values(r, r.games)
        gains = [1 - b[1] / a[1] for a, b in zip(rows, rows[1:])]
        return {"inside": self.inside(rows),
                "time": Seen(", ".join(f"{100 * v:.1f} %" for v in gains), min(gains) > 0),
                "energy": Seen(percent(rows[-1][2] / min(v[2] for v in rows)),
                               self.least(rows, 2) < rows[-1][0])}
