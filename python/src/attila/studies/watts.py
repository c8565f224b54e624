"""A study after Qsilver, section 4: what the blocks of a chip dissipate at their peak. Not here:
single runs (runs.py), energies (attila-sim power), whole boards (tools/power_chips.py).
"""

from __future__ import annotations

import argparse
import csv
import io
import os
from typing import Any

from attila.paths import TOP
from attila.studies.claims import Seen
from attila.studies.clocks import CLOCKS, CONFIG, TABLE
from attila.studies.results import Study, share
from attila.studies.runs import command, records

INTERVAL = 1000
# As large as the chip of the paper's floor plan, a GeForce 4: two vertex shaders, four pixels a
# cycle.
MACHINE = ["GPU.NumVertexShaders=2", "GPU.NumFragmentShaders=1", "GPU.NumStampPipes=1", *CLOCKS]
# Each stream of tests/timing keeps other units busy.
VERTICES = ("vertices_lit",)
PIXELS = ("alu_independent", "texture_trilinear", "texture_magnified", "blend", "depth_pass")
SHADERS = ("ShDX-FS", "ShF-FS")
NARROW = "RASTERIZER.StampsPerCycle=1"  # 2 in the machine
# {block of the paper: (units of a record, streams that are looked at)}
BLOCKS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "vertex engine": (SHADERS, VERTICES),
    "fragment engine": (SHADERS, PIXELS),
    "texture cache": (("TU-FSTU",), VERTICES + PIXELS),
    "rasteriser": (("TS", "TT", "HZ"), VERTICES + PIXELS),
}


class PeakWatts(Study):
    name = "peak-watts"
    title = "What blocks dissipate at their peak"
    source = "Qsilver (Sheaffer and others 2004), section 4"
    measures = True
    games = False
    scenes = ["timing/" + name for name in VERTICES + PIXELS]

    def measure(self, o: argparse.Namespace) -> dict[str, list[dict[str, dict[str, float]]]]:
        """{stream: [{unit: {"total": watts, "leakage": ..., "offchip": ...}} of an interval]}.
        Sets self.ungated to one such interval in which every unit does all that it can, and
        self.narrow to the same as the result with an interpolator of half the rate."""
        folders = records(o, {
            name: (os.path.join(TOP, "tests", "timing", name + ".attila"), CONFIG, MACHINE,
                   ["--interval", str(INTERVAL)]) for name in VERTICES + PIXELS})

        def watts(folder: str, *more: str) -> list[dict[str, dict[str, float]]]:
            return self.intervals(command(o.sim, "power", folder, "--table", TABLE, "--by",
                                          "interval", "--format", "csv", *more))
        self.ungated = watts(folders[VERTICES[0]], "--set", "CLOCK.GatingStyle=none")[0]
        narrow = records(o, {
            name: (os.path.join(TOP, "tests", "timing", name + ".attila"), CONFIG,
                   [*MACHINE, NARROW], ["--interval", str(INTERVAL)])
            for name in VERTICES + PIXELS})
        self.narrow = {name: watts(folder) for name, folder in narrow.items()}
        return {name: watts(folder) for name, folder in folders.items()}

    @staticmethod
    def intervals(text: str) -> list[dict[str, dict[str, float]]]:
        """The watts of each interval; one that is not whole is left out."""
        found: dict[str, dict[str, dict[str, float]]] = {}
        whole = INTERVAL / (float(CLOCKS[0].split("=")[1]) * 1e6)
        for row in csv.DictReader(io.StringIO(text)):
            seconds = float(row["seconds"])
            if seconds > whole / 2:
                found.setdefault(row["interval"], {})[row["unit"]] = {
                    kind: int(row[kind + "_fj"]) * 1e-15 / seconds
                    for kind in ("total", "leakage", "offchip")}
        return list(found.values())

    @staticmethod
    def peak(r: Any, units: tuple[str, ...] | None, streams: tuple[str, ...],
             leaking: bool = True) -> float:
        """The most watts that these units, or all, dissipate in an interval of these streams."""
        return float(max(sum(w["total"] - (0 if leaking else w["leakage"]) for u, w in i.items()
                             if units is None or u in units) for name in streams for i in r[name]))

    def blocks(self, r: Any) -> dict[str, float]:
        """{block: its peak}, the largest first: those of the paper, and units of no such block."""
        found = {name: self.peak(r, *of) for name, of in BLOCKS.items()}
        known = {u for units, _ in BLOCKS.values() for u in units}
        every = VERTICES + PIXELS
        for unit in r[every[0]][0]:
            if unit not in known and not any(i[unit]["offchip"] for n in every for i in r[n]):
                found[unit] = self.peak(r, (unit,), every)
        return dict(sorted(found.items(), key=lambda b: -b[1]))

    def found(self, r: Any) -> dict[str, Any]:
        blocks = self.blocks(r)
        first = list(blocks)[:2]
        return {"most": Seen(" and ".join(f"{b} {blocks[b]:.1f} W" for b in first),
                             set(first) == {"vertex engine", "texture cache"}),
                "vertex": [blocks["vertex engine"]], "texture": [blocks["texture cache"]],
                "fragment": [blocks["fragment engine"]], "raster": [blocks["rasteriser"]],
                "all": [self.peak(r, None, VERTICES + PIXELS)]}

    def data(self, r: Any) -> dict[str, Any]:
        rows = []
        for name, intervals in r.items():
            total, leakage, off = (sum(w[kind] for i in intervals for w in i.values())
                                   for kind in ("total", "leakage", "offchip"))
            n = len(intervals)
            rows.append([name, f"{(total - off) / n:.1f} W", f"{off / n:.1f} W",
                         f"{self.peak(r, None, (name,)):.1f} W",
                         *(f"{self.peak(r, SHADERS, (name,), leaking):.1f} W"
                           for leaking in (True, False)), share(leakage / (total - off))])
        return {"interval": INTERVAL, "machine": [f"{CONFIG}.ini", *MACHINE], "streams": rows,
                "blocks": [[b, f"{w:.1f} W", f"{self.most(b):.1f} W"]
                           for b, w in list(self.blocks(r).items())[:8]],
                "narrow": [f"{self.peak(of, ('Interpolator',), VERTICES + PIXELS):.1f} W"
                           for of in (r, self.narrow)], "narrow_key": NARROW,
                "whole": f"{sum(w['total'] for w in self.ungated.values()):.0f} W"}

    def most(self, block: str) -> float:
        """What a block dissipates when it does all that it can in every cycle."""
        return sum(self.ungated[u]["total"] for u in BLOCKS.get(block, ((block,),))[0])

    def plot(self, plt: Any, r: Any) -> tuple[Any, str]:
        figure, axes = plt.subplots(figsize=(7, 3.5))
        blocks = dict(list(self.blocks(r).items())[:8])
        axes.barh(list(blocks)[::-1], list(blocks.values())[::-1])
        for name, watts in (("vertex engine", 12), ("texture cache", 12), ("fragment engine", 4.5),
                            ("rasteriser", 2.5)):
            axes.plot([watts], [name], "D", color="#222222", markersize=5,
                      label="paper" if name == "rasteriser" else None)
        axes.set_xlabel("watts at the peak")
        axes.legend(frameon=False, loc="lower right")
        return figure, self.title
