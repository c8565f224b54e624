"""attila bench: the options, and the measurement of cycle mode. Not here: functional mode
(bench_live.py), the cost of a record (record_cost.py).
"""

from __future__ import annotations

import argparse
import glob
import os
import subprocess

from attila import captures, cli
from attila.live import apps
from attila.paths import TOP, places, simulator

SCENES = ["build", "texture", "shading"]
DESCRIPTION = """\
Captures the first frames of each scene at 800x600 (once; kept in out/bench/), replays them
in cycle mode and prints simulated kcycles/s and where the host time goes; then runs the scenes live
in functional mode and on softpipe from the same build and prints CPU time and frames per second
side by side. Scenes are glmark2's and modern:shadows, modern:particles and modern:fur (OpenGL 3.3);
default: build, texture, shading; "all" are all. A CAPTURE of another program, which attila-run
--capture wrote, is only replayed. Reports; never fails for being slow."""


def options(args: list[str]) -> argparse.Namespace:
    p = cli.Parser("bench", "[options] [SCENE | CAPTURE.attila ...]\n"
                   "--record [--config FILE] [--times N | --instructions] [CAPTURE[@A-B] ...]",
                   DESCRIPTION)
    p.add_argument("what", nargs="*", help=argparse.SUPPRESS)
    p.add_argument("--config", metavar="FILE",
                   help="machine (default configs/attila-bgpu.ini: 4 shaders, 4 ROPs, 8 channels)")
    p.add_argument("--frames", type=cli.number(1), metavar="N",
                   help="frames to capture (default 3)")
    p.add_argument("--cycle-only", action="store_true", help="measure cycle mode only")
    p.add_argument("--functional-only", action="store_true", help="measure functional mode only")
    p.add_argument("--llvmpipe", action="store_true",
                   help="functional mode beside the system's llvmpipe, too")
    p.add_argument("--threads", type=cli.number(1), metavar="N",
                   default=min(len(os.sched_getaffinity(0)), 8),
                   help="threads of functional mode and llvmpipe, which are also measured with one "
                   "(default: processors, at most 8)")
    p.add_argument("--record", action="store_true",
                   help="instead: what the record, intervals, energies and a trace of 100,000 "
                   "cycles cost in CPU time, on captures (default: the golden streams, and 400 "
                   "tiny draws), or on frames A to B of one (with attila-sim index: else what "
                   "leads up to them in functional mode counts, too)")
    p.add_argument("--times", type=cli.number(1), metavar="N",
                   help="runs, of which the fastest counts with --record (default 9), and the "
                   "median in functional mode (default 3)")
    p.add_argument("--instructions", action="store_true",
                   help="with --record: count instructions, with valgrind")
    return p.parse_args(args)


def main(args: list[str]) -> int:
    o = options(args)
    o.config = o.config or os.path.join(TOP, "configs", "attila-bgpu.ini")
    if o.record:
        from attila.tools import record_cost
        streams = o.what or [*sorted(glob.glob(os.path.join(TOP, "tests", "golden", "*.attila"))),
                             os.path.join(TOP, "tests", "timing", "many_draws.attila")]
        return record_cost.main(simulator(), o.config, o.times or 9, streams, o.instructions)
    what = [*apps.BENCH, *apps.MODERN] if o.what == ["all"] else o.what or SCENES
    scenes = [w for w in what if not w.endswith(".attila")]
    replayed = [w for w in what if w.endswith(".attila")]
    if replayed and o.functional_only:
        raise cli.Error("--functional-only runs scenes, not captures")
    folder, sim = os.path.join(TOP, "out", "bench"), os.path.join(places().build, "src", "sim",
                                                                  "attila-sim")
    os.makedirs(folder, exist_ok=True)
    if not o.functional_only:
        frames = o.frames or 3
        streams = captures.scenes(sim, folder, "800x600", frames, scenes, f"-{frames}")
        if subprocess.call([sim, "bench", "--config", o.config, *streams, *replayed]):
            return 1
    if scenes and not o.cycle_only:
        from attila.tools import bench_live
        o.times, o.run, o.size, o.seconds = o.times or 3, places().run, "800x600", 2.0
        print()
        with captures.display():
            bench_live.main(o, scenes)
    return 0
