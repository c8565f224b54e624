"""Frames in parallel (attila-run --jobs) of live programs: one worker beside several.

Usage: bench_jobs.py [--times N] [--size WxH] --jobs N --frames N --folder DIR --config FILE
                     ATTILA-RUN ATTILA-SIM SCENE...

For each scene of glmark2 prints the time of the whole command with one worker and with N, taken in
turns, the best of each; what the first is divided by the second; CPU time of the command's
processes by frame, with N workers, and how much of it simulates; beside it the CPU time of a replay
in one process in cycle mode, of the same frames; and whether one worker and N reported the same.
The X server's time is in none of them. Times of a machine that has other work to do say little:
the last column has the load, which is N or less when nothing else runs; CPU times say more then.

Not here: functional mode (bench_live.py), the display (scripts/lib/gl.sh).
"""

import argparse
import os
import shutil
import sqlite3
import subprocess
import sys
import time

HOST = {"host_seconds", "cpu_seconds", "wall_seconds", "kcycles_per_s", "started"}


def timed(command, what):
    """(seconds, CPU seconds of it and of processes it waited for)"""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               env=dict(os.environ, vblank_mode="0"), text=True)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit("%s failed:\n%s" % (what, output[-500:]))
    return seconds, usage.ru_utime + usage.ru_stime


def rows(folder):
    """{table: rows} of a record, without times of the host."""
    db = sqlite3.connect(os.path.join(folder, "run.sqlite"))
    tables = [r[0] for r in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    found = {}
    for table in tables:
        names = [r[1] for r in db.execute("PRAGMA table_info(%s)" % table)]
        kept = ", ".join('"%s"' % n for n in names if n not in HOST)
        found[table] = db.execute("SELECT %s FROM %s" % (kept, table)).fetchall()
    db.close()
    return found


def simulating(folder):
    """CPU seconds of the workers' machines"""
    db = sqlite3.connect(os.path.join(folder, "run.sqlite"))
    seconds = db.execute("SELECT cpu_seconds FROM run").fetchone()[0]
    db.close()
    return seconds


def lines(folder, name):
    """A table of text, without times of the host."""
    with open(os.path.join(folder, name), encoding="utf-8") as f:
        table = [line.rstrip("\n").split(",") for line in f]
    if name != "frames.csv":
        return table
    kept = [i for i, column in enumerate(table[0]) if column not in HOST]
    return [[row[i] for i in kept] for row in table]


def same(a, b):
    files = sorted(n for n in os.listdir(a) if n.endswith(".csv"))
    return (files == sorted(n for n in os.listdir(b) if n.endswith(".csv")) and
            all(lines(a, n) == lines(b, n) for n in files) and rows(a) == rows(b))


def live(args, scene, options, what):
    return timed([args.run, "--no-check", "--display", "--fixed-clock", "60", "--config",
                  args.config] + options +
                 ["glmark2", "-s", args.size, "-b",
                  "%s:nframes=%d:duration=1000000" % (scene, args.frames)], what)


def measure(args, scene):
    """{number of workers: (seconds, CPU seconds, of it simulating)}, a replay's CPU seconds,
    whether all are the same"""
    name = "".join(c if c.isalnum() else "_" for c in scene)
    folder = os.path.join(args.folder, "jobs-" + name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    capture = os.path.join(folder, "program.attila")
    live(args, scene, ["--mode", "functional", "--capture", capture], "capturing " + scene)
    best, replay, all_same = {}, None, True
    for _ in range(args.times):
        for jobs in (1, args.jobs):
            out = os.path.join(folder, "workers-%d" % jobs)
            shutil.rmtree(out, ignore_errors=True)
            found = live(args, scene, ["--jobs", str(jobs), "--out", out], scene)
            found += (simulating(out),)
            old = best.get(jobs, found)
            best[jobs] = tuple(min(pair) for pair in zip(old, found))
        all_same &= same(os.path.join(folder, "workers-1"), out)
        out = os.path.join(folder, "replay")
        shutil.rmtree(out, ignore_errors=True)
        _, cpu = timed([args.sim, "run", capture, "--config", args.config, "--out", out], capture)
        replay = min(cpu, replay or cpu)
    shutil.rmtree(folder)
    return best, replay, all_same


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jobs", type=int, required=True)
    parser.add_argument("--frames", type=int, required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--config", required=True)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--size", default="800x600")
    parser.add_argument("run")
    parser.add_argument("sim")
    parser.add_argument("scenes", nargs="+")
    args = parser.parse_args()
    if args.jobs < 2:
        parser.error("one worker is not several: --jobs takes a number from 2")
    cells = ["scene", "frames", "1 worker s", "%d workers s" % args.jobs, "ratio", "CPU ms a frame",
             "simulating", "replay CPU ms", "results", "load"]
    print("| " + " | ".join(cells) + " |")
    print("|---|" + "--:|" * (len(cells) - 1))
    different = False
    for scene in args.scenes:
        best, replay, all_same = measure(args, scene)
        one, (many, cpu, machines) = best[1][0], best[args.jobs]
        different |= not all_same
        cells = [scene, str(args.frames), "%.1f" % one, "%.1f" % many, "%.2f" % (one / many),
                 "%.0f" % (1000 * cpu / args.frames), "%.0f" % (1000 * machines / args.frames),
                 "%.0f" % (1000 * replay / args.frames),
                 "same" if all_same else "DIFFERENT", "%.1f" % os.getloadavg()[0]]
        print("| " + " | ".join(cells) + " |", flush=True)
    if different:
        sys.exit("the number of workers changed what was reported")


if __name__ == "__main__":
    main()
