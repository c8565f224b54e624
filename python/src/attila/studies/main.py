"""Runs studies of the papers as sweeps (attila-sweep), and writes their pages. Started by
scripts/studies, which has the options' description and records the captures. The design spaces are
python/src/attila/studies/designs/*.ini; what a study says of its results is in studies/*.py; a
frame's evolution, which is no study of its own here, in studies/evolution.py: "all" has it drawn,
too. """

import argparse
import os
import resource
import shutil
import subprocess
import sys
import textwrap
import time

from attila.studies import evolution
from attila.sweep import plots as sweep_plots
from attila.studies.clocks import ClockDomains
from attila.studies.energy import FragmentRate, VertexRate
from attila.studies.frame import Frame, Units
from attila.studies.machines import Configurations
from attila.studies.results import Results, StudyError
from attila.studies.shaders import Bandwidth, TextureUnits, Unified
from attila.studies.zhang import BoundingBox, HalfCycle
from attila.paths import TOP

PAGES = os.path.join(TOP, "docs", "notebook", "studies")
SPACES = os.path.join(TOP, "scripts", "lib", "studies")
STUDIES = {s.name: s for s in (Unified, Frame, Bandwidth, TextureUnits, Units, BoundingBox,
                               HalfCycle, Configurations, FragmentRate, VertexRate,
                               ClockDomains)}


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
    print(f"studies: {name}", file=sys.stderr)
    done = subprocess.run([os.path.join(TOP, "scripts", "attila-sweep"), "--out", folder,
                           *(["--jobs", str(o.jobs)] if o.jobs else []), "--no-plots", ini, *paths],
                          stdout=subprocess.DEVNULL, check=False)
    if done.returncode:
        raise StudyError(f"{name}: attila-sweep ended with {done.returncode}")
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
        print("studies: no plots: python3-matplotlib is not installed", file=sys.stderr)
        return []
    os.makedirs(folder, exist_ok=True)
    plt = sweep_plots.style()
    figure, title = study.plot(plt, results)
    return [sweep_plots.save(plt, figure, folder, study.name, title)]


def do(study, o):
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
        page = os.path.join("docs", "notebook", "studies", study.name + ".md")
        print("studies: wrote " + page, file=sys.stderr)


def evolve(o):
    """The evolution of the first game's first frame, else of a scene's last."""
    path, _, frames = o.game[0].rpartition(":") if o.game else (
        os.path.join(o.captures, "desktop.attila"), "", "1")
    if not sweep_plots.available():
        raise StudyError("evolution: python3-matplotlib is not installed")
    evolution.main([path, "--sim", o.sim, "--frame", frames.split("-")[0], "--interval", "10000",
                    "--moments", "5", "--config",
                    os.path.join(TOP, "configs", "ispass2006-split.ini"),
                    "--out", os.path.join(o.out, "evolution")] + ["--update"] * o.update)


def spent():
    """Seconds until now, and seconds of processors that simulators have used."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.monotonic(), used.ru_utime + used.ru_stime


def main(args):
    p = argparse.ArgumentParser(prog="scripts/studies", add_help=False, allow_abbrev=False,
                                usage='see "scripts/studies --help"')
    p.add_argument("names", nargs="*")
    p.add_argument("--captures")
    p.add_argument("--sim")
    p.add_argument("--out")
    p.add_argument("--game", action="append", default=[])
    p.add_argument("--scenes", action="store_true")
    p.add_argument("--list", action="store_true")
    p.add_argument("--update", action="store_true")
    p.add_argument("--jobs", type=int)
    o = p.parse_args(args)
    names = list(STUDIES) if o.names == ["all"] else o.names
    for name in names:
        if name not in STUDIES:
            raise StudyError(f"no study {name}; there are: {', '.join(STUDIES)}, all")
    if o.jobs is not None and o.jobs < 1:
        raise StudyError("--jobs takes a number from 1")
    if o.list:
        for s in STUDIES.values():
            print(f"{s.name:<16} {s.title} ({s.source})")
    elif o.scenes:
        scenes = dict.fromkeys(s for n in names for s in STUDIES[n].scenes)
        print("\n".join(s for s in scenes if "/" not in s))
    else:
        times = []
        for name in names + ["evolution"] * (o.names == ["all"]):
            before = spent()
            if name == "evolution":
                evolve(o)
            else:
                do(STUDIES[name](), o)
            times.append((name, *(b - a for a, b in zip(before, spent()))))
        times.append(("all", sum(t[1] for t in times), sum(t[2] for t in times)))
        for name, wall, cpu in times:
            print(f"studies: {name:<16} {wall:6.0f} s, {cpu:6.0f} s of processors",
                  file=sys.stderr)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except StudyError as e:
        print(f"studies: {e}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("studies: interrupted; the same command goes on", file=sys.stderr)
        sys.exit(130)
