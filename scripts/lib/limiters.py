#!/usr/bin/python3
"""Limiters beside what-if runs: writes docs/limiter.md, or checks the cases whose limiter is known.

For each capture the longest frame's limiters (docs/record.md) and, for each ideal unit
(attila-sim run --ideal), how much of all cycles it saves. scripts/limiters runs it."""
import argparse
import configparser
import os
import sqlite3
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
UNITS = ("memory", "bus", "geometry", "raster", "shader", "texture", "rop", "command", "dac",
         "caches")
# The ideal unit that a limiter is part of: SIM_LIMITERS in src/sim/report/sim_limiter.h.
PARTS = {}


def read_parts():
    with open(os.path.join(TOP, "src/sim/report/sim_limiter.h"), encoding="utf-8") as f:
        for line in f:
            if line.strip().startswith("L(") and '"' in line:
                fields = line.strip().rstrip("\\").strip()[2:-1].split(",")
                PARTS[fields[1].strip().strip('"')] = fields[2].strip()


class Run:
    """A replay of a capture: .cycles, and .limits of its longest frame: [(unit, share)]."""

    def __init__(self, sim, capture, config, ideal):
        with tempfile.TemporaryDirectory() as out:
            command = [sim, "run", capture, "--config", config, "--out", out, "--record", "sqlite"]
            if ideal:
                command += ["--ideal", ideal]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                sys.exit("%s: %s" % (capture, done.stderr.strip().split("\n")[-1]))
            db = sqlite3.connect(os.path.join(out, "run.sqlite"))
            self.cycles = db.execute("SELECT sum(cycles) FROM frames").fetchone()[0]
            row = db.execute("SELECT limiter, limiter_share, limiter2, limiter2_share, limiter3, "
                             "limiter3_share FROM frames ORDER BY cycles DESC LIMIT 1").fetchone()
            db.close()
        self.limits = [(row[i], row[i + 1]) for i in (0, 2, 4) if row[i]]


def known():
    """Cases of tests/timing/cases.txt whose limiter is known: {name: ideal unit}."""
    cases = configparser.ConfigParser()
    cases.read(os.path.join(TOP, "tests/timing/cases.txt"))
    return {name: cases[name]["limiter"] for name in cases.sections() if "limiter" in cases[name]}


def check(sim, names):
    wanted = known()
    bad = 0
    for name in names or wanted:
        run = Run(sim, os.path.join(TOP, "tests/timing", name + ".attila"),
                  os.path.join(TOP, "tests/timing/reference.ini"), None)
        first = run.limits[0][0] if run.limits else "none"
        right = PARTS.get(first) == wanted[name]
        bad += not right
        print("%-18s %-20s %s" % (name, first, "" if right else "is not part of " + wanted[name]))
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
        base = Run(sim, capture, config, None)
        gains = {unit: 100.0 * (base.cycles - Run(sim, capture, config, unit).cycles) / base.cycles
                 for unit in UNITS}
        said = verdict(base.limits, gains)
        verdicts.append(said)
        lines.append("| %s | %s | %s | %s |" % (
            name, ", ".join("%s %.2f" % limit for limit in base.limits),
            " | ".join("%.0f" % gains[unit] if abs(gains[unit]) >= 0.5 else "" for unit in UNITS),
            said))
        print(lines[-1], flush=True)
    return verdicts


HEAD = """# Limiters, and what would help

Written by `scripts/limiters --update`. For each capture: what the record says limited its longest
frame, with shares of the time ([record.md](record.md), `src/sim/report/sim_limiter.c`), and by how
many percent the run gets shorter when a unit is ideal (`attila-sim run --ideal UNIT`,
`src/sim/config/sim_ideal.h`): faster by far than it need be, all else as it is. An ideal unit has
other queues, too, so it may cost a little. `caches` is no unit: large ones take work from memory.

The last column: `yes`, the first limiter is part of the unit that helps most; `yes, with others`,
it helps nearly as much, or another limiter with nearly the same share does; `balanced`, no single
unit helps by 5 %, since several are used up at once; `second`, one of the next two limiters helps
most; `no`, none of them does.
"""


def update(sim, names):
    wanted = known()
    cases = [(n, os.path.join(TOP, "tests/timing", n + ".attila")) for n in names or wanted]
    lines = HEAD.split("\n")
    lines += ["## Microbenchmarks with a known limiter", "",
              "The machine is `tests/timing/reference.ini`; what is drawn, and why the limiter is",
              "known, is in `tests/timing/cases.txt`.", ""]
    verdicts = table(sim, cases, os.path.join(TOP, "tests/timing/reference.ini"), lines)
    lines += ["", "## Scenes", "", "First frames of glmark2 (`tests/golden`) on "
              "`configs/attila-bgpu.ini`.", ""]
    golden = [(n, os.path.join(TOP, "tests/golden", n + ".attila"))
              for n in ("build", "desktop", "shading", "texture")]
    verdicts += table(sim, golden, os.path.join(TOP, "configs/attila-bgpu.ini"), lines)
    lines += ["", "%d of %d agree." % (len(verdicts) - verdicts.count("no") -
                                       verdicts.count("second"), len(verdicts)), ""]
    with open(os.path.join(TOP, "docs/limiter.md"), "w", encoding="utf-8") as f:
        f.write("\n".join(lines))
    return 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--update", action="store_true")
    parser.add_argument("sim")
    parser.add_argument("cases", nargs="*")
    args = parser.parse_args()
    read_parts()
    unknown = [name for name in args.cases if name not in known()]
    if unknown:
        sys.exit("no known limiter: %s (tests/timing/cases.txt)" % " ".join(unknown))
    return (update if args.update else check)(args.sim, args.cases)


if __name__ == "__main__":
    sys.exit(main())
