"""Compares the power of machines that are like published chips with the known power of these.
Called by scripts/power-chips. Not here: the model of energy (src/sim/power)."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence

from attila import cli
from attila.paths import TOP, simulator
from attila.records import reader
from attila.records.reader import Database
from attila.simulator import call

# Each case keeps other units busy: filters, ALUs, blending and memory, depth.
CASES = ("texture_trilinear", "texture_magnified", "alu_independent", "blend", "depth_pass")
DESCRIPTION = """\
Runs captures of tests/timing that keep units busy on machines of the size, clocks, process and
voltage of published graphics chips, and prints their power beside what was measured or estimated
then, as Markdown (docs/explanation/power.md has the table). Takes some minutes. Needs no Mesa."""
REGULATORS = 0.8  # share of the board's power that reaches chip and memory


def machine(gpu: int, memory: int, shaders: int, lanes: int, rops: int, channels: int) -> list[str]:
    """Settings on top of configs/attila-bgpu.ini: clocks in MHz, shaders with a texture unit each,
    lanes of each, quads of pixels, channels of 32 bits."""
    masks = {8: "10 9 8", 4: "9 8"}
    return [f"GPU.GPUClock={gpu}", f"GPU.ShaderClock={gpu}", f"GPU.MemoryClock={memory}",
            f"GPU.NumFragmentShaders={shaders}", f"FRAGMENTSHADER.VectorALUWidth={lanes}",
            f"GPU.NumStampPipes={rops}", f"MEMORYCONTROLLER.V2MemoryChannels={channels}",
            f"MEMORYCONTROLLER.V2ChannelInterleavingMask={masks[channels]}"]


# Name, table, machine, published power of the board under load and idle (W; None: unknown), and
# what was published.
CHIPS = (
    ("GeForce 4 Ti 4600", "150nm", machine(300, 325, 2, 2, 1, 4), "50-75 W", None,
     "an estimate for a chip like it, Qsilver (Graphics Hardware 2004), section 4"),
    ("GeForce 6800 Ultra", "130nm", machine(400, 550, 4, 8, 4, 8), "72.1 W", 29.3,
     "measured at 1.45 V, X-bit labs; **calibrated to this one**"),
    ("GeForce 6800 GT", "130nm", machine(350, 500, 4, 8, 4, 8), "about 55 W", None,
     "measured, quoted beside the 6800 GS"),
    ("GeForce 6800 GS", "110nm", machine(425, 500, 3, 8, 4, 8), "about 55 W", None,
     "measured, The Third Media, 2005"),
    ("GeForce 7800 GTX", "110nm", machine(430, 600, 6, 8, 4, 8), "about 75 W", None,
     "its system draws 4 W more at the wall than with a 6800 Ultra, PC Perspective, 2005"),
)


def idle_watts(db: Database) -> float:
    """The power of an idle machine: clocks, leakage, standby with rows closed."""
    clocks = dict(zip(("gpu", "shader", "memory"),
                      db.execute("SELECT gpu_mhz, shader_mhz, memory_mhz FROM run").fetchone()))
    watts = 0.0
    for clock, boxes, fj, counter in db.execute(
            "SELECT b.clock, t.boxes, t.fj, t.counter FROM power_terms t JOIN (SELECT DISTINCT "
            "unit, clock FROM boxes) b USING (unit) LEFT JOIN counters c USING (counter) WHERE "
            "t.counter = -1 OR c.statistic IN ('CyclesIdle', 'AllBanksPrechargedCycles')"):
        watts += boxes * fj * 1e-9 * clocks["gpu" if counter == -1 else clock]
    return watts


def run(sim: str, settings: list[str], table: str, changes: Sequence[str], case: str,
        folder: str) -> tuple[float, float, float]:
    """Watts of the chip, of what is off chip, and of both when idle."""
    options = [x for s in settings for x in ("--set", s)]
    call(sim, "run", os.path.join(TOP, "tests/timing", case + ".attila"), "--config",
         os.path.join(TOP, "configs/attila-bgpu.ini"), "--record", "sqlite", "--out", folder,
         *options)
    call(sim, "power", folder, "--write", "--table",
         os.path.join(TOP, "configs/power", table + ".ini"),
         *(x for s in changes for x in ("--set", s)))
    db = reader.open_record(folder)
    seconds = db.execute("SELECT sum(simulated_ms) * 1e-3 FROM frames").fetchone()[0]
    total, off = db.execute("SELECT sum(total_fj), sum(offchip_fj) FROM frame_energy").fetchone()
    idle = idle_watts(db)
    db.close()
    return (total - off) * 1e-15 / seconds, off * 1e-15 / seconds, idle


def main(args: list[str]) -> None:
    parser = cli.Parser("power-chips", "[options]", DESCRIPTION,
                        "Exit: 0 done, 1 a run failed, 2 wrong usage.")
    parser.add_argument("--set", action="append", default=[], metavar="S.KEY=V",
                        help="change a key of every table of energies, to calibrate; may be "
                        "repeated")
    parser.add_argument("--chip", default="", metavar="NAME",
                        help="this row alone; a part of the name is enough")
    parser.add_argument("--case", choices=CASES, help="this capture alone")
    parser.add_argument("--units", action="store_true",
                        help="also the units of each machine on its hottest capture")
    o = parser.parse_args(args)
    o.sim = simulator()
    chips = [c for c in CHIPS if o.chip in c[0]]
    if not chips:
        parser.error(f"no chip is called {o.chip}; there are: {', '.join(c[0] for c in CHIPS)}")
    cases = [o.case] if o.case else CASES
    print("| chip | published load | chip and memory, hottest case | board, coolest to hottest | "
          "published idle | board idle | source |")
    print("|---|---|---|---|---|---|---|")
    units = []
    for name, table, settings, load, idle, source in chips:
        found = []
        with tempfile.TemporaryDirectory() as folder:
            for case in cases:
                out = os.path.join(folder, case)
                found.append(run(o.sim, settings, table, o.set, case, out) + (out,))
            chip, memory, still, out = max(found, key=lambda f: f[0] + f[1])
            least = min(f[0] + f[1] for f in found)
            units.append((name, call(o.sim, "power", out) if o.units else ""))
        print("| %s | %s | %.0f + %.0f W | %.0f to %.0f W | %s | %.0f W | %s |" % (
            name, load, chip, memory, least / REGULATORS, (chip + memory) / REGULATORS,
            f"{idle:.1f} W" if idle else "", still / REGULATORS, source), flush=True)
    for name, text in units if o.units else ():
        print(f"\n{name}:\n\n{text}")
