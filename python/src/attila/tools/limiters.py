"""Compares limiters with what-if runs: writes limiter.md, or checks the cases whose limiter is
known.

For each capture there are the limiters of its last frame (docs/reference/record.md) and, for each
ideal unit (attila-sim run --ideal), how many cycles of that frame it saves. Run by
scripts/limiters."""

from __future__ import annotations

import argparse
import configparser
import functools
import glob
import json
import os
import random
import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from attila import captures, cli, page, runs, simulator as simulators
from attila.cli import UsageError
from attila.paths import TOP, simulator
from attila.timing.data import TIMING
from attila.timing.run import Machine, in_parallel
from attila.records import reader

DESCRIPTION = """\
Replays the cases of tests/timing/cases.txt that have a known limiter and says what the record calls
their limiter; status 1 when one is another than is known."""
SCENES = ("build", "texture:texture-filter=mipmap", "shading:shading=phong", "bump", "shadow",
          "refract", "desktop", "effect2d", "jellyfish", "terrain")
NEAR = 5  # percent of the frame; savings of two ideal units that differ by less count as equal
CONFIG = {"timing": os.path.join(TIMING, "reference.ini"),
          "scene": os.path.join(TOP, "configs", "attila-bgpu.ini"),
          "ispass": os.path.join(TOP, "configs", "ispass2006.ini")}
# {limiter: the ideal unit that it is part of}, from the sheets of the units (src/sim/units).
PARTS = {}


@functools.cache
def units() -> list[str]:
    """What may be ideal."""
    return runs.words(simulator(), "run", "ideal")


def read_parts() -> None:
    for path in glob.glob(os.path.join(TOP, "src/sim/units/*.h")):
        with open(path, encoding="utf-8") as f:
            text = f.read()
        for name, ideal in re.findall(r'\bL\(\d+, "([^"]+)", (\w+),', text, re.M):
            PARTS[name] = ideal
        for bandwidth, latency, ideal in re.findall(
                r'^   M\(\d+, "([^"]+)", "([^"]+)", (\w+)\)', text, re.M):
            PARTS[bandwidth] = PARTS[latency] = ideal


@dataclass
class Run:
    """The last frame of a replay. The first of several frames is not typical, as it uploads
    everything."""

    cycles: int
    limits: list[tuple[str, float]]


def refused(sim: str, config: str, ideal: str, sets: Sequence[str]) -> str | None:
    """Why this unit cannot be ideal on this machine, or None if it can."""
    return simulators.ask(sim, "describe", "--config", config, "--ideal", ideal,
                          *(a for s in sets for a in ("--set", s))).why


def run(sim: str, capture: str, config: str, ideal: str | None, sets: Sequence[str] = ()) -> Run:
    with tempfile.TemporaryDirectory() as out:
        Machine(sim, config, sets).replay(capture, out, "--record", "sqlite",
                                    *(["--ideal", ideal] if ideal else []))
        return Run(*reader.limits(out))


def known() -> dict[str, str]:
    """The cases of tests/timing/cases.txt whose limiter is known: {name: ideal unit}."""
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
    """Judges the first limiter by the what-if runs."""
    gains = {unit: gain for unit, gain in gains.items() if unit != "caches"}
    best = max(gains, key=lambda u: gains[u])
    if gains[best] < 5:
        return "balanced"
    parts = [PARTS[unit] for unit, _ in limits]
    if parts and parts[0] == best:
        return "yes"
    # Limiters with nearly the same share.
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
            for unit in (None, *units())])
        gains = {unit: 100.0 * (base.cycles - one.cycles) / base.cycles
                 for unit, one in zip(units(), ideal)}
        rows.append([name, ", ".join("%s %.2f" % limit for limit in base.limits),
                     *(f"{gains[u]:.0f}" if abs(gains[u]) >= 0.5 else "" for u in units()),
                     verdict(base.limits, gains)])
        print("| " + " | ".join(rows[-1]) + " |", flush=True)
    return rows


def update(sim: str, names: list[str], scenes: list[str]) -> int:
    cases = [(n, os.path.join(TIMING, n + ".attila")) for n in names or known()]
    named = [(os.path.splitext(os.path.basename(s))[0], s) for s in scenes]
    tables = [table(sim, cases, CONFIG["timing"]), table(sim, named, CONFIG["scene"])]
    verdicts = [row[-1] for rows in tables for row in rows]
    with open(os.path.join(TOP, "docs/notebook/limiter.md"), "w", encoding="utf-8") as f:
        f.write(page.render("limiter.md.jinja", units=units(), cases=tables[0], scenes=tables[1],
                            agree=sum(v not in ("no", "second") for v in verdicts),
                            all=len(verdicts)))
    return 0


# --- Random machines ---

def random_value(rnd: random.Random, parameter: dict[str, Any]) -> Any:
    """A value from a quarter of the default to four times the default; often the least, or a power
    of two, as many parameters must be. tests/unit/random_config.h does the same."""
    default = parameter["default"]
    if isinstance(default, bool):
        return rnd.random() < 0.5
    low = max(default // 4, parameter["min"])
    if rnd.random() < 0.2:
        return low
    value = rnd.randint(low, min(4 * default + 8, parameter["max"]))
    power = 1 << value.bit_length() >> 1
    return power if rnd.random() < 0.5 and power >= low else value


@functools.cache
def parameters(sim: str) -> Any:
    """The parameters that attila-sim describes: [{section, key, value, default, min, max}]."""
    return json.loads(simulators.call(sim, "describe", "--format", "json"))["parameters"]


def random_machine(sim: str, rnd: random.Random) -> list[str]:
    """SECTION.Key=value of a machine that the simulator accepts."""
    chosen = [f"{p['section']}.{p['key']}={str(random_value(rnd, p)).upper()}"
              for p in parameters(sim)
              if not isinstance(p["value"], str) and p["section"] not in ("SIMULATOR", "DVFS")
              and p["key"] != "MemorySize" and rnd.random() < 0.3]

    def accepted(sets: list[str], more: list[str]) -> list[str]:
        """Returns sets, and as many of the others as are accepted together with them."""
        options = [a for s in sets + more for a in ("--set", s)]
        if not more or not simulators.ask(sim, "describe", *options).why:
            return sets + more
        if len(more) == 1:
            return sets
        return accepted(accepted(sets, more[:len(more) // 2]), more[len(more) // 2:])

    return accepted([], chosen)


def names_one_that_helps(first: str | None, gains: dict[str, float]) -> bool:
    """Whether the ideal unit of the first limiter saves most, or at most NEAR less. Ideal caches
    change the work of other units, so they are not compared."""
    best = max(gain for unit, gain in gains.items() if unit != "caches")
    return best < NEAR or gains.get(PARTS.get(first or "", ""), 0) >= best - NEAR


def try_random(sim: str, number: int, seed: int) -> bool:
    """Whether making the limiter ideal helps, for a random capture on a random machine."""
    rnd = random.Random(f"{seed} {number}")
    sets = random_machine(sim, rnd)
    capture = rnd.choice(sorted(glob.glob(os.path.join(TIMING, "*.attila")) +
                                glob.glob(os.path.join(TOP, "tests/golden/[!v]*.attila"))))
    allowed = [u for u in units() if not refused(sim, CONFIG["ispass"], u, sets)]
    base, *ideal = [run(sim, capture, CONFIG["ispass"], unit, sets) for unit in (None, *allowed)]
    gains = {unit: 100.0 * (base.cycles - one.cycles) / base.cycles
             for unit, one in zip(allowed, ideal)}
    first = base.limits[0][0] if base.limits else None
    right = names_one_that_helps(first, gains)
    saved = ", ".join(f"{u} {g:.0f}" for u, g in gains.items() if abs(g) >= 0.5)
    print(f"{number:3} {os.path.basename(capture)[:-7]:<24} {first or 'none':<20} "
          f"{'' if right else 'WRONG '}{saved}"
          + "".join(f"; this machine cannot have an ideal {u}"
                    for u in units() if u not in allowed),
          flush=True)
    if not right:
        print(f"    {' '.join(sets)}")
    return right


def try_all(sim: str, pairs: int, seed: int) -> int:
    print(f"{pairs} pairs of a random machine and capture, --seed {seed}: the first limiter, and "
          "percent saved by ideal units")
    right = sum(in_parallel(os.cpu_count() or 1, [
        (str(n), functools.partial(try_random, sim, n, seed)) for n in range(pairs)]))
    print(f"{right} of {pairs} name a unit that saves most, or within {NEAR} % of it")
    return 0


def main(args: list[str]) -> int:
    p = cli.Parser("limiters", "[--update | --random N [--seed S]] [CASE ...]", DESCRIPTION)
    p.add_argument("cases", nargs="*", help=argparse.SUPPRESS)
    p.add_argument("--update", action="store_true",
                   help="write docs/notebook/limiter.md: the cases, and scenes of glmark2, beside "
                   "runs in which one unit after the other is ideal (some minutes; needs a build "
                   "with Mesa). Captures of the scenes are kept in out/limiters/")
    p.add_argument("--random", metavar="N", type=cli.number(1, 100000, int), help="draw N pairs of "
                   "a random machine and a capture, make each unit ideal in turn, and count how "
                   "often the first limiter's unit saves most (some seconds a pair)")
    p.add_argument("--seed", metavar="S", type=cli.number(0, None, int), default=1,
                   help="of the pairs (1)")
    o = p.parse_args(args)
    read_parts()
    unknown = [name for name in o.cases if name not in known()]
    if unknown:
        raise UsageError(f"no known limiter: {' '.join(unknown)} (tests/timing/cases.txt)")
    sim = simulator()
    if o.random:
        return try_all(sim, o.random, o.seed)
    if not o.update:
        return check(sim, o.cases)
    folder = os.path.join(TOP, "out", "limiters", "320x240-2")
    return update(sim, o.cases, captures.scenes(sim, folder, "320x240", 2, SCENES))
