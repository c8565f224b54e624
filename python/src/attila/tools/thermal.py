"""Temperatures of the units of a recorded run, from its energies: an equivalent circuit of heat
resistances and capacities as in HotSpot (Skadron et al., ISCA 2003), docs/explanation/power.md.

Not here: energies and areas, which attila-sim computes. Heat flows from each unit down to the
spreader. Heat that flows to its neighbours in the silicon is left out, as that would need a floor
plan, which is unknown.
"""

from __future__ import annotations

import argparse
import configparser
import csv
import io
import json
import math
import os
import sys
from dataclasses import dataclass
from typing import Any

from attila import cli
from attila.cli import Error
from attila.paths import TOP, simulator
from attila.records import reader
from attila.records.reader import Database
from attila.simulator import call

DESCRIPTION = """\
Prints the temperature of each unit of the chip in the run in DIR, which was recorded with energies
(attila-sim run --power). With --interval the run's temperatures follow its intervals, else its
frames. Leakage follows the temperature of its unit."""
EPILOG = """Exit: 0 done, 1 DIR or a table cannot be used, or the chip has no steady temperature,
2 wrong usage."""
TABLE = os.path.join(TOP, "configs", "thermal", "card.ini")
# Section.Key: smallest and largest value.
KEYS = {"DIE.Thickness": (.01, 5), "DIE.Conductivity": (1, 1000), "DIE.HeatCapacity": (1e5, 1e7),
        "INTERFACE.Thickness": (.001, 1), "INTERFACE.Conductivity": (.1, 1000),
        "SPREADER.Side": (1, 300), "SPREADER.Thickness": (.01, 50),
        "SPREADER.Conductivity": (1, 1000), "SPREADER.HeatCapacity": (1e5, 1e7),
        "SINK.Resistance": (.001, 100), "SINK.Capacity": (.1, 1e5), "SINK.Ambient": (-50, 100)}
SAME_BLOCK = {"vertex_shaders": "shaders"}  # of areas
PROCESSES = (150, 130, 110, 90)             # processes that attila-sim area knows
LEAKAGE_AT = (0, 25, 50, 75, 100, 125, 150)  # C; the logarithm of leakage is linear in between


@dataclass
class Block:
    """Silicon with one temperature. resistance: K/W to the spreader; capacity: J/K."""

    area: float  # m2
    resistance: float
    capacity: float


class Chip:
    """The circuit: blocks in parallel, then the spreader, the sink, and air."""

    def __init__(self, keys: dict[str, float], areas: dict[str, float]) -> None:
        """areas: m2 of each block."""
        mm = 1e-3
        die, paste = keys["DIE.Thickness"] * mm, keys["INTERFACE.Thickness"] * mm
        copper, side = keys["SPREADER.Thickness"] * mm, keys["SPREADER.Side"] * mm
        self.blocks = {
            name: Block(a, (die / keys["DIE.Conductivity"] +
                            paste / keys["INTERFACE.Conductivity"]) / a,
                        keys["DIE.HeatCapacity"] * die * a) for name, a in areas.items()}
        self.spreader_resistance = copper / (keys["SPREADER.Conductivity"] * side * side)
        self.spreader_capacity = keys["SPREADER.HeatCapacity"] * copper * side * side
        self.sink_resistance, self.sink_capacity = keys["SINK.Resistance"], keys["SINK.Capacity"]
        self.ambient = keys["SINK.Ambient"]
        self.temperature = dict.fromkeys(self.blocks, self.ambient)
        self.spreader = self.sink = self.ambient

    def settle(self, power: dict[str, float]) -> None:
        """Sets the temperatures at which as many watts leave as enter."""
        total = sum(power.values())
        self.sink = self.ambient + total * self.sink_resistance
        self.spreader = self.sink + total * self.spreader_resistance
        for name, b in self.blocks.items():
            self.temperature[name] = self.spreader + power.get(name, 0) * b.resistance

    def step(self, power: dict[str, float], seconds: float) -> None:
        """Applies power for some seconds. In steps of a hundredth of its time constant, the
        temperature of the spreader hardly changes; blocks follow the exact solution for a constant
        spreader."""
        slow = .01 * self.spreader_resistance * self.spreader_capacity
        for _ in range(pieces := max(1, math.ceil(seconds / slow))):
            dt, into = seconds / pieces, 0.
            for name, b in self.blocks.items():
                watts = power.get(name, 0)
                end = self.spreader + watts * b.resistance
                left = (self.temperature[name] - end) * math.exp(-dt / (b.resistance * b.capacity))
                # Heat that does not stay in the block flows down.
                into += watts * dt - b.capacity * (end + left - self.temperature[name])
                self.temperature[name] = end + left
            down = (self.spreader - self.sink) / self.spreader_resistance
            away = (self.sink - self.ambient) / self.sink_resistance
            self.spreader += (into - down * dt) / self.spreader_capacity
            self.sink += (down - away) * dt / self.sink_capacity


@dataclass
class Energies:
    """Watts of each block in each piece of the run: work without leakage, and leakage at the
    temperature base (C)."""

    seconds: list[float]
    work: list[dict[str, float]]
    leakage: list[dict[str, float]]
    base: float
    factors: list[float]  # leakage at LEAKAGE_AT, relative to that at base

    def factor(self, celsius: float) -> float:
        if not LEAKAGE_AT[0] <= celsius <= LEAKAGE_AT[-1]:
            raise Error(f"a unit has {celsius:.0f} C: expected {LEAKAGE_AT[0]} to "
                        f"{LEAKAGE_AT[-1]}; SINK.Resistance or the leakage is too large for it")
        i = max(n for n, t in enumerate(LEAKAGE_AT[:-1]) if t <= celsius)
        part = (celsius - LEAKAGE_AT[i]) / (LEAKAGE_AT[i + 1] - LEAKAGE_AT[i])
        return float(self.factors[i] ** (1 - part) * self.factors[i + 1] ** part)

    def watts(self, piece: int, chip: Chip, feedback: bool) -> dict[str, float]:
        return {name: self.work[piece][name] + self.leakage[piece][name] *
                (self.factor(t) if feedback else 1) for name, t in chip.temperature.items()}

    def mean(self, kind: list[dict[str, float]]) -> dict[str, float]:
        total = sum(self.seconds)
        return {name: sum(s * p[name] for s, p in zip(self.seconds, kind)) / total
                for name in kind[0]}


def settle(chip: Chip, energies: Energies, feedback: bool) -> None:
    """Finds the steady state for the mean power of the run. feedback: leakage follows the
    temperatures."""
    work, leakage = energies.mean(energies.work), energies.mean(energies.leakage)
    for _ in range(1000):
        before = dict(chip.temperature)
        chip.settle({n: work[n] + leakage[n] * (energies.factor(t) if feedback else 1)
                     for n, t in before.items()})
        if all(abs(chip.temperature[n] - t) < 1e-6 for n, t in before.items()):
            return
    raise Error("no steady temperature: leakage warms the chip faster than it cools")


def ask(*command: str) -> list[dict[str, str]]:
    """Runs attila-sim and returns the rows of the CSV that it prints."""
    return list(csv.DictReader(io.StringIO(call(simulator(), *command, "--format", "csv"))))


def read_table(path: str, changes: list[str]) -> dict[str, float]:
    ini = configparser.ConfigParser(comment_prefixes=("#",), interpolation=None)
    ini.optionxform = str  # type: ignore[assignment]
    try:
        with open(path, encoding="utf-8") as f:
            ini.read_file(f)
    except (OSError, configparser.Error, UnicodeDecodeError) as e:
        raise Error(f"{path}: {e}") from None
    text = {f"{s}.{k}": (v, path) for s in ini.sections() for k, v in ini[s].items()}
    for change in changes:
        key, equals, value = change.partition("=")
        if not equals or key not in KEYS:
            raise cli.UsageError(f"--set {change}: expected SECTION.KEY=VALUE with one of "
                                 f"{' '.join(KEYS)}")
        text[key] = value, "--set"
    for key in text.keys() - KEYS.keys():
        raise Error(f"{path}: {key} is not a key; there are {' '.join(KEYS)}")
    values = {}
    for key, (least, most) in KEYS.items():
        if key not in text:
            raise Error(f"{path} has no {key}")
        value, where = text[key]
        try:
            values[key] = float(value)
        except ValueError:
            values[key] = math.nan
        if not least <= values[key] <= most:
            raise Error(f"{where}: {key} = {value}: expected {least:g} to {most:g}")
    return values


def read_areas(db: Database, node: float) -> tuple[dict[str, float], dict[str, str]]:
    """The area of each block of the run's machine, in m2, scaled to the process if attila-sim area
    does not know it; and the block of each unit of attila-sim power."""
    sets = [a for s, k, v in db.execute("SELECT section, key, value FROM configuration WHERE "
                                        "value != default_value AND key != 'MemorySize'")
            for a in ("--set", f"{s}.{k}={v}")]
    nm = min(PROCESSES, key=lambda p: abs(p - node))
    areas: dict[str, float] = {}
    found = json.loads(call(simulator(), "area", "--process", str(nm), *sets, "--format", "json"))
    for row in found["units"]:
        name = SAME_BLOCK.get(row["unit"], row["unit"])
        if row["mm2"]:
            areas[name] = areas.get(name, 0) + row["mm2"] * 1e-6 * (node / nm) ** 2
    return areas, found["blocks"]


def read_energies(folder: str, db: Database, areas: dict[str, float],
                  blocks: dict[str, str]) -> Energies:
    base = db.execute("SELECT temperature FROM power").fetchone()[0]
    by = "interval" if reader.has(db, "interval_energy") and db.execute(
        "SELECT count(*) FROM interval_energy").fetchone()[0] else "frame"
    e = Energies([], [], [], base, [])
    last = None
    for row in ask("power", folder, "--by", by):
        seconds, unit = float(row["seconds"]), row["unit"]
        work = float(row["dynamic_fj"]) + float(row["clock_fj"])
        leakage_fj = float(row["leakage_fj"])
        if not seconds or not work + leakage_fj:
            continue
        if blocks.get(unit) not in areas:
            raise Error(f"{unit} has energy but no area (attila-sim area)")
        if row[by] != last:
            last = row[by]
            e.seconds.append(seconds)
            e.work.append(dict.fromkeys(areas, 0.))
            e.leakage.append(dict.fromkeys(areas, 0.))
        watts = 1e-15 / seconds
        e.work[-1][blocks[unit]] += work * watts
        e.leakage[-1][blocks[unit]] += leakage_fj * watts
    if not e.seconds:
        raise Error(f"{folder}: the run took no time")

    def leakage(*options: str) -> float:
        return sum(float(r["leakage_fj"]) for r in ask("power", folder, *options))
    now = leakage()
    e.factors = [leakage("--set", f"PROCESS.Temperature={t}") / now if now else 1
                 for t in LEAKAGE_AT]
    return e


def run(chip: Chip, e: Energies, feedback: bool) -> tuple[Any, ...]:
    """Returns the temperatures at the end of each piece, with those of spreader and sink, and
    joules."""
    rows, joules = [], dict.fromkeys(chip.blocks, 0.)
    for n, seconds in enumerate(e.seconds):
        watts = e.watts(n, chip, feedback)
        chip.step(watts, seconds)
        for name, w in watts.items():
            joules[name] += w * seconds
        rows.append({**chip.temperature, "spreader": chip.spreader, "sink": chip.sink})
    return rows, joules


def print_csv(e: Energies, rows: list[dict[str, float]]) -> None:
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["seconds", "unit", "celsius"])
    now = 0.
    for seconds, row in zip(e.seconds, rows):
        now += seconds
        out.writerows([f"{now:.9g}", name, f"{t:.4f}"] for name, t in row.items())


def print_text(chip: Chip, e: Energies, rows: list[dict[str, float]],
               joules: dict[str, float]) -> None:
    total = sum(e.seconds)
    print(f"{len(rows)} pieces, {total:.6f} s; air {chip.ambient:g} C, leakage of {e.base:g} C in "
          f"the record")
    form = "%-16s %9s %9s %9s %9s %9s"
    print(form % ("unit", "mm2", "W", "W/mm2", "mean C", "most C"))
    names = sorted(chip.blocks, key=lambda n: -max(r[n] for r in rows))
    for name in [*names, "spreader", "sink"]:
        values = [r[name] for r in rows]
        mean = sum(s * v for s, v in zip(e.seconds, values)) / total
        if name in chip.blocks:
            area, watts = chip.blocks[name].area * 1e6, joules[name] / total
            first = f"{area:.2f}", f"{watts:.3f}", f"{watts / area:.3f}"
        else:
            first = "", f"{sum(joules.values()) / total:.3f}", ""
        print(form % (name, *first, f"{mean:.2f}", f"{max(values):.2f}"))


def options(args: list[str]) -> argparse.Namespace:
    p = cli.Parser("thermal", "[options] DIR", DESCRIPTION, EPILOG)
    p.add_argument("folder", metavar="DIR", help=argparse.SUPPRESS)
    p.add_argument("--table", metavar="FILE", default=TABLE,
                   help="how heat leaves the chip (default: configs/thermal/card.ini)")
    p.add_argument("--set", action="append", default=[], metavar="SECTION.KEY=VALUE",
                   help="change one key of it; may be repeated")
    p.add_argument("--start", choices=("steady", "ambient"), default="steady",
                   help="begin with the steady state of the run's mean power (default), or as cold "
                   "as the air")
    p.add_argument("--no-feedback", action="store_true",
                   help="leakage stays what it is in the record")
    p.add_argument("--format", choices=("text", "csv"), default="text",
                   help="means and maxima (default), or each temperature at the end of each piece")
    return p.parse_args(args)


def main(args: list[str]) -> int:
    o = options(args)
    keys = read_table(o.table, o.set)
    db = reader.open_record(o.folder)
    if not reader.has(db, "power"):
        raise Error(f"{o.folder} has no energies: attila-sim power {o.folder} --write")
    areas, blocks = read_areas(db, db.execute("SELECT node FROM power").fetchone()[0])
    energies, chip = read_energies(o.folder, db, areas, blocks), Chip(keys, areas)
    if o.start == "steady":
        settle(chip, energies, not o.no_feedback)
    rows, joules = run(chip, energies, not o.no_feedback)
    if o.format == "csv":
        print_csv(energies, rows)
    else:
        print_text(chip, energies, rows, joules)
    return 0
