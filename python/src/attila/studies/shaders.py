"""Studies of shaders: MICRO 2005, Figures 4, 5 and 9, and ISPASS 2006, section 5. Not here: running
(studies/command.py), what the papers say (claims.ini), the pages (pages/*.md.jinja).
"""

from __future__ import annotations

import argparse
import os
import statistics
from collections.abc import Callable, Sequence
from typing import Any

from attila.paths import TOP
from attila.studies.claims import Seen
from attila.studies.frame import INTERVAL, PEAK_BYTES
from attila.studies.results import (Place, Results, Study, change, cycles_table, percent,
                                    share, texture_hits)
from attila.studies.runs import Timeline, cycles_of, of_stages, records
from attila.studies.trials import Trial

# A scene of glmark2 that is limited by fragments, for use without games.
SCENES = ["bump"]
# MICRO 2005, section 6.2: millions of transistors of a vertex shader and of another shader; a
# further SIMD ALU and a scalar ALU, as shares of a shader.
VERTEX, UNIT, SIMD, SCALAR = 2.5, 15, .15, .05
NUMBERS = (2, 4, 6, 8)
# {issue: settings}, MICRO 2005, section 5
ISSUE = {"1-way": {"FetchRate": 1, "ScalarALU": "FALSE"},
         "SIMD + scalar": {"FetchRate": 2, "ScalarALU": "TRUE"},
         "2-way": {"FetchRate": 2, "ScalarALU": "FALSE"},
         "4-way": {"FetchRate": 4, "ScalarALU": "FALSE"}}


def transistors(place: Place) -> float:
    """Returns the transistors of the shaders alone, as the paper counts them."""
    grown = 1 + (SCALAR if place.settings["ScalarALU"] == "TRUE" else
                 SIMD * (int(place.settings["FetchRate"]) - 1))
    return grown * (UNIT * int(place.settings["NumFragmentShaders"]) +
                    (4 * VERTEX if place.machine == "separate" else 0))


def fewer(r: Results) -> list[str]:
    """The frames of games, else all captures."""
    return r.games or r.captures


class Unified(Study):
    name = "unified"
    title = "Unified and separate shaders"
    source = "MICRO 2005, sections 6.1 and 6.2, Figures 4 and 5"
    spaces, scenes = ["unified"], SCENES
    bounds = {f"{n} shaders": ("micro2005", [f"GPU.NumFragmentShaders={n}"]) for n in (2, 4, 8)}

    @staticmethod
    def at(r: Results, machine: str, number: int, issue: str = "1-way") -> Place:
        return r.one(machine=machine, NumFragmentShaders=number, **ISSUE[issue])

    def gains(self, r: Results, captures: Sequence[str]) -> dict[Any, Any]:
        """{(shaders, issue): speed of unified over separate shaders}"""
        return {(n, i): r.speed(self.at(r, "unified", n, i), self.at(r, "separate", n, i), captures)
                for n in NUMBERS for i in ISSUE}

    def step(self, r: Results, captures: Sequence[str], slow: Any, fast: Any) -> list[Any]:
        """[speed of more shaders over fewer], 1-way, unified and separate"""
        return [r.speed(self.at(r, m, fast), self.at(r, m, slow), captures)
                for m in ("unified", "separate")]

    def wider(self, r: Results, captures: Sequence[str], narrow: str, wide: str) -> list[Any]:
        return [r.speed(self.at(r, m, n, wide), self.at(r, m, n, narrow), captures)
                for m in ("unified", "separate") for n in NUMBERS]

    def bound(self, r: Results) -> list[Any]:
        """The captures that are limited by shaders, with 2 and with 4 shaders."""
        return [c for c in r.captures if all(r.limits[f"{n} shaders"][c][0][0] == "shaders"
                                             for n in (2, 4))]

    def experiment(self, o: argparse.Namespace) -> dict[Any, Any]:
        """{(frame, shaders): cycles with ideal memory}, unified, 1-way"""
        wanted = {(label, n): (path, "micro2005", [f"GPU.NumFragmentShaders={n}"],
                               ["--frames", frame, "--ideal", "memory"])
                  for label, path, frame in o.frames for n in (2, 4, 8)}
        return {key: cycles_of(folder) for key, folder in records(o, wanted).items()}

    def found(self, r: Results) -> dict[str, Any]:
        found = {}
        if self.bound(r):
            found["two-to-four-bound"] = self.step(r, self.bound(r), 2, 4)
        if not r.games:
            return found
        steps = {n: self.step(r, r.games, 2, n) for n in NUMBERS}
        # The gains of the last two steps, on both machines.
        last = [[b - a for a, b in zip(steps[n], steps[n + 2])] for n in (4, 6)]
        gains = self.gains(r, r.games)
        area = [g * transistors(self.at(r, "separate", *k)) / transistors(self.at(r, "unified", *k))
                for k, g in gains.items()]
        return found | {
            "two-to-four": steps[4],
            "two-to-six": Seen(" and ".join(f"{v:.2f}" for v in steps[6]),
                               all(a < b < 3 for a, b in zip(steps[4], steps[6]))),
            "two-to-eight": Seen(" and ".join(f"{v:.2f}" for v in steps[8]),
                                 all(b < a for a, b in zip(*last))),
            "unified": [change(g) for g in gains.values()],
            "two-way": [change(v) for v in self.wider(r, r.games, "1-way", "2-way")],
            "four-way": [change(v) for v in self.wider(r, r.games, "2-way", "4-way")],
            "area": [change(v) for v in area]}

    def data(self, r: Results) -> dict[str, Any]:
        base, rows = self.at(r, "separate", 2), []
        captures = fewer(r)
        for (n, i), gain in self.gains(r, captures).items():
            u, s = self.at(r, "unified", n, i), self.at(r, "separate", n, i)
            rows.append([f"{n}, {i}", f"{r.speed(s, base, captures):.2f}",
                         f"{r.speed(u, base, captures):.2f}", percent(gain),
                         percent(gain * transistors(s) / transistors(u)),
                         percent(gain * s.area / u.area)])
        steps = [[c] + [f"{self.step(r, [c], 2, n)[0]:.2f}" for n in NUMBERS[1:]] +
                 [percent(self.gains(r, [c])[n, "1-way"]) for n in NUMBERS] for c in r.captures]
        vertices = [[c] + [share(self.of_vertices(r, n, c)) for n in (2, 4, 8)] +
                    [percent(self.gains(r, [c])[n, "1-way"]) for n in (2, 4, 8)]
                    for c in r.captures]
        ideal = [[c] + [f"{self.step(r, [c], 2, n)[0]:.2f}" for n in (4, 8)] +
                 [f"{r.experiment[c, 2] / r.experiment[c, n]:.2f}" for n in (4, 8)]
                 for c in r.games]
        return {"rows": rows, "steps": steps, "over": captures, "experiment": ideal,
                "vertices": vertices,
                "cycles": cycles_table(r, lambda p: f"{p.machine} "
                                       f"{p.settings['NumFragmentShaders']}, {self.issue(p)}")}

    @staticmethod
    def of_vertices(r: Results, number: int, capture: str) -> float:
        """The share of the issue cycles of unified 1-way shaders that vertices take."""
        folder = r.bounds[f"{number} shaders"][capture]
        return of_stages(folder, "fetches").get("vertex", 0) / (number * cycles_of(folder))

    @staticmethod
    def issue(place: Place) -> str:
        return next(n for n, keys in ISSUE.items()
                    if all(place.settings[k] == str(v) for k, v in keys.items()))

    def plot(self, plt: Any, r: Results) -> tuple[Any, str]:
        base = self.at(r, "separate", 2)
        figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4))
        for machine, style in (("unified", "-"), ("separate", "--")):
            for issue in ISSUE:
                places = [self.at(r, machine, n, issue) for n in NUMBERS]
                speed = [r.speed(p, base, fewer(r)) for p in places]
                for axes, at in ((left, NUMBERS), (right, [transistors(p) for p in places])):
                    axes.plot(at, speed, style, marker="o", markersize=3,
                              label=f"{machine}, {issue}")
        left.set_xlabel("shaders (Figure 4)")
        right.set_xlabel("million transistors of shaders (Figure 5)")
        left.set_ylabel("speed over separate, 2 shaders, 1-way")
        right.legend(frameon=False, fontsize=8)
        return figure, "Speed of unified and separate shaders, by number and by transistors"


class Bandwidth(Study):
    name = "bandwidth"
    title = "More memory bandwidth for many shaders"
    source = "MICRO 2005, sections 6.3 and 6.4, Figure 9"
    spaces = ["bandwidth"]
    scenes = ["texture:texture-filter=mipmap", "timing/fill_pins"]
    wide = ["GPU.NumFragmentShaders=8", "FRAGMENTSHADER.FetchRate=2"]
    bounds = {"8 shaders, 2-way": ("micro2005", wide),
              "and 6 channels": ("micro2005", [*wide, "MEMORYCONTROLLER.V2MemoryChannels=6"])}
    channels = (4, 5, 6)
    fills = {"2 shaders, 1-way": [], "8 shaders, 2-way": wide}

    def at(self, r: Results, channels: int, **wanted: Any) -> Any:
        return r.one(V2MemoryChannels=channels, **wanted)

    @staticmethod
    def machine(p: Place) -> dict[str, str]:
        return {"machine": p.machine, **{k: p.settings[k] for k in ("NumFragmentShaders",
                                                                    "FetchRate")}}

    def bases(self, r: Results) -> list[Any]:
        """The machines with six or eight shaders and four channels."""
        return [p for p in r.all(V2MemoryChannels=4) if p.settings["NumFragmentShaders"] != "2"]

    def gain(self, r: Results, p: Place, channels: int, captures: Sequence[str]) -> Any:
        return r.speed(self.at(r, channels, **self.machine(p)), p, captures)

    def experiment(self, o: argparse.Namespace) -> dict[Any, Any]:
        """{machine: shares of the pins' peak that a pure fill moves in each interval, in percent,
        sorted}"""
        stream = os.path.join(TOP, "tests", "timing", "fill_pins.attila")
        folders = records(o, {name: (stream, "micro2005", settings, ["--interval", str(INTERVAL)])
                              for name, settings in self.fills.items()})
        runs = {name: Timeline(folder, 0) for name, folder in folders.items()}
        return {name: sorted(100 * sum(moved) / (PEAK_BYTES * cycles)
                             for cycles, moved in zip(t.lengths, zip(*t.bytes.values())))
                for name, t in runs.items()}

    def found(self, r: Results) -> dict[str, Any]:
        found = {"fill": [statistics.median(shares) for shares in r.experiment.values()]}
        if r.games:
            base = r.one(machine="separate", NumFragmentShaders=2, V2MemoryChannels=4, FetchRate=1)
            found |= {"more": [change(self.gain(r, p, n, r.games)) for p in self.bases(r)
                               for n in (5, 6)],
                      "three-fold": [r.speed(self.at(r, 6, machine=m, NumFragmentShaders=8,
                                                     FetchRate=2), base, r.games)
                                     for m in ("unified", "separate")]}
        return found

    def data(self, r: Results) -> dict[str, Any]:
        over = [c for c in fewer(r) if c != "fill_pins"]
        rows = [[f"{p.machine}, {p.settings['NumFragmentShaders']} shaders, "
                 f"{p.settings['FetchRate']}-way"] +
                [percent(self.gain(r, p, n, over)) for n in (5, 6)] for p in self.bases(r)]
        wide = r.one(machine="unified", NumFragmentShaders=8, FetchRate=2, V2MemoryChannels=4)
        return {"rows": rows, "over": over, "interval": INTERVAL, "by_capture": [
                    [c] + [percent(self.gain(r, wide, n, [c])) for n in (5, 6)]
                    for c in r.captures],
                "fill": [[name] + [f"{v:.0f} %" for v in (shares[0], statistics.median(shares),
                                                          shares[-1])]
                         for name, shares in r.experiment.items()],
                "cycles": cycles_table(r, lambda p: (
                    f"{p.machine} {p.settings['NumFragmentShaders']}, "
                    f"{p.settings['FetchRate']}-way, {p.settings['V2MemoryChannels']} channels"))}

    def plot(self, plt: Any, r: Results) -> tuple[Any, str]:
        figure, axes = plt.subplots(figsize=(7, 4))
        over = [c for c in fewer(r) if c != "fill_pins"]
        for p in self.bases(r):
            axes.plot([64, 80, 96], [1] + [self.gain(r, p, n, over) for n in (5, 6)], marker="o",
                      markersize=4, linestyle="-" if p.machine == "unified" else "--",
                      label=(f"{p.machine} {p.settings['NumFragmentShaders']}, "
                             f"{p.settings['FetchRate']}-way"))
        axes.axhspan(1.07, 1.14, color="#e3efe5", label="paper, +25 and +50 %")
        axes.set_xticks([64, 80, 96])
        axes.set_xlabel("bytes per cycle")
        axes.set_ylabel("speed over 64 bytes per cycle")
        axes.legend(frameon=False, fontsize=8)
        return figure, "Speed over memory bandwidth"


KINDS: dict[str, list[str]] = {"window": [], "queue": ["FRAGMENTSHADER.ThreadWindow=FALSE"]}


class TextureUnits(Study):
    name = "texture-units"
    title = "Shader ALUs and texture units"
    source = "ISPASS 2006, section 5, Figures 7 and 8"
    spaces = ["texture-units"]
    scenes = ["texture:texture-filter=mipmap", "timing/texture_trilinear",
              "timing/texture_aniso"]
    bounds = {f"{n} texture unit{'s' * (n > 1)}": (
        "ispass2006-texture-units", [f"FRAGMENTSHADER.SharedTextureUnits={n}"]) for n in (3, 1)}
    units = (3, 2, 1)
    trials = [Trial(f"{kind}, {n} texture unit{'s' * (n > 1)} over 3",
                    [("ispass2006-texture-units", [f"FRAGMENTSHADER.SharedTextureUnits={u}", *keys])
                     for u in (3, n)], "ideal memory", options=["--ideal", "memory"])
              for kind, keys in KINDS.items() for n in (2, 1)]
    trials += [Trial(f"queue, {n} texture unit{'s' * (n > 1)} over 3",
                     [("ispass2006-texture-units", [f"FRAGMENTSHADER.SharedTextureUnits={u}",
                                                    *KINDS["queue"]]) for u in (3, n)],
                     "the next unit after each quad (`TextureRequestGroup`)",
                     ["FRAGMENTSHADER.TextureRequestGroup=1"]) for n in (2, 1)]

    def trial_captures(self, o: argparse.Namespace) -> list[tuple[str, str, list[str]]]:
        stream = os.path.join(TOP, "tests", "timing", "texture_trilinear.attila")
        return [*super().trial_captures(o), ("texture_trilinear", stream, [])]

    @staticmethod
    def at(r: Results, window: bool, units: int, shared: bool = True) -> Place:
        """shared: window or queue of all shaders, as in the paper"""
        return r.one(ThreadWindow=str(window).upper(), SharedTextureUnits=units,
                     SharedWindow=str(shared).upper())

    def places(self, r: Results, shared: bool = True) -> dict[Any, Any]:
        """{label: Place}"""
        return {f"{kind}, {n}": self.at(r, window, n, shared)
                for kind, window in (("window", True), ("queue", False)) for n in self.units}

    def faster(self, r: Results, to: tuple[Any, ...], base: tuple[Any, ...],
               captures: Sequence[str]) -> Any:
        return change(r.speed(self.at(r, *to), self.at(r, *base), captures))

    def speeds(self, r: Results, places: dict[Any, Any], base: Place) -> list[list[str]]:
        rows = [[c] + [percent(base.cycles[c] / p.cycles[c]) for p in places.values()]
                for c in r.captures]
        if r.games:
            rows.append(["mean of the games"] + [percent(r.speed(p, base, r.games))
                                                 for p in places.values()])
        return rows

    def of(self, r: Results, capture: str, what: Callable[[Any], Any]) -> list[Any]:
        """[what(statistics)] on the machines with the window and 3, 2 and 1 texture units"""
        return [what(self.at(r, True, n).statistics[capture]) for n in self.units]

    def found(self, r: Results) -> dict[str, Any]:
        if not r.games:
            return {}
        rates = {c: self.of(r, c, texture_hits) for c in r.games}
        read = {c: self.of(r, c, lambda s: s["ReadBytesMemory_TU-FSTU"]) for c in r.games}
        return {
            "window-two": [self.faster(r, (True, 2), (True, 3), r.games)],
            "window-one": [self.faster(r, (True, 1), (True, 3), r.games)],
            "queue-units": [self.faster(r, (False, n), (False, 3), r.games) for n in (2, 1)],
            "queue": [self.faster(r, (False, 3), (True, 3), r.games)],
            "hits": Seen("; ".join(", ".join(f"{100 * v:.2f}" for v in rates[c]) + " %"
                                   for c in r.games),
                         all(v == sorted(v) for v in rates.values())),
            "bytes": Seen("; ".join(", ".join(f"{v / 1e6:.1f}" for v in read[c]) + " MB"
                                    for c in r.games),
                          all(v == sorted(v, reverse=True) for v in read.values()))}

    def data(self, r: Results) -> dict[str, Any]:
        places, base = self.places(r), self.at(r, True, 3)
        return {"labels": list(places), "speeds": self.speeds(r, places, base),
                "own": self.speeds(r, self.places(r, False), base),
                "reads": [[c] + self.of(r, c, lambda s: share(texture_hits(s))) +
                          self.of(r, c, lambda s: f"{s.get('ReadBytesMemory_TU-FSTU', 0)}")
                          for c in r.captures],
                "cycles": cycles_table(r, lambda p: "%s%s, %s" % (
                    "" if p.settings["SharedWindow"] == "TRUE" else "own ",
                    "window" if p.settings["ThreadWindow"] == "TRUE" else "queue",
                    p.settings["SharedTextureUnits"]))}

    def plot(self, plt: Any, r: Results) -> tuple[Any, str]:
        figure, axes = plt.subplots(figsize=(8, 4))
        places = self.places(r)
        base = places["window, 3"]
        width = .8 / len(places)
        for i, (label, p) in enumerate(places.items()):
            axes.bar([n + i * width for n in range(len(r.captures))],
                     [base.cycles[c] / p.cycles[c] for c in r.captures], width, label=label)
        axes.set_xticks([n + .4 for n in range(len(r.captures))], r.captures, rotation=15,
                        fontsize=8)
        axes.set_ylabel("speed over window, 3 units")
        axes.legend(frameon=False, fontsize=8, ncol=2)
        return figure, "Three shaders with 3, 2 and 1 texture units"
