#!/usr/bin/python3
"""Limiters beside what-if runs: writes limiter.md, or checks the cases whose limiter is known.

For each capture the limiters of its last frame (docs/reference/record.md) and, for each ideal unit
(attila-sim run --ideal), how many of that frame's cycles it saves. scripts/limiters runs it."""

from __future__ import annotations

import argparse
import configparser
import glob
import os
import re
import tempfile

from attila import captures, cli
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


class Run:
    """A replay of a capture: of its last frame .cycles and .limits [(unit, share)]. The first of
    several frames uploads everything, and is not what a program does all the time."""

    def __init__(self, sim, capture, config, ideal) -> None:
        with tempfile.TemporaryDirectory() as out:
            Machine(sim, config).replay(capture, out, "--record", "sqlite",
                                        *(["--ideal", ideal] if ideal else []))
            db = reader.open_record(out)
            self.cycles, *limits = db.execute(
                "SELECT cycles, limiter, limiter_share, limiter2, limiter2_share, limiter3, "
                "limiter3_share FROM frames ORDER BY frame DESC LIMIT 1").fetchone()
            db.close()
        self.limits = [(limits[i], limits[i + 1]) for i in (0, 2, 4) if limits[i]]


def known() -> dict[str, str]:
    """Cases of tests/timing/cases.txt whose limiter is known: {name: ideal unit}."""
    cases = configparser.ConfigParser()
    cases.read(os.path.join(TIMING, "cases.txt"))
    return {name: cases[name]["limiter"] for name in cases.sections() if "limiter" in cases[name]}


def check(sim, names):
    wanted = known()
    bad = 0
    for name in names or wanted:
        run = Run(sim, os.path.join(TIMING, name + ".attila"), CONFIG["timing"], None)
        first = run.limits[0][0] if run.limits else "none"
        right = PARTS.get(first) == wanted[name]
        bad += not right
        print(f"{name:<18} {first:<20} {'' if right else 'is not part of ' + wanted[name]}")
    return 1 if bad else 0


def verdict(limits, gains):
    """What the what-if runs say about the first limiter."""
    gains = {unit: gain for unit, gain in gains.items() if unit != "caches"}
    best = max(gains, key=gains.get)
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


def table(sim, captures, config, lines):
    verdicts = []
    lines += ["| | limiters | " + " | ".join(UNITS) + " | |",
              "|---|---|" + "--:|" * len(UNITS) + "---|"]
    for name, capture in captures:
        base, *ideal = in_parallel(os.cpu_count() or 1, [
            (name, lambda unit=unit: Run(sim, capture, config, unit))
            for unit in (None,) + UNITS])
        gains = {unit: 100.0 * (base.cycles - run.cycles) / base.cycles
                 for unit, run in zip(UNITS, ideal)}
        said = verdict(base.limits, gains)
        verdicts.append(said)
        lines.append("| %s | %s | %s | %s |" % (
            name, ", ".join("%s %.2f" % limit for limit in base.limits),
            " | ".join(f"{gains[unit]:.0f}" if abs(gains[unit]) >= 0.5 else "" for unit in UNITS),
            said))
        print(lines[-1], flush=True)
    return verdicts


HEAD = """# Limiters, and what would help

Written by `scripts/limiters --update`. For each capture the table has what limited its last frame
according to the record ([record.md](../reference/record.md#limiters)), with shares of the time, and
by how many percent the frame gets shorter when a unit is ideal (`attila-sim run --ideal UNIT`): far
faster than it need be, all else unchanged. An ideal unit has other queues, so it may cost a little.
`texture` has four units for each shader, `shader` gives each group to the shader with the fewest,
so that more caches read the same texels: it costs where memory limits.
`caches` can also cost: large caches take work from memory, but hierarchical Z learns depths only
when lines leave the cache, and everything is written back at the swap.

Last column: `yes`, the first limiter is part of the unit that helps most; `yes, with others`, it
helps nearly as much, or another limiter has nearly the same share; `balanced`, no single unit helps
by 5 %; `second`, one of the next two limiters helps most; `no`, none of them does.
"""


def update(sim, names, scenes):
    cases = [(n, os.path.join(TIMING, n + ".attila")) for n in names or known()]
    lines = HEAD.split("\n")
    lines += ["## Microbenchmarks with a known limiter", "",
              "The machine is `tests/timing/reference.ini`. `tests/timing/cases.txt` says what is",
              "drawn, and why the limiter is known.", ""]
    verdicts = table(sim, cases, CONFIG["timing"], lines)
    lines += ["", "## Scenes", "",
              "Second frames of glmark2 at 320x240 on `configs/attila-bgpu.ini`.", ""]
    verdicts += table(sim, [(os.path.splitext(os.path.basename(s))[0], s) for s in scenes],
                      CONFIG["scene"], lines)
    lines += ["", "%d of %d agree." % (len(verdicts) - verdicts.count("no") -
                                       verdicts.count("second"), len(verdicts)), ""]
    with open(os.path.join(TOP, "docs/notebook/limiter.md"), "w", encoding="utf-8") as f:
        f.write("\n".join(lines))
    return 0


def main(args):
    p = cli.Parser("limiters", "[--update] [CASE ...]", DESCRIPTION)
    p.add_argument("cases", nargs="*", help=argparse.SUPPRESS)
    p.add_argument("--update", action="store_true",
                   help="write docs/notebook/limiter.md: the cases, and scenes of glmark2, beside "
                   "runs in which one unit after the other is ideal (some minutes; needs a build "
                   "with Mesa). Captures of the scenes are kept in out/limiters/")
    args = p.parse_args(args)
    read_parts()
    unknown = [name for name in args.cases if name not in known()]
    if unknown:
        raise UsageError(f"no known limiter: {' '.join(unknown)} (tests/timing/cases.txt)")
    sim = simulator()
    if not args.update:
        return check(sim, args.cases)
    folder = os.path.join(TOP, "out", "limiters", "320x240-2")
    return update(sim, args.cases, captures.scenes(sim, folder, "320x240", 2, SCENES))
