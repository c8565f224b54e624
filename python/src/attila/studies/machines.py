"""A study that compares the machines of configs/, after the section of the evaluation report on
what the parameters describe. Not here: running (studies/command.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from attila.studies.results import Place, Results, Study, cycles_table, mean, share, texture_hits
from attila.studies.shaders import SCENES, fewer


class Configurations(Study):
    name = "configurations"
    title = "The machines of configs/"
    source = "Martínez del Amor, Evaluating ATTILA, section 3.1 and Figure 4.6"
    spaces, scenes = ["configurations"], SCENES

    @staticmethod
    def joules(p: Place, captures: Sequence[str]) -> Any:
        """Returns the energy of a frame, the mean over the captures."""
        return mean([p.statistics[c]["EnergyTotal"] / 1e15 / p.frames[c] for c in captures])

    @staticmethod
    def fps(p: Place, captures: Sequence[str]) -> Any:
        return mean([p.frames[c] / p.seconds[c] for c in captures])

    def found(self, r: Results) -> dict[str, Any]:
        release = r.one(machine="attila-bgpu")
        return {"hits": [100 * (1 - (texture_hits(release.statistics[c]) or 0))
                         for c in r.games]} if r.games else {}

    def data(self, r: Results) -> dict[str, Any]:
        rows, texture, over = [], [], fewer(r)
        for p in r.places:
            fps, joules = self.fps(p, over), self.joules(p, over)
            rows.append([p.machine, f"{fps:.0f}", f"{p.area:.1f}", f"{fps / p.area:.2f}",
                         f"{1000 * joules:.2f}", f"{fps * joules:.1f}", f"{1 / joules:.0f}"])
            total = p.total()
            blocked, ready, ended = (total.get(n + "Threads_ShF-FS", 0)
                                     for n in ("Blocked", "Ready", "Finished"))
            threads = blocked + ready + ended
            texture.append([p.machine, share(texture_hits(total)) or "no such caches",
                            f"{100 * blocked / threads:.1f} %" if threads else ""])
        return {"rows": rows, "texture": texture, "over": over,
                "cycles": cycles_table(r, lambda p: p.machine)}

    def plot(self, plt: Any, r: Results) -> tuple[Any, str]:
        figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4))
        over = fewer(r)
        sides: list[tuple[Any, Callable[[Place], Any], str]] = [
            (left, lambda p: p.area, "mm² at 130 nm"),
            (right, lambda p: 1000 * self.joules(p, over), "mJ per frame")]
        for axes, value, what in sides:
            there: dict[Any, Any] = {}  # machines that are the same for this study
            for p in r.places:
                there.setdefault((round(value(p), 6), round(self.fps(p, over), 6)),
                                 []).append(p.machine)
            for (x, y), names in there.items():
                axes.plot(x, y, "o", label=", ".join(names))
            axes.set_xscale("log")
            axes.set_xlabel(what)
            axes.set_ylim(0)
            axes.margins(x=.1)
        left.set_ylabel("frames per second, mean")
        right.legend(frameon=False, fontsize=7, loc="center left", bbox_to_anchor=(1, .5))
        return figure, "Machines by speed, area and energy"
