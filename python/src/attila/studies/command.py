"""attila studies: runs studies of the papers as sweeps, and writes their pages. The design
spaces are designs/*.ini; what a study says of its results is in the other files. Not here: the
evolution of a frame (evolution.py), which is no study of its own: "all" has it drawn, too.
"""

from __future__ import annotations

import argparse
import functools
import os
import re
import resource
import shutil
import subprocess
import sys
import textwrap
import time

from attila import captures, cli
from attila.cli import Error, UsageError
from attila.paths import TOP, places, system_path
from attila.studies import evolution
from attila.studies.clocks import ClockDomains
from attila.studies.energy import FragmentRate, VertexRate
from attila.studies.frame import Frame, Units
from attila.studies.machines import Configurations
from attila.studies.results import Results
from attila.studies.shaders import Bandwidth, TextureUnits, Unified
from attila.studies.zhang import BoundingBox, HalfCycle
from attila.sweep import plots as sweep_plots

PAGES = os.path.join(TOP, "docs", "notebook", "studies")
SPACES = os.path.join(os.path.dirname(__file__), "designs")
STUDIES = {s.name: s for s in (Unified, Frame, Bandwidth, TextureUnits, Units, BoundingBox,
                               HalfCycle, Configurations, FragmentRate, VertexRate,
                               ClockDomains)}
DESCRIPTION = """\
Reruns studies of the papers: records scenes of glmark2 once, runs them on the study's machines with
attila sweep, and writes a page with a plot, tables, what the paper found and what differs.

%s
  all             all of them, and the evolution of a frame"""
EPILOG = """\
The time of each study is told at the end; docs/notebook/studies/README.md has what all of them
take. Interrupted or killed, the same command goes on where it was. Exit: 0 done, 1 something
failed, 2 wrong usage, 130 interrupted."""
say = functools.partial(cli.say, "studies")


def captures_of(study, o):
    """{group: (paths, frames)}: scenes and streams of the tree; of each game some frames that are
    reached in functional mode."""
    paths = []
    for scene in study.scenes:
        if "/" in scene:
            paths.append(os.path.join(TOP, "tests", scene + ".attila"))
        else:
            paths.append(os.path.join(o.captures, scene.split(":")[0] + ".attila"))
    groups = {"": (paths, None)}
    if study.games:
        for game in o.game:
            path, _, frames = game.rpartition(":")
            groups["-" + os.path.basename(path).removesuffix(".attila")] = ([path], frames)
    return groups


def sweep(o, space, name, paths, options):
    """Runs one space on captures, with more lines in its [sweep]; the folder with the results."""
    with open(os.path.join(SPACES, space + ".ini"), encoding="utf-8") as f:
        text = f.read()
    text = text.replace("[sweep]\n", "".join(line + "\n" for line in ["[sweep]"] + options), 1)
    os.makedirs(o.out, exist_ok=True)
    ini = os.path.join(o.out, name + ".ini")
    with open(ini, "w", encoding="utf-8") as f:
        f.write(text)
    folder = os.path.join(o.out, name + ".sweep")
    say(name)
    done = subprocess.run([sys.executable, "-m", "attila", "sweep", "--out", folder, "--jobs",
                           str(o.jobs), "--no-plots", ini, *paths],
                          stdout=subprocess.DEVNULL, check=False)
    if done.returncode:
        raise UsageError(f"{name}: attila-sweep ended with {done.returncode}")
    return folder


def run(study, o):
    """The Results of a study."""
    results = Results()
    for space in study.spaces:
        for suffix, line in study.variants.items():
            for group, (paths, frames) in captures_of(study, o).items():
                options = [f"frames = {frames}"] * bool(frames) + [line] * bool(line)
                name = space + suffix
                results.add(name, sweep(o, space, name + group, paths, options))
    results.experiment = study.experiment(o, [(path, frames)
                                              for paths, frames in captures_of(study, o).values()
                                              for path in paths])
    return results


def wrapped(text):
    return textwrap.fill(text, 98, break_on_hyphens=False, break_long_words=False)


def page(study, o, results, pictures):
    """The text of the study's page."""
    out = [f"# {study.title}", wrapped(head(study, o)), study.what]
    out += [f"![{p.title}]({p.name}.png)" for p in pictures]
    out += study.text(results).rstrip("\n").split("\n\n")
    return "\n\n".join(p if p[0] in "|#!" else wrapped(p) for p in out) + "\n"


def head(study, o):
    """How the page was made."""
    made = (f"Written by `scripts/studies --update {study.name}`; do not edit. After "
            f"{study.source}. ")
    if study.measures:
        return made + study.design(o) + "."
    games = ["%s, frames %s" % (os.path.basename(g.rpartition(":")[0]).removesuffix(".attila"),
                                g.rpartition(":")[2]) for g in o.game if study.games]
    return made + ("Scenes of glmark2 at %s, without their first frame, which uploads%s. Design: "
                   "%s." % (os.path.basename(o.captures).rpartition("-")[0],
                            "".join("; " + g for g in games),
                            ", ".join("`attila/studies/designs/" + s + ".ini`"
                                      for s in study.spaces)))


def draw(study, results, folder):
    if not sweep_plots.available():
        say("no plots: python3-matplotlib is not installed")
        return []
    os.makedirs(folder, exist_ok=True)
    plt = sweep_plots.style()
    figure, title = study.plot(plt, results)
    return [sweep_plots.save(plt, figure, folder, study.name, title)]


def do(study, o) -> None:
    results = study.measure(o) if study.measures else run(study, o)
    pictures = draw(study, results, o.out)
    text = page(study, o, results, pictures)
    with open(os.path.join(o.out, study.name + ".md"), "w", encoding="utf-8") as f:
        f.write(text)
    print(text)
    if o.update:
        for picture in pictures:
            shutil.copyfile(os.path.join(o.out, picture.name + ".png"),
                            os.path.join(PAGES, picture.name + ".png"))
        with open(os.path.join(PAGES, study.name + ".md"), "w", encoding="utf-8") as f:
            f.write(text)
        say(f"wrote docs/notebook/studies/{study.name}.md")


def evolve(o) -> None:
    """The evolution of the first game's first frame, else of a scene's last."""
    path, _, frames = o.game[0].rpartition(":") if o.game else (
        os.path.join(o.captures, "desktop.attila"), "", "1")
    if not sweep_plots.available():
        raise UsageError("evolution: python3-matplotlib is not installed")
    evolution.main([path, "--frame", frames.split("-")[0], "--interval", "10000",
                    "--moments", "5", "--config",
                    os.path.join(TOP, "configs", "ispass2006-split.ini"),
                    "--out", os.path.join(o.out, "evolution")] + ["--update"] * o.update)


def spent():
    """Seconds until now, and seconds of processors that simulators have used."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.monotonic(), used.ru_utime + used.ru_stime


def game_of(text):
    found = re.fullmatch(r"(neverball|openarena|.+\.attila):(\d+)(?:-(\d+))?", text)
    if not found:
        raise argparse.ArgumentTypeError(
            f"is FILE.attila:A-B, neverball:A-B or openarena:A-B, not '{text}'")
    if found[1].endswith(".attila") and not os.access(found[1], os.R_OK):
        raise argparse.ArgumentTypeError(f"cannot read {found[1]}")
    return text


def options(args: list[str]) -> argparse.Namespace:
    listed = "\n".join(f"  {s.name:<15} {s.title} ({s.source})" for s in STUDIES.values())
    p = cli.Parser("studies", "[options] NAME ... | all\nevolution CAPTURE [options]     "
                   "(evolution --help)", DESCRIPTION % listed, EPILOG)
    p.add_argument("names", nargs="*", metavar="NAME", help=argparse.SUPPRESS)
    p.add_argument("--list", action="store_true", help="a line for each study")
    p.add_argument("--size", default="320x240", metavar="WxH", type=cli.size,
                   help="of the scenes (default 320x240)")
    p.add_argument("--frames", type=cli.number(2), default=2, metavar="N",
                   help="of each scene; the first one, which uploads, is not counted (default 2)")
    p.add_argument("--game", action="append", default=[], type=game_of, metavar="GAME:A-B",
                   help="also these frames of a game, reached in functional mode; may be repeated. "
                   "GAME is neverball or openarena (Debian packages), which is recorded at --size "
                   "up to there, or a capture (FILE.attila). frame, units and evolution take the "
                   "first frame of the first game")
    p.jobs()
    p.add_argument("--out", default=os.path.join(TOP, "out", "studies"), metavar="DIR",
                   help="results and pages (default: out/studies); what is there does not run "
                   "again")
    p.add_argument("--update", action="store_true",
                   help="also write the study's page and plot in docs/notebook/studies/")
    o = p.parse_args(args)
    if not o.names and not o.list:
        p.error("which study? See --help")
    o.all = o.names == ["all"]
    o.names = list(STUDIES) if o.all else o.names
    for name in o.names:
        if name not in STUDIES:
            p.error(f"no study {name}; there are: {', '.join(STUDIES)}, all")
    o.out = os.path.abspath(o.out)
    return o


def record_programs(o) -> None:
    """Captures of the scenes and games; sets o.captures and the paths in o.game."""
    system_path()
    o.sim = os.path.join(places().build, "src", "sim", "attila-sim")
    if not os.access(o.sim, os.X_OK):
        raise Error(f"no {o.sim}: run scripts/setup first")
    size = "{}x{}".format(*o.size)
    o.captures = os.path.join(o.out, f"{size}-{o.frames}")
    scenes = dict.fromkeys(s for n in o.names for s in STUDIES[n].scenes if "/" not in s)
    captures.scenes(o.sim, o.captures, size, o.frames, scenes)
    for n, game in enumerate(o.game):
        name, _, frames = game.rpartition(":")
        if name.endswith(".attila"):
            o.game[n] = f"{os.path.abspath(name)}:{frames}"
        else:
            last = int(frames.split("-")[-1])
            o.game[n] = f"{captures.game(o.sim, o.captures, size, name, last)}:{frames}"


def main(args):
    if args[:1] == ["evolution"]:
        return evolution.main(args[1:])
    o = options(args)
    if o.list:
        for s in STUDIES.values():
            print(f"{s.name:<16} {s.title} ({s.source})")
        return 0
    record_programs(o)
    times = []
    for name in o.names + ["evolution"] * o.all:
        before = spent()
        if name == "evolution":
            evolve(o)
        else:
            do(STUDIES[name](), o)
        times.append((name, *(b - a for a, b in zip(before, spent()))))
    times.append(("all", sum(t[1] for t in times), sum(t[2] for t in times)))
    for name, wall, cpu in times:
        say(f"{name:<16} {wall:6.0f} s, {cpu:6.0f} s of processors")
    return 0
