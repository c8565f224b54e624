"""Measures what each parameter does. Started by scripts/key-effects, which describes the options.
Not here: the captures (tests/timing/, tests/golden/), comparison with the original
(timing/main.py).
"""

from __future__ import annotations

import argparse
import functools
import glob
import itertools
import operator
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from attila import cli, page
from attila.cli import Error, UsageError
from attila.paths import TOP, simulator
from attila.timing.data import TIMING
from attila.timing.run import Machine, Progress, in_parallel

REFERENCE = os.path.join(TIMING, "reference.ini")
HINTS = os.path.join(TIMING, "keys.txt")
# The captures that are tried first, by section; then those that take longer.
FIRST = {"COMMANDPROCESSOR": ["state_changes", "golden/desktop"],
         "STREAMER": ["vertices", "arrays"], "VERTEXSHADER": ["vertices", "golden/build"],
         "PRIMITIVEASSEMBLY": ["vertices", "golden/build"], "CLIPPER": ["vertices", "golden/build"],
         "RASTERIZER": ["golden/build", "vertices", "depth_hidden"],
         "FRAGMENTSHADER": ["golden/texture", "golden/build"],
         "ZSTENCILTEST": ["golden/build", "depth_hidden"], "DAC": ["golden/build", "clear"]}
OTHERS = ["golden/build", "golden/texture"]
SLOW = ["vertices", "depth_hidden", "arrays", "blend_scattered", "small_triangles",
        "texture_magnified", "msaa2_fill"]
# What a machine needs for a parameter whose meaning begins with these words.
CONDITIONS = [("simple:", "MEMORYCONTROLLER.MemoryControllerV2=FALSE"),
              ("custom:", "MEMORYCONTROLLER.V2GDDR_Profile=custom"),
              ("V2, splitter 0:", "MEMORYCONTROLLER.V2SplitterType=0"),
              ("V2, switch mode 0:", "MEMORYCONTROLLER.V2SwitchModePolicy=0"),
              ("V2, schedulers 1 and 3:", "MEMORYCONTROLLER.V2ChannelScheduler=3")]
UNITS = os.path.join(TOP, "tests", "unit")
# Machines on which a key may have an effect if it has none on the reference machine.
MACHINES: list[tuple[str, str, list[str]]] = [("split", REFERENCE, ["GPU.Unified=FALSE"]),
            ("ISPASS 2006", os.path.join(TOP, "configs", "ispass2006.ini"), [])]
# Sections with a key for every instruction; this instruction stands for all.
TABLES = {"LATENCY": "MAD", "REPEATRATE": "MAD"}
HOST = {"host_seconds", "cpu_seconds", "kcycles_per_s"}  # columns that depend on the host
NOTHING = "**nothing**"
TOLD = 0.005  # with an effect on cycles of this size, no further values are tried
DESCRIPTION = """\
Changes every parameter, or those named, one at a time, to a quarter of its value or four times it
(a switch to the other one), runs small captures of its unit on the machine of
tests/timing/reference.ini until the cycles of one change by more than 0.5 %, and prints that one,
or the one that changes most. Where nothing changes there, vertex shaders of their own are tried,
the machine of ISPASS 2006, then captures that take longer; tests/timing/keys.txt says what is
needed besides. Takes ten minutes on 2 processors. Needs no Mesa."""
EPILOG = """\
Exit: 0 done, 1 a parameter changes nothing and tests/timing/keys.txt does not say why, 2 wrong
usage."""


@dataclass
class Key:
    """A parameter of `attila-sim describe --format ini`. text: its meaning, unit and range."""

    section: str
    key: str
    value: str
    text: str

    @property
    def name(self) -> str:
        return f"{self.section}.{self.key}"

    def candidates(self) -> list[str]:
        """Other values to try, those with the largest expected effect first."""
        if self.value in ("TRUE", "FALSE"):
            return ["FALSE" if self.value == "TRUE" else "TRUE"]
        limits = re.search(r"(\d+) to (\d+)\)$", self.text)
        if not limits or not self.value.isdigit():
            return []
        low, high, value = int(limits[1]), int(limits[2]), int(self.value)
        steps = [value // 4, value * 4, value // 2, value * 2, value - 1, value + 1, low, high]
        inside = [min(max(v, low), high) for v in steps]
        return [str(v) for v in dict.fromkeys(inside) if v != value]


@dataclass
class Hint:
    """A line of keys.txt."""

    values: list[str]
    sets: list[str]
    stream: str
    why: str


@dataclass
class Effect:
    """The effect of a change: machine and capture."""

    machine: str
    value: str
    stream: str
    before: dict[str, float]
    after: dict[str, float]

    @property
    def ratio(self) -> float:
        return int(self.after["cycles"]) / int(self.before["cycles"])

    @property
    def size(self) -> float:
        return abs(self.ratio - 1)

    def sentence(self) -> str:
        before, after = int(self.before["cycles"]), int(self.after["cycles"])
        if abs(self.ratio - 1) >= 0.005:
            return f"{self.ratio:.2f} times the cycles"
        if before != after:
            return f"{after - before:+d} cycles of {before}"
        name = sorted(n for n in self.before if self.before[n] != self.after.get(n))[0]
        return f"the same cycles; `{name}` is {self.after[name]:g}, not {self.before[name]:g}"


def read_keys(sim: str, config: str) -> Any:
    description, why = Machine(sim, config).description()
    if why:
        raise Error(why)
    keys, section, text = [], "", ""
    for line in description.split("\n"):
        if line.startswith("["):
            section = line.strip("[]")
        elif line.startswith("#"):
            text = line[1:].strip()
        elif "=" in line:
            name, value = (p.strip() for p in line.split("=", 1))
            keys.append(Key(section, name, value, text))
    return keys


def split(sets: str) -> list[str]:
    return [s.strip() for s in sets.split(";") if s.strip()]


def read_hints(path: str) -> Any:
    """{key: Hint}"""
    hints = {}
    with open(path, encoding="utf-8") as f:
        for n, line in enumerate(f, 1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            fields = [p.strip() for p in line.split("|")]
            if len(fields) != 5:
                raise Error(f"{path}:{n}: not KEY | value | machine | capture | why")
            key, value, sets, stream, why = fields
            hints[key] = Hint([value] if value else [], split(sets), stream, why)
    return hints


def capture(stream: str) -> str:
    if stream.startswith("golden/"):
        return os.path.join(TOP, "tests", stream + ".attila")
    return os.path.join(TIMING, stream + ".attila")


class Bench:
    """Runs captures and remembers the results of the unchanged machines."""

    def __init__(self, sim: str, jobs: int) -> None:
        self.sim, self.jobs = sim, jobs
        self.known: dict[Any, Any] = {}
        # Keys of scalar shaders that also exist for vertex shaders.
        self.thread_keys = {k.key for k in read_keys(sim, REFERENCE) if k.section == "VERTEXSHADER"}

    def run(self, config: str, sets: list[str], streams: list[str]) -> dict[str, dict[str, float]]:
        machine = Machine(self.sim, config, sets)

        def count(stream: str) -> dict[str, float]:
            return {n: v for n, v in machine.run(capture(stream)).items() if n not in HOST}

        tasks = [(s, lambda s=s: count(s)) for s in streams]
        return dict(zip(streams, in_parallel(self.jobs, tasks)))

    def unchanged(self, config: str, sets: list[str],
                  streams: list[str]) -> dict[str, dict[str, float]]:
        missing = [s for s in streams if (config, tuple(sets), s) not in self.known]
        for s, counted in self.run(config, sets, missing).items():
            self.known[config, tuple(sets), s] = counted
        return {s: self.known[config, tuple(sets), s] for s in streams}

    def accepts(self, config: str, sets: list[str]) -> bool:
        return Machine(self.sim, config, sets).description()[1] is None

    def strongest(self, key: Key, values: Sequence[str], machine: tuple[str, str, list[str]],
                  streams: list[str]) -> Effect | None:
        """Tries values until two have had an effect that the machine accepts. Returns the first
        effect of more than TOLD, or else the strongest one, or None."""
        name, config, sets = machine
        best, tried = None, 0
        for value in values:
            change = sets + [f"{key.name}={value}"]
            if tried == 2 or best or not self.accepts(config, change):
                continue
            tried += 1
            for s in streams:
                before = self.unchanged(config, sets, [s])[s]
                after = self.run(config, change, [s])[s]
                if before == after:
                    continue
                effect = Effect(name, value, s, before, after)
                best = max(best or effect, effect, key=lambda e: e.size)
                if best.size > TOLD:
                    return best
        return best


def measure(bench: Bench, key: Key, hint: Hint | None) -> Effect | None:
    """Effect or None."""
    section, name = key.section, key.key
    values = (hint.values if hint else []) or key.candidates()
    sets = hint.sets if hint else []
    sets = sets or [m for text, m in CONDITIONS if key.text.startswith(text)]
    if section == "VERTEXSHADER" and not (hint and hint.sets):
        sets = sets + ["GPU.Unified=FALSE"]
    elif section == "FRAGMENTSHADER" and name in bench.thread_keys:
        sets = sets + ["FRAGMENTSHADER.VectorShader=FALSE"]
    machine = ("; ".join(sets), REFERENCE, sets)
    if hint and hint.stream:
        return bench.strongest(key, values, machine, [hint.stream])
    first = FIRST.get(section, OTHERS)
    effect = bench.strongest(key, values, machine, first)
    for other in MACHINES:
        effect = effect or bench.strongest(key, values[:1], other, first)
    return effect or bench.strongest(key, values[:1], machine, SLOW)


def unit_tests() -> dict[str, list[str]]:
    """{key: unit tests that set or read it}, found by the name of its member."""
    sim = os.path.join(TOP, "src", "sim")
    text = ""
    for path in [os.path.join(sim, "config", "sim_params.h")] + sorted(
            glob.glob(os.path.join(sim, "units", "*.h"))):
        with open(path, encoding="utf-8") as f:
            text += f.read()
    members = dict(re.findall(r"\bS\((\w+), (\w+)\)", text))
    sources = {}
    for name in sorted(os.listdir(UNITS)):
        if name.startswith("test_") and name.endswith(".c"):
            with open(os.path.join(UNITS, name), encoding="utf-8") as f:
                sources[name[5:-2]] = f.read()
    tests = {}
    for section, key, member in re.findall(r"\b[PBT]\((\w+),\s*(\w+),\s*(\w+),", text):
        pattern = re.compile(r"\b%s\.%s\b|\b%s\.%s\b" %
                             (members.get(section), member, section, key))
        tests[section + "." + key] = [t for t, source in sources.items() if pattern.search(source)]
    return tests


def fields(key: Key, effect: Effect | None, hint: Hint | None) -> str:
    """change | seen in | machine | effect"""
    if not effect:
        return f"| | | {hint.why if hint and hint.why else NOTHING}"
    return (f"{key.value or '(none)'} → {effect.value} | "
            f"{effect.stream.replace('golden/', 'glmark2 ')} | {effect.machine} | "
            f"{effect.sentence()}")


def read_kept(path: str) -> Any:
    if not path or not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as f:
        return dict(line.rstrip("\n").split("\t") for line in f)


def read_page(path: str) -> Any:
    """{key: "change | seen in | machine | effect | tested by"}"""
    rows, section = {}, ""
    with open(path, encoding="utf-8") as f:
        for line in f:
            if line.startswith("## "):
                section = line[3:].strip()
            elif line.startswith("| `"):
                name, _, row = line.removesuffix(" |\n").partition("` | ")
                rows[section + "." + name[3:]] = row
    return rows


def main(args: list[str]) -> int:
    p = cli.Parser("key-effects", "[options] [SECTION.KEY ...]", DESCRIPTION, EPILOG)
    p.add_argument("keys", nargs="*", help=argparse.SUPPRESS)
    p.add_argument("--page", metavar="FILE", type=cli.output,
                   help="write a page about all parameters, in Markdown, to FILE; with parameters "
                   "named only these are measured, and those that FILE lacks")
    p.add_argument("--keep", metavar="FILE", type=cli.output,
                   help="write what is measured to FILE as it comes; what FILE has is not measured "
                   "again")
    p.jobs()
    o = p.parse_args(args)
    o.sim = simulator()
    keys, hints = read_keys(o.sim, REFERENCE), read_hints(HINTS)
    unknown = set(o.keys) - {k.name for k in keys}
    if unknown:
        raise UsageError(f"no such parameter: {' '.join(sorted(unknown))} (attila-sim describe "
                      "lists them)")
    kept, tests = read_kept(o.keep), unit_tests()
    if o.page and o.keys:
        kept = {n: r.rsplit(" |", 1)[0] for n, r in read_page(o.page).items()
                if n not in o.keys}
    elif o.keys:
        keys = [k for k in keys if k.name in o.keys]
    bench = Bench(o.sim, 1)

    def one(key: Key) -> None:
        section, name = key.section, key.key
        if TABLES.get(section, name) != name:
            hints[key.name] = Hint([], [], "", f"as `{TABLES[section]}`, for its instruction")
        hint = hints.get(key.name)
        if key.name not in kept:
            kept[key.name] = fields(key, None if hint and hint.why else measure(bench, key, hint),
                                    hint)
            if o.keep:
                with open(o.keep, "a", encoding="utf-8") as f:
                    f.write(f"{key.name}\t{kept[key.name]}\n")
        if not o.page:
            print(key.name, kept[key.name], ", ".join(tests.get(key.name, [])), sep=" | ",
                  flush=True)

    progress = Progress("parameters", len(keys))
    in_parallel(o.jobs, [(k.name, functools.partial(one, k)) for k in keys], progress)
    if o.page:
        with open(o.page, "w", encoding="utf-8") as f:
            f.write(page.render("keys.md.jinja", rows=kept, tests=tests, sections={
                s: list(of) for s, of in itertools.groupby(keys, operator.attrgetter("section"))}))
        print(f"wrote {o.page}")
    nothing = [k.name for k in keys if NOTHING in kept[k.name]]
    for name in nothing:
        print(f"{name} changes nothing", file=sys.stderr)
    return 1 if nothing else 0
