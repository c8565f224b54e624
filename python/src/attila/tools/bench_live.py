"""Compares live functional mode with Mesa's software drivers: CPU time and wall time of a frame.

Each scene runs with the same clock on every driver, so all draw the same frames, once with few
frames and once with more; the difference is the cost of frames, without start, shaders and
textures. Drivers take turns, and the median of the turns counts, since the speed of a shared host
varies. CPU time is user and system time of all threads of the process; that of the X server is not
in it, and is the same for all.

Not here: cycle mode (attila-sim bench), the display (attila-run).
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Any

from attila.live import apps

FIRST = 3  # frames of the short run


class Way:
    """A driver with a number of threads."""

    def __init__(self, name: str, options: list[str], environment: dict[str, str]) -> None:
        self.name, self.options, self.environment = name, options, environment

    def run(self, args: argparse.Namespace, scene: str, frames: int) -> tuple[Any, ...]:
        """(CPU seconds, seconds) of a run"""
        command = [args.run, "--no-check", "--display", "--fixed-clock", "60"] + self.options + [
            *apps.scene_command(scene, args.size, frames)]
        environment = dict(os.environ, vblank_mode="0", **self.environment)
        start = time.monotonic()
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   env=environment, text=True)
        output = process.stdout.read() if process.stdout else ""
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode or not re.search("FPS|frames of", output):
            sys.exit(f"{scene} on {self.name} failed:\n{output[-500:]}")
        return usage.ru_utime + usage.ru_stime, seconds


def ways(args: argparse.Namespace) -> Any:
    """The ways to draw. row() decides which times are divided by which."""
    count = str(args.threads)
    found = [Way("functional", ["--mode", "functional", "--threads", "1"], {}),
             Way("threads", ["--mode", "functional", "--threads", count], {}),
             Way("softpipe", ["--driver", "softpipe"], {})]
    if args.llvmpipe:
        # 0: the program's own thread draws.
        found += [Way("llvmpipe", ["--driver", "llvmpipe"], {"LP_NUM_THREADS": "0"}),
                  Way("llvmpipe threads", ["--driver", "llvmpipe"], {"LP_NUM_THREADS": count})]
    return found


def frames_for(args: argparse.Namespace, scene: str, slowest: Way) -> Any:
    """How many frames the slowest way draws in the time of --seconds."""
    few, more = slowest.run(args, scene, FIRST), slowest.run(args, scene, 2 * FIRST)
    each = max(more[0] - few[0], 1e-3) / FIRST
    return max(5, min(1000, round(args.seconds / each)))


def measure(args: argparse.Namespace, scene: str, drawn: Sequence[Way]) -> dict[Any, Any]:
    """{name: (CPU ms, ms) of a frame}"""
    frames = frames_for(args, scene, drawn[2])
    samples: dict[Any, Any] = {way.name: [] for way in drawn}
    for _ in range(args.times):
        for way in drawn:
            few, more = way.run(args, scene, FIRST), way.run(args, scene, FIRST + frames)
            samples[way.name].append([1000 * max(b - a, 1e-6) / frames
                                      for a, b in zip(few, more)])
    return {name: tuple(statistics.median(s[i] for s in list_) for i in range(2))
            for name, list_ in samples.items()}


def row(args: argparse.Namespace, scene: str, found: dict[str, tuple[float, ...]]) -> Any:
    one, many, soft = found["functional"], found["threads"], found["softpipe"]
    cells = [scene, f"{soft[0]:.2f}", f"{one[0]:.2f}", f"{soft[0] / one[0]:.1f}",
             f"{1000 / soft[1]:.0f}", f"{1000 / one[1]:.0f}", f"{1000 / many[1]:.0f}",
             f"{soft[1] / many[1]:.1f}"]
    if args.llvmpipe:
        theirs, shared = found["llvmpipe"], found["llvmpipe threads"]
        cells += [f"{theirs[0]:.2f}", f"{theirs[0] / one[0]:.2f}", f"{1000 / shared[1]:.0f}",
                  f"{shared[1] / many[1]:.2f}"]
    return cells


def head(args: argparse.Namespace) -> Any:
    cells = ["scene", "softpipe ms", "functional ms", "ratio", "softpipe fps", "fps, 1 thread",
             f"{args.threads} threads", "ratio"]
    if args.llvmpipe:
        cells += ["llvmpipe ms", "ratio", f"llvmpipe fps, {args.threads} threads", "ratio"]
    return cells


def main(args: argparse.Namespace, scenes: Sequence[str]) -> None:
    drawn = ways(args)
    print("| " + " | ".join(head(args)) + " |")
    print("|" + "---|" + "--:|" * (len(head(args)) - 1))
    for scene in scenes:
        print("| " + " | ".join(row(args, scene, measure(args, scene, drawn))) + " |", flush=True)
