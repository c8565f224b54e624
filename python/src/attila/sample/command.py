"""attila sample: the options. Not here: the estimate (run.py, design.py), which needs numpy."""

from __future__ import annotations

import argparse
import os
import re

from attila import cli
from attila.paths import simulator

DESCRIPTION = """\
Estimates cycles and every other statistic of a whole capture from some of its frames, and says how
sure that is. A program is recorded first (DIR/program.attila), in functional mode with a clock that
advances by 1/60 s with each frame. Functional mode counts what each frame asks of the GPU; that
tells which frames are alike; some of each kind, spread evenly over the run, are simulated from
warm starts; their cost, with what they ask, predicts the others, and tells how many more are needed
for the error. long-runs.md explains the estimate."""
EPILOG = """\
DIR gets features.csv (of every frame), sampled.csv (frames.csv of those simulated), estimate.csv
(every statistic: total, half the interval, and that in percent), sample.json (what it is of),
design.json (the frames drawn, for attila sweep: "sample" in sweep.md).
Exit: 0 the error holds, 1 it does not (--most) or something failed, 2 wrong usage."""


def seed_range(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d+)-(\d+)", text)
    if not found or int(found[1]) > int(found[2]):
        raise argparse.ArgumentTypeError(f"{text} is no range of seeds, as 1-60")
    return int(found[1]), int(found[2])


def options(args: list[str]) -> argparse.Namespace:
    p = cli.Parser("sample", "[options] --out DIR CAPTURE\n"
                   "[options] --out DIR -- PROGRAM [arguments]", DESCRIPTION, EPILOG)
    p.add_argument("capture", nargs="?", help=argparse.SUPPRESS)
    p.add_argument("--out", required=True, metavar="DIR", type=cli.folder,
                   help="results. The same command goes on where a killed one stopped; with "
                   "another --error, --confidence or --most it takes what has been simulated")
    p.add_argument("--error", type=cli.number(0.001, kind=float), default=1.0, metavar="PERCENT",
                   help="half the width of the confidence interval of the cycles (default 1)")
    p.add_argument("--confidence", type=cli.number(1, 99.999, float), default=95.0,
                   metavar="PERCENT", help="confidence of the interval (default 95)")
    p.add_argument("--warm-start-error", type=cli.number(0, kind=float), default=0.2,
                   metavar="PERCENT", help="part of that for the error of warm starts "
                   "(default 0.2: long-runs.md)")
    p.add_argument("--frames", metavar="A-B", help="estimate these frames, not the whole capture")
    p.add_argument("--most", type=cli.number(1), metavar="N",
                   help="simulate N frames at most (default: all); a sample begins with 30, or "
                   "with 3 of each stratum, and those that are like no others")
    p.jobs("processes")
    p.add_argument("--warm-up", type=cli.number(0), default=0, metavar="K",
                   help="frames simulated before each one without counting (default 0)")
    p.add_argument("--seed", type=cli.number(0), default=1, metavar="N",
                   help="where the spread begins (default 1): the same seed draws the same frames")
    p.add_argument("--truth", metavar="FRAMES.CSV",
                   help="table of a run of all frames, with which estimates are compared")
    p.add_argument("--rehearse", action="store_true",
                   help="nothing is simulated, the frames drawn are taken from --truth: shows in "
                   "seconds what other seeds and options would have said")
    p.add_argument("--seeds", type=seed_range, metavar="A-B",
                   help="rehearse with all these seeds and print a row of a table: frames "
                   "simulated, part of the work, error of the estimates, half the interval, "
                   "how many intervals have the truth. DIR/seeds.csv has each seed")
    p.add_argument("--run-options", default="", metavar="TEXT",
                   help="options of attila-run for a program, for example "
                   "'--fixed-clock 30 --frames 900'")
    p.add_argument("--mode", choices=["cycle", "half"], default="cycle",
                   help="mode of the simulator")
    p.machine()
    words, program = cli.program_after(p, args, ("--run-options",))
    o = p.parse_intermixed_args(words)
    o.program = program
    if bool(program) == bool(o.capture):
        p.error("a capture or a program after --, one of them")
    if o.run_options and not program:
        p.error("--run-options are of a program")
    if o.rehearse and not o.truth:
        p.error("--rehearse takes frames from --truth, which is missing")
    if o.seeds and not o.rehearse:
        p.error("--seeds are of a rehearsal (--rehearse)")
    if o.truth and not os.path.isfile(o.truth):
        p.error(f"--truth {o.truth}: there is no such file")
    if o.error <= o.warm_start_error:
        p.error(f"--error {o.error:g} cannot hold: warm starts alone have {o.warm_start_error:g} "
                "(--warm-start-error)")
    o.part = ["--frames", o.frames] if o.frames else []
    o.machine = cli.machine_of(o)
    o.sim = simulator()
    return o


def main(args: list[str]) -> int:
    o = options(args)
    from attila.sample import run
    return run.estimate(o)
