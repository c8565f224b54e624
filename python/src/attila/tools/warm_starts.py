"""Measures the errors of frames that begin warm, and of draws that are simulated alone.

The true value is that of a run of the whole capture up to the last of these frames, in one piece;
for draws, that of the whole frame. The output is rows of Markdown, for docs/howto/long-runs.md.

Not here: whether these are small enough (tests/sim/scale.sh and tests/sim/parts.sh check golden
streams), their causes (docs/howto/long-runs.md).
"""

from __future__ import annotations

import argparse
import csv
import os
import re
import subprocess
import tempfile
from typing import Any, NoReturn

from attila import cli
from attila.cli import Error, UsageError
from attila.paths import simulator
from attila.records import reader

DESCRIPTION = """\
Simulates a capture from its first frame to the last one of LIST, and each frame of LIST from a
warm start, and prints how many cycles more or less the warm start gives, as rows of a table; then
the mean of the absolute values, and the largest. docs/notebook/ has such tables."""


def fail(text: str) -> NoReturn:
    raise UsageError(text)


def ranges_of(text: str, option: str, example: str) -> Any:
    """A list such as "20-39,250-" as [(first, last)]; the last frame of an open range is
    infinite"""
    ranges = []
    for part in text.split(","):
        numbers = re.fullmatch(r"(\d+)(-(\d*))?", part)
        if not numbers:
            fail(f"{option} {text} is not a list such as {example}")
        first = int(numbers[1])
        last = float("inf") if numbers[2] == "-" else int(numbers[3] or first)
        if last < first:
            fail(f"{option} {text} is not a list such as {example}")
        ranges.append((first, last))
    return ranges


def numbers_of(text: str) -> list[int]:
    """A list such as "8,14,20-22" as numbers of frames"""
    ranges = ranges_of(text, "--frames", "8,14,20-22")
    if any(last == float("inf") for _, last in ranges):
        fail(f"--frames {text} has no last frame")
    return sorted({f for first, last in ranges for f in range(first, last + 1)})


def simulate(o: argparse.Namespace, name: str, options: list[str]) -> str:
    """Runs a simulation; returns the folder of its reports"""
    out = os.path.join(o.folder, name)
    done = subprocess.run([o.sim, "run", o.capture, "--out", out, "--draws-columns", "none"] +
                          o.machine + options, stdout=subprocess.DEVNULL, check=False)
    if done.returncode:
        fail(f"{o.capture}: simulating failed (status {done.returncode})")
    return out


def cycles_of(path: str) -> dict[Any, Any]:
    """{frame: cycles} of frames.csv"""
    try:
        with open(path, newline="") as f:
            return {int(row["frame"]): int(row["cycles"]) for row in csv.DictReader(f)}
    except (OSError, KeyError, ValueError, TypeError) as error:
        fail(f"{path} is not the frames.csv of a run: {error}")


def full_run(o: argparse.Namespace, frames: list[int]) -> dict[int, int]:
    if o.full:
        return cycles_of(o.full)
    out = simulate(o, "full", ["--frames", f"0-{frames[-1]}", "--record", "csv"])
    return cycles_of(os.path.join(out, "frames.csv"))


def warm_run(o: argparse.Namespace, warm_up: int) -> Any:
    out = simulate(o, f"warm-{warm_up}", ["--frames", o.frames, "--jobs", str(o.jobs),
                                           "--warm-up", str(warm_up), "--record", "sqlite"])
    return cycles_of(os.path.join(out, "frames.csv"))


def compare_frames(o: argparse.Namespace, frames: list[int]) -> None:
    full = full_run(o, frames)
    warm = [warm_run(o, k) for k in [0] + [o.warm_up] * (o.warm_up > 0)]
    for rows, where in [(full, o.full or o.capture)] + [(rows, o.capture) for rows in warm]:
        missing = [f for f in frames if f not in rows]
        if missing:
            fail(f"{where} has no frame {missing[0]}")
    off = [[100 * (rows[f] / full[f] - 1) for f in frames] for rows in warm]
    print("| frame | cycles | warm start |" + f" with {o.warm_up} before |" * (len(warm) - 1))
    print("|---|--:|--:|" + "--:|" * (len(warm) - 1))
    for i, f in enumerate(frames):
        print("| %s, %d | %s | %s |" % (o.name, f, format(full[f], ","),
                                        " | ".join(f"{way[i]:+.2f} %" for way in off)))
    off = [[abs(x) for x in way] for way in off]
    print("| mean of the absolute values | | %s |" % " | ".join(
        f"{sum(way) / len(way):.2f} %" for way in off))
    print("| largest | | %s |" % " | ".join(f"{max(way):.2f} %" for way in off))


def draws_of(folder: str) -> dict[int, int]:
    """{draw: its exclusive cycles}"""
    db = reader.open_record(folder)
    rows = dict(db.execute("SELECT draw, exclusive_cycles FROM work WHERE kind = 'draw'"))
    db.close()
    return rows


def compare_parts(o: argparse.Namespace, frames: list[int]) -> None:
    parts = ranges_of(o.draws, "--draws", "20-39,250-")
    print("| frame | draws | cycles in the whole frame | in a part | its first draw | "
          "its last draw |")
    print("|---|---|--:|--:|--:|--:|")
    for f in frames:
        whole = draws_of(simulate(o, f"whole-{f}", ["--frames", str(f), "--warm-up",
                                                      str(min(o.warm_up, f))]))
        part = draws_of(simulate(o, f"part-{f}", ["--frames", str(f), "--cycle-draws", o.draws]))
        for first, last in parts:
            draws = [d for d in sorted(part) if first <= d <= last]
            if not draws:
                fail(f"frame {f} of {o.capture} has no draw {first}")
            cycles = sum(whole[d] for d in draws)
            print(f"| {o.name}, {f} | {draws[0]}-{draws[-1]} | {format(cycles, ',')} | "
                  f"{100 * (sum(part[d] for d in draws) / cycles - 1):+.2f} % | "
                  f"{part[draws[0]] - whole[draws[0]]:+d} | "
                  f"{part[draws[-1]] - whole[draws[-1]]:+d} |")


def main(args: list[str]) -> None:
    p = cli.Parser("warm-starts", "[options] --frames LIST CAPTURE", DESCRIPTION)
    p.add_argument("capture", metavar="CAPTURE", help=argparse.SUPPRESS)
    p.add_argument("--frames", required=True, metavar="LIST",
                   help="frames to start at, for example 8,14,20-22")
    p.add_argument("--warm-up", type=cli.number(0), default=1, metavar="K",
                   help="a second column: warm starts with K frames simulated before (default 1; "
                   "0: none)")
    p.add_argument("--draws", metavar="LIST",
                   help="instead: parts of each of these frames, for example 20-39,250-, against "
                   "the same draws of the frame simulated as a whole (with K frames simulated "
                   "before)")
    p.add_argument("--full", metavar="FRAMES.CSV",
                   help="table of a run that simulated all of them in one piece: spares that run")
    p.add_argument("--name", metavar="TEXT",
                   help="what rows call the program (default: the capture's name)")
    p.jobs("warm starts")
    p.machine()
    o = p.parse_args(args)
    o.sim, o.machine = simulator(), cli.machine_of(o)
    frames = numbers_of(o.frames)
    if not os.path.isfile(o.capture):
        raise Error(f"cannot read {o.capture}")
    o.name = o.name or os.path.splitext(os.path.basename(o.capture))[0]
    with tempfile.TemporaryDirectory(prefix="warm-starts-") as o.folder:
        (compare_parts if o.draws else compare_frames)(o, frames)
