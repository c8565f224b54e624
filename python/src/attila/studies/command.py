"""attila studies: runs studies of the papers as sweeps, and writes their pages. The design spaces
are in designs/*.ini, the claims of the papers in claims.ini, the pages in pages/*.md.jinja; how a
study evaluates its results is in the other files. Not here: sweeps (attila/sweep), single runs
(runs.py).
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
from collections.abc import Sequence
from typing import Any

from attila import captures, cli
from attila.cli import Error, UsageError
from attila.paths import TOP, places, system_path
from attila.records import reader
from attila.studies import claims, evolution, trials
from attila.studies.caches import Caches
from attila.studies.clocks import ClockDomains
from attila.studies.energy import FragmentRate, VertexRate
from attila.studies.evolution import FrameEvolution
from attila.studies.frame import Frame, Units
from attila.studies.machines import Configurations
from attila.studies.results import Results, Study, estimates_of
from attila.studies.runs import command, records
from attila.studies.shaders import Bandwidth, TextureUnits, Unified
from attila.studies.surrogates import Surrogates
from attila.studies.tiling import Bins, Elimination, Tiling
from attila.studies.watts import PeakWatts
from attila.studies.zhang import BoundingBox, HalfCycle
from attila.sweep import plots as sweep_plots
from attila.sweep.plots import Picture

PAGES = os.path.join(TOP, "docs", "notebook", "studies")
SPACES = os.path.join(os.path.dirname(__file__), "designs")
# In the order of the table of claims.
STUDIES: dict[str, type[Study]] = {s.name: s for s in (
    Unified, Bandwidth, Frame, TextureUnits, Units, FragmentRate, VertexRate, ClockDomains,
    FrameEvolution, PeakWatts, Configurations, BoundingBox, HalfCycle, Surrogates, Tiling,
    Bins, Elimination, Caches)}
# Frames like those of the papers: fixed function, 1024x768, 8 anisotropic samples.
WORKLOADS = ("openarena:60", "neverball:8")
# Frames from this number on are reached with an index (checkpoints). The index is made for these
# machines, whose ROPs, caches, HZ and command processors are those of nearly all configurations.
INDEX_FROM, INDEXED = 20, ("ispass2006", "micro2005", "ispass2006-texture-units")
DESCRIPTION = """\
Reruns studies of the papers: records scenes of glmark2 once, runs them and frames of games on the
study's machines with attila sweep, and writes a page with the papers' claims, what was found here,
a plot and tables.

%s
  all             all of them

workloads records frames of games, which most claims of the papers need: some minutes and 80 MB with
their index."""
EPILOG = """\
The time of each study is printed at the end; docs/notebook/studies/README.md has all claims.
Interrupted or killed, the same command goes on where it was. Exit: 0 done, 1 something failed,
2 wrong usage, 130 interrupted."""
say = functools.partial(cli.say, "studies")


def recorded(o: argparse.Namespace, size: tuple[int, int]) -> str:
    """The folder of the captures of a size."""
    return os.path.join(o.out, "{}x{}".format(*size))


def captures_of(study: Study, o: argparse.Namespace,
                space: str) -> list[tuple[str, list[str], str]]:
    """[(label, paths, lines of [sweep])]: first all scenes and streams, with the label ""; then
    each frame of a game, reached in functional mode. For a space of sampled games, only these
    games, with --no-games none."""
    groups = [(game, [os.path.join(recorded(o, study.size), game + ".attila")], f"sample = {how}")
              for game, (_, how, where) in study.sampled.items() if where == space]
    if groups and o.no_games:
        return []
    if not groups:
        folder = os.path.join(o.out, "made")
        os.makedirs(folder, exist_ok=True)
        scenes = study.made(folder, space)
        scenes += [os.path.join(recorded(o, study.size), s.split(":")[0] + ".attila")
                   for s in study.scenes if "/" not in s]
        streams = [os.path.join(TOP, "tests", s + ".attila") for s in study.scenes if "/" in s]
        # Use the second frame of a scene, as the first one uploads its data.
        groups = [("", scenes, "frames = 1")] * bool(scenes)
        groups += [("", streams, "")] * bool(streams)
        groups += [(name, [path], f"frames = {frame}") for name, path, frame in o.frames
                   if study.games]
    return [(label, paths, f"{line}\nwarm_up = {study.warm_up}" if study.warm_up and line else line)
            for label, paths, line in groups]


def sweep(o: argparse.Namespace, space: str, name: str, paths: list[str], lines: str) -> str:
    """Runs one space on captures, with additional lines of [sweep]; returns the folder with the
    results."""
    with open(os.path.join(SPACES, space + ".ini"), encoding="utf-8") as f:
        text = f.read()
    text = text.replace("[sweep]\n", f"[sweep]\n{lines}\n", 1)
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


def run(study: Study, o: argparse.Namespace) -> Results:
    """The Results of a study."""
    results = Results()
    for space in study.spaces:
        groups = captures_of(study, o, space)
        for label, paths, line in groups:
            name = space + ("-" + label.replace(" ", "-") if label else
                            "" if line else "-streams")
            folder = sweep(o, space, name, paths, line)
            results.add(space, folder, label or None)
            if label in study.sampled:
                results.estimates[space, label] = estimates_of(folder)
        results.games += [g for g, _, _ in groups if g not in ("", *results.games, *study.sampled)]
    wanted = {(what, label or os.path.basename(path).removesuffix(".attila")):
              (path, config, settings, ["--frames", line.split()[2]] if line else [])
              for what, (config, settings) in study.bounds.items()
              for label, paths, line in groups for path in paths}
    for (what, capture), folder in records(o, wanted).items():
        results.bounds.setdefault(what, {})[capture] = folder
        results.limits.setdefault(what, {})[capture] = reader.limits(folder)[1]
    results.experiment = study.experiment(o)
    return results


@functools.cache
def templates() -> Any:
    import jinja2
    made = jinja2.Environment(loader=jinja2.PackageLoader("attila.studies", "pages"),
                              trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
                              undefined=jinja2.StrictUndefined, autoescape=False)
    made.filters["row"] = lambda c: (c.place, c.claim, c.paper, c.agrees, c.here, c.verdict)
    made.filters["link"] = lambda c: f"[{c.study}]({c.study}.md)"
    made.filters["space"] = lambda name: f"`python/src/attila/studies/designs/{name}.ini`"
    made.filters["limit_rows"] = lambda machines: [
        [c] + ["; ".join(f"{unit} {share:.2f}" for unit, share in found[c][:2])
               for found in machines.values()] for c in next(iter(machines.values()))]
    return made


def filled(text: str) -> str:
    """Markdown whose paragraphs and items of lists have lines of up to 98 columns."""
    def fill(block: str, indent: str = "") -> str:
        return textwrap.fill(" ".join(block.split()), 98, subsequent_indent=indent,
                             break_on_hyphens=False, break_long_words=False)
    blocks = []
    for block in re.split(r"\n{2,}", text.strip("\n")):
        if block.startswith("- "):
            block = "\n".join(fill(item, "  ") for item in re.split(r"\n(?=- )", block))
        elif not block.startswith(("|", "#", "!")):
            block = fill(block)
        blocks.append(block)
    return "\n\n".join(blocks) + "\n"


def page(study: Study, o: argparse.Namespace, results: Any, rows: list[claims.Claim],
         pictures: Sequence[Picture]) -> str:
    """The text of the study's page; makes the runs of its experiments."""
    values = {"limits": getattr(results, "limits", {}),
              "captures": getattr(results, "captures", []), **study.data(results)}
    return filled(templates().get_template(study.name + ".md.jinja").render(
        study=study, claims=rows, no_games=claims.NO_GAMES, pictures=pictures,
        tried=trials.rows(o, study.trials, study.trial_captures(o)),
        simulator=command(o.sim, "version").strip(), size="{}x{}".format(*study.size),
        scenes_run=[s for s in study.scenes if "/" not in s],
        streams_run=[s for s in study.scenes if "/" in s],
        games=[label for label, _, _ in o.frames] if study.games else [], **values))


def draw(study: Study, results: Any, folder: str) -> list[Any]:
    if not sweep_plots.available():
        say("no plots: python3-matplotlib is not installed")
        return []
    os.makedirs(folder, exist_ok=True)
    plt = sweep_plots.style()
    figure, title = study.plot(plt, results)
    return [sweep_plots.save(plt, figure, folder, study.name, title)]


def do(study: Study, o: argparse.Namespace) -> None:
    results = study.measure(o) if study.measures else run(study, o)
    pictures = draw(study, results, o.out)
    rows = claims.compared(study.name, study.found(results), bool(o.frames))
    text = page(study, o, results, rows, pictures)
    with open(os.path.join(o.out, study.name + ".md"), "w", encoding="utf-8") as f:
        f.write(text)
    print(text)
    if o.update:
        for picture in pictures:
            shutil.copyfile(os.path.join(o.out, picture.name + ".png"),
                            os.path.join(PAGES, picture.name + ".png"))
        with open(os.path.join(PAGES, study.name + ".md"), "w", encoding="utf-8") as f:
            f.write(text)
        update_claims(study.name, rows)
        say(f"wrote docs/notebook/studies/{study.name}.md")


def index(every: list[claims.Claim]) -> str:
    """The page with the table of all claims."""
    return filled(templates().get_template("README.md.jinja").render(
        claims=every, verdicts={v: sum(c.verdict == v for c in every) for v in claims.VERDICTS},
        experiments=[(f"[{c.study}]({c.study}.md)", c.claim, claims.experiment(c)) for c in every
                     if c.verdict == claims.DIFFER]))


def update_claims(name: str, rows: list[claims.Claim]) -> None:
    """Updates docs/notebook/studies/claims.csv, and its page."""
    every = claims.update(os.path.join(PAGES, "claims.csv"), name, rows, list(STUDIES))
    with open(os.path.join(PAGES, "README.md"), "w", encoding="utf-8") as f:
        f.write(index(every))


def spent() -> tuple[Any, ...]:
    """The present time in seconds, and the CPU seconds that simulators have used."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.monotonic(), used.ru_utime + used.ru_stime


def game_of(text: str) -> str:
    found = re.fullmatch(rf"({'|'.join(captures.PROGRAMS)}|.+\.attila):\d+(,\d+)*", text)
    if not found:
        raise argparse.ArgumentTypeError(
            f"is FILE.attila:A,B... or {' or '.join(g + ':A,B...' for g in captures.PROGRAMS)}, "
            f"not '{text}'")
    if found[1].endswith(".attila") and not os.access(found[1], os.R_OK):
        raise argparse.ArgumentTypeError(f"cannot read {found[1]}")
    return text


def of(study: type[Study]) -> str:
    """" (SOURCE)" of a study of a paper."""
    return f" ({study.source})" if study.source else ""


def options(args: list[str]) -> argparse.Namespace:
    listed = "\n".join(f"  {s.name:<15} {s.title}{of(s)}" for s in STUDIES.values())
    p = cli.Parser("studies", "[options] NAME ... | all\nworkloads [options]\n"
                   "evolution CAPTURE [options]     (evolution --help)", DESCRIPTION % listed,
                   EPILOG)
    p.add_argument("names", nargs="*", metavar="NAME", help=argparse.SUPPRESS)
    p.add_argument("--list", action="store_true", help="a line for each study")
    p.add_argument("--game", action="append", default=[], type=game_of, metavar="GAME:A,B...",
                   help="these frames of a game, reached in functional mode; may be repeated. GAME "
                   f"is {', '.join(captures.PROGRAMS)} (Debian packages), recorded at 1024x768, or "
                   "a capture (FILE.attila). Default: the frames that workloads recorded")
    p.add_argument("--no-games", action="store_true", help="scenes and streams alone")
    p.jobs()
    p.add_argument("--out", default=os.path.join(TOP, "out", "studies"), metavar="DIR",
                   type=cli.folder,
                   help="captures, results and pages (default: out/studies); what is there does "
                   "not run again")
    p.add_argument("--update", action="store_true",
                   help="also write the page, the plot and the claims in docs/notebook/studies/")
    o = p.parse_args(args)
    if not o.names and not o.list:
        p.error("which study? See --help")
    if o.game and o.no_games:
        p.error("--game or --no-games, not both")
    o.names = list(STUDIES) if o.names == ["all"] else o.names
    for name in o.names:
        if name not in (*STUDIES, "workloads"):
            p.error(f"no study {name}; there are: {', '.join(STUDIES)}, all, workloads")
    o.out = os.path.abspath(o.out)
    return o


def record_programs(o: argparse.Namespace) -> None:
    """Records the captures of scenes and games. Sets o.frames to [(label, path of the capture,
    frame)] of games: those of --game, or else those of WORKLOADS that are recorded (for the command
    workloads: all)."""
    system_path()
    o.sim = os.path.join(places().build, "src", "sim", "attila-sim")
    if not os.access(o.sim, os.X_OK):
        raise Error(f"no {o.sim}: run scripts/setup first")
    for study in (STUDIES[n] for n in o.names if n != "workloads"):
        captures.scenes(o.sim, recorded(o, study.size), "{}x{}".format(*study.size), 2,
                        [s for s in study.scenes if "/" not in s])
        for game, (last, _, _) in ({} if o.no_games else study.sampled).items():
            captures.program(o.sim, recorded(o, study.size), "{}x{}".format(*study.size), game,
                             last)
    o.frames = []
    folder = recorded(o, Study.size)
    for game in o.game or ([] if o.no_games else WORKLOADS):
        name, _, numbers = game.rpartition(":")
        path = name
        if not name.endswith(".attila"):
            path = os.path.join(folder, name + ".attila")
            if o.game or "workloads" in o.names:
                path = captures.program(o.sim, folder, "{}x{}".format(*Study.size), name,
                                     max(map(int, numbers.split(","))))
            elif not os.path.exists(path):
                continue
            if max(map(int, numbers.split(","))) >= INDEX_FROM:
                captures.index(o.sim, path, INDEXED)
        label = os.path.basename(path).removesuffix(".attila")
        o.frames += [(f"{label} {n}", os.path.abspath(path), n) for n in numbers.split(",")]


def main(args: list[str]) -> int:
    if args[:1] == ["evolution"] and args[1:2] and (
            args[1] in ("-h", "--help") or not args[1].startswith("-")):
        evolution.main(args[1:])
        return 0
    o = options(args)
    if o.list:
        for s in STUDIES.values():
            print(f"{s.name:<16} {s.title}{of(s)}")
        return 0
    record_programs(o)
    if not o.frames and any(STUDIES[n].games for n in o.names if n != "workloads"):
        say("no frames of games: claims that need them cannot be compared (studies workloads)")
    times = []
    for name in o.names:
        if name == "workloads":
            continue
        before = spent()
        do(STUDIES[name](), o)
        times.append((name, *(b - a for a, b in zip(before, spent()))))
    for name, wall, cpu in times:
        say(f"{name:<16} {wall:6.0f} s, {cpu:6.0f} s of processors")
    return 0
