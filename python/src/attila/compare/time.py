"""Compares the GPU time of each draw on the reference with its simulated time: rank correlation,
the draws that disagree most, a scatter plot. Draws are matched by call. Not here: measuring
(glretrace --pgpu on both sides, compare/replay.py)."""

from __future__ import annotations

import csv
import math
import os
import statistics
import subprocess
from dataclasses import dataclass
from collections.abc import Sequence
from typing import Any

from scipy import stats

from attila.cli import Error
from attila.compare import replay
from attila.compare.draws import Call, Calls
from attila.compare.replay import AnySide, Side


@dataclass
class Draw:
    """The time of a call on both sides, in ns. ratio: simulated over reference, divided by the
    median of this ratio."""

    call: Call
    frame: int
    ours: float
    theirs: float
    ratio: float = 0.0


Groups = Sequence[tuple[str, Sequence[Draw]]]


def shorten(trace: str, calls: Calls, frames: int, folder: str) -> Any:
    """Makes the trace of the first frames only, since simulating more would take time for
    nothing."""
    if frames >= len(calls.ends):
        return trace
    short = os.path.join(folder, os.path.basename(trace)[:-len(".trace")] + "-short.trace")
    done = subprocess.run(["apitrace", "trim", f"--calls=0-{calls.ends[frames - 1]}", "-o", short,
                           trace], capture_output=True, text=True, check=False)
    if done.returncode or not os.path.exists(short):
        raise Error(f"apitrace cannot trim {trace}: {done.stderr.strip()[-300:]}")
    return short


def measure(first: Side, second: AnySide, trace: str, calls: Calls, repeat: int) -> Any:
    """The draws that both sides have timed, except those of the first frame, which compiles shaders
    and loads textures. The time of the reference is the shortest of `repeat` replays, as a real
    machine is disturbed and a simulated one is not."""
    ours = first.times(trace)
    theirs = [second.times(trace) for _ in range(repeat if isinstance(second, replay.Side) else 1)]
    draws = []
    for number, (_, ns) in sorted(ours.items()):
        call = calls.get(number)
        if number in calls.calls and call.frame and all(number in t for t in theirs):
            draws.append(Draw(call, call.frame, ns, min(t[number][1] for t in theirs)))
    if not draws:
        raise Error(f"{trace}: neither side's times have a draw in common: does {second.name} "
                      "have GL_ARB_timer_query?")
    middle = statistics.median(d.ours / d.theirs for d in draws)
    for draw in draws:
        draw.ratio = draw.ours / draw.theirs / middle
    return draws


def spearman(draws: Sequence[Draw]) -> float | None:
    """Rank correlation; None if all values of a side are equal."""
    ours, theirs = [d.ours for d in draws], [d.theirs for d in draws]
    if len(draws) < 3 or len(set(ours)) < 2 or len(set(theirs)) < 2:
        return None
    return float(stats.spearmanr(ours, theirs).statistic
                 if hasattr(stats.spearmanr(ours, theirs), "statistic")
                 else stats.spearmanr(ours, theirs)[0])


def disagree(draws: Sequence[Draw], count: int) -> Any:
    """The draws whose ratio is furthest from the median, one for each title."""
    found: dict[Any, Any] = {}
    for draw in sorted(draws, key=lambda d: -abs(math.log(d.ratio))):
        found.setdefault(draw.call.title(), draw)
    return list(found.values())[:count]


def write_csv(path: str, name: str, draws: Sequence[Draw]) -> None:
    new = not os.path.exists(path)
    with open(path, "a", newline="", encoding="utf-8") as f:
        out = csv.writer(f, lineterminator="\n")
        if new:
            out.writerow(("program", "frame", "call", "attila_ns", "reference_ns",
                          "ratio_to_median", "draw"))
        for d in draws:
            out.writerow((name, d.frame, d.call.number, d.ours, int(d.theirs), f"{d.ratio:.4f}",
                          d.call.title()))


def scatter(path: str, groups: Groups, names: Sequence[str]) -> None:
    """groups: [(program, draws)]; names: of both sides. Logarithmic axes."""
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(figsize=(8, 6), dpi=100)
    markers = "os^vD<>p*hXPd"
    for n, (program, draws) in enumerate(groups):
        axes.scatter([d.theirs / 1000 for d in draws], [d.ours / 1000 for d in draws], s=12,
                     alpha=0.6, marker=markers[n % len(markers)], label=program)
    axes.set(xscale="log", yscale="log", xlabel=f"{names[1]}, µs per draw",
             ylabel=f"{names[0]}, simulated µs per draw")
    axes.grid(True, which="major", alpha=0.3)
    axes.legend(fontsize="x-small", ncol=2)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None} if path.endswith(".svg") else None)
    pyplot.close(figure)
