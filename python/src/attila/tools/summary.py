"""Prints the short table of scripts/demo from the records of runs, and merges the CSV files of
several runs into one pair of files.

Not here: the statistics themselves; src/sim/results writes them.
"""

from __future__ import annotations

import argparse
import csv
import os
from collections.abc import Sequence

from attila import cli
from attila.cli import Error
from attila.records import reader


def merge(out: str, runs: Sequence[str], name: str) -> None:
    """Writes OUT/name: the rows of every run with a leading column that names the run."""
    with open(os.path.join(out, name), "w", newline="") as f:
        header = None
        for run in runs:
            with open(os.path.join(run, name), newline="") as g:
                rows = csv.reader(g)
                first = next(rows)
                writer = csv.writer(f, lineterminator="\n")
                if header is None:
                    header = first
                    writer.writerow(["run"] + header)
                elif first != header:
                    raise Error(f"{run}/{name} has other columns than the runs before it")
                for row in rows:
                    writer.writerow([os.path.basename(run)] + row)


FRAMES = """SELECT frame, cycles, simulated_ms, cycles / 1000.0 / max(cpu_seconds, 1e-9), draws,
   limiter, limiter_share,
   (SELECT draw || ' (' || exclusive_cycles || ')' FROM work
    WHERE work.frame = frames.frame AND kind = 'draw' ORDER BY exclusive_cycles DESC, work LIMIT 1)
   FROM frames ORDER BY frame"""


def table(run: str) -> None:
    db = reader.open_record(run)
    if db.execute("SELECT mode FROM run").fetchone() == ("functional",):
        frames, draws = db.execute("SELECT count(*), sum(draws) FROM frames").fetchone()
        print(f"{os.path.basename(run)[:14]:<14} {frames} frames, {draws} draws in functional "
              "mode, which has no cycles")
        return
    for frame, cycles, ms, speed, draws, limiter, share, costliest in db.execute(FRAMES):
        limit = f"{limiter} {100 * share:.0f} %" if limiter else "nothing for long"
        print(f"{os.path.basename(run)[:14]:<14} {frame:5d} {cycles:10d} {ms:9.3f} {speed:10.0f} "
              f"{draws:6d}  {limit:<22} {costliest or '-'}")
    db.close()


def main(args: list[str]) -> None:
    p = cli.Parser("summary", "[--merge OUT] RUN...", "Prints a short table of runs: folders that "
                   "attila-run --out wrote.")
    p.add_argument("runs", nargs="+", metavar="RUN", help=argparse.SUPPRESS)
    p.add_argument("--merge", metavar="OUT",
                   help="write frames.csv and draws.csv of all runs into this folder")
    o = p.parse_args(args)
    for name in ("frames.csv", "draws.csv") if o.merge else ():
        merge(o.merge, o.runs, name)
    for run in o.runs:
        reader.open_record(run).close()
    print("%-14s %5s %10s %9s %10s %6s  %-22s %s" % (
        "scene", "frame", "cycles", "sim. ms", "kcycles/s", "draws", "held up by",
        "costliest draw"))
    for run in o.runs:
        table(run)
