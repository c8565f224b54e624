"""Peak rates of the papers' machines, and their cycles with each unit that is added.

A rate is what a stream of tests/timing makes one unit do in a cycle, while others that would hold
it up are ideal (attila-sim run --ideal) or more. Counted are the draws behind the first one,
without the clear before and the scan-out behind. scripts/rates runs it. Not here: the original's
cycles (timing)."""

from __future__ import annotations

import csv
import dataclasses
import os
import re
import tempfile
from collections.abc import Sequence

from attila import cli
from attila.cli import Error
from attila.paths import TOP, simulator
from attila.timing.data import TIMING
from attila.timing.run import Machine, in_parallel

PAGE = os.path.join(TOP, "docs/notebook/rates.md")
MACHINES = ("ispass2006", "micro2005")
CLOSE = 95  # percent of a rate that count as reached
RISE = 2  # percent that cycles may rise by when a unit is added

DESCRIPTION = """\
Runs streams that each keep one unit busy, and prints its rate beside the one that the papers'
tables give (ISPASS 2006 and MICRO 2005, Table 1); then the cycles of streams with 1 to 16 shaders,
ROPs, channels and texture units. Status 1 when a rate without a known limit is below 95 %, or
cycles rise by more than 2 % with a unit added."""


@dataclasses.dataclass(frozen=True)
class Rate:
    """A row of Table 1. peak: a product of numbers and keys; known: why the rate is not reached."""

    row: str
    unit: str
    peak: str
    statistic: str
    stream: str
    ideal: str = ""
    sets: tuple[str, ...] = ()
    known: str = ""


MORE_ROPS = ("GPU.NumStampPipes=8",)
MORE_SHADERS = ("GPU.NumFragmentShaders=16",)
# Three vertices of a triangle come in a cycle, and all places behind them have room.
MORE_VERTICES = MORE_SHADERS + (
    "STREAMER.VerticesCycle=4", "STREAMER.IndicesCycle=4", "STREAMER.SLIndicesCycle=4",
    "STREAMER.OutputFIFOSize=512", "STREAMER.OutputMemorySize=512",
    "RASTERIZER.ShadedVertexQueueSize=512", "PRIMITIVEASSEMBLY.AssemblyQueueSize=96")
NO_PIXELS = "memory,bus,raster,rop,command"
RATES = (
    Rate("Streamer", "vertices", "STREAMER.VerticesCycle", "Vertices_PA", "triangles_1",
         NO_PIXELS, MORE_SHADERS),
    Rate("Primitive Assembly", "triangles", "PRIMITIVEASSEMBLY.TrianglesCycle", "Triangles_PA",
         "triangles_culled", NO_PIXELS, MORE_VERTICES),
    Rate("Clipping", "triangles", "CLIPPER.TrianglesCycle", "Triangles_PA", "triangles_culled",
         NO_PIXELS, MORE_VERTICES),
    Rate("Fragment Generation, Hierarchical Z", "fragments", "64 RASTERIZER.StampsPerCycle",
         "InputFragments_HZ", "depth_hidden", "memory,shader,command", (),
         "A draw of 4940 tiles takes some 900 cycles more than these: 5772 with one tile a cycle, "
         "3384 with 2, 1557 with 8 and 16 TileTesters"),
    Rate("Z Test", "fragments", "4 ZSTENCILTEST.StampsPerCycle GPU.NumStampPipes",
         "InputFragments_ZST-SU", "depth_only", "shader"),
    Rate("Interpolator", "quads", "RASTERIZER.StampsPerCycle",
         "InterpolatedQuads_Interpolator", "fill", "memory,shader", MORE_ROPS),
    Rate("Color Write", "fragments", "4 COLORWRITE.StampsPerCycle GPU.NumStampPipes",
         "InputFragments_CW-SU", "fill", "shader"),
    Rate("Fragment Shader", "fragments, an instruction each",
         "FRAGMENTSHADER.ThreadRate GPU.NumFragmentShaders", "ExecutedInstructions_ShDX-FS",
         "alu_chain"),
    Rate("Texture Unit, bilinear (section 2.2)", "quads", "GPU.NumFragmentShaders",
         "BilinearSamples_TU-FSTU", "texture_magnified", "shader,memory,rop"),
    Rate("Memory (section 2.2)", "bytes",
         "MEMORYCONTROLLER.V2MemoryChannels MEMORYCONTROLLER.V2BurstBytesPerCycle",
         "DataBytes_Sched", "texture_minified", "shader,rop,texture"),
)
UNITS = {"shaders": "GPU.NumFragmentShaders", "ROPs": "GPU.NumStampPipes",
         "channels": "MEMORYCONTROLLER.V2MemoryChannels",
         "texture units": "FRAGMENTSHADER.SharedTextureUnits"}
STREAMS = {"fill": "fill", "Z only": "depth_only", "blend": "blend", "ALU": "alu_chain",
           "textured": "texture_bilinear"}
# Texture units do nothing for streams without textures.
SERIES = tuple((u, s) for u in UNITS for s in STREAMS
               if u != "texture units" or s == "textured")


def peak(machine: Machine, product: str) -> float:
    """The value of "64 SECTION.Key" on that machine."""
    text, why = machine.description()
    if why:
        raise Error(why)
    value = 1.0
    for factor in product.split():
        if "." not in factor:
            value *= int(factor)
            continue
        section, key = factor.split(".")
        found = re.search(rf"^\[{section}\]$.*?^{key} = (\d+)$", text, re.M | re.S)
        if not found:
            raise Error(f"{machine.config}: no {factor}")
        value *= int(found[1])
    return value


def measured(machine: Machine, rate: Rate) -> float:
    """What the unit does in a cycle of the draws behind the first one."""
    with tempfile.TemporaryDirectory() as out:
        machine.replay(os.path.join(TIMING, rate.stream + ".attila"), out, "--record", "csv",
                       "--draws-columns", rate.statistic,
                       *(["--ideal", rate.ideal] if rate.ideal else []))
        with open(os.path.join(out, "draws.csv"), newline="", encoding="utf-8") as f:
            draws = [row for row in csv.DictReader(f) if row["kind"] == "draw"]
    draws = draws[1:] or draws
    cycles = sum(int(row["exclusive_cycles"]) for row in draws)
    return sum(float(row[rate.statistic]) for row in draws) / cycles if cycles else 0.0


def rates(sim: str, config: str, which: Sequence[Rate], jobs: int) -> tuple[list[str], int]:
    """Rows of the table, and how many rates are missed."""
    path = os.path.join(TOP, "configs", config + ".ini")
    results = in_parallel(jobs, [
        (r.row, lambda r=r: measured(Machine(sim, path, r.sets), r)) for r in which])
    rows, missed = [], 0
    for r, got in zip(which, results):
        bound = peak(Machine(sim, path), r.peak)
        percent = 100 * got / bound
        missed += percent < CLOSE and not r.known
        rows.append(f"| {r.row} | {bound:g} {r.unit} | {got:.2f} | {percent:.1f} | {r.stream} | "
                    f"{r.known} |")
    return rows, missed


def rises(cycles: Sequence[int]) -> list[bool]:
    """Of each count whether its cycles are more than 2 % above the least before it."""
    return [i > 0 and c > min(cycles[:i]) * (1 + RISE / 100) for i, c in enumerate(cycles)]


def scaling(sim: str, config: str, counts: Sequence[int], series: Sequence[tuple[str, str]],
            jobs: int) -> tuple[list[str], int]:
    """Rows of the table of cycles, one for each (unit, stream), and how many cycles rise."""
    path = os.path.join(TOP, "configs", config + ".ini")

    def run(unit: str, stream: str, n: int) -> int:
        return int(Machine(sim, path, [f"{UNITS[unit]}={n}"]).run(
            os.path.join(TIMING, STREAMS[stream] + ".attila"))["cycles"])

    runs = [(u, s, n) for u, s in series for n in counts]
    found = in_parallel(jobs, [(u, lambda u=u, s=s, n=n: run(u, s, n)) for u, s, n in runs])
    cycles = dict(zip(runs, found))
    rows, risen = [], 0
    for u, s in series:
        row = [cycles[u, s, n] for n in counts]
        marks = rises(row)
        risen += sum(marks)
        rows.append(f"| {u} | {s} | " + " | ".join(
            f"{c}{' (!)' if m else ''}" for c, m in zip(row, marks)) + " |")
    return rows, risen


RISING = [
    "Not yet as it should be: 3 and 5 ROPs before 2 shaders (6.6 and 2.9 % on Z alone). A",
    "shader can have the squares of two ROPs and the other one those of one; a square leaves",
    "its shader only when another has nothing to do. More texture units than two for 2 shaders",
    "bring caches that read the same texels again (up to 4 %), as ISPASS 2006, section 5, has",
    "it.",
]
HEAD_RATES = ["| row of Table 1 | peak, per cycle | measured | % | stream | what limits it |",
              "|---|---:|---:|---:|---|---|"]


def head_scaling(counts: Sequence[int]) -> list[str]:
    return ["| units | stream | " + " | ".join(map(str, counts)) + " |",
            "|---|---|" + "---:|" * len(counts)]


def page(tables: dict[str, list[str]], cycles: list[str], counts: Sequence[int]) -> str:
    """docs/notebook/rates.md. tables: the rows of each machine's rates."""
    lines = ["# Peak rates and scaling of the papers' machines", "",
             "Written by `scripts/rates --update`.", "", "## Rates", "",
             "Streams of `tests/timing` that need one unit, with others ideal or more of them",
             "where they would hold it up; the draws behind the first one.", ""]
    for config, table in tables.items():
        lines += [f"### {config}", "", *HEAD_RATES, *table, ""]
    lines += ["## Scaling", "",
              f"Cycles of whole streams on {next(iter(tables))} with each unit that is added, with",
              "the clears before and the scan-out behind; (!) where they are more than "
              f"{RISE} % above", "the least before. Two ROPs limit fill, Z and blend behind 2 "
              "shaders, two shaders what", "more ROPs and channels could do.", "",
              *head_scaling(counts), *cycles, "", *RISING, ""]
    return "\n".join(lines)


def main(args: list[str]) -> int:
    p = cli.Parser("rates", "[options]", DESCRIPTION)
    p.add_argument("--quick", action="store_true",
                   help="some rates of one machine, and 1, 2, 4 and 16 shaders on two streams")
    p.add_argument("--update", action="store_true", help="write docs/notebook/rates.md")
    p.jobs()
    o = p.parse_args(args)
    if o.quick and o.update:
        raise cli.UsageError("--update needs all of it, not --quick")
    sim = simulator()
    counts = (1, 2, 4, 16) if o.quick else tuple(range(1, 17))
    series = [("shaders", "Z only"), ("shaders", "textured")] if o.quick else SERIES
    tables, bad = {}, 0
    for config in MACHINES[:1] if o.quick else MACHINES:
        tables[config], missed = rates(sim, config, RATES[4:9] if o.quick else RATES, o.jobs)
        print("\n".join([config, *HEAD_RATES, *tables[config]]), flush=True)
        bad += missed
    cycles, risen = scaling(sim, MACHINES[0], counts, series, o.jobs)
    print("\n".join(head_scaling(counts) + cycles))
    if o.update:
        with open(PAGE, "w", encoding="utf-8") as f:
            f.write(page(tables, cycles, counts))
    return 1 if bad + risen else 0
