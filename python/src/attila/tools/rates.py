"""Measures the peak rates of the papers' machines, and how their cycles change with each added
unit.

A rate is the work per cycle of one unit on a stream of tests/timing, while units that would hold it
up are ideal (attila-sim run --ideal) or more numerous. Only the draws after the first two count,
without the clear before and the scan-out after them. KNOWN has every rate that is not reached and
every series in which cycles rise, with the reason and a limit. scripts/rates runs it. Not here: the
original's cycles (timing)."""

from __future__ import annotations

import csv
import dataclasses
import functools
import os
import re
import tempfile
from collections.abc import Mapping, Sequence

from attila import cli, page
from attila.cli import Error
from attila.paths import TOP, simulator
from attila.simulator import call
from attila.timing.data import TIMING
from attila.timing.run import Machine, in_parallel

PAGE = os.path.join(TOP, "docs/notebook/rates.md")
MACHINES = ("ispass2006", "micro2005")
CLOSE = 95  # from this percentage on a rate counts as reached
RISE = 2  # percentage by which cycles may rise when a unit is added

DESCRIPTION = """\
Runs streams that each keep one unit busy, and prints its rate beside the one that the papers'
tables give (ISPASS 2006 and MICRO 2005, Table 1); then the cycles of streams with 1 to 16 shaders,
ROPs, channels and texture units, and with 1 to 16 shaders under each of the other distributions of
fragments. Last come the exceptions: rates below 95 %, and series whose cycles rise by more than 2 %
with a unit added. Status 1 when one of them has no known reason or is larger than its bound, or
when a known one is none any more."""


@dataclasses.dataclass(frozen=True)
class Rate:
    """A row of Table 1. peak: a product of numbers and keys; statistic: one, or several that are
    added up."""

    row: str
    unit: str
    peak: str
    statistic: str
    stream: str
    ideal: str = ""
    sets: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True)
class Known:
    """Places (Found.place) where a rate is not reached or cycles rise, each by at most so many
    percent, and why."""

    most: Mapping[str, float]
    why: str


@dataclasses.dataclass(frozen=True)
class Found:
    """A result at a place, "machine, row" or "unit, stream": by how many percent its rate is missed
    or its cycles rise, how many percent are allowed without a known reason, and row, its row in the
    table."""

    place: str
    percent: float
    limit: float
    row: str


MORE_ROPS = ("GPU.NumStampPipes=8",)
MORE_SHADERS = ("GPU.NumFragmentShaders=16",)
# The three vertices of a triangle come in one cycle, and all units behind have room for them.
MORE_VERTICES = MORE_SHADERS + (
    "STREAMER.VerticesCycle=4", "STREAMER.IndicesCycle=4", "STREAMER.SLIndicesCycle=4",
    "STREAMER.OutputFIFOSize=512", "STREAMER.OutputMemorySize=512",
    "RASTERIZER.ShadedVertexQueueSize=512", "PRIMITIVEASSEMBLY.AssemblyQueueSize=96")
NO_PIXELS = "memory,bus,raster,rop,command"
VERTEX_SHADERS = range(2, 6)  # indices on a split machine, behind the fragment shaders
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
         "memory,shader,command"),
    Rate("Z Test", "fragments", "4 ZSTENCILTEST.StampsPerCycle GPU.NumStampPipes",
         "TestedFragments_ZST-SU", "depth_only", "shader"),
    Rate("Interpolator", "quads", "RASTERIZER.StampsPerCycle",
         "InterpolatedQuads_Interpolator", "fill", "memory,shader", MORE_ROPS),
    Rate("Color Write", "fragments", "4 COLORWRITE.StampsPerCycle GPU.NumStampPipes",
         "WrittenSamples_CW-SU OutsideFragments_CW-SU", "fill", "shader"),
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
# (capture, the draws that are simulated). The draws are equal screens, but the first one finds
# cleared blocks.
STREAMS = {"fill": ("fill", "0-1"), "Z only": ("depth_only", "0-1"), "blend": ("blend", "0-2"),
           "ALU": ("alu_chain", "0"), "textured": ("texture_bilinear", "0-1")}
# Texture units are not added for streams without textures.
SERIES = tuple((u, s) for u in UNITS for s in STREAMS
               if not u.startswith("texture units") or s == "textured")
DISTRIBUTIONS = ("0", "1", "2", "3")  # the machines have 4
OTHER_SERIES = tuple((d, s) for d in DISTRIBUTIONS for s in STREAMS)
QUICK_SERIES = (("shaders", "Z only"), ("shaders", "textured"), ("ROPs", "Z only"))
QUICK_OTHERS = (("1", "Z only"), ("2", "Z only"))
KNOWN = (
    Known({f"{m}, Fragment Generation, Hierarchical Z; Z cache of Table 2": 27 for m in MACHINES},
          "Blocks that are still in the Z caches (128 lines) have no bounds yet, for a line brings "
          "them when it leaves (section 2.2): of each draw 2080 of 76800 quads pass to the ROPs, "
          "two a cycle, and traversal waits for room in HZ's queue of 64 quads for some 850 cycles "
          "of 3370"),
    Known({"texture units, textured": 4},
          "Texture units are added for 2 shaders, which one unit can serve: each has a cache of "
          "its own, and a shader's quads go to the units in turn, so that all caches read the same "
          "texels, 3.5 times the bytes with 16. With ideal memory nothing rises. ISPASS 2006, "
          "section 5, has the same effect (Figure 8)"),
    Known({"ROPs, fill": 5, "ROPs, blend": 3},
          "The write-back at the end: each ROP's cache has 16 KB, 256 cycles at 64 bytes a cycle. "
          "The draws alone take 77383 cycles with 2 ROPs and 77387 with 16 (fill), 132635 and "
          "132229 (blend)"),
    Known({"shaders, textured": 3, "0, textured": 28, "1, textured": 58, "2, textured": 13,
           "3, textured": 56},
          "Neighbouring squares or quads go to more shaders, whose texture caches then read the "
          "same texels, and memory limits: rule 1 reads 2.7 MB with 4 shaders and 7.2 MB with 16, "
          "the machine's own rule 2.2 MB with 7 and 2.5 MB with 8. With ideal memory nothing rises "
          "(rule 1)"),
    Known({"0, fill": 18, "0, Z only": 63, "0, blend": 7, "2, fill": 24, "2, blend": 24},
          "By scan tile the shaders' pattern meets that of the ROPs' squares: with some counts of "
          "shaders a ROP's squares go to part of them"),
)


def peak(machine: Machine, product: str) -> float:
    """The value of a product such as "64 SECTION.Key" on a machine."""
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
    """The work of the unit per cycle, in the draws after the first two, if there are more."""
    with tempfile.TemporaryDirectory() as out:
        machine.replay(os.path.join(TIMING, rate.stream + ".attila"), out, "--record", "csv",
                       "--draws-columns", rate.statistic.replace(" ", ","),
                       *(["--ideal", rate.ideal] if rate.ideal else []))
        with open(os.path.join(out, "draws.csv"), newline="", encoding="utf-8") as f:
            draws = [row for row in csv.DictReader(f) if row["kind"] == "draw"]
    # The second draw may begin during the first.
    draws = draws[2:] or draws[1:] or draws
    cycles = sum(int(row["exclusive_cycles"]) for row in draws)
    done = sum(float(row[s]) for row in draws for s in rate.statistic.split())
    return done / cycles if cycles else 0.0


def rates(sim: str, config: str, which: Sequence[Rate], jobs: int) -> list[Found]:
    path = os.path.join(TOP, "configs", config + ".ini")
    results = in_parallel(jobs, [
        (r.row, functools.partial(measured, Machine(sim, path, r.sets), r)) for r in which])
    found = []
    for r, got in zip(which, results):
        bound = peak(Machine(sim, path), r.peak)
        percent = 100 * got / bound
        mark = " (!)" if percent < CLOSE else ""
        found.append(Found(f"{config}, {r.row}", 100 - percent, 100 - CLOSE,
                           f"| {r.row} | {bound:g} {r.unit} | {got:.2f} | {percent:.1f}{mark} | "
                           f"{r.stream} |"))
    return found


def rises(cycles: Sequence[int]) -> list[float]:
    """By how many percent the cycles for each count exceed the least cycles of lower counts; at
    least 0."""
    return [100 * max(c / min(cycles[:i + 1]) - 1, 0) for i, c in enumerate(cycles)]


def scaling(sim: str, config: str, counts: Sequence[int], series: Sequence[tuple[str, str]],
            jobs: int) -> list[Found]:
    """Returns a Found for each (unit, stream). A number in place of a unit is a distribution of
    fragments, with more shaders."""
    path = os.path.join(TOP, "configs", config + ".ini")

    def run(unit: str, stream: str, n: int) -> int:
        sets = [f"{UNITS.get(unit, UNITS['shaders'])}={n}"]
        if unit in DISTRIBUTIONS:
            sets.append(f"RASTERIZER.ShaderDistribution={unit}")
        ideal = ("--ideal", "memory") if unit.endswith("ideal memory") else ()
        capture, draws = STREAMS[stream]
        return int(Machine(sim, path, sets).run(
            os.path.join(TIMING, capture + ".attila"), "--frames", "0", "--cycle-draws", draws,
            *ideal)["cycles"])

    runs = [(u, s, n) for u, s in series for n in counts]
    done = in_parallel(jobs, [(u, functools.partial(run, u, s, n)) for u, s, n in runs])
    cycles = dict(zip(runs, done))
    found = []
    for u, s in series:
        row = [cycles[u, s, n] for n in counts]
        above = rises(row)
        found.append(Found(f"{u}, {s}", max(above), RISE, f"| {u} | {s} | " + " | ".join(
            f"{c}{' (!)' if a > RISE else ''}" for c, a in zip(row, above)) + " |"))
    return found


def exceptions(found: Sequence[Found], whole: bool) -> tuple[list[str], list[str]]:
    """The rows of the table of exceptions, and errors: an exception that KNOWN lacks, one beyond
    its limit and, after a whole run, one of KNOWN that no longer exists."""
    beyond = {f.place: f.percent for f in found if f.percent > f.limit}
    known = {place: most for k in KNOWN for place, most in k.most.items()}
    rows = ["| " + "<br>".join(f"{place}: {beyond[place]:.1f} % (bound {most} %)"
                               for place, most in k.most.items() if place in beyond) +
            f" | {k.why} |" for k in KNOWN if beyond.keys() & k.most.keys()]
    wrong = [f"{place}: {percent:.1f} % without a known reason" if place not in known else
             f"{place}: {percent:.1f} %, more than the known {known[place]} %"
             for place, percent in beyond.items() if percent > known.get(place, 0)]
    if whole:
        wrong += [f"{place}: no exception any more" for place in known if place not in beyond]
    return rows, wrong


HEAD_EXCEPTIONS = ["| exception: below the peak, or above the least before | reason |", "|---|---|"]
HEAD_RATES = ["| row of Table 1 | peak, per cycle | measured | % | stream |",
              "|---|---:|---:|---:|---|"]


def head_scaling(counts: Sequence[int], first: str = "units") -> list[str]:
    return [f"| {first} | stream | " + " | ".join(map(str, counts)) + " |",
            "|---|---|" + "---:|" * len(counts)]


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
    tables = {config: rates(sim, config, RATES[4:10] if o.quick else RATES, o.jobs)
              for config in (MACHINES[:1] if o.quick else MACHINES)}
    series = [scaling(sim, MACHINES[0], counts, which, o.jobs) for which in
              ((QUICK_SERIES, QUICK_OTHERS) if o.quick else (SERIES, OTHER_SERIES))]
    rows = {config: [f.row for f in found] for config, found in tables.items()}
    cycles, others = ([f.row for f in found] for found in series)
    known, wrong = exceptions([f for found in (*tables.values(), *series) for f in found],
                              not o.quick)
    for config, table in rows.items():
        print("\n".join([config, *HEAD_RATES, *table]))
    print("\n".join([*head_scaling(counts), *cycles, *head_scaling(counts, "rule"), *others,
                     *HEAD_EXCEPTIONS, *known, *(f"rates: {w}" for w in wrong)]))
    if o.update:
        with open(PAGE, "w", encoding="utf-8") as f:
            f.write(page.render("rates.md.jinja", version=call(sim, "version").strip(), tables=rows,
                                close=CLOSE, rise=RISE, head=HEAD_RATES,
                                scaling=[*head_scaling(counts), *cycles],
                                others=[*head_scaling(counts, "rule"), *others],
                                known=[*HEAD_EXCEPTIONS, *known]))
    return 1 if wrong else 0
