"""Studies of the tile-based machine: beside the immediate one by overdraw and triangles; by size of
bins, and with an L2; and both eliminations by scene. Not here: running them (studies/command.py),
how their streams are made (studies/streams.py).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from attila.studies import streams
from attila.studies.claims import Seen
from attila.studies.results import Place, Results, Study, percent, share

KINDS = {"opaque": "opaque, without depth", "blended": "blended",
         "nearer": "depth, back to front", "farther": "depth, front to back"}
NUMBERS = (1, 2, 4, 8, 16)  # layers
SIDES = (32, 16, 8, 4)      # of the squares of meshes, in pixels
MOST = {4: 8}               # layers of a mesh whose triangles would fill the parameter buffer
SCENES = ("build", "shading", "texture", "desktop")
WINDOW = 4  # how many times as large the windows of tests/golden become, 640x480
ONE = 50    # the rectangle of tests/golden/version-1 that changes its colour


def scene(folder: str, name: str, edit: Any = None) -> str:
    """Writes a scene of tests/golden in a window of 640x480; desktop, whose textures have the size
    of its window, as it is."""
    capture = name.split("-")[0]

    def edited(stream: list[streams.Command]) -> Any:
        large = stream if capture == "desktop" else streams.enlarged(stream, WINDOW)
        return streams.without_depth(edit(large) if edit else large)
    return streams.edited(os.path.join(folder, name + ".attila"), "golden/" + capture, edited)


def rectangles(folder: str, name: str, changed: Sequence[int]) -> str:
    """Writes two frames of 60 rectangles; those named have another colour in the second one."""
    return streams.edited(os.path.join(folder, name + ".attila"), "golden/version-1",
                          lambda stream: streams.without_depth(
                              streams.recolored(stream * 2, changed)))


def said(capture: str) -> str:
    """The name of a scene for a reader."""
    kind, *rest = capture.split("-")
    more = {"moves": "moved by a pixel", "one": "one changes", "all": "all change"}
    return ", ".join([kind, *(more[r] for r in rest)])


def moved(p: Place, capture: str) -> float:
    """The bytes on the pins of memory."""
    s = p.statistics[capture]
    return float(s.get("ReadDataBytes_Sched", 0) + s.get("WriteDataBytes_Sched", 0))


def parameters(p: Place, capture: str) -> float:
    """The bytes of the parameter buffer."""
    s = p.statistics[capture]
    return float(sum(s.get(f"{way}Bytes_{unit}", 0) for way in ("Read", "Write")
                     for unit in ("PLB", "TF")))


def energy(p: Place, capture: str) -> float:
    return float(p.statistics[capture]["EnergyTotal"])


def millions(value: float) -> str:
    return f"{value / 1e6:.2f}"


def in_samples(r: Results, sampled: Sequence[str], space: str) -> list[Any]:
    """[(program, frames that ran, rows)]: speed with half of its interval, bytes, the parameter
    buffer's part of them, and energy, beside the first machine of a space."""
    places, found = r.all(space=space), []
    first = places[0]
    for name in sampled:
        if name not in r.captures:
            continue
        rows = []
        for p, (speed, half) in zip(places, r.estimates[space, name]):
            machine = p.machine or p.settings["Renderer"].lower()
            for what in ("Transaction", "Rendering"):
                if p.settings.get(what + "Elimination") == "TRUE":
                    machine += f", {what.lower()} elimination"
            rows.append([machine, f"{percent(speed)[:-2]} ± {100 * half:.1f} %",
                         millions(moved(p, name)), share(parameters(p, name) / moved(p, name)),
                         percent(moved(p, name) / moved(first, name)),
                         percent(energy(p, name) / energy(first, name))])
        found.append((name, first.frames[name], rows))
    return found


def crossing(points: Sequence[tuple[float, float]]) -> float | None:
    """Where (x, ratio) falls through 1, on lines between the points; None: nowhere."""
    for (a, above), (b, below) in zip(points, points[1:]):
        if above >= 1 > below:
            return a + (b - a) * (above - 1) / (above - below)
    return None


class Tiling(Study):
    name = "tiling"
    title = "Immediate and tile-based"
    source = ("Antochi and others, SAMOS 2004; Corbalán-Navarro and others, TACO 2022; Joseph and "
              "others, MICRO 2022; Fernández and others, MICRO 2024")
    spaces = ["tiling", "tiling-games"]
    size = (640, 480)
    sampled = {"neverball": (60, "5 most 31", "tiling-games"),
               "openarena": (120, "5 most 41", "tiling-games")}
    games = False

    def made(self, folder: str, space: str) -> list[str]:
        return [streams.layers(folder, kind, n, 0) for kind in KINDS for n in NUMBERS] + [
            streams.layers(folder, "opaque", n, side) for side in SIDES for n in NUMBERS
            if n <= MOST.get(side, n)]

    @staticmethod
    def machine(r: Results, name: str) -> Place:
        return r.one(space="tiling", machine=name)

    def ratios(self, r: Results, value: Any, kind: str, side: int,
               machine: str = "tiled") -> list[tuple[int, float]]:
        """[(layers, this machine over the immediate one)]"""
        tiled, immediate = (self.machine(r, m) for m in (machine, "immediate"))
        return [(n, value(tiled, c) / value(immediate, c)) for n in NUMBERS
                if (c := f"{kind}-{side or 'screen'}-{n}") in tiled.statistics]

    def found(self, r: Results) -> dict[str, Any]:
        games = [c for c in self.sampled if c in r.captures]
        if not games:
            return {}
        immediate, tiled = (r.one(space="tiling-games", machine=m)
                            for m in ("immediate", "tiled"))
        of_tiled = sum(moved(tiled, c) for c in games)
        return {"traffic": [sum(moved(immediate, c) for c in games) / of_tiled],
                "parameters": [100 * sum(parameters(tiled, c) for c in games) / of_tiled]}

    def of_layers(self, r: Results) -> list[list[str]]:
        immediate, hz, tiled, large = (self.machine(r, m) for m in (
            "immediate", "ispass2006", "tiled", "tiled-32"))
        rows = []
        for kind, what in KINDS.items():
            for n in NUMBERS:
                c = f"{kind}-screen-{n}"
                rows.append([what, str(n), *(millions(moved(p, c)) for p in (immediate, hz, tiled)),
                             percent(moved(tiled, c) / moved(immediate, c)),
                             *(percent(energy(p, c) / energy(immediate, c))
                               for p in (tiled, large)),
                             *(percent(immediate.seconds[c] / p.seconds[c])
                               for p in (tiled, large))])
        return rows

    def of_sizes(self, r: Results) -> list[list[str]]:
        tiled = self.machine(r, "tiled")
        rows = []
        for side in (0, *SIDES):
            once = f"opaque-{side or 'screen'}-1"
            both = [self.ratios(r, moved, "opaque", side),
                    self.ratios(r, energy, "opaque", side, "tiled-32")]
            s = tiled.statistics[once]
            triangles = s["InputTriangles_PLB"]
            rows.append([f"{side}x{side}" if side else "640x480", f"{triangles}",
                         f"{s['ListEntries_PLB'] / triangles:.2f}",
                         f"{parameters(tiled, once) / triangles:.0f}",
                         share(parameters(tiled, once) / moved(tiled, once)),
                         *(percent(ratios[0][1]) for ratios in both),
                         *(percent(ratios[-1][1]) for ratios in both),
                         *(f"{at:.1f}" if (at := crossing(ratios)) else
                           "1" if ratios[0][1] < 1 else f"not up to {ratios[-1][0]}"
                           for ratios in both)])
        return rows

    def smallest(self, r: Results) -> str:
        """The parameter buffer's part of all bytes, one layer of the smallest triangles."""
        tiled, c = self.machine(r, "tiled"), f"opaque-{SIDES[-1]}-1"
        return share(parameters(tiled, c) / moved(tiled, c))

    def data(self, r: Results) -> dict[str, Any]:
        return {"layers": self.of_layers(r), "sizes": self.of_sizes(r), "part": self.smallest(r),
                "in_samples": in_samples(r, list(self.sampled), "tiling-games")}

    def plot(self, plt: Any, r: Results) -> tuple[Any, str]:
        figure, axes = plt.subplots(2, 2, figsize=(10, 8))
        layers, energies, triangles, parts = axes.flat
        for kind, what in KINDS.items():
            layers.plot(*zip(*self.ratios(r, moved, kind, 0)), markersize=4, label=what)
            energies.plot(*zip(*self.ratios(r, energy, kind, 0, "tiled-32")), markersize=4,
                          label=what)
        for side in (0, *SIDES):
            triangles.plot(*zip(*self.ratios(r, moved, "opaque", side)), markersize=4,
                           label=f"{side}x{side}" if side else "one square")
        tiled = self.machine(r, "tiled")
        for n in NUMBERS[:4]:
            parts.plot([side * side / 2 for side in SIDES],
                       [100 * parameters(tiled, c) / moved(tiled, c) for side in SIDES
                        if (c := f"opaque-{side}-{n}")], markersize=4,
                       label=f"{n} layer{'s' * (n > 1)}")
        for one, what, name in ((layers, "bytes, tiled over immediate", "layers of one square"),
                                (energies, "energy, bins of 32x32 over immediate",
                                 "layers of one square"),
                                (triangles, "bytes, tiled over immediate",
                                 "opaque layers, by squares of the mesh")):
            one.axhline(1, color="#222222", linewidth=.8)
            one.set_xscale("log", base=2)
            one.set_xticks(NUMBERS, [f"{n}" for n in NUMBERS])
            one.set_xlabel(name)
            one.set_ylabel(what)
            one.set_ylim(0)
        parts.set_xscale("log", base=2)
        parts.set_xticks([s * s / 2 for s in SIDES], [f"{s * s // 2}" for s in SIDES])
        parts.set_xlabel("pixels of a triangle")
        parts.set_ylabel("parameter buffer, % of all bytes")
        parts.set_ylim(0)
        for one in axes.flat:
            one.legend(frameon=False, fontsize=7)
        return figure, "Bytes and energy beside the immediate machine, by overdraw and triangles"


# --- Sizes of bins ---

BINS = (8, 16, 32, 64)  # sides, in pixels
MESHES = (0, 8)         # sides of the squares of eight blended layers; 0: one square


class Bins(Study):
    name = "bins"
    title = "The tile-based machine by size of bins, and with an L2"
    source = "Antochi and others, SAMOS 2004"
    spaces = ["bins"]
    games = False

    def made(self, folder: str, space: str) -> list[str]:
        return [scene(folder, name) for name in SCENES] + [
            streams.layers(folder, "blended", 8, side) for side in MESHES]

    @staticmethod
    def machine(r: Results, side: int, l2: bool = False) -> Place:
        """The machine with bins of this side; 0: the immediate one."""
        return r.one(Renderer="TILED" if side else "IMMEDIATE", TileWidth=side or 16,
                     Enabled="TRUE" if l2 else "FALSE")

    def totals(self, r: Results) -> dict[int, float]:
        """{side of a bin: bytes of all scenes}"""
        return {side: sum(moved(self.machine(r, side), c) for c in r.captures) for side in BINS}

    def found(self, r: Results) -> dict[str, Any]:
        totals = self.totals(r)
        best = next(side for side in BINS
                    if min(v for other, v in totals.items() if other >= side)
                    >= .95 * totals[side])
        return {"best": Seen(f"{best}x{best}", best == 32)}

    def by_size(self, r: Results) -> list[list[str]]:
        immediate, rows = self.machine(r, 0), []
        for c in r.captures:
            for side in BINS:
                p = self.machine(r, side)
                s = p.statistics[c]
                rows.append([c, f"{side}x{side}",
                             f"{s['ListEntries_PLB'] / s['InputTriangles_PLB']:.2f}",
                             millions(moved(p, c)), share(parameters(p, c) / moved(p, c)),
                             *(percent(value(p, c) / value(immediate, c))
                               for value in (moved, energy)),
                             percent(immediate.seconds[c] / p.seconds[c])])
        return rows

    def with_l2(self, r: Results) -> list[list[str]]:
        rows = []
        for c in r.captures:
            for side in (0, *BINS):
                p, l2 = (self.machine(r, side, on) for on in (False, True))
                s = l2.statistics[c]
                hits = s.get("HitsFetch_L2C", 0)
                lists = [sum(s.get(f"{what}_{unit}_L2C", 0)
                             for unit in ("PolygonListBuilder", "TileFetcher"))
                         for what in ("Hits", "Misses")]
                rows.append([c, f"{side}x{side}" if side else "immediate", millions(moved(l2, c)),
                             percent(moved(l2, c) / moved(p, c)),
                             share(hits / (hits + s.get("MissesFetch_L2C", 0))),
                             share(lists[0] / sum(lists) if sum(lists) else None),
                             percent(energy(l2, c) / energy(p, c)),
                             percent(p.seconds[c] / l2.seconds[c])])
        return rows

    def data(self, r: Results) -> dict[str, Any]:
        return {"sizes": self.by_size(r), "l2": self.with_l2(r),
                "totals": [[f"{side}x{side}", millions(value)]
                           for side, value in self.totals(r).items()]}

    def plot(self, plt: Any, r: Results) -> tuple[Any, str]:
        figure, axes = plt.subplots(1, 3, figsize=(13, 4.5))
        immediate, tiled = self.machine(r, 0), [self.machine(r, side) for side in BINS]
        for c in r.captures:
            values = ([100 * parameters(p, c) / moved(p, c) for p in tiled],
                      [p.seconds[c] / immediate.seconds[c] for p in tiled],
                      [energy(p, c) / energy(immediate, c) for p in tiled])
            for one, points in zip(axes, values):
                one.plot(BINS, points, markersize=4, label=c)
        for one, what in zip(axes, ("parameter buffer, % of all bytes",
                                    "time, over the immediate machine",
                                    "energy, over the immediate machine")):
            one.set_xscale("log", base=2)
            one.set_xticks(BINS, [f"{side}x{side}" for side in BINS])
            one.set_xlabel("bins")
            one.set_ylabel(what)
            one.set_ylim(0)
        for one in axes[1:]:
            one.axhline(1, color="#222222", linewidth=.8)
        axes[0].legend(frameon=False, fontsize=8)
        return figure, "Part of the parameter buffer, time and energy by size of bins"


# --- Eliminations ---

WAYS = {"none": ("FALSE", "FALSE"), "transaction": ("TRUE", "FALSE"),
        "rendering": ("FALSE", "TRUE")}  # TransactionElimination, RenderingElimination


class Elimination(Study):
    name = "elimination"
    title = "Transaction elimination and rendering elimination by scene"
    source = "Anglada and others, HPCA 2019 (arXiv 1807.09449); ARM's page on its method"
    spaces = ["elimination", "elimination-programs"]
    warm_up = 1
    size = (320, 240)
    sampled = {name: (60, f"5 most {most}", "elimination-programs")
               for name, most in {"neverball": 31, "chromium": 31,
                                  "gtk4-widget-factory": 41}.items()}
    programs = SCENES
    counts: dict[str, Sequence[int]] = {
        "rectangles": [], "rectangles-one": [ONE], "rectangles-all": range(60)}

    def made(self, folder: str, space: str) -> list[str]:
        made = [path for name in self.programs for path in (
            scene(folder, name),
            scene(folder, name + "-moves", lambda stream: streams.moving(stream, 1)))]
        return made + [rectangles(folder, name, changed) for name, changed in self.counts.items()]

    @staticmethod
    def ways(r: Results) -> dict[str, Place]:
        return {what: r.one(space="elimination", TransactionElimination=t, RenderingElimination=e)
                for what, (t, e) in WAYS.items()}

    def still(self) -> list[str]:
        return [*self.programs, "rectangles"]

    def ran(self, r: Results) -> list[str]:
        return [c for c in r.captures if c not in self.sampled]

    @staticmethod
    def undrawn(p: Place, capture: str) -> float:
        """The part of the bins that are not drawn."""
        s = p.statistics[capture]
        eliminated = s.get("EliminatedBins_TF", 0)
        return float(eliminated / (eliminated + s.get("DrawnBins_TF", 0)))

    @staticmethod
    def unwritten(p: Place, none: Place, capture: str) -> float:
        """The part of the colours that are not written."""
        return float(1 - p.statistics[capture].get("WriteBytes_CW-SU", 0) /
                     none.statistics[capture]["WriteBytes_CW-SU"])

    def found(self, r: Results) -> dict[str, Any]:
        of, still = self.ways(r), self.still()
        saved = [100 * self.unwritten(of["transaction"], of["none"], c) for c in still
                 if c != "desktop"]
        better = [c for c in still if energy(of["rendering"], c) < energy(of["transaction"], c)]
        return {"transaction": saved, "both": Seen(f"in {len(better)} of {len(still)}",
                                                   better == still)}

    def row(self, of: dict[str, Place], capture: str) -> list[str]:
        none = of["none"]
        eliminated = [p for p in of.values() if p is not none]
        return [said(capture), millions(moved(none, capture)),
                share(self.unwritten(of["transaction"], none, capture)),
                share(self.undrawn(of["rendering"], capture)),
                *(percent(moved(p, capture) / moved(none, capture)) for p in eliminated),
                *(percent(energy(p, capture) / energy(none, capture)) for p in eliminated),
                *(percent(none.seconds[capture] / p.seconds[capture]) for p in eliminated)]

    def data(self, r: Results) -> dict[str, Any]:
        return {"rows": [self.row(self.ways(r), c) for c in self.ran(r)],
                "in_samples": in_samples(r, list(self.sampled), "elimination-programs"),
                "games_run": r.games}

    def plot(self, plt: Any, r: Results) -> tuple[Any, str]:
        figure, axes = plt.subplots(1, 3, figsize=(12, 4.5), sharey=True)
        scenes, of = self.ran(r), self.ways(r)
        none = of["none"]
        sides: tuple[tuple[str, Any], ...] = (
            ("bytes of memory", lambda p, c: moved(p, c) / moved(none, c)),
            ("energy", lambda p, c: energy(p, c) / energy(none, c)),
            ("time", lambda p, c: p.seconds[c] / none.seconds[c]))
        for side, (what, value) in zip(axes, sides):
            for n, way in enumerate(("transaction", "rendering")):
                side.barh([i + .4 * n for i in range(len(scenes))],
                          [value(of[way], c) for c in scenes], .38, label=f"{way} elimination")
            side.axvline(1, color="#222222", linewidth=.8)
            side.set_xlabel(f"{what}, over none")
        axes[0].set_yticks([i + .2 for i in range(len(scenes))], [said(c) for c in scenes])
        axes[0].invert_yaxis()
        axes[1].legend(loc="lower center", bbox_to_anchor=(.5, 1), ncol=2, frameon=False,
                       fontsize=9)
        return figure, "What eliminations leave of bytes, energy and time, by scene"
