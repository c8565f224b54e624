"""Studies after Zhang and others 2019: a bounding-box test in a rasteriser of levels, shaders
without latencies. Not here: running (studies/command.py).
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterable
from typing import Any

from attila.paths import TOP
from attila.studies.results import Results, Study, cycles_table, mean, percent
from attila.studies.runs import cycles_of, records

LEVELS = range(1, 8)
LAST = ("build", "shadow", "refract", "ideas")     # saves above 10 % in levels 6, 7
FIFTH = ("buffer", "loop", "jellyfish")            # the same in level 5
ENTRIES = {"FALSE": "at the first level", "TRUE": "by the box"}


class BoundingBox(Study):
    name = "bounding-box"
    title = "A bounding-box test in a rasteriser of levels"
    source = "Zhang and others 2019, section 4.2, Figure 8"
    spaces = ["bounding-box"]
    # The scenes of the paper except terrain, whose frame takes as long as all others together.
    scenes = ["build", "shadow", "refract", "buffer", "bump", "loop", "jellyfish", "ideas"]
    size = (800, 600)  # the default of glmark2; the paper names no size
    games = False

    @staticmethod
    def pair(r: Results, entry: str) -> list[Any]:
        """(without the test, with it)"""
        return [r.one(TileEntryByBox=entry, TileBoundingBoxTest=t) for t in ("FALSE", "TRUE")]

    def saved(self, r: Results, entry: str, capture: str, levels: Iterable[int] = LEVELS) -> float:
        """The tiles that these levels need not divide, in percent."""
        without, test = (sum(p.statistics[capture].get(f"TilesLevel{n}_TT", 0) for n in levels)
                         for p in self.pair(r, entry))
        return float(100 * (1 - test / without)) if without else 0

    def of_levels(self, r: Results, entry: str, capture: str) -> float:
        """The mean of what each level saves."""
        return sum(self.saved(r, entry, capture, [n]) for n in LEVELS) / len(LEVELS)

    def weighted(self, r: Results, entry: str, of_scene: Callable[..., float]) -> float:
        """The mean over the scenes, weighted by fragments."""
        pixels = {c: self.pair(r, entry)[0].statistics[c]["GeneratedFragments_TT"]
                  for c in r.captures}
        return float(sum(of_scene(r, entry, c) * n for c, n in pixels.items()) /
                     sum(pixels.values()))

    def found(self, r: Results) -> dict[str, Any]:
        entry = "TRUE"
        return {"mean": [self.weighted(r, entry, self.saved)],
                "level-mean": [self.weighted(r, entry, self.of_levels)],
                "first": [self.saved(r, entry, c, [n]) for c in r.captures if c != "bump"
                          for n in (1, 2, 3)],
                "last": [max(self.saved(r, entry, c, [n]) for n in (6, 7)) for c in LAST],
                "fifth": [self.saved(r, entry, c, [5]) for c in FIFTH],
                "bump": [self.saved(r, entry, "bump", [n]) for n in LEVELS]}

    def data(self, r: Results) -> dict[str, Any]:
        ways: tuple[Callable[..., float], ...] = (self.saved, self.of_levels)
        return {"entries": [
            (what, [[c] + [f"{self.saved(r, entry, c, [n]):.1f} %" for n in LEVELS] +
                    [f"{self.saved(r, entry, c):.1f} %",
                     percent(self.pair(r, entry)[0].cycles[c] / self.pair(r, entry)[1].cycles[c])]
                    for c in r.captures],
             *(f"{self.weighted(r, entry, m):.1f} %" for m in ways))
            for entry, what in ENTRIES.items()],
            "cycles": cycles_table(r, lambda p: (
                f"{ENTRIES[p.settings['TileEntryByBox']]}, "
                f"{'with' if p.settings['TileBoundingBoxTest'] == 'TRUE' else 'without'}"))}

    def plot(self, plt: Any, r: Results) -> tuple[Any, str]:
        figure, both = plt.subplots(1, 2, figsize=(11, 4), sharey=True)
        for axes, (entry, what) in zip(both, ENTRIES.items()):
            for c in r.captures:
                axes.plot(LEVELS, [self.saved(r, entry, c, [n]) for n in LEVELS], marker="o",
                          markersize=3, label=c)
            axes.set_xlabel("level; primitives enter " + what)
        both[0].set_ylabel("tiles saved (%)")
        both[1].legend(frameon=False, fontsize=8, ncol=2)
        return figure, "Tiles that a bounding-box test saves, by level"


# Golden streams, and streams of tests/timing, each of which keeps one unit busy.
LISTED = ("desktop", "shading", "texture")
STREAMS = ("alu_independent", "many_draws", "texture_trilinear", "vertices_lit")
MACHINE = "attila-bgpu"
# Settings that take from cycle mode what half-cycle mode lacks, one after the other.
PAIRS = "FRAGMENTSHADER.VectorALUConfig=simd4"
ORDER = "FRAGMENTSHADER.SwapOnBlock=TRUE"
CHANGES = {"cycles": (), "no pairs": (PAIRS,), "and in one go": (PAIRS, ORDER),
           "half": ("SIMULATOR.HalfCycle=TRUE",)}


class HalfCycle(Study):
    name = "half-cycle"
    title = "Shaders without latencies"
    source = "Zhang and others 2019, section 2"
    what = ("Half-cycle mode simulates fixed function, texture units and memory cycle by cycle, "
            "and\nlets shaders execute without latencies "
            "([half-cycle.md](../../explanation/half-cycle.md)).")
    spaces = ["half-cycle"]
    glmark2 = ["build", "shadow", "bump", "loop", "ideas"]
    scenes = glmark2 + ["golden/" + name for name in LISTED]
    size = (320, 240)
    games = False

    def experiment(self, o: argparse.Namespace) -> dict[Any, Any]:
        """{stream: [cycles with each of CHANGES]} on MACHINE"""
        paths = {n: os.path.join(TOP, "tests", "timing", n + ".attila") for n in STREAMS}
        paths["loop"] = os.path.join(o.out, "{}x{}".format(*self.size), "loop.attila")
        folders = records(o, {(name, change): (path, MACHINE, sets)
                              for name, path in paths.items() for change, sets in CHANGES.items()})
        return {name: [cycles_of(folders[(name, c)]) for c in CHANGES] for name in paths}

    @staticmethod
    def pair(r: Results, machine: str) -> list[Any]:
        return [r.one(machine=machine, HalfCycle=half) for half in ("FALSE", "TRUE")]

    def ratios(self, r: Results, machine: str) -> list[tuple[str, int, int]]:
        """[(capture, cycles, half)]"""
        full, half = self.pair(r, machine)
        return [(c, full.cycles[c], half.cycles[c]) for c in r.captures]

    def found(self, r: Results) -> dict[str, Any]:
        return {}

    def data(self, r: Results) -> dict[str, Any]:
        machines = list(dict.fromkeys(p.machine for p in r.places))
        found = {m: self.ratios(r, m) for m in machines}
        every = [b / a for pairs in found.values() for _, a, b in pairs]
        return {"rows": [[m, c, str(a), str(b), f"{b / a:.2f}"] for m in machines
                         for c, a, b in found[m]],
                "least": min(every), "most": max(every), "mean": mean(every), "machine": MACHINE,
                "changes": list(CHANGES), "pairs": PAIRS, "order": ORDER,
                "streams": [[n, *map(str, c), f"{c[-1] / c[0]:.2f}", f"{c[-1] / c[-2]:.2f}"]
                            for n, c in r.experiment.items()],
                "cpu": [sum(p.cpu.values()) for p in self.pair(r, MACHINE)]}

    def plot(self, plt: Any, r: Results) -> tuple[Any, str]:
        figure, axes = plt.subplots(figsize=(8, 4))
        programs = r.captures
        for i, m in enumerate(dict.fromkeys(p.machine for p in r.places)):
            axes.bar([n + i * .4 for n in range(len(programs))],
                     [b / a for _, a, b in self.ratios(r, m)], .4, label=m)
        axes.set_xticks([n + .2 for n in range(len(programs))], programs, rotation=30, fontsize=8)
        axes.axhline(1, color="#222222", linewidth=.8)
        axes.set_ylabel("half-cycle over cycle mode")
        axes.legend(frameon=False, fontsize=8)
        return figure, "Cycles of half-cycle mode over those of cycle mode"
