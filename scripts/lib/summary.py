"""Prints the short table of scripts/demo from frames.csv and draws.csv, and merges several runs
into one pair of files.

Usage: summary.py [--merge OUT] RUN...     RUN: a folder that attila-run --out wrote
Not here: the statistics themselves; src/sim/report writes them.
"""

import csv
import os
import sys


def read(path):
    with open(path, newline="") as f:
        return list(csv.DictReader(f))


def merge(out, runs, name):
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
                    sys.exit("summary: %s/%s has other columns than the runs before it" %
                             (run, name))
                for row in rows:
                    writer.writerow([os.path.basename(run)] + row)


def table(run):
    name = os.path.basename(run)
    draws = read(os.path.join(run, "draws.csv"))
    for frame in read(os.path.join(run, "frames.csv")):
        number = frame["frame"]
        mine = [d for d in draws if d["frame"] == number and d["kind"] == "draw"]
        mine.sort(key=lambda d: (-int(d["cycles"]), int(d["draw"])))
        costly = ", ".join("%s (%s)" % (d["draw"], d["cycles"]) for d in mine[:3])
        print("%-14s %5s %10s %9.3f %8.2f %10.0f %6d  %s" % (
            name[:14], number, frame["cycles"], float(frame["simulated_ms"]),
            float(frame["cpu_seconds"]), float(frame["kcycles_per_s"]), len(mine), costly))


def main(args):
    out = None
    if args[:1] == ["--merge"]:
        out, args = args[1], args[2:]
    if not args:
        sys.exit(__doc__)
    if out:
        for name in ("frames.csv", "draws.csv"):
            merge(out, args, name)
    print("%-14s %5s %10s %9s %8s %10s %6s  %s" % (
        "scene", "frame", "cycles", "sim. ms", "CPU s", "kcycles/s", "draws",
        "costliest draws (cycles)"))
    for run in args:
        table(run)


main(sys.argv[1:])
