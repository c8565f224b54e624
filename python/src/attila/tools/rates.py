"""Peak rates of the papers' machines, and their cycles with each unit that is added.

A rate is what a stream of tests/timing makes one unit do in a cycle, while others that would hold
it up are ideal (attila-sim run --ideal) or more. Counted are the draws behind the first two,
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
ROPs, channels and texture units, and with up to 16 shaders under each of the other distributions of
fragments. Status 1 when a rate without a known limit is below 95 %, or cycles of the machine's own
distribution rise by more than 2 % with a unit added."""


@dataclasses.dataclass(frozen=True)
class Rate:
    """A row of Table 1. peak: a product of numbers and keys; statistic: several are added up;
    known: why the rate is not reached."""

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
VERTEX_SHADERS = range(2, 6)  # of a machine that is not unified, behind its fragment shaders
RATES = (
    Rate("Streamer", "vertices", "STREAMER.VerticesCycle", "Vertices_PA", "triangles_1",
         NO_PIXELS, MORE_SHADERS),
    Rate("Primitive Assembly", "triangles", "PRIMITIVEASSEMBLY.TrianglesCycle", "Triangles_PA",
         "triangles_culled", NO_PIXELS, MORE_VERTICES),
    Rate("Clipping", "triangles", "CLIPPER.TrianglesCycle", "Triangles_PA", "triangles_culled",
         NO_PIXELS, MORE_VERTICES),
    Rate("Triangle Setup", "triangles", "RASTERIZER.SetupUnits", "InputTriangles_TS",
         "triangles_culled", NO_PIXELS, MORE_VERTICES),
    Rate("Fragment Generation, Hierarchical Z; Z cache of a line", "fragments",
         "64 RASTERIZER.StampsPerCycle", "InputFragments_HZ", "depth_hidden",
         "memory,shader,command",
         ("ZSTENCILTEST.ZCacheWays=1", "ZSTENCILTEST.ZCacheLines=1")),
    Rate("Fragment Generation, Hierarchical Z; Z cache of Table 2", "fragments",
         "64 RASTERIZER.StampsPerCycle", "InputFragments_HZ", "depth_hidden",
         "memory,shader,command", (),
         "Blocks that are still in the Z caches (128 lines) have no bounds yet, for a line brings "
         "them when it leaves (section 2.2): of each draw 2080 of 76800 quads pass to the ROPs, "
         "two a cycle, and traversal waits for room in HZ's queue of 64 quads for some 850 cycles "
         "of 3370"),
    Rate("Z Test", "fragments", "4 ZSTENCILTEST.StampsPerCycle GPU.NumStampPipes",
         "InputFragments_ZST-SU", "depth_only", "shader"),
    Rate("Interpolator", "quads", "RASTERIZER.StampsPerCycle",
         "InterpolatedQuads_Interpolator", "fill", "memory,shader", MORE_ROPS),
    Rate("Color Write", "fragments", "4 COLORWRITE.StampsPerCycle GPU.NumStampPipes",
         "InputFragments_CW-SU", "fill", "shader"),
    Rate("Vertex Shader", "vertices, an instruction each",
         "VERTEXSHADER.ThreadRate GPU.NumVertexShaders",
         " ".join(f"ExecutedInstructions_ShDX-FS{i}" for i in VERTEX_SHADERS), "triangles_lit",
         NO_PIXELS, ("GPU.Unified=FALSE",)),
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
         "texture units": "FRAGMENTSHADER.SharedTextureUnits",
         "texture units, ideal memory": "FRAGMENTSHADER.SharedTextureUnits"}
STREAMS = {"fill": "fill", "Z only": "depth_only", "blend": "blend", "ALU": "alu_chain",
           "textured": "texture_bilinear"}
# Texture units do nothing for streams without textures.
SERIES = tuple((u, s) for u in UNITS for s in STREAMS
               if not u.startswith("texture units") or s == "textured")
DISTRIBUTIONS = ("0", "1", "2", "3")  # the machines have 4
OTHER_SERIES = tuple((d, s) for d in DISTRIBUTIONS for s in STREAMS)
OTHER_COUNTS = (1, 2, 3, 4, 8, 16)


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
    """What the unit does in a cycle of the draws behind the first two, if there are so many."""
    with tempfile.TemporaryDirectory() as out:
        machine.replay(os.path.join(TIMING, rate.stream + ".attila"), out, "--record", "csv",
                       "--draws-columns", rate.statistic.replace(" ", ","),
                       *(["--ideal", rate.ideal] if rate.ideal else []))
        with open(os.path.join(out, "draws.csv"), newline="", encoding="utf-8") as f:
            draws = [row for row in csv.DictReader(f) if row["kind"] == "draw"]
    # The second one may begin in the time of the first.
    draws = draws[2:] or draws[1:] or draws
    cycles = sum(int(row["exclusive_cycles"]) for row in draws)
    done = sum(float(row[s]) for row in draws for s in rate.statistic.split())
    return done / cycles if cycles else 0.0


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
    """Rows of the table of cycles, one for each (unit, stream), and how many cycles rise. A number
    in place of a unit is a distribution of fragments, for more shaders."""
    path = os.path.join(TOP, "configs", config + ".ini")

    def run(unit: str, stream: str, n: int) -> int:
        sets = [f"{UNITS.get(unit, UNITS['shaders'])}={n}"]
        if unit in DISTRIBUTIONS:
            sets.append(f"RASTERIZER.ShaderDistribution={unit}")
        ideal = ("--ideal", "memory") if unit.endswith("ideal memory") else ()
        return int(Machine(sim, path, sets).run(
            os.path.join(TIMING, STREAMS[stream] + ".attila"), *ideal)["cycles"])

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
    "Texture units are added for 2 shaders, which one unit can serve: each has a cache of its own,",
    "and a shader's quads go to the units in turn, so that all caches read the same texels: 3.5",
    "times the bytes with 16. With ideal memory it costs nothing. ISPASS 2006, section 5, has the",
    "same effect (Figure 8).",
]
OTHERS = [
    "The same for the other rules of `ShaderDistribution`: 0, the last release's by scan tile; 1,",
    "the shader with the fewest groups for each group; 2, by scan tile, in turn for each ROP; 3,",
    "batches in turn. The machine has 4, a ROP's square to the shader with the fewest groups. By",
    "scan tile (0 and 2) the shaders' pattern meets that of the ROPs' squares: with some counts a",
    "ROP's squares go to part of the shaders. Rules 1 and 3 reach the ROPs' rate with all counts,",
    "but divide squares among shaders, whose texture caches then read the same texels.",
]
HEAD_RATES = ["| row of Table 1 | peak, per cycle | measured | % | stream | what limits it |",
              "|---|---:|---:|---:|---|---|"]


def head_scaling(counts: Sequence[int], first: str = "units") -> list[str]:
    return [f"| {first} | stream | " + " | ".join(map(str, counts)) + " |",
            "|---|---|" + "---:|" * len(counts)]


def page(tables: dict[str, list[str]], cycles: list[str], others: list[str],
         counts: Sequence[int]) -> str:
    """docs/notebook/rates.md. tables: the rows of each machine's rates; others: of the other
    distributions."""
    lines = ["# Peak rates and scaling of the papers' machines", "",
             "Written by `scripts/rates --update`.", "", "## Rates", "",
             "Streams of `tests/timing` that need one unit, with others ideal or more of them",
             "where they would hold it up; the draws behind the first two.", ""]
    for config, table in tables.items():
        lines += [f"### {config}", "", *HEAD_RATES, *table, ""]
    lines += ["## Scaling", "",
              f"Cycles of whole streams on {next(iter(tables))} with each unit that is added, with",
              "the clears before and the scan-out behind; (!) where they are more than "
              f"{RISE} % above", "the least before. Two ROPs limit fill, Z and blend behind 2 "
              "shaders, two shaders what", "more ROPs and channels could do.", "",
              *head_scaling(counts), *cycles, "", *RISING, "",
              "## Other distributions of fragments", "", *OTHERS, "",
              *head_scaling(OTHER_COUNTS, "rule"), *others, ""]
    return "\n".join(lines)


def main(args: list[str]) -> int:
    p = cli.Parser("rates", "[options]", DESCRIPTION)
    p.add_argument("--quick", action="store_true",
                   help="some rates of one machine, 1, 2, 3, 5 and 16 shaders and ROPs, and two of "
                        "the other distributions")
    p.add_argument("--update", action="store_true", help="write docs/notebook/rates.md")
    p.jobs()
    o = p.parse_args(args)
    if o.quick and o.update:
        raise cli.UsageError("--update needs all of it, not --quick")
    sim = simulator()
    counts = (1, 2, 3, 5, 16) if o.quick else tuple(range(1, 17))
    series = (("shaders", "Z only"), ("shaders", "textured"), ("ROPs", "Z only")) \
        if o.quick else SERIES
    tables, bad = {}, 0
    for config in MACHINES[:1] if o.quick else MACHINES:
        tables[config], missed = rates(sim, config, RATES[4:10] if o.quick else RATES, o.jobs)
        print("\n".join([config, *HEAD_RATES, *tables[config]]), flush=True)
        bad += missed
    cycles, risen = scaling(sim, MACHINES[0], counts, series, o.jobs)
    print("\n".join(head_scaling(counts) + cycles), flush=True)
    others, _ = scaling(sim, MACHINES[0], OTHER_COUNTS,
                        (("1", "Z only"), ("2", "Z only")) if o.quick else OTHER_SERIES, o.jobs)
    print("\n".join(head_scaling(OTHER_COUNTS, "rule") + others))
    if o.update:
        with open(PAGE, "w", encoding="utf-8") as f:
            f.write(page(tables, cycles, others, counts))
    return 1 if bad + risen else 0
