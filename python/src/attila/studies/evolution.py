"""Evolution of a frame, after Qsilver's Figure 6 (and Figures 7 and 8 of MICRO 2005, 9 of ISPASS
2006): pictures of the frame at chosen moments above timelines of shaded vertices and fragments, of
the fill of queues, of the activity of units, of bytes and of power. It is a command of its own, and
a study. Not here: counting and energy (attila-sim run --interval, attila-sim power), the pictures
(attila-sim picture).
"""

from __future__ import annotations

import argparse
import csv
import glob
import io
import os
import tempfile
from collections.abc import Sequence
from typing import Any

from attila import cli
from attila.cli import UsageError
from attila.paths import TOP, simulator
from attila.studies.frame import INTERVAL, LANES, FrameStudy, each
from attila.studies.results import share
from attila.studies.runs import Timeline, command
from attila.studies.trials import Trial
from attila.sweep import plots as sweep_plots

DESCRIPTION = """\
Simulates a frame of a capture and draws its evolution: pictures of the frame at chosen moments,
below them over its cycles vertices and fragments shaded, threads and queues, how busy the units
were, bytes by unit, watts by unit."""
EPILOG = """\
DIR gets evolution.png, the same as SVG, intervals.csv (what is drawn, as numbers) and the pictures.
A picture is of the surface after the last draw that had ended at the moment, with all its pixels:
draws overlap, so a few pixels may be early (attila-sim picture --cycle has what was there at the
cycle). Exit: 0 done, 2 something cannot be used."""

# Counters of a panel: (label, counter, factor: 1 for a value per cycle, else the sum of the
# interval).
SHADED = (("vertices", "ShadedVertices_FFU"), ("fragments", "ShadedFragments_FFU"),
          ("fragments written", "BlendedFragments_CW-SU"))
FILL = (("threads ready", "ReadyThreads_ShF-FS"), ("threads blocked", "BlockedThreads_ShF-FS"),
        ("texture accesses", "AccessQueueOccupation_TU-FSTU"))
UNITS = (("setup", "TS"), ("traversal", "TT"), ("Z test", "ZST-SU"), ("shaders", "ShF-FS"),
         ("texture units", "TU-FSTU"), ("colour", "CW-SU"))
FRAGMENT_SHADERS = 2  # of ispass2006-split.ini
MOST = 7  # units with a colour of their own in the panel of power


class Evolution(Timeline):
    """The data of the plot: the timeline of the frame, watts {unit: [watts]}, draws [(end,
    number)]."""

    def __init__(self, folder: str, sim: str, frame: int, table: str | None) -> None:
        super().__init__(folder, frame)
        self.draws = self.db.execute("SELECT end_cycle, draw FROM work WHERE frame = ? AND "
                                     "kind = 'draw' ORDER BY draw", (frame,)).fetchall()
        self.watts = self._watts(folder, sim, table)

    def _watts(self, folder: str, sim: str, table: str | None) -> Any:
        text = command(sim, "power", folder, "--by", "interval", "--format", "csv",
                       *(["--table", table] if table else []))
        found: dict[str, list[float]] = {}
        for row in csv.DictReader(io.StringIO(text)):
            if int(row["interval"]) in self.place and float(row["seconds"]):
                self.column(found, row["unit"])[self.place[int(row["interval"])]] += (
                    int(row["total_fj"]) / 1e15 / float(row["seconds"]))
        return dict(sorted(found.items(), key=lambda i: -float(sum(i[1]))))

    def draw_at(self, cycle: int) -> int | None:
        """The last draw that had ended at a cycle, or None before the first."""
        ended = [d for end, d in self.draws if end - self.start <= cycle]
        return max(ended) if ended else None

    def write_csv(self, path: str) -> None:
        columns = {"shaded " + n: self.counters[c] for n, c in SHADED if c in self.counters}
        columns.update({"average " + n: self.per_cycle(c) for n, c in FILL if c in self.counters})
        columns.update({f"busy % {n}": self.busy[u] for n, u in UNITS if u in self.busy})
        columns.update({"bytes " + n: v for n, v in self.bytes.items()})
        columns.update({"watts " + n: v for n, v in self.watts.items()})
        with open(path, "w", newline="", encoding="utf-8") as f:
            writer = csv.writer(f, lineterminator="\n")
            writer.writerow(["end_cycle", "cycles", *columns])
            for n, cycle in enumerate(self.cycles):
                writer.writerow([cycle, self.lengths[n]] +
                                [f"{v[n]:.6g}" for v in columns.values()])


def pictures(o: argparse.Namespace, evolution: Evolution, moments: Sequence[int]) -> Any:
    """[(moment, draw or None, path or None)]"""
    drawn = [(m, evolution.draw_at(m)) for m in moments]
    numbers = sorted({d for _, d in drawn if d is not None})
    for old in glob.glob(os.path.join(o.out, "frame-*-draw-*.png")):
        os.remove(old)
    if numbers:
        command(o.sim, "picture", o.capture, "--frame", o.frame, "--draws",
                ",".join(map(str, numbers)), "--after", "--out", o.out,
                *cli.machine_of(o))
    found = []
    for moment, draw in drawn:
        paths = [] if draw is None else glob.glob(os.path.join(
            glob.escape(o.out), f"frame-{o.frame:04d}-draw-{draw:04d}-color0-*.png"))
        found.append((moment, draw, paths[0] if paths else None))
    return found


def lines(axes: Any, x: list[int], columns: Any, what: str) -> None:
    for label, values in columns:
        axes.plot(x, values, linewidth=1, label=label)
    axes.set_ylabel(what, fontsize=8)
    axes.set_ylim(0)
    axes.legend(frameon=False, fontsize=7, loc="center left", bbox_to_anchor=(1, .5))


def panels(axes: Any, e: Evolution) -> None:
    x = e.cycles
    lines(axes[0], x, [(n, [1000 * v for v in e.per_cycle(c)]) for n, c in SHADED
                       if c in e.counters], "per 1000 cycles")
    axes[0].set_yscale("symlog", linthresh=10)
    lines(axes[1], x, [(n, e.per_cycle(c)) for n, c in FILL if c in e.counters], "in the queue")
    lines(axes[2], x, [(n, e.busy[u]) for n, u in UNITS if u in e.busy and any(e.busy[u])],
          "busy (%)")
    lines(axes[3], x, [(n, [v / m for v, m in zip(values, e.lengths)])
                       for n, values in e.bytes.items() if any(values)], "bytes per cycle")
    names = list(e.watts)[:MOST]
    rest = [sum(v[n] for u, v in e.watts.items() if u not in names) for n in range(len(x))]
    axes[4].stackplot(x, [e.watts[u] for u in names] + [rest], labels=names + ["all others"])
    axes[4].set_ylabel("watts", fontsize=8)
    axes[4].legend(frameon=False, fontsize=7, loc="center left", bbox_to_anchor=(1, .5))
    axes[4].set_xlabel("cycles of the frame")


def draw(plt: Any, e: Evolution, shown: list[tuple[int, int | None, str | None]]) -> Any:
    """Makes the figure."""
    figure = plt.figure(figsize=(11, 12))
    grid = figure.add_gridspec(6, max(len(shown), 1), height_ratios=[1.5, 1, 1, 1, 1, 1.4])
    for n, (moment, number, path) in enumerate(shown):
        axes = figure.add_subplot(grid[0, n])
        if path:
            axes.imshow(plt.imread(path))
        axes.set_title("(%s) cycle %d, %s" % ("abcdefgh"[n], moment, "nothing drawn yet" if
                                              number is None else f"draw {number}"), fontsize=8)
        axes.axis("off")
    rows = [figure.add_subplot(grid[n, :]) for n in range(1, 6)]
    panels(rows, e)
    for axes in rows:
        axes.set_xlim(0, e.cycles[-1])
        for n, (moment, _, _) in enumerate(shown):
            axes.axvline(moment, color="#222222", linewidth=.7, linestyle=":")
            if axes is rows[0]:
                axes.annotate("abcdefgh"[n], (moment, 1.02), xycoords=("data", "axes fraction"),
                              fontsize=8)
    return figure


def parse(args: list[str]) -> argparse.Namespace:
    p = cli.Parser("studies evolution", "CAPTURE [options]", DESCRIPTION, EPILOG)
    p.add_argument("capture", metavar="CAPTURE", help=argparse.SUPPRESS)
    p.add_argument("--frame", type=cli.number(0), default=0, metavar="F",
                   help="this frame (default 0); those before it run in functional mode")
    p.add_argument("--interval", type=cli.number(1), default=2000, metavar="N",
                   help="cycles between two points of a line (default 2000)")
    p.add_argument("--moments", type=cli.number(1, 8), default=4, metavar="N",
                   help="pictures, from 1 to 8 (default 4), at equal distances")
    p.add_argument("--at", metavar="LIST", help="or at these cycles of the frame, commas between")
    p.machine()
    p.add_argument("--energy", metavar="FILE",
                   help="table of energies (configs/power/); default: the built-in one")
    p.add_argument("--out", default=os.path.join("out", "studies", "evolution"), metavar="DIR",
                   type=cli.folder,
                   help="where to; default: out/studies/evolution")
    o = p.parse_args(args)
    o.sim = simulator()
    try:
        o.at = sorted(int(c) for c in o.at.split(",")) if o.at else None
    except ValueError:
        p.error(f"--at takes cycles with commas between, not '{o.at}'")
    if o.at and (len(o.at) > 8 or o.at[0] < 0):
        p.error("--at takes up to 8 cycles")
    if not sweep_plots.available():
        raise UsageError("python3-matplotlib is not installed")
    return o


def simulate(o: argparse.Namespace) -> tuple[Evolution, list[tuple[int, int | None, str | None]]]:
    """Simulates the frame; returns its evolution and pictures, and writes intervals.csv."""
    os.makedirs(o.out, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        command(o.sim, "run", o.capture, "--frames", f"{o.frame}-{o.frame}", "--interval",
                o.interval, "--record", "sqlite,boxes", "--out", folder,
                *cli.machine_of(o))
        e = Evolution(folder, o.sim, o.frame, o.energy)
    last = e.cycles[-1]
    moments = o.at or [last * (n + 1) // o.moments for n in range(o.moments)]
    if moments[-1] > last:
        raise UsageError(f"--at {moments[-1]}: the frame has {last} cycles")
    e.write_csv(os.path.join(o.out, "intervals.csv"))
    return e, pictures(o, e, moments)


def main(args: list[str]) -> None:
    o = parse(args)
    e, shown = simulate(o)
    plt = sweep_plots.style()
    sweep_plots.save(plt, draw(plt, e, shown), o.out, "evolution", "Evolution of a frame")
    print(f"frame {o.frame}: {e.cycles[-1]} cycles, {len(e.draws)} draws, {len(e.cycles)} "
          f"intervals; wrote evolution.png, intervals.csv and "
          f"{sum(p is not None for _, _, p in shown)} pictures in {o.out}")


def phases(e: Timeline) -> dict[str, float]:
    """Shares of the time in which vertex shaders, or fragment shaders, are busier relative to
    their peak, or neither executes anything. Fragment shaders are the first boxes, two of them,
    and have groups of four lanes; vertex shaders have one lane."""
    boxes = e.instances("ExecutedInstructions_ShDX-FS")
    time = dict.fromkeys(("vertices", "fragments", "neither"), 0)
    for n, cycles in enumerate(e.lengths):
        vertices = sum(v[n] for b, v in boxes.items() if b >= FRAGMENT_SHADERS) / (
            max(boxes) + 1 - FRAGMENT_SHADERS)
        fragments = sum(v[n] for b, v in boxes.items() if b < FRAGMENT_SHADERS) / (
            FRAGMENT_SHADERS * LANES)
        time["vertices" if vertices > fragments else
             "fragments" if fragments else "neither"] += cycles
    return {what: t / sum(time.values()) for what, t in time.items()}


def bound_by_vertices(folders: Sequence[str]) -> str:
    return share(phases(Timeline(folders[0], 0))["vertices"])


class FrameEvolution(FrameStudy):
    name = "evolution"
    title = "Evolution of a frame"
    source = "Qsilver (Sheaffer and others 2004), section 5.1, Figure 6"
    config = "ispass2006-split"
    trials = [Trial("time bound by vertices", [(config, [])], "1 vertex shader, not 4",
                    ["GPU.NumVertexShaders=1"], value=bound_by_vertices)]

    def measure(self, o: argparse.Namespace) -> dict[Any, Any]:
        return {label: simulate(argparse.Namespace(
            capture=path, frame=frame, interval=INTERVAL, moments=5, at=None, energy=None,
            config=os.path.join(TOP, "configs", self.config + ".ini"), set=[], sim=o.sim,
            out=os.path.join(o.out, "evolution", label.replace(" ", "-"))))
            for label, path, frame in self.chosen(o)}

    def found(self, r: Any) -> dict[str, Any]:
        if not self.game:
            return {}
        time = {frame: phases(e) for frame, (e, _) in r.items()}
        return {"turns": each({f: ", ".join(f"{w} {100 * t:.0f} %" for w, t in shares.items())
                               for f, shares in time.items()},
                              all(min(t["vertices"], t["fragments"]) > .05
                                  for t in time.values()))}

    def data(self, r: Any) -> dict[str, Any]:
        return {"interval": INTERVAL, "config": f"configs/{self.config}.ini",
                "frames": [self.of_frame(f, *seen) for f, seen in r.items()]}

    def of_frame(self, frame: int, e: Evolution, shown: Any) -> dict[str, Any]:
        power = [sum(v[n] for v in e.watts.values()) for n in range(len(e.cycles))]
        return {"frame": frame, "cycles": e.cycles[-1], "draws": len(e.draws),
                "moments": [[f"({'abcdefgh'[i]})", f"{m}", "" if d is None else str(d)]
                            for i, (m, d, _) in enumerate(shown)],
                "phases": [[w, f"{100 * t:.0f} %"] for w, t in phases(e).items()],
                "low": min(power), "high": max(power)}

    def plot_frame(self, plt: Any, seen: Any) -> tuple[Any, str]:
        return draw(plt, *seen), self.title
