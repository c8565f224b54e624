"""What the record of a run costs: user CPU time of replays without files, with the default record
and with options, and bytes per row of work.

Usage: record_cost.py SIM CONFIG TIMES CAPTURE...

Each figure is the least of TIMES replays, taken in turns, so that a host that gets slower makes
all of them slower. The file itself (tables, views, names) costs the same for any run: it is
measured on a record without rows, too, since short captures show little else.
Not here: how fast the simulator is (scripts/bench without --record).
"""

import os
import resource
import sqlite3
import subprocess
import sys
import tempfile

CASES = (("default", ()), ("sqlite", ("--record", "sqlite")), ("csv", ("--record", "csv")),
         ("interval 1000", ("--record", "sqlite", "--interval", "1000")),
         ("interval 10000", ("--record", "sqlite", "--interval", "10000")),
         ("trace", ("--record", "csv", "--trace", "/dev/null")),
         ("file alone", ("--record", "sqlite", "--draws-frames", "4000000000")))


def user_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit("%s: %s" % (" ".join(command), done.stderr.strip()))
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def bytes_per_row(folder):
    path = os.path.join(folder, "run.sqlite")
    db = sqlite3.connect(path)
    rows, counts, draws = db.execute(
        "SELECT count(*), sum(length(counts)), coalesce(avg(CASE kind WHEN 'draw' THEN "
        "length(counts) END), 0) FROM work JOIN work_counts USING (work)").fetchone()
    db.close()
    return rows, os.path.getsize(path), (counts or 0) / max(rows, 1), draws


def measure(sim, config, times, capture):
    base = [sim, "run", capture, "--config", config]
    with tempfile.TemporaryDirectory() as folder:
        commands = [base] + [base + ["--out", os.path.join(folder, str(i))] + list(options)
                             for i, (_, options) in enumerate(CASES)]
        least = [min(t) for t in zip(*([user_seconds(c) for c in commands]
                                       for _ in range(times)))]
        rows, size, mean, draw = bytes_per_row(os.path.join(folder, "1"))
    none = max(least[0], 1e-6)
    name = os.path.splitext(os.path.basename(capture))[0]
    print("%-14s %7.3f %s %7d %8.0f %8.0f %8.0f" % (
        name, none, " ".join("%+13.1f" % (100 * (t / none - 1)) for t in least[1:]),
        rows, size / 1e3, mean, draw), flush=True)


def main(sim, config, times, *captures):
    print("User CPU seconds without files, what writing adds in percent; rows, kB of the file, "
          "bytes of counters per row and per draw")
    print("%-14s %7s %s %7s %8s %8s %8s" % (
        "stream", "none", " ".join("%13s" % name for name, _ in CASES), "rows", "kB", "row",
        "draw"))
    for capture in captures:
        measure(sim, config, int(times), capture)


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
