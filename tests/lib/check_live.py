"""scripts/check-live: the options, which programs there are, the table. Not here: running a program
(live_run.py), what is checked (live_checks.py)."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time

from attila import cli
from attila.cli import Error
from attila.live import apps as live_apps
from attila.paths import TOP, places, system_path

LIBRARIES = ("numpy", "scipy", "PIL", "google.protobuf")
TOOLS = {"protoc": "protobuf-compiler", "glretrace": "apitrace", "chromium": "chromium",
         "npm": "npm", "glmark2": "glmark2-x11"}
SCENES = ["build", "texture", "shading", "bump", "effect2d", "desktop"]
# How many frames a game needs until it draws a level.
GAMES = {"neverball": 3, "openarena": 32, "chromium-bsu": 3}
STANDARD = SCENES + ["neverball", "openarena", "replay:shadow"]
CHECKS = ["sums", "intervals", "maps", "hud", "trace", "pictures", "replay", "report", "metrics",
          "twice"]
HELP = """Runs programs live on the simulated GPU with everything that explains their cycles, and
checks what comes out. PROGRAM is
  SCENE         a scene of glmark2, also with options: shading:shading=phong; or of OpenGL 3.3:
                modern:shadows, modern:particles, modern:fur
  GAME          %s
  replay:NAME   an apitrace of one of these, recorded first, replayed by glretrace
Default: %s.

Each program runs once with the record, intervals, maps, pictures of frames, a capture, a trace
between units and GALLIUM_HUD, all at a time, on the simulated GPU's clock. Checked are
  sums       rows = frame for each statistic; busy + blocked + starved + idle = cycles; exclusive
             cycles = frame; instructions = statistics; CSV files made of the record are the same
  intervals  intervals = frames for each statistic; each unit's cycles = the interval
  maps       fragments of maps = the record's; pictures hold what maps.csv says
  hud        values of GALLIUM_HUD = frames
  trace      decoded by protoc and python3-protobuf: slices nest, flows connect
  pictures   before and after every draw of the last frame, and what was shown
  replay     the capture, without the program: the same rows and pictures
  report     scripts/attila-report, opened in headless Chromium
  metrics    of replay:NAME, GL_AMD_performance_monitor by glretrace --pdrawcalls: each call = rows
  twice      a second run of the program: the same bytes, but for the host's times
"""
EPILOG = """The folder has for each program NAME/ (the run), NAME.html (its report), NAME-again/
(the second run; removed when nothing differs) and logs. Exit: 0 all is right, 1 something is not,
2 wrong use, 77 no program was there to run (--installed).
"""


def arguments(args):
    p = cli.Parser("check-live", "[options] [PROGRAM ...]",
                   HELP % (", ".join(GAMES), ", ".join(STANDARD)), EPILOG)
    p.add_argument("programs", nargs="*", metavar="PROGRAM")
    p.add_argument("--small", action="store_true",
                   help="one scene (desktop), 160x120")
    p.add_argument("--size", type=cli.size, metavar="WxH", help="of windows (default 320x240)")
    p.add_argument("--frames", type=cli.number(3, 100000), metavar="N",
                   help="of each program (default 3; of openarena 32: the level is loaded then)")
    p.add_argument("--only", type=cli.words(CHECKS), default=CHECKS, metavar="LIST",
                   help="only these checks, commas between")
    p.add_argument("--timeout", type=cli.number(1, 1000000), default=3600, metavar="S",
                   help="a run that takes longer than so many seconds has failed (default 3600)")
    p.add_argument("--packages", action="store_true",
                   help="print the Debian packages that all this needs, and stop")
    p.add_argument("--installed", action="store_true",
                   help="install nothing: leave out what is not there")
    p.add_argument("--out", default=None, metavar="DIR", help="default: out/check-live")
    p.prog, p.usage = "scripts/check-live", p.usage.replace("attila ", "scripts/")
    options = p.parse_args(args)
    if options.small and options.programs:
        p.error("--small and programs exclude each other")
    for name in options.programs:
        scene = name.removeprefix("replay:")
        if scene not in GAMES and not live_apps.is_scene(scene):
            p.error(f"'{name}' is no program: see --help")
    if options.small:
        options.programs = ["desktop:windows=2"]
    options.programs = options.programs or STANDARD
    options.size = options.size or ((160, 120) if options.small else (320, 240))
    return options


def packages(names):
    wanted = {cli.PACKAGES[name] for name in LIBRARIES} | set(TOOLS.values())
    return sorted(wanted | {n.removeprefix("replay:") for n in names
                            if n.removeprefix("replay:") in GAMES})


def lacking(names):
    """Packages without which something is not there: what has come another way (npm with Node.js of
    another source, which Debian's conflicts with) is not installed again."""
    path = os.environ.get("PATH", "") + ":/usr/games"
    found = {cli.PACKAGES[name] for name in LIBRARIES if not cli.lacking(name)}
    found |= {package for tool, package in TOOLS.items() if shutil.which(tool, path=path)}
    found |= {game for game in GAMES if shutil.which(game, path=path)}
    return [package for package in packages(names) if package not in found]


class Session:
    """The runs of all programs, one after the other."""

    def __init__(self, options):
        from attila.compare import replay as compare_replay
        import live_checks
        import live_run
        self.replay, self.checks, self.run = compare_replay, live_checks, live_run
        self.options = options
        self.out = options.out or os.path.join(TOP, "out", "check-live")
        self.sim = os.path.join(places().build, "src", "sim", "attila-sim")
        compare_replay.check_build()
        os.makedirs(self.out, exist_ok=True)
        self.notes, self.failures = [], []

    def say(self, text) -> None:
        print("check-live: " + text, file=sys.stderr, flush=True)

    def frames(self, name):
        return self.options.frames or GAMES.get(name, 3)

    def program(self, name):
        source = name.removeprefix("replay:")
        frames = self.frames(source)
        program = self.run.described(source, self.options.size, frames)
        if source == name:
            return program
        what = (source, program.command, *(program.home or (None, "")))
        trace = self.replay.record(what, frames, os.path.join(self.out, "traces"), 60,
                                   os.path.join(self.out, "log-trace.txt")).trace
        return self.run.Program(name, [self.replay.replayer(trace), trace], frames, replay=trace)

    def checked(self, program):
        """{check: 'ok', 'FAILED', '-'} of a program, and what its run was like."""
        folder = os.path.join(self.out, live_apps.safe(program.name))
        again = folder + "-again"
        for old in (folder, again):
            shutil.rmtree(old, ignore_errors=True)
        wanted = self.options.only
        self.say(f"{program.name}: {program.frames} frames")
        self.run.live(program, folder, self.options.timeout)
        case = self.checks.Case(program, folder, self.sim)
        cells = {}
        for check in CHECKS:
            if check not in wanted or check == "metrics" and not program.replay:
                cells[check] = "-"
                continue
            self.say(f"{program.name}: {check}")
            try:
                if check == "twice":
                    self.twice(program, folder, again)
                elif check == "metrics":
                    self.checks.metrics(case, self.options.timeout)
                else:
                    getattr(self.checks, check)(case)
                cells[check] = "ok"
            except self.checks.Skipped as e:
                cells[check] = "-"
                self.notes.append(str(e))
            except Error as e:
                cells[check] = "FAILED"
                self.fail(program.name, check, e)
        frames = case.frames
        return cells, (len(frames), sum(f["draws"] for f in frames),
                       sum(f["cycles"] for f in frames))

    def fail(self, name, check, problem) -> None:
        self.failures.append(f"{name}: {check}: {problem}")
        self.say("FAILED: " + self.failures[-1])

    def twice(self, program, folder, again) -> None:
        self.run.live(program, again, self.options.timeout)
        found = self.run.differences(folder, again)
        if found:
            raise Error(f"two runs differ in {len(found)} of {len(self.run.files(folder))}: "
                          f"{', '.join(found[:6])}; see {again}")
        shutil.rmtree(again)

    def all(self):
        rows = []
        for name in self.options.programs:
            start = time.monotonic()
            try:
                cells, figures = self.checked(self.program(name))
            except Error as e:
                if self.options.installed and "install the Debian package" in str(e):
                    self.notes.append(f"{name} was left out: {e}")
                    continue
                self.fail(name, "run", e)
                cells, figures = {}, ("", "", "")
            rows.append((name, figures, cells, time.monotonic() - start))
        return rows


def show(rows) -> None:
    print("%-18s %6s %6s %10s" % ("program", "frames", "draws", "cycles") +
          "".join(f" {c:>9}" for c in CHECKS) + "  seconds")
    for name, figures, cells, seconds in rows:
        print("%-18s %6s %6s %10s" % (name, *figures) +
              "".join(f" {cells.get(c, '-'):>9}" for c in CHECKS) + f"  {seconds:7.0f}")


def main(args):
    options = arguments(args)
    if options.packages:
        print(" ".join(packages(options.programs)))
        return 0
    wanted = [] if options.installed else lacking(options.programs)
    if wanted and subprocess.call([os.path.join(TOP, "scripts", "setup"), "--extra",
                                   " ".join(wanted)]):
        return 1
    if missing := cli.lacking("numpy", "scipy", "PIL"):
        print(f"check-live: these Debian packages are missing: {' '.join(missing)}")
        return 77 if options.installed else 1
    system_path()
    session = Session(options)
    rows = session.all()
    if not rows:
        print("; ".join(session.notes) or "no program")
        return 77
    show(rows)
    for text in sorted(set(session.notes)):
        print(text)
    for text in session.failures:
        print("FAILED: " + text)
    print("%d of %d programs: all is right; runs and reports in %s" % (
        len(rows) - len({f.split(": ")[0] for f in session.failures}), len(rows), session.out))
    return 1 if session.failures else 0


if __name__ == "__main__":
    sys.exit(cli.ending("check-live", main, sys.argv[1:]))
