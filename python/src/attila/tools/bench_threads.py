"""attila bench --box-threads: speed by number of threads that clock the boxes of one machine
(SIMULATOR.Threads, docs/explanation/threads.md), by machine and capture. Wall-clock time decides,
so figures of a host with other work to do say little: the load is printed. Not here: frames in
parallel (tools/bench_jobs.py), the bound by what boxes cost (attila-sim run --profile).
"""

from __future__ import annotations

import os
import re
import subprocess
import time

from attila.cli import Error
from attila.paths import TOP

MACHINES = ["attila-bgpu", "ispass2006", "large"]
CAPTURES = ["golden/desktop", "golden/texture", "timing/texture_trilinear", "timing/blend_plain"]


def run(sim: str, capture: str, config: str, threads: int) -> tuple[float, str]:
    """(seconds, percent of the cycles that all threads clocked) of a run in cycle mode that writes
    nothing"""
    start = time.monotonic()
    done = subprocess.run([sim, "run", capture, "--config", config, "--set",
                           f"SIMULATOR.Threads={threads}"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise Error(f"{capture}: {done.stderr[-500:]}")
    clocked = re.search(r"([0-9]+) % of cycles by", done.stdout)
    return time.monotonic() - start, clocked[1] if clocked else "0"


def main(sim: str, counts: list[int], configs: list[str], streams: list[str], times: int) -> int:
    configs = configs or [os.path.join(TOP, "configs", f"{name}.ini") for name in MACHINES]
    streams = streams or [os.path.join(TOP, "tests", f"{name}.attila") for name in CAPTURES]
    counts = sorted({1, *counts})
    print(f"Times the speed of one thread, the best of {times} runs in turns, and percent of the "
          f"cycles that all threads clocked; {len(os.sched_getaffinity(0))} processors, load "
          f"{os.getloadavg()[0]:.1f}")
    print(f"{'machine':16}{'capture':24}{'1 thread s':>12}"
          + "".join(f"{n:>7}{'%':>5}" for n in counts[1:]))
    for config in configs:
        for stream in streams:
            turns = [{n: run(sim, stream, config, n) for n in counts} for _ in range(times)]
            best = {n: min(turn[n] for turn in turns) for n in counts}
            name, machine = (os.path.splitext(os.path.basename(p))[0] for p in (stream, config))
            print(f"{machine:16}{name:24}{best[1][0]:>12.2f}"
                  + "".join(f"{best[1][0] / best[n][0]:>7.2f}{best[n][1]:>5}" for n in counts[1:]),
                  flush=True)
    return 0
