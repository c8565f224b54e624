"""Plots of a sweep with matplotlib, as SVG and PNG: speed-up by parameter, heat maps of pairs of
parameters, comparison of machines, speed by area with the Pareto front. The data are Results of
sweep/report.py. The same results give the same files.
"""

from __future__ import annotations

import glob
import importlib.util
import itertools
import math
import os
import re
from dataclasses import dataclass
from collections.abc import Callable, Sequence
from typing import Any, TYPE_CHECKING

from attila import whole_file

if TYPE_CHECKING:
    from attila.sweep.report import Results

MOST_PAIRS = 10
MOST_NUMBERS = 12  # points of a front with a number
MOST_LINES = 8  # captures with a line of their own


@dataclass
class Picture:
    """name: of the file, without ending; drawing: the text of its SVG."""

    name: str
    title: str
    drawing: str

    def inline(self, number: int) -> str:
        """The SVG for a page: without its head, with identifiers that are unique in the page, and
        with the page's colours for black and white, as the page may be dark."""
        svg = re.sub(r"<metadata>.*?</metadata>", "", self.drawing[self.drawing.index("<svg"):],
                     flags=re.S)
        svg = re.sub(r'(<path[^>]*style="fill: )#ffffff', r"\1none", svg)
        svg = svg.replace("#000000", "currentColor").replace("#dddddd", "#88888866")
        return re.sub(r'(\bid="|url\(#|xlink:href="#)', rf"\g<1>p{number}-", svg)


def available() -> bool:
    return importlib.util.find_spec("matplotlib") is not None


def mean(values: list[float]) -> float:
    return math.exp(sum(map(math.log, values)) / len(values))


def style() -> Any:
    import matplotlib
    matplotlib.use("Agg")
    matplotlib.rcParams.update({
        "svg.hashsalt": "attila-sweep", "svg.fonttype": "none", "font.family": "sans-serif",
        "font.size": 10, "axes.spines.top": False, "axes.spines.right": False,
        "axes.grid": True, "grid.color": "#dddddd", "grid.linewidth": 0.6,
        "axes.axisbelow": True, "figure.dpi": 100,
        # Lines also differ in their marks.
        "axes.prop_cycle": matplotlib.cycler(color=[
            "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#8b5a2b", "#d55e00", "#8c8c00",
            "#7f7f7f"]) + matplotlib.cycler(marker=list("os^Dv<>p"))})
    import matplotlib.pyplot
    return matplotlib.pyplot


def save(plt: Any, figure: Any, folder: str, name: str, title: str) -> Picture:
    figure.tight_layout()
    path = os.path.join(folder, name)
    with whole_file.opened(path + ".svg", "wb") as f:
        figure.savefig(f, format="svg", metadata={"Date": None, "Creator": None})
    with whole_file.opened(path + ".png", "wb") as f:
        figure.savefig(f, format="png", dpi=150, metadata={"Software": None})
    plt.close(figure)
    with open(path + ".svg", encoding="utf-8") as f:
        return Picture(name, title, f.read())


def short(key: str) -> str:
    return key.split(".")[-1]


def numbers(values: Sequence[str]) -> Any:
    """The values as numbers; if one is a word, their places in the list."""
    return [int(v) for v in values] if all(v.isdigit() for v in values) else range(len(values))


def places_of(r: Results, key: str) -> tuple[Any, ...]:
    """(places to compare by a parameter, a text about the other parameters). The others are as in
    the baseline if that leaves something to compare, else all places are used."""
    known = [p for p in r.places if p["mean"] is not None]
    combinations = len({p["machine"] for p in r.places})
    for values in r.axes.values():
        combinations *= len(values)
    others = [k for k in r.axes if k != key]
    like_base = [p for p in known if p["machine"] == r.base["machine"] and
                 all(p["settings"].get(k) == r.base["settings"].get(k) for k in others)]
    if not others and len({p["machine"] for p in r.places}) == 1:
        return known, ""
    if combinations != len(r.places) and len({p["settings"][key] for p in like_base}) > 1:
        return like_base, "others as in the baseline"
    return known, "mean over the others"


def curve(plt: Any, r: Results, key: str, folder: str) -> Any:
    places, how = places_of(r, key)
    values = [v for v in r.axes[key] if any(p["settings"][key] == v for p in places)]
    if len(values) < 2:
        return None
    x = numbers(values)
    figure, axes = plt.subplots(figsize=(6, 4))

    def at(value: str, speed: Callable[[dict[str, Any]], Any]) -> float:
        return mean([speed(p) for p in places if p["settings"][key] == value])
    if 1 < len(r.captures) <= MOST_LINES:
        for c in r.captures:
            axes.plot(x, [at(v, lambda p: p["speed"][c]) for v in values], markersize=4,
                      linewidth=1, label=c)
    means = [at(v, lambda p: p["mean"]) for v in values]
    label = "mean" if len(r.captures) > 1 else r.captures[0]
    axes.plot(x, means, marker="o", linewidth=2.5, color="black", label=label)
    if r.sampled:
        # Use the widest interval of the places: samples of the same frames have the same errors.
        halves = [max(p["mean_half"] / p["mean"] for p in places if p["settings"][key] == v)
                  for v in values]
        axes.errorbar(x, means, [m * h for m, h in zip(means, halves)], linestyle="none",
                      color="black", capsize=4, linewidth=1)
    if isinstance(x, list) and min(x) > 0 and max(x) >= 8 * min(x):
        axes.set_xscale("log", base=2)
    axes.set_xticks(x, values)
    axes.minorticks_off()
    axes.set_xlabel(key)
    axes.set_ylabel("speed-up over the baseline")
    axes.set_ylim(0, 1.06 * axes.dataLim.ymax)
    axes.legend(frameon=False, fontsize=8)
    title = f"Speed-up over {short(key)}" + (f" ({how})" if how else "")
    axes.set_title(title, fontsize=10)
    return save(plt, figure, folder, "speed-up-" + short(key), title)


def heat_map(plt: Any, r: Results, keys: Sequence[str], folder: str) -> Any:
    rows, columns = (r.axes[k] for k in keys)
    cells: dict[Any, Any] = {}
    for p in r.places:
        if p["mean"] is not None:
            place = tuple(p["settings"][k] for k in keys)
            cells.setdefault(place, []).append(p["mean"])
    if len(cells) * 2 < len(rows) * len(columns):
        return None
    grid = [[mean(cells[a, b]) if (a, b) in cells else float("nan") for b in columns]
            for a in rows]
    size = max(4.5, 1.8 + 0.75 * len(columns)), 1.6 + 0.5 * len(rows)
    figure, axes = plt.subplots(figsize=size)
    image = axes.imshow(grid, cmap="viridis", aspect="auto", origin="lower")
    low, high = image.get_clim()
    for i, j in itertools.product(range(len(rows)), range(len(columns))):
        if grid[i][j] == grid[i][j]:
            dark = grid[i][j] < (low + high) / 2
            axes.text(j, i, f"{grid[i][j]:.2f}", ha="center", va="center", fontsize=8,
                      color="white" if dark else "#111111")
    axes.set_xticks(range(len(columns)), columns)
    axes.set_yticks(range(len(rows)), rows)
    axes.grid(False)
    axes.set_xlabel(short(keys[1]))
    axes.set_ylabel(short(keys[0]))
    title = f"Speed-up: {short(keys[0])}, {short(keys[1])}"
    axes.set_title(title, fontsize=10)
    return save(plt, figure, folder, "heat-%s-%s" % tuple(map(short, keys)), title)


def machines(plt: Any, r: Results, folder: str) -> Any:
    names = list(dict.fromkeys(p["machine"] for p in r.places if p["mean"] is not None))
    if len(names) < 2:
        return None
    figure, axes = plt.subplots(figsize=(6, 1 + 0.4 * len(names)))
    axes.barh(names, [mean([p["mean"] for p in r.places
                            if p["machine"] == n and p["mean"] is not None]) for n in names])
    axes.invert_yaxis()
    axes.set_xlabel("speed-up over the baseline")
    title = "Machines, mean over their configurations"
    axes.set_title(title, fontsize=10)
    return save(plt, figure, folder, "machines", title)


def pareto(plt: Any, r: Results, folder: str, name: str, what: str, label: str,
           front: list[dict[str, Any]], cost: Callable[[dict[str, Any]], Any]) -> Picture | None:
    """Plots speed by cost(place), which is None if unknown, and the places of the Pareto front."""
    known = [p for p in r.places if cost(p) is not None and p["mean"] is not None]
    if len(known) < 2:
        return None
    figure, axes = plt.subplots(figsize=(6, 4.5))
    axes.scatter([cost(p) for p in known], [p["mean"] for p in known], s=14, color="#999999",
                 label="configurations")
    axes.step([cost(p) for p in front], [p["mean"] for p in front], where="post",
              marker="o", markersize=4, color="#d55e00", label="Pareto front")
    numbered: Any = next((n for n in (known, front) if len(n) <= MOST_NUMBERS), [])
    for p in numbered:
        axes.annotate(f"{p['place']}", (cost(p), p["mean"]), fontsize=7,
                      textcoords="offset points", xytext=(-3, 5), ha="right")
    axes.set_xlabel(label)
    axes.set_ylabel("speed-up over the baseline")
    title = f"Speed over {what}; numbers are places of the table"
    axes.set_title(title, fontsize=10, pad=22)
    # The legend is above the axes; inside it would hide points.
    axes.legend(frameon=False, fontsize=8, loc="lower center", bbox_to_anchor=(.5, 1), ncol=2)
    return save(plt, figure, folder, name, title)


def write(r: Results, folder: str) -> list[Any]:
    """Draws all plots that the results allow, replacing those of an earlier run; returns a list of
    Pictures."""
    for pattern in ("speed-up-*", "heat-*", "machines", "pareto", "pareto-energy"):
        for ending in (".svg", ".png"):
            for old in glob.glob(os.path.join(glob.escape(folder), pattern + ending)):
                os.remove(old)
    if r.base is None:
        return []
    plt = style()
    pictures = [curve(plt, r, key, folder) for key in r.axes]
    pairs = list(itertools.combinations(r.axes, 2))[:MOST_PAIRS]
    pictures += [heat_map(plt, r, pair, folder) for pair in pairs]
    pictures += [machines(plt, r, folder),
                 pareto(plt, r, folder, "pareto", "area", "area (mm², attila-sim area)"
                        if r.modelled else "area", r.front, lambda p: p["area"]),
                 pareto(plt, r, folder, "pareto-energy", "energy",
                        "energy over the baseline's (attila-sim power)", r.energy_front,
                        r.energy)]
    return [p for p in pictures if p]
