"""A machine from the times of microbenchmarks: reads the table that gpu_times
(src/tools/gpu_times.c) wrote on a card, derives parameters, and writes a machine that attila-sim
loads. Not here: measuring.

Each benchmark is bound by one unit, so a parameter follows from one time, or from the difference
between two, and from parameters that were found before it. The constants below are what the
model's pipeline adds (src/sim/box/).
"""

from __future__ import annotations

import argparse
import csv
import math
import os
from dataclasses import dataclass, field

from attila import cli, whole_file
from attila.cli import Error

DESCRIPTION = """\
Derives a machine from TIMES.csv, which gpu_times wrote on a card, and writes it to a file that
attila-run and attila-sim load. Prints each parameter with its value, the measurement behind it, and
what could not be found."""
EPILOG = """\
Times alone tell only the product of a clock and a rate. Without --clock, the clock is that at which
the card sets up a triangle per cycle.

Exit: 0 done, 1 the table cannot be used, 2 wrong use."""

# What a machine needs so that no other unit holds up the one that a benchmark measures, and that no
# benchmark measures.
FIXED = {
    "RASTERIZER.StampsPerCycle": "8", "FRAGMENTSHADER.VectorShader": "TRUE",
    "FRAGMENTSHADER.VectorLength": "16", "FRAGMENTSHADER.VectorThreads": "64",
    "FRAGMENTSHADER.VectorResources": "1024", "FRAGMENTSHADER.VectorWaitOnStall": "TRUE",
    "FRAGMENTSHADER.InputsPerCycle": "16",
    "FRAGMENTSHADER.OutputsPerCycle": "16", "FRAGMENTSHADER.TextureWaitReadWindow": "256",
    "FRAGMENTSHADER.TextureCacheWays": "4", "FRAGMENTSHADER.TextureCacheReplacement": "0",
    "FRAGMENTSHADER.TextureCacheRequestQueueSize": "64",
    "FRAGMENTSHADER.TextureCacheInputQueue": "64",
    "STREAMER.OutputFIFOSize": "256", "STREAMER.SLInputRequestQueueSize": "256",
    "RASTERIZER.VertexInputQueueSize": "256", "RASTERIZER.ShadedVertexQueueSize": "512",
    "PRIMITIVEASSEMBLY.AssemblyQueueSize": "64", "MEMORYCONTROLLER.OpenPages": "64",
    "MEMORYCONTROLLER.MemoryPageSize": "16384"}


@dataclass
class Times:
    """The table. rows: {(benchmark, x): [(work, nanoseconds), ...]}."""

    path: str
    about: dict[str, str] = field(default_factory=dict)
    rows: dict[tuple[str, float], list[tuple[float, float]]] = field(default_factory=dict)

    def per_work(self, test: str, x: float = 0) -> float | None:
        """Nanoseconds for a unit of work: the slope between the two sizes that were timed. None if
        the table does not have them, or if the larger one took no longer."""
        rows = self.rows.get((test, x), [])
        if len(rows) < 2 or rows[-1][0] <= rows[0][0] or rows[-1][1] <= rows[0][1]:
            return None
        return (rows[-1][1] - rows[0][1]) / (rows[-1][0] - rows[0][0])

    def series(self, test: str) -> list[tuple[float, float]]:
        """(x, nanoseconds for a unit of work), by x."""
        found = [(x, self.per_work(t, x)) for t, x in self.rows if t == test]
        return sorted((x, ns) for x, ns in found if ns is not None)


def read(path: str) -> Times:
    times = Times(path)
    try:
        with open(path, encoding="utf-8", newline="") as f:
            lines = f.read().splitlines()
    except (OSError, UnicodeDecodeError) as e:
        raise Error(f"{path}: {e}") from None
    for line in lines:
        if line.startswith("# "):
            name, _, value = line[2:].partition(": ")
            times.about[name] = value
    table = csv.reader(line for line in lines if not line.startswith("#"))
    if next(table, None) != ["test", "x", "work", "ns"]:
        raise Error(f"{path} is no table of gpu_times: expected a line test,x,work,ns")
    for row in table:
        try:
            test, x, work, ns = row[0], *map(float, row[1:])
        except (ValueError, IndexError):
            raise Error(f"{path}: '{','.join(row)}' is no row test,x,work,ns") from None
        if not all(math.isfinite(v) for v in (x, work, ns)) or work <= 0 or ns < 0:
            raise Error(f"{path}: '{','.join(row)}': work must be above 0, ns 0 or more")
        times.rows.setdefault((test, x), []).append((work, ns))
    return times


@dataclass
class Found:
    """A parameter: keys that get the value; exact: before it was rounded; why: the measurement."""

    keys: list[str]
    value: int
    exact: float
    why: str


class Fit:
    """Parameters in the order in which they are found, and what could not be found."""

    def __init__(self, times: Times) -> None:
        self.times = times
        self.found: list[Found] = []
        self.gaps: list[tuple[str, str]] = []
        self.clock = 0.  # GHz

    def cycles(self, test: str, x: float = 0) -> float | None:
        """Cycles for a unit of work."""
        ns = self.times.per_work(test, x)
        return None if ns is None else ns * self.clock

    def value(self, key: str) -> float | None:
        """The exact value of a parameter that was found."""
        return next((f.exact for f in self.found if key in f.keys), None)

    def add(self, keys: list[str], exact: float, why: str, least: int, most: int) -> None:
        value = min(max(round(exact), least), most)
        self.found.append(Found(keys, value, exact, why))
        if not least - .5 <= exact < most + .5:
            self.gaps.append((keys[0], f"measured {exact:.3g}, which is outside {least} to {most}"))

    def gap(self, key: str, why: str) -> None:
        self.gaps.append((key, why))


LENGTH = int(FIXED["FRAGMENTSHADER.VectorLength"])


# --- From times to parameters ---------------------------------------------------------------------

SAMPLES = 32     # bilinear samples of a fetch with 16 anisotropic samples of two levels
FETCH = 16.      # cycles of a fetch that hits, without address calculation and issue
MISS = 7.        # cycles of a miss, without ReadLatency and the transfer of the line
BURST = 16       # bytes per cycle of a channel, which is assumed
STEP = 1.12      # ratio from which on a cache is too small, as in gpu_times
REUSE_STEP = 4.
SQUARES_STEP = 1.5


def find_clock(fit: Fit, clock: float | None) -> None:
    ns = fit.times.per_work("triangles")
    keys = ["GPU.GPUClock", "GPU.ShaderClock", "GPU.MemoryClock"]
    if clock is None:
        if ns is None:
            raise Error(f"{fit.times.path} has no times of 'triangles', from which the clock "
                        "follows: give --clock MHZ")
        clock = 1000 / ns
        fit.add(keys, clock, f"triangles: {ns:.4g} ns each, taken as one per cycle", 1, 10000)
    else:
        fit.add(keys, clock, "--clock", 1, 10000)
    fit.clock = fit.found[-1].exact / 1000
    rate = fit.cycles("triangles")
    if rate:
        fit.add(["PRIMITIVEASSEMBLY.TrianglesCycle", "CLIPPER.TrianglesCycle",
                 "CLIPPER.ClipperUnits", "RASTERIZER.TrianglesCycle", "RASTERIZER.SetupUnits"],
                1 / rate, f"triangles: {1 / rate:.3g} per cycle", 1, 16)
    else:
        fit.gap("CLIPPER.TrianglesCycle", "no times of 'triangles'")


def find_vertices(fit: Fit) -> None:
    keys = ["STREAMER.VerticesCycle", "STREAMER.IndicesCycle", "STREAMER.SLIndicesCycle"]
    if cycles := fit.cycles("indices"):
        fit.add(keys, 1 / cycles, f"indices of shaded vertices: {1 / cycles:.3g} per cycle", 1, 16)
        triangles = fit.value("CLIPPER.TrianglesCycle") or 1
        if 1 / cycles > 2.8 * triangles:
            fit.gap(keys[0], "triangles are as fast as their indices: it may be more")
    else:
        fit.gap(keys[0], "no times of 'indices'")
    if size := step(fit.times.series("reuse"), REUSE_STEP):
        fit.add(["STREAMER.OutputMemorySize"], size, f"reuse: vertices are shaded once if "
                f"{size:.0f} take turns, and again with more", 4, 4096)
    else:
        fit.gap("STREAMER.OutputMemorySize", "reuse: no number of vertices makes a step")


def step(series: list[tuple[float, float]], ratio: float) -> float | None:
    """The largest x before y is ratio times the first y. None: it never is."""
    return next((x for (x, _), (_, after) in zip(series, series[1:])
                 if after >= ratio * series[0][1]), None)


def find_shaders(fit: Fit) -> None:
    """Lanes and instructions. Differences of loops with 48 and 16 instructions leave out what the
    loop costs."""
    def each(test: str) -> float | None:
        short, long = fit.cycles(f"{test}16"), fit.cycles(f"{test}48")
        return (long - short) / 32 if short and long and long > short else None
    square = each("square_mad")
    if shaders := step(fit.times.series("squares"), SQUARES_STEP):
        fit.add(["GPU.NumFragmentShaders"], shaders, f"squares: {shaders:.0f} squares of 16 x 16 "
                "pixels take as long as one", 1, 64)
    else:
        fit.gap("GPU.NumFragmentShaders", "squares: no number of squares takes longer than one")
    if square:
        fit.add(["FRAGMENTSHADER.VectorALUWidth"], 1 / square, f"square_mad: {1 / square:.3g} "
                "instructions per cycle in one shader", 1, 32)
    else:
        fit.gap("FRAGMENTSHADER.VectorALUWidth", "no times of square_mad16 and square_mad48")
    if chain := each("chain_mad"):
        fit.add(["LATENCY.MAD", "LATENCY.ADD", "LATENCY.MUL", "LATENCY.MOV"], chain - 1,
                f"chain_mad: {chain:.3g} cycles from one to the next", 1, 64)
        if square and chain < 1.1 * square * LENGTH:
            fit.gap("LATENCY.MAD", "a group takes that long to issue: it may be less")
    else:
        fit.gap("LATENCY.MAD", "no times of chain_mad16 and chain_mad48")
    if (rsq := each("square_rsq")) and square:
        fit.add(["REPEATRATE.RSQ", "REPEATRATE.RCP", "REPEATRATE.EX2", "REPEATRATE.LG2"],
                rsq / square, f"square_rsq: {rsq / square:.3g} times as long as a MAD", 1, 64)
    else:
        fit.gap("REPEATRATE.RSQ", "no times of square_rsq16 and square_rsq48")


def find_rops(fit: Fit) -> None:
    fill, square = fit.cycles("fill"), fit.cycles("square_fill")
    if not fill or not square:
        fit.gap("GPU.NumStampPipes", "no times of fill and square_fill")
        return
    rops = square / fill
    fit.add(["GPU.NumStampPipes"], rops, f"square_fill and fill: all pixels are {rops:.3g} times "
            "as fast as those of one square", 1, 32)
    lanes = (fit.value("FRAGMENTSHADER.VectorALUWidth") or 0) * (
        fit.value("GPU.NumFragmentShaders") or 0)
    if lanes and 1 / fill > .4 * lanes:
        fit.gap("GPU.NumStampPipes", "fill is as fast as shaders end fragments: it may be more")
    for key, test in (("COLORWRITE.BlendALURate", "blend"), ("ZSTENCILTEST.ZALUTestRate", "depth")):
        if cycles := fit.cycles(test):
            fit.add([key], cycles * 4 * max(round(rops), 1), f"{test}: {1 / cycles:.3g} fragments "
                    "per cycle in all ROPs", 1, 100)
        else:
            fit.gap(key, f"no times of {test}")


def find_texture(fit: Fit) -> None:
    key, shaders = "FRAGMENTSHADER.TextureUnits", fit.value("GPU.NumFragmentShaders")
    if (cycles := fit.cycles("aniso16_rgba8")) and shaders:
        rate = SAMPLES / cycles
        fit.add([key, "FRAGMENTSHADER.TextureRequestRate"], rate / 4 / max(round(shaders), 1),
                f"aniso16_rgba8: {rate:.3g} bilinear samples per cycle in all shaders", 1, 4)
    else:
        fit.gap(key, "no times of aniso16_rgba8, or the number of shaders is unknown")
    strides, sizes = fit.times.series("stride"), fit.times.series("cache")
    if len(strides) < 2 or len(sizes) < 2:
        fit.gap("FRAGMENTSHADER.TextureCacheLineSize, TextureCacheLines, AddressALULatency, "
                "MEMORYCONTROLLER.ReadLatency", "no times of stride and cache")
        return
    hit, last = sizes[0][1], strides[-1][1]
    # With strides s below a line, one fetch in line/s misses.
    s, short = strides[0]
    if last < 1.2 * hit or short <= hit:
        fit.gap("FRAGMENTSHADER.TextureCacheLineSize", "stride: the longest ring fits the cache")
        return
    exact = s * (last - hit) / (short - hit)
    line = 2. ** round(math.log2(exact))
    fit.add(["FRAGMENTSHADER.TextureCacheLineSize"], line, f"stride: of fetches {s:.0f} bytes "
            f"apart one in {exact / s:.3g} misses", 64, 256)
    if size := step(sizes, STEP):
        ways = int(FIXED["FRAGMENTSHADER.TextureCacheWays"])
        sets = 2. ** round(math.log2(max(size / ways / line, 1)))
        fit.add(["FRAGMENTSHADER.TextureCacheLines"], sets, f"cache: rings of up to "
                f"{size:.0f} bytes hit, {ways} ways assumed", 1, 1024)
    else:
        fit.gap("FRAGMENTSHADER.TextureCacheLines", "cache: no size makes a step")
    miss = next((ns for s, ns in strides if s >= line), last)
    find_latencies(fit, hit * fit.clock, miss * fit.clock, line)


def find_latencies(fit: Fit, hit: float, miss: float, line: float) -> None:
    """hit, miss: cycles of a fetch; line: bytes."""
    # An instruction is issued to a group in this time.
    issue = LENGTH / max(fit.value("FRAGMENTSHADER.VectorALUWidth") or 8, 1)
    fit.add(["FRAGMENTSHADER.AddressALULatency"], hit - FETCH - .6 * issue,
            f"cache: {hit:.3g} cycles from one fetch that hits to the next", 1, 100)
    fit.add(["MEMORYCONTROLLER.ReadLatency"], miss - hit - line / BURST - MISS,
            f"stride: {miss:.3g} cycles from one fetch that misses to the next", 1, 1000)
    pages = fit.times.series("page")
    if pages and pages[0][1] * fit.clock > miss:
        far = pages[0][1] * fit.clock
        fit.add(["MEMORYCONTROLLER.PageOpenLatency"], far - miss, f"page: {far:.3g} cycles from "
                "one fetch that misses to the next, far apart", 0, 1000)
    else:
        fit.gap("MEMORYCONTROLLER.PageOpenLatency", "page: not slower than stride")
    reads = fit.times.series("read")
    if reads:
        rate = line / (reads[0][1] * fit.clock)
        fit.add(["MEMORYCONTROLLER.V2MemoryChannels"], rate / BURST, f"read: {rate:.3g} bytes per "
                f"cycle, channels of {BURST} assumed", 1, 32)
    else:
        fit.gap("MEMORYCONTROLLER.V2MemoryChannels", "no times of read")


NOT_MEASURED = (
    ("FRAGMENTSHADER.VectorLength, VectorThreads, VectorResources",
     "no benchmark: enough to hide latencies"),
    ("FRAGMENTSHADER.TextureCacheWays, TextureCacheReplacement", "no benchmark: assumed"),
    ("L2, second level of the texture cache", "no benchmark: there is none in the machine"),
    ("GPU.ShaderClock, MemoryClock",
     "a rate tells only the product of a clock and a width: one clock is assumed"),
    ("caches of the ROPs, Hierarchical Z, compression", "no benchmark: those of ispass2006.ini"))
# Rates that are printed, as they follow from parameters above.
RATES = ("alu_mad48", "alu_rsq48", "nearest_rgba8", "bilinear_rgba8", "bilinear_rgba16f",
         "bilinear_rgba32f", "trilinear_rgba8", "vertices")


def derive(times: Times, clock: float | None) -> Fit:
    fit = Fit(times)
    find_clock(fit, clock)
    find_vertices(fit)
    find_shaders(fit)
    find_rops(fit)
    find_texture(fit)
    return fit


def machine(fit: Fit) -> str:
    """The text of the .ini file."""
    keys = {k: (v, "not measured") for k, v in FIXED.items()}
    for f in fit.found:
        keys.update({k: (str(f.value), f.why) for k in f.keys})
    lanes = int(keys.get("FRAGMENTSHADER.VectorALUWidth", ("8", ""))[0])
    if lanes > 8:  # a group takes two cycles at least (box/shader/shf.c)
        keys["FRAGMENTSHADER.VectorLength"] = str((2 * lanes + 3) // 4 * 4), "two cycles a group"
    rops = int(keys.get("GPU.NumStampPipes", ("1", ""))[0])
    keys["RASTERIZER.StampsPerCycle"] = str(min(max(8, rops), 16)), "enough for the ROPs"
    lines = [f"# A machine that attila calibrate derived from {os.path.basename(fit.times.path)}",
             f"# Renderer: {fit.times.about.get('renderer', 'unknown')}", "base = ispass2006.ini"]
    for section in dict.fromkeys(k.partition(".")[0] for k in keys):
        lines += ["", f"[{section}]"]
        for key, (value, why) in keys.items():
            if key.partition(".")[0] == section:
                lines += [f"# {why}", f"{key.partition('.')[2]} = {value}"]
    return "\n".join(lines) + "\n"


def report(fit: Fit) -> None:
    print(f"{'parameter':38} {'value':>6} {'exact':>9}  measurement")
    for f in fit.found:
        print(f"{f.keys[0]:38} {f.value:6} {f.exact:9.4g}  {f.why}")
    print("\nrates without a key of their own, per cycle:")
    for test in RATES:
        if cycles := fit.cycles(test):
            print(f"{test:38} {1 / cycles:6.3g}")
    print("\nnot found:")
    for key, why in [*fit.gaps, *NOT_MEASURED]:
        print(f"{key}: {why}")


def main(args: list[str]) -> int:
    p = cli.Parser("calibrate", "[options] TIMES.csv -o FILE", DESCRIPTION, EPILOG)
    p.add_argument("times", metavar="TIMES.csv", help=argparse.SUPPRESS)
    p.add_argument("-o", "--output", metavar="FILE", required=True, help="machine to write (.ini)")
    p.add_argument("--clock", type=cli.number(1, 10000, float), metavar="MHZ",
                   help="clock of the card during the measurement")
    o = p.parse_args(args)
    fit = derive(read(o.times), o.clock)
    whole_file.write(o.output, machine(fit))
    report(fit)
    return 0
