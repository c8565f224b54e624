"""attila compare: the options. Not here: comparing (run.py), which needs numpy, scipy, scikit-image
and Pillow."""

from __future__ import annotations

import argparse
import os
from typing import Any

from attila import cli
from attila.live import apps as live_apps
from attila.paths import TOP, system_path

DEFAULT_OUT = os.path.join(TOP, "out", "compare")
HELP = """The same OpenGL calls on the simulated GPU and on another driver, frame by frame: a trace
of the program (apitrace) is replayed on both. Leaves in the output folder: compare.html (slider,
blinking), frames.csv, compare.json, and of each program's worst frame NAME-attila.png,
NAME-REFERENCE.png and NAME-diff.png (signed difference: grey where equal).

WHAT is a program with its arguments, or any of
  SCENE      a scene of glmark2: "shading:shading=phong" for instance
  scenes     %d scenes of glmark2 (the default)
  games      %s
  standard   what hardware.md has: all of them, 60 and 280 frames of 320x240, functional mode,
             without the first ones (see --skip)
"""
EPILOG = """A reference is
  softpipe   Mesa's software driver from the same build (default)
  system     this machine's own OpenGL, a real GPU where there is one
  llvmpipe   this machine's Mesa without its GPU
  DIR        frames recorded on another machine by scripts/record-frames

--bisect looks for the first draw of a frame (--frame) after which what it draws into is below the
bound, and shows it with its state, the pictures before and after, and the history of the pixel that
differs most, in bisect.html.

--time compares the time of each draw: glretrace --pgpu on both sides, simulated time in cycle mode;
the first frame counts for nothing. Leaves a table (times.csv) and a scatter plot.

Exit: 0 alike (or no such draw), 1 not, 2 wrong use.
"""


def arguments(args: list[str]) -> Any:
    p = cli.Parser("compare", "[options] [WHAT ...]",
                   HELP % (len(live_apps.SCENES), ", ".join(live_apps.GAMES)), EPILOG)
    p.add_argument("what", nargs=argparse.REMAINDER, metavar="WHAT")
    p.add_argument("--reference", default="softpipe", metavar="WHO")
    p.add_argument("--trace", action="append", default=[], metavar="FILE",
                   help="compare this trace of apitrace; may be repeated")
    p.add_argument("--frames", type=cli.number(1), metavar="N",
                   help="record and compare so many frames (default 1; of games 280)")
    p.add_argument("--frame", type=cli.number(0), metavar="N", help="compare only this frame")
    p.add_argument("--skip", type=cli.number(0), default=0, metavar="N",
                   help="leave out the first N frames; a trace that draws at once needs 1, since "
                   "glretrace's window gets its size at the first swap")
    p.add_argument("--size", type=cli.size, metavar="WxH", help="size of windows (default 800x600)")
    p.add_argument("--mode", choices=("cycle", "half", "functional"),
                   help="mode of the simulator (default cycle)")
    p.add_argument("--config", metavar="FILE", help="machine to simulate")
    p.add_argument("--program", choices=("glmark2", "glmark2-es2"), default="glmark2",
                   help="whose scenes")
    p.add_argument("--fixed-clock", type=cli.number(1), default=60, metavar="FPS",
                   help="clock of a program while it is traced (default 60)")
    p.add_argument("--min-psnr", "--bound", dest="bound", type=float, default=40.0, metavar="DB",
                   help="fail below (default 40); a bisect's bound")
    p.add_argument("--max-blocks", type=cli.number(0), default=0, metavar="N",
                   help="fail with more 8x8 blocks of other geometry (default 0)")
    p.add_argument("--no-explain", action="store_true",
                   help="do not look for the draws that frames below the bound differ by")
    p.add_argument("--resume", action="store_true",
                   help="go on with an interrupted comparison: what compare.json has of the same "
                   "drivers is not done again")
    p.add_argument("--bisect", action="store_true", help="find the draw that goes wrong")
    p.add_argument("--time", action="store_true", help="compare times of draws")
    p.add_argument("--repeat", type=cli.number(1), default=3, metavar="N",
                   help="measure the reference so often, the shortest time counts (default 3)")
    p.add_argument("--update", action="store_true", help="write the tables of hardware.md")
    p.add_argument("--out", default=DEFAULT_OUT, metavar="DIR", type=cli.folder,
                   help="default: out/compare; traces are kept in its folder traces")
    a = p.parse_args(args)
    if a.bisect and a.frame is None:
        p.error("--bisect needs --frame")
    if a.bisect and a.time:
        p.error("--bisect and --time exclude each other")
    if a.trace and a.what:
        p.error("--trace FILE and a program exclude each other")
    for path in a.trace + ([a.config] if a.config else []):
        if not os.access(path, os.R_OK):
            p.error(f"cannot read {path}")
    try:
        a.chosen = live_apps.chosen(["scenes", "games"] if a.what == ["standard"]
                                    else a.what or ["scenes"])
    except cli.UsageError as e:
        p.error(str(e))
    return a


def main(args: list[str]) -> int:
    options = arguments(args)
    cli.need("compare", "numpy", "scipy", "PIL", "skimage", "matplotlib")
    system_path()
    from attila.compare import run
    return int(run.run(options))
