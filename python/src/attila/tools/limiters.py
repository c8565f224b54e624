"""Limiters beside what-if runs: writes limiter.md, or checks the cases whose limiter is known.

For each capture the limiters of its last frame (docs/reference/record.md) and, for each ideal unit
(attila-sim run --ideal), how many of that frame's cycles it saves. scripts/limiters runs it."""

from __future__ import annotations

import argparse
import configparser
import functools
import glob
import os
import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass

from attila import captures, cli, page
from attila.cli import UsageError
from attila.paths import TOP, simulator
from attila.timing.data import TIMING
from attila.timing.run import Machine, in_parallel
from attila.record import reader

DESCRIPTION = """\
Replays the cases of tests/timing/cases.txt that have a known limiter and says what the record calls
their limiter; status 1 when one is another than is known."""
SCENES = ("build", "texture:texture-filter=mipmap", "shading:shading=phong", "bump", "shadow",
          "refract", "desktop", "effect2d", "jellyfish", "terrain")
CONFIG = {"timing": os.path.join(TIMING, "reference.ini"),
          "scene": os.path.join(TOP, "configs", "attila-bgpu.ini")}
UNITS = ("memory", "bus", "geometry", "raster", "shader", "texture", "rop", "command", "dac",
         "caches")
# The ideal unit that a limiter is part of: the sheets of the units (src/sim/units).
PARTS = {}


def read_parts() -> None:
    for path in glob.glob(os.path.join(TOP, "src/sim/units/*.h")):
        with open(path, encoding="utf-8") as f:
            text = f.read()
        for name, ideal in re.findall(r'^   L\(\d+, "([^"]+)", (\w+),', text, re.M):
            PARTS[name] = ideal
        for bandwidth, latency, ideal in re.findall(
                r'^   M\(\d+, "([^"]+)", "([^"]+)", (\w+)\)', text, re.M):
            PARTS[bandwidth] = PARTS[latency] = ideal


@dataclass
class Run:
    """The last frame of a replay: the first of several uploads everything, and is not what a
    program does all the time."""

    cycles: int
    limits: list[tuple[str, float]]


def run(sim: str, capture: str, config: str, ideal: str | None) -> Run:
    with tempfile.TemporaryDirectory() as out:
        Machine(sim, config).replay(capture, out, "--record", "sqlite",
                                    *(["--ideal", ideal] if ideal else []))
        return Run(*reader.limits(out))


def known() -> dict[str, str]:
    """Cases of tests/timing/cases.txt whose limiter is known: {name: ideal unit}."""
    cases = configparser.ConfigParser()
    cases.read(os.path.join(TIMING, "cases.txt"))
    return {name: cases[name]["limiter"] for name in cases.sections() if "limiter" in cases[name]}


def check(sim: str, names: Sequence[str]) -> int:
    wanted = known()
    bad = 0
    for name in names or wanted:
        limits = run(sim, os.path.join(TIMING, name + ".attila"), CONFIG["timing"], None).limits
        first = limits[0][0] if limits else "none"
        right = PARTS.get(first) == wanted[name]
        bad += not right
        print(f"{name:<18} {first:<20} {'' if right else 'is not part of ' + wanted[name]}")
    return 1 if bad else 0


def verdict(limits: list[tuple[str, float]], gains: dict[str, float]) -> str:
    """What the what-if runs say about the first limiter."""
    gains = {unit: gain for unit, gain in gains.items() if unit != "caches"}
    best = max(gains, key=lambda u: gains[u])
    if gains[best] < 5:
        return "balanced"
    parts = [PARTS[unit] for unit, _ in limits]
    if parts and parts[0] == best:
        return "yes"
    # Limits of nearly the same share.
    alike = [PARTS[unit] for unit, share in limits if share >= limits[0][1] - 0.05]
    if best in alike or (parts and gains[parts[0]] >= 0.8 * gains[best]):
        return "yes, with others"
    return "second" if best in parts else "no"


def table(sim: str, captures: list[tuple[str, str]], config: str) -> list[list[str]]:
    """A row for each capture: name, limiters, gains, verdict."""
    rows = []
    for name, capture in captures:
        base, *ideal = in_parallel(os.cpu_count() or 1, [
            (name, functools.partial(run, sim, capture, config, unit))
            for unit in (None,) + UNITS])
        gains = {unit: 100.0 * (base.cycles - one.cycles) / base.cycles
                 for unit, one in zip(UNITS, ideal)}
        rows.append([name, ", ".join("%s %.2f" % limit for limit in base.limits),
                     *(f"{gains[u]:.0f}" if abs(gains[u]) >= 0.5 else "" for u in UNITS),
                     verdict(base.limits, gains)])
        print("| " + " | ".join(rows[-1]) + " |", flush=True)
    return rows


def update(sim: str, names: list[str], scenes: list[str]) -> int:
    cases = [(n, os.path.join(TIMING, n + ".attila")) for n in names or known()]
    named = [(os.path.splitext(os.path.basename(s))[0], s) for s in scenes]
    tables = [table(sim, cases, CONFIG["timing"]), table(sim, named, CONFIG["scene"])]
    verdicts = [row[-1] for rows in tables for row in rows]
    with open(os.path.join(TOP, "docs/notebook/limiter.md"), "w", encoding="utf-8") as f:
        f.write(page.render("limiter.md.jinja", units=UNITS, cases=tables[0], scenes=tables[1],
                            agree=sum(v not in ("no", "second") for v in verdicts),
                            all=len(verdicts)))
    return 0


def main(args: list[str]) -> int:
    p = cli.Parser("limiters", "[--update] [CASE ...]", DESCRIPTION)
    p.add_argument("cases", nargs="*", help=argparse.SUPPRESS)
    p.add_argument("--update", action="store_true",
                   help="write docs/notebook/limiter.md: the cases, and scenes of glmark2, beside "
                   "runs in which one unit after the other is ideal (some minutes; needs a build "
                   "with Mesa). Captures of the scenes are kept in out/limiters/")
    o = p.parse_args(args)
    read_parts()
    unknown = [name for name in o.cases if name not in known()]
    if unknown:
        raise UsageError(f"no known limiter: {' '.join(unknown)} (tests/timing/cases.txt)")
    sim = simulator()
    if not o.update:
        return check(sim, o.cases)
    folder = os.path.join(TOP, "out", "limiters", "320x240-2")
    return update(sim, o.cases, captures.scenes(sim, folder, "320x240", 2, SCENES))
