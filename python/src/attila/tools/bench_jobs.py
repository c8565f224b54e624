"""Frames in parallel (attila-run --jobs) of live programs: one worker beside several.

For each program (a scene of glmark2, or a game of live/apps.py) prints the time of the whole
command with one worker and with N, taken in turns, the best of each; what the first is divided by
the second; CPU time of the command's processes by frame, with N workers, and how much of it
simulates; beside it the CPU time of a replay in one process in cycle mode, of the same frames; and
whether one worker and N reported the same. The X server's time is in none of them. Times of a
machine that has other work to do say little: the last column has the load, which is N or less when
nothing else runs; CPU times say more then.

Not here: functional mode (tools/bench_live.py), the display (attila-run).
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import time

from attila.cli import Error
from attila.live import apps as live_apps
from attila.live import run as live_run
from attila.record import reader


def timed(call):
    """(seconds, CPU seconds of the processes that it starts and waits for)"""
    start, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    call()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (time.monotonic() - start,
            after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)


def simulating(folder):
    """CPU seconds of the workers' machines"""
    db = reader.open_record(folder)
    seconds = db.execute("SELECT cpu_seconds FROM run").fetchone()[0]
    db.close()
    return seconds


def live(args, program, options, folder):
    options = ["--display", "--fixed-clock", "60", "--config", args.config] + options
    if not program.ends_itself:
        options += ["--frames", str(program.frames)]
    log = os.path.join(folder, "log")
    return timed(lambda: program.call(options, program.command, log, {"vblank_mode": "0"}))


def replayed(args, capture, out):
    def call() -> None:
        done = subprocess.run([args.sim, "run", capture, "--config", args.config, "--out", out],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              check=False)
        if done.returncode:
            raise Error(f"{capture}: {done.stderr[-500:]}")
    return timed(call)


def measure(args, name):
    """{number of workers: (seconds, CPU seconds, of it simulating)}, a replay's CPU seconds,
    whether all are the same"""
    folder = os.path.join(args.folder, "jobs-" + live_apps.safe(name))
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    width, height = args.size.split("x")
    program = live_run.described(name, (int(width), int(height)), args.frames)
    capture = os.path.join(folder, "program.attila")
    live(args, program, ["--mode", "functional", "--capture", capture], folder)
    best, replay, different = {}, None, set()
    for _ in range(args.times):
        for jobs in (1, args.jobs):
            out = os.path.join(folder, f"workers-{jobs}")
            shutil.rmtree(out, ignore_errors=True)
            found = live(args, program, ["--jobs", str(jobs), "--out", out], folder)
            found += (simulating(out),)
            old = best.get(jobs, found)
            best[jobs] = tuple(min(pair) for pair in zip(old, found))
        different |= set(live_run.differences(os.path.join(folder, "workers-1"), out))
        out = os.path.join(folder, "replay")
        shutil.rmtree(out, ignore_errors=True)
        _, cpu = replayed(args, capture, out)
        replay = min(cpu, replay or cpu)
    if not different:
        shutil.rmtree(folder)
    return best, replay, different


def main(args, programs):
    cells = ["program", "frames", "1 worker s", f"{args.jobs} workers s", "ratio",
             "CPU ms a frame", "simulating", "replay CPU ms", "results", "load"]
    print("| " + " | ".join(cells) + " |")
    print("|---|" + "--:|" * (len(cells) - 1))
    different = []
    for name in programs:
        best, replay, found = measure(args, name)
        one, (many, cpu, machines) = best[1][0], best[args.jobs]
        different += [f"{name}: {what}" for what in sorted(found)]
        cells = [name, str(args.frames), f"{one:.1f}", f"{many:.1f}", f"{one / many:.2f}",
                 f"{1000 * cpu / args.frames:.0f}", f"{1000 * machines / args.frames:.0f}",
                 f"{1000 * replay / args.frames:.0f}",
                 "DIFFERENT" if found else "same", f"{os.getloadavg()[0]:.1f}"]
        print("| " + " | ".join(cells) + " |", flush=True)
    if different:
        raise Error("the number of workers changed what was reported: " + ", ".join(different))
    return 0
