"""Studies of single frames of games: the programs of their batches, the balance of vertices and
fragments, and, over the cycles of a frame, how busy the units are and which of them move bytes.
After MICRO 2005, Figures 6 to 8, and ISPASS 2006, Figures 8 and 9. Not here: pictures of the frame,
queues and watts (studies/evolution.py).
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from typing import Any

from attila.paths import TOP
from attila.records import reader
from attila.studies.claims import Seen
from attila.studies.results import Study, percent
from attila.studies.runs import Timeline, records
from attila.studies.trials import Trial, busy, executed

INTERVAL = 10000  # as in the papers
LANES = 4         # vertices or fragments of a thread group
PEAK_BYTES = 64   # per cycle, of four channels
PEAK_FRAGMENTS = 8
ORDER = ("TextureUnit", "ColorWrite", "ZStencilTest")  # order of clients by bytes, in the paper


def mean(values: Sequence[float]) -> Any:
    return sum(values) / len(values)


def both(values: Sequence[float]) -> str:
    """The mean and the peak of shares, as text."""
    return f"{100 * mean(values):.0f} %, at most {100 * max(values):.0f} %"


def each(found: dict[str, str], agrees: bool) -> Seen:
    """One text if it is the same for all frames, else the text of each frame."""
    texts = set(found.values())
    return Seen(texts.pop() if len(texts) == 1 else
                "; ".join(f"{frame}: {text}" for frame, text in found.items()), agrees)


def utilisation(t: Timeline, counter: str, per_cycle: float) -> Any:
    """[share of its peak] of a counter, for each interval."""
    return [v / per_cycle for v in t.per_cycle(counter)] if counter in t.counters else (
        [0] * len(t.cycles))


class FrameStudy(Study):
    """A study of single frames. machines: {name: (file of configs/, settings)}. Its results are
    {frame: {machine: Timeline}}; the plot shows the first frame."""

    measures = True
    scenes = ["desktop"]
    machines: dict[str, tuple[str, list[str]]] = {}

    def chosen(self, o: argparse.Namespace) -> list[tuple[str, str, int]]:
        """[(label, capture, frame)]: frames of games, or else the last frame of a scene."""
        self.game = bool(o.frames)
        desktop = os.path.join(o.out, "{}x{}".format(*self.size), "desktop.attila")
        return [(label, path, int(n)) for label, path, n in o.frames] or [("desktop", desktop, 1)]

    def measure(self, o: argparse.Namespace) -> dict[Any, Any]:
        """Measures {frame: {machine: Timeline}}, and limits {machine: {frame: its limits}}."""
        frames = self.chosen(o)
        folders = records(o, {
            (label, name): (path, config, settings,
                            ["--frames", f"{frame}", "--interval", str(INTERVAL)])
            for label, path, frame in frames
            for name, (config, settings) in self.machines.items()})
        self.limits = {name: {label: reader.limits(folders[label, name])[1]
                              for label, _, _ in frames} for name in self.machines}
        self.more(o)
        return {label: {name: Timeline(folders[label, name], frame) for name in self.machines}
                for label, _, frame in frames}

    def trial_captures(self, o: argparse.Namespace) -> list[tuple[str, str, list[str]]]:
        return [(label, path, [*options, "--interval", str(INTERVAL)])
                for label, path, options in super().trial_captures(o)]

    def more(self, o: argparse.Namespace) -> None:
        """Makes other runs, for studies that need them."""

    def plot(self, plt: Any, r: Any) -> tuple[Any, str]:
        label, seen = next(iter(r.items()))
        figure, title = self.plot_frame(plt, seen)
        return figure, f"{title}: {label}"

    def plot_frame(self, plt: Any, seen: Any) -> tuple[Any, str]:
        """(figure, title) for one frame"""
        raise NotImplementedError


def shaders(number: int, rate: int) -> list[str]:
    return [f"GPU.NumFragmentShaders={number}", f"FRAGMENTSHADER.FetchRate={rate}",
            f"VERTEXSHADER.FetchRate={rate}"]


class Frame(FrameStudy):
    name = "frame"
    title = "What limits a frame"
    source = "MICRO 2005, section 6.3, Figures 6 to 8"
    trials = [Trial("8 shaders, 2-way: shaders' use", [("micro2005", shaders(8, 2))],
                    "ideal memory", options=["--ideal", "memory"],
                    value=executed(8 * LANES * 2))]
    machines = {"small": ("micro2005", shaders(2, 1)), "large": ("micro2005", shaders(8, 2)),
                "separate": ("micro2005-split", shaders(8, 2))}
    sizes = {"small": (2, 1), "large": (8, 2)}
    labels = {"small": "2 unified, 1-way", "large": "8 unified, 2-way",
              "separate": "8 separate, 2-way"}

    @staticmethod
    def batches(r: Any) -> Any:
        """[(instructions of the vertex program, of the fragment program)] of the batches; 0: it has
        none."""
        return r["separate"].db.execute(
            "SELECT coalesce(v.instructions, 0), coalesce(f.instructions, 0) FROM work w "
            "LEFT JOIN programs v ON v.program = w.vertex_program "
            "LEFT JOIN programs f ON f.program = w.fragment_program "
            "WHERE w.kind = 'draw' ORDER BY w.draw").fetchall()

    @staticmethod
    def balance(r: Any) -> tuple[Any, ...]:
        """([vertices], [fragments]): executed instructions as shares of what these shaders can
        execute."""
        number, rate = Frame.sizes["large"]
        t = r["separate"]
        # The first boxes are the fragment shaders.
        found = t.instances("ExecutedInstructions_ShDX-FS")
        none = [0] * len(t.cycles)

        def share(boxes: range, lanes: int) -> list[Any]:
            every = [found.get(b, none) for b in boxes]
            return [sum(column) / (n * len(boxes) * lanes * rate)
                    for n, column in zip(t.lengths, zip(*every))]
        return share(range(number, number + 4), 1), share(range(number), LANES)

    def shares(self, r: Any, name: str) -> dict[str, Any]:
        """{what: [share of its peak]}"""
        t = r[name]
        number, rate = self.sizes[name]

        def moved(*without: str) -> list[float]:
            every = zip(*(v for client, v in t.bytes.items() if client not in without))
            return [sum(v) / (n * PEAK_BYTES) for n, v in zip(t.lengths, every)]
        return {"memory": moved(), "memory, scan-out left out": moved("DAC"),
                "shaders": utilisation(t, "ExecutedInstructions_ShDX-FS", number * LANES * rate),
                "Z test": utilisation(t, "TestedFragments_ZST-SU", PEAK_FRAGMENTS),
                "colour": utilisation(t, "BlendedFragments_CW-SU", PEAK_FRAGMENTS)}

    @staticmethod
    def uploads(r: Any) -> Any:
        """The share of the frame in which there was nothing but uploads."""
        alone, cycles = r["separate"].db.execute(
            "SELECT sum(CASE kind WHEN 'upload' THEN exclusive_cycles END), "
            "sum(exclusive_cycles) FROM work").fetchone()
        return (alone or 0) / cycles

    @staticmethod
    def clients(t: Timeline) -> list[tuple[str, float]]:
        """The clients' shares of all bytes, the largest first."""
        total = sum(sum(v) for v in t.bytes.values())
        return sorted(((n, sum(v) / total) for n, v in t.bytes.items()), key=lambda i: -i[1])

    def found(self, r: Any) -> dict[str, Any]:
        if not self.game:
            return {}
        large = [self.shares(seen, "large") for seen in r.values()]
        order = {label: [[n for n, _ in self.clients(seen[m]) if n in ORDER] for m in self.sizes]
                 for label, seen in r.items()}
        first = {name: {frame: units[0][0] for frame, units in found.items()}
                 for name, found in self.limits.items()}
        return {"limited-small": each(first["small"],
                                      all(u == "shaders" for u in first["small"].values())),
                "limited-large": each(first["large"], all(u.startswith("memory")
                                                          for u in first["large"].values())),
                "memory": [100 * mean(s["memory"]) for s in large],
                "memory-peak": [100 * max(s["memory, scan-out left out"]) for s in large],
                "shaders": [100 * mean(s["shaders"]) for s in large],
                "bytes": each({label: " and ".join(dict.fromkeys(", ".join(o) for o in orders))
                               for label, orders in order.items()},
                              all(o == list(ORDER) for orders in order.values() for o in orders))}

    def data(self, r: Any) -> dict[str, Any]:
        return {"interval": INTERVAL, "frames": [self.of_frame(f, seen) for f, seen in r.items()],
                "limits": {label: self.limits[m] for m, label in self.labels.items()}}

    def of_frame(self, frame: str, r: Any) -> dict[str, Any]:
        batches = self.batches(r)
        vertex, fragment = (sorted(b[i] for b in batches) for i in range(2))
        n = len(batches)
        of_vertices, of_fragments = self.balance(r)
        geometry = [a > b for a, b in zip(of_vertices, of_fragments)]
        time = sum(t for t, g in zip(r["separate"].lengths, geometry) if g)
        cycles = {name: t.cycles[-1] for name, t in r.items()}
        return {
            "frame": frame, "batches": n,
            "fragment": (fragment[n // 4], fragment[3 * n // 4], fragment[-1]),
            "vertex": (vertex[n // 4], vertex[3 * n // 4], vertex[-1]),
            "zone": f"{100 * time / cycles['separate']:.0f} % of {cycles['separate']} cycles",
            "of_vertices": both(of_vertices), "of_fragments": both(of_fragments),
            "unified": percent(cycles["separate"] / cycles["large"]),
            "uploads": f"{100 * self.uploads(r):.0f} %",
            "large_over_small": f"{cycles['small'] / cycles['large']:.2f}",
            "shares": [[what] + [both(self.shares(r, m)[what]) for m in self.sizes]
                       for what in ("memory", "memory, scan-out left out", "shaders", "Z test",
                                    "colour")],
            "clients": [[self.labels[m]] +
                        [f"{c} {100 * v:.0f} %" for c, v in self.clients(r[m])[:4]]
                        for m in self.sizes]}

    def plot_frame(self, plt: Any, r: Any) -> tuple[Any, str]:
        figure, axes = plt.subplots(4, 2, figsize=(14, 11))
        batches = self.batches(r)
        for i, what in enumerate(("vertex", "fragment")):
            axes[0][0].plot([b[i] for b in batches], linestyle="none", markersize=3,
                            label=what + " program")
        axes[0][0].set_xlabel("batch (6)")
        axes[0][0].set_ylabel("instructions")
        t = r["separate"]
        for what, values in zip(("vertex shaders", "fragment shaders"), self.balance(r)):
            axes[0][1].plot(t.cycles, [100 * v for v in values], linewidth=1, markersize=3,
                            label=what)
        axes[0][1].set_xlabel("cycle (7), separate, 8 shaders, 2-way")
        axes[0][1].set_ylabel("of their peak (%)")
        for column, (name, title) in enumerate((("small", "2 shaders, 1-way"),
                                                ("large", "8 shaders, 2-way"))):
            t = r[name]
            used = [(n, v) for n, v in t.bytes.items() if any(v)]
            axes[1][column].stackplot(t.cycles, [[a / b for a, b in zip(v, t.lengths)]
                                                 for _, v in used], labels=[n for n, _ in used])
            axes[1][column].set_ylabel("bytes per cycle (8)")
            axes[1][column].set_ylim(0, PEAK_BYTES)
            shares = self.shares(r, name)
            for what in ("shaders", "Z test", "colour"):
                axes[2][column].plot(t.cycles, [100 * v for v in shares[what]], linewidth=1,
                                     markersize=3, label=what)
            axes[3][column].plot(t.cycles, [100 * v for v in shares["memory"]], linewidth=1,
                                 markersize=3, label="memory")
            for row in (2, 3):
                axes[row][column].set_ylim(0, 105)
                axes[row][column].set_ylabel("of their peak (%)")
            axes[3][column].set_xlabel("cycle (8), unified, " + title)
        for a in axes.flat:
            a.legend(frameon=False, fontsize=7, loc="center left", bbox_to_anchor=(1, .5))
        return figure, "Programs of a frame's batches, its balance and what its units do"


class Units(FrameStudy):
    name = "units"
    title = "How busy units are with few texture units"
    source = "ISPASS 2006, section 5, Figure 9 and the hit rate of Figure 8"
    machines = {
        "window, 3": ("ispass2006-texture-units", ["FRAGMENTSHADER.SharedTextureUnits=3"]),
        "window, 1": ("ispass2006-texture-units", ["FRAGMENTSHADER.SharedTextureUnits=1"]),
        "queue, 3": ("ispass2006-texture-units", ["FRAGMENTSHADER.SharedTextureUnits=3",
                                                  "FRAGMENTSHADER.ThreadWindow=FALSE"])}
    trials = [Trial("window, 1 texture unit: busy", [machines["window, 1"]], "ideal memory",
                    options=["--ideal", "memory"], value=busy("TU-FSTU"))]
    shown = (("streamer", "SL"), ("setup", "TS"), ("traversal", "TT"), ("Z test", "ZST-SU"),
             ("interpolator", "Interpolator"), ("shaders", "ShDX-FS"),
             ("texture units", "TU-FSTU"), ("colour", "CW-SU"), ("memory", "Sched"))

    @staticmethod
    def hits(t: Timeline) -> list[Any]:
        """[hit rate] of each interval, None where there are no look-ups. A miss counts once, when
        its line is requested."""
        hit, miss = (t.counters.get(n + "Fetch_FC64_TU-FSTU", [0] * len(t.cycles))
                     for n in ("Hits", "MissOK"))
        return [a / (a + b) if a + b else None for a, b in zip(hit, miss)]

    def more(self, o: argparse.Namespace) -> None:
        """Runs the same machine with one texture unit, on a stream that needs little else."""
        config, settings = self.machines["window, 1"]
        stream = os.path.join(TOP, "tests", "timing", "texture_aniso.attila")
        folder = records(o, {"": (stream, config, settings, ["--interval", str(INTERVAL)])})[""]
        self.bound = Timeline(folder, 0).busy["TU-FSTU"]

    def found(self, r: Any) -> dict[str, Any]:
        found: dict[str, Any] = {"busy-bound": [mean(self.bound)]}
        if self.game:
            there = [(label, unit) for label in r for _, unit in self.shown
                     if unit in r[label]["queue, 3"].busy]
            less = [(label, unit) for label, unit in there
                    if mean(r[label]["queue, 3"].busy[unit]) <
                    mean(r[label]["window, 3"].busy[unit])]
            found |= {"busy": [mean(seen["window, 1"].busy["TU-FSTU"]) for seen in r.values()],
                      "queue": Seen(f"{len(less)} of {len(there)}", less == there)}
        return found

    def data(self, r: Any) -> dict[str, Any]:
        return {"interval": INTERVAL, "machines": list(self.machines), "limits": self.limits,
                "frames": [self.of_frame(f, seen) for f, seen in r.items()]}

    def of_frame(self, frame: str, r: Any) -> dict[str, Any]:
        hits = []
        for name, t in r.items():
            rates = sorted(h for h in self.hits(t) if h is not None)
            hits.append([name] + [f"{100 * rates[n]:.1f} %"
                                  for n in ((0, len(rates) // 2, -1) if rates else ())])
        base = r["window, 3"].cycles[-1]
        return {"frame": frame, "hits": hits,
                "busy": [[label] + [both([v / 100 for v in t.busy[unit]]) for t in r.values()]
                         for label, unit in self.shown if all(unit in t.busy for t in r.values())],
                "slower": [[m, f"{t.cycles[-1]}", percent(t.cycles[-1] / base)]
                           for m, t in r.items()]}

    def plot_frame(self, plt: Any, r: Any) -> tuple[Any, str]:
        figure, axes = plt.subplots(4, 1, figsize=(11, 10), sharex=True)
        last = max(t.cycles[-1] for t in r.values())
        for a, (name, t) in zip(axes, r.items()):
            for label, unit in self.shown:
                if unit in t.busy and any(t.busy[unit]):
                    a.plot(t.cycles, t.busy[unit], linewidth=1, label=label)
            a.set_ylabel("busy (%)")
            a.set_title(name + " texture unit" + "s" * (name[-1] != "1"), fontsize=9)
            a.legend(frameon=False, fontsize=7, loc="center left", bbox_to_anchor=(1, .5))
        for name, t in r.items():
            points = [(c, 100 * h) for c, h in zip(t.cycles, self.hits(t)) if h is not None]
            axes[3].plot([p[0] for p in points], [p[1] for p in points], linewidth=1, label=name)
        axes[3].set_ylabel("texels that hit (%)")
        axes[3].set_xlabel("cycle")
        axes[3].set_xlim(0, last)
        axes[3].legend(frameon=False, fontsize=7, loc="center left", bbox_to_anchor=(1, .5))
        return figure, "How busy units are with three texture units, one, and a queue"
