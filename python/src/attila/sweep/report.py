"""Tables of a sweep: cycles, speed-up over the baseline, Pareto front; as text and table.csv. Plots
are in sweep/plots.py, the page in pages/sweep.html.
"""

from __future__ import annotations

import csv
import functools
import io
import math
import os
from collections.abc import Callable, Collection
from typing import Any, TYPE_CHECKING

from attila import page, whole_file
from attila.sweep import plots as sweep_plots
from attila.sweep import sample as sweep_sample

if TYPE_CHECKING:
    from attila.sweep.store import Store

SHOWN = 40  # rows of the table on the terminal


def mean(values: Collection[float]) -> float:
    """The geometric mean."""
    return math.exp(sum(map(math.log, values)) / len(values))


class Results:
    """The places of a design, with speed-ups. places: as in Store.table, with speed {capture:
    speed-up} and mean (None if a capture has no result); for samples also half and speed_half
    {capture: half the interval of the cycles, of the speed-up}, and mean_half (of the mean).
    captures. sampled: the results are estimated from samples. base: the place whose speed is 1, or
    None. modelled: the area is in mm2, from attila-sim. axes: keys with more than one value, each
    with its values in order. front and energy_front: the places that no other beats in both speed
    and area, or speed and energy."""

    def __init__(self, store: Store, design: int) -> None:
        self.places, self.captures = store.table(design)
        row = store.db.execute("SELECT space, baseline, area FROM designs WHERE design = ?",
                               (design,)).fetchone()
        self.space = os.path.basename(row[0])
        self.modelled = row[2] is None
        self.base = self._base(row[1])
        estimates = self._estimate(store, design)
        self.sampled = bool(estimates)
        for p in self.places:
            p["speed"], p["mean"], p["speed_half"], p["mean_half"] = {}, None, {}, None
            for c in self.captures:
                ours = p["cycles"].get(c)
                base = self.base and self.base["cycles"].get(c)
                if ours and base and ours[0] and ours[1] == base[1]:
                    p["speed"][c] = base[0] / ours[0]
                    if estimates:
                        p["speed"][c], p["speed_half"][c] = estimates[c].speed(
                            self.base["place"], p["place"])
            if len(p["speed"]) == len(self.captures):
                p["mean"] = mean(p["speed"].values())
                if estimates:
                    p["mean_half"] = sweep_sample.combined(
                        [(p["speed"][c], p["speed_half"][c]) for c in self.captures])
        self.axes = self._axes()
        self.front = self._front(lambda p: p["area"])
        self.energy_front = self._front(self.energy)

    def _estimate(self, store: Store, design: int) -> Any:
        """{capture: Estimates} if the design uses samples, else {}. Sets cycles (of all frames),
        half and energy of the places from these."""
        folder, estimates = os.path.dirname(store.path), {}
        for name, (capture, sample) in store.samples(design).items():
            estimates[name] = sweep_sample.Estimates(
                os.path.join(folder, sample),
                functools.partial(store.values, design, capture))
        for p in self.places if estimates else []:
            p["half"] = {}
            for c, cycles in p["cycles"].items():
                found = cycles and estimates[c].cycles(p["place"])
                p["cycles"][c] = found and (found[0], found[2])
                p["half"][c] = found and found[1]
                if c in p["energy"]:
                    p["energy"][c] = estimates[c].total(p["place"], "EnergyTotal")
        return estimates

    def _base(self, wanted: str | None) -> Any:
        if wanted is not None:
            return self.places[int(wanted)]
        whole = [p for p in self.places if all(p["cycles"].get(c) for c in self.captures)]
        return whole[0] if whole else None

    def _axes(self) -> dict[str, list[str]]:
        axes, taken = {}, []
        for key in dict.fromkeys(k for p in self.places for k in p["settings"]):
            column = [p["settings"].get(key) for p in self.places]
            values = sorted(set(column), key=lambda v: (0, int(v), "") if v.isdigit()
                            else (1, 0, v))
            # A parameter that changes only together with another adds nothing.
            pattern = [column.index(v) for v in column]
            if len(values) > 1 and pattern not in taken:
                axes[key] = values
                taken.append(pattern)
        return axes

    def _front(self, cost: Callable[[dict[str, Any]], Any]) -> Any:
        """The places that no other beats in both cost(place) and speed, the cheapest first."""
        known = [p for p in self.places if cost(p) is not None and p["mean"] is not None]
        front: list[Any] = []
        for p in sorted(known, key=lambda p: (cost(p), -p["mean"])):
            if not front or p["mean"] > front[-1]["mean"]:
                front.append(p)
        return front

    def columns(self) -> list[str]:
        head = ["place"] + (["machine"] if any(p["machine"] for p in self.places) else [])
        head += list(dict.fromkeys(k for p in self.places for k in p["settings"]))
        area = any(p["area"] is not None for p in self.places)
        head += [self.area_name()] if area else []
        for c in self.captures:
            head += ["cycles " + c] + (["+- % " + c] if self.sampled else [])
        head += ["speed-up"] + (["+-"] if self.sampled else [])
        head += ["per area", "front"] if area else []
        return head + (["mJ", "per watt", "energy front"] if self.has_energy() else [])

    def has_energy(self) -> bool:
        return any(p["energy"] for p in self.places)

    def area_name(self) -> str:
        return "area mm2" if self.modelled else "area"

    def per_area(self, p: dict[str, Any]) -> Any:
        """The speed-up divided by the growth of the area; None if either is unknown."""
        base = self.base and self.base["area"]
        if p["mean"] is None or not p["area"] or not base:
            return None
        return p["mean"] * base / p["area"]

    def per_watt(self, p: dict[str, Any]) -> Any:
        """The speed-up divided by the growth of the power. As power is energy over time, this is
        the energy of the baseline over that of the place. Mean over the captures; None if one is
        unknown."""
        base = self.base and self.base["energy"]
        if not base or any(c not in e for e in (base, p["energy"]) for c in self.captures):
            return None
        return mean([base[c] / p["energy"][c] for c in self.captures])

    def energy(self, p: dict[str, Any]) -> Any:
        """The energy relative to the baseline; None if it is unknown."""
        per_watt = self.per_watt(p)
        return per_watt and 1 / per_watt

    def row(self, p: dict[str, Any]) -> list[Any]:
        """The cells of a place as texts, which are empty if there is no result."""
        per_area, per_watt = self.per_area(p), self.per_watt(p)
        known = {"place": str(p["place"]), "machine": p["machine"], **p["settings"],
                 self.area_name(): "" if p["area"] is None else f"{p['area']:g}",
                 "per area": "" if per_area is None else f"{per_area:.3f}",
                 "speed-up": "" if p["mean"] is None else f"{p['mean']:.3f}",
                 "front": "*" if p in self.front else "",
                 "mJ": f"{sum(p['energy'].values()) * 1e-12:.6g}" if p["energy"] else "",
                 "per watt": "" if per_watt is None else f"{per_watt:.3f}",
                 "energy front": "*" if p in self.energy_front else ""}
        for c in self.captures:
            cycles = p["cycles"].get(c)
            known["cycles " + c] = str(cycles[0]) if cycles else ""
            if cycles and self.sampled:
                known["+- % " + c] = f"{100 * p['half'][c] / cycles[0]:.2f}"
        if p["mean_half"] is not None:
            known["+-"] = f"{p['mean_half']:.3f}"
        return [known.get(n, "") for n in self.columns()]


def text(store: Store, design: int) -> str:
    """A table for the terminal; for a large design, only the fastest places."""
    r = Results(store, design)
    head = [n.split(".")[-1] for n in r.columns()]
    places = r.places
    note = ""
    if len(places) > SHOWN:
        places = sorted(places, key=lambda p: -(p["mean"] or 0))[:SHOWN]
        note = f"\n(the fastest {SHOWN} of {len(r.places)}; all are in table.csv)"
    rows = [head] + [r.row(p) for p in places]
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    return "\n".join("  ".join(c.rjust(w) for c, w in zip(row, widths)) for row in rows) + note


def write(store: Store, design: int, folder: str, plots: bool,
          say: Callable[[str], None]) -> list[str]:
    """Writes table.csv, the plots and sweep.html; returns the names of the files."""
    r = Results(store, design)
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(r.columns())
    writer.writerows(r.row(p) for p in r.places)
    whole_file.write(os.path.join(folder, "table.csv"), table.getvalue())
    pictures = []
    if plots and not sweep_plots.available():
        say("no plots: python3-matplotlib is not installed")
    elif plots:
        pictures = sweep_plots.write(r, folder)
    whole_file.write(os.path.join(folder, "sweep.html"),
                     page.render("sweep.html", title="Sweep: " + r.space, r=r, pictures=pictures,
                                 s=store.summary(design), failures=store.failures(design)))
    return ["table.csv"] + [p.name + ".svg" for p in pictures] + ["sweep.html"]
