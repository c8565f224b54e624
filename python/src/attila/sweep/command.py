"""attila sweep: the options, and the steps of a sweep. Not here: the space (space.py), running
points (run.py, slurm.py), results (store.py, report.py).
"""

from __future__ import annotations

import argparse
import fcntl
import functools
import hashlib
import json
import os
import re
import shlex
import shutil
from collections.abc import Sequence
from typing import Any

from attila import cli, whole_file
from attila.paths import places, simulator
from attila.pool import Pool, in_words
from attila import program as record_program
from attila.sweep.machine import Simulator, file_hash, find_config
from attila.sweep import report as sweep_report
from attila.sweep.run import Point, Progress, Tools, now, run_point
from attila.sweep import sample as sweep_sample
from attila.sweep import slurm as sweep_slurm
from attila.sweep.sample import Samples
from attila.sweep.space import Space, SpaceError, Undefined
from attila.sweep.store import FINAL, Store

DESCRIPTION = """\
Runs captures (attila-run --capture), or an OpenGL program, on every configuration of a design space
and writes cycles, speed-ups and all statistics to one SQLite file, with tables, plots and a page.
SPACE.INI says what varies:

  [sweep]
  config = attila-bgpu.ini             machine to begin with
  design = grid                        or: random 100, one-at-a-time
  [parameters]
  GPU.NumFragmentShaders = 1, 2, 4, 8
  GPU.NumStampPipes = NumFragmentShaders
  MEMORYCONTROLLER.V2MemoryChannels = 2..8 step 2
  [constraints]
  V2MemoryChannels <= 2 * NumFragmentShaders
  [area]
  area = 10 * NumFragmentShaders + 4 * NumStampPipes + V2MemoryChannels

All names and values are checked before anything runs. The same command goes on where a killed or
interrupted one stopped; what has a result does not run again.

[sweep] may say "sample = 1": frames that attila sample draws stand for each whole capture, with an
error of 1 %, and the tables have intervals."""
EPILOG = """\
DIR gets sweep.sqlite, table.csv, plots as SVG and PNG, and sweep.html. sweep.md has the whole
format. Exit: 0 done (single points may have failed: sweep.html lists them), 1 no point has a
result or a file cannot be written, 2 wrong usage or space, 130 interrupted."""
say = functools.partial(cli.say, "sweep")


def parse(args: list[str]) -> argparse.Namespace:
    p = cli.Parser("sweep", "[options] SPACE.INI [CAPTURE ...]\n"
                   "[options] SPACE.INI -- PROGRAM [arguments]", DESCRIPTION, EPILOG)
    p.add_argument("space", metavar="SPACE.INI", help=argparse.SUPPRESS)
    p.add_argument("captures", nargs="*", help=argparse.SUPPRESS)
    p.add_argument("--out", metavar="DIR", type=cli.folder,
                   help="where to; default: SPACE.sweep, here if nothing can be written beside "
                   "SPACE.INI")
    p.jobs("processes")
    p.add_argument("--timeout", type=cli.number(1), metavar="S",
                   help="a run that takes longer than S seconds has failed")
    p.add_argument("--retry", action="store_true", help="run again what failed")
    p.add_argument("--dry-run", action="store_true",
                   help="list the configurations and what is to be run")
    p.add_argument("--tables", action="store_true",
                   help="simulate nothing; write tables, plots and page of what is in DIR")
    p.add_argument("--no-plots", action="store_true", help="no plots")
    p.add_argument("--run-options", default="", metavar="TEXT",
                   help="options of attila-run for a program, for example '--fixed-clock 60'")
    p.add_argument("--record", action="store_true",
                   help="record the program first, in functional mode with --fixed-clock 60 (or as "
                   "--run-options say), and run the record on every configuration: sooner, and "
                   "with frames and split, but with the shader programs of the first machine")
    p.add_argument("--slurm", action="store_true",
                   help="run as job arrays of Slurm; DIR, the captures and this program must be on "
                   "a file system that all nodes have at the same place")
    p.add_argument("--slurm-options", default="", metavar="TEXT",
                   help="options of sbatch, for example '--partition=long --time=2:00:00'")
    p.add_argument("--slurm-chunk", type=cli.number(1), default=1, metavar="N",
                   help="points in a task of the array; default: 1")
    p.add_argument("--slurm-poll", type=cli.number(0.01, 3600, float), default=5, metavar="S",
                   help="seconds between looking for results; default: 5")
    words, program = cli.program_after(p, args, ("--run-options", "--slurm-options"))
    o = p.parse_intermixed_args(words)
    o.program, o.words = program, args
    if program and o.captures:
        p.error("captures or a program after --, not both")
    if o.record and not program:
        p.error("--record is of a program after --")
    o.out = os.path.abspath(o.out or default_folder(o.space))
    return o


def default_folder(space: str) -> str:
    """Beside the space, or here: users cannot write to the examples of an installation."""
    beside = re.sub(r"\.ini$", "", space) + ".sweep"
    writable = os.access(beside if os.path.isdir(beside) else os.path.dirname(beside) or ".",
                         os.W_OK)
    return beside if writable else os.path.basename(beside)


class Capture:
    """What is run: a captured stream, or a live program. hash: of its content."""

    def __init__(self, path: str | None, frames: int | None, digest: str, name: str) -> None:
        self.path, self.frames, self.hash, self.name = path, frames, digest, name


def record(o: argparse.Namespace, space: Space) -> None:
    """Records the program for the first machine; the record becomes the capture. The name of its
    folder identifies the program, so another program is recorded anew."""
    machine, (_, sets) = next(iter(space.machines.items()))
    config = find_config(space.config_of(machine, None), space.folder, places().configs)
    words = Simulator.options(config, sets) + shlex.split(o.run_options)
    program = shutil.which(o.program[0])
    if not program:
        raise SpaceError(f"no program '{o.program[0]}'")
    if not os.path.isfile(places().driver):
        raise SpaceError(f"no driver {places().driver}: run scripts/setup first")
    made_of = [o.program, words, file_hash(program), file_hash(places().driver)]
    digest = hashlib.sha256(json.dumps(made_of).encode()).hexdigest()[:16]
    folder = os.path.join(o.out, "record-" + digest)
    path = os.path.join(folder, os.path.basename(program) + ".attila")
    if o.dry_run and not os.path.isfile(path):
        raise SpaceError(f"{o.program[0]} is not recorded yet: without --dry-run it is")
    try:
        os.makedirs(folder, exist_ok=True)
        record_program.record(places().run, o.program, words, path)
    except record_program.RecordError as e:
        raise SpaceError(str(e)) from None
    o.captures, o.program = [path], None


def read_captures(o: argparse.Namespace, space: Space, simulator: Simulator) -> list[Capture]:
    if o.program:
        program = shutil.which(o.program[0])
        if not program:
            raise SpaceError(f"no program '{o.program[0]}'")
        digest = hashlib.sha256(json.dumps([o.program, shlex.split(o.run_options),
                                            file_hash(program)]).encode()).hexdigest()
        return [Capture(None, None, digest, " ".join(o.program))]
    found: dict[Any, Any] = {}
    for path in o.captures or space.captures:
        try:
            digest = file_hash(path)
        except OSError as e:
            raise cli.Error(f"{path}: {e.strerror}") from None
        if digest not in found:
            name = os.path.basename(path).removesuffix(".attila")
            if name in [c.name for c in found.values()]:
                name = path
            found[digest] = Capture(os.path.abspath(path), simulator.frames(path), digest, name)
    if not found:
        raise SpaceError("no capture given, and no program after --")
    return list(found.values())


def ranges(space: Space, capture: Capture, samples: Samples | None) -> list[Any]:
    """[(first, last, list)] of the frames to run, each in a point of its own. list: the frames
    between first and last if these are not all. (None, None, None): all frames."""
    if samples:
        lists = samples.lists(capture)
        return [(int(re.split("[-,]", text)[0]), int(re.split("[-,]", text)[-1]), text)
                for text in lists]
    frames, split = space.options.get("frames"), space.options.get("split")
    if not frames and not split:
        return [(None, None, None)]
    first, dash, last = (frames or "0-").partition("-")
    first = int(first)
    if capture.frames is None:  # a program
        if split or first or not last or "warm_up" in space.options:
            raise SpaceError(f"{space.path}: of a program frames = 0-N is possible, and neither "
                             "split nor warm_up")
        return [(0, int(last), None)]
    last = int(last) if last else capture.frames - 1 if dash else first
    if first > last or last >= capture.frames:
        raise SpaceError(f"{space.path}: frames {frames} of {capture.name}, which has "
                         f"{capture.frames}")
    step = int(split or last - first + 1)
    return [(a, min(a + step - 1, last), None) for a in range(first, last + 1, step)]


def energy_of(space: Space, configs: str) -> list[Any] | None:
    """The value of Point.energy, for "energy = built-in", "energy = FILE" and Section.Key=VALUE."""
    words = space.options.get("energy", "").split()
    if not words:
        return None
    changes = words[1:]
    if any("=" not in c for c in changes):
        raise SpaceError(f"{space.path}: energy = built-in or FILE, and Section.Key=VALUE, not "
                         f"'{space.options['energy']}'")
    if words[0] == "built-in":
        return ["built-in", None, changes]
    table = find_config(words[0], space.folder, os.path.join(configs, "power"))
    return [file_hash(str(table)), table, changes]


class Plan:
    """Everything that is to be run. points: {id: Point}, texts: {configuration: its keys}, refused:
    {configuration: why the simulator refuses it}."""

    def __init__(self, o: argparse.Namespace, space: Space, simulator: Simulator,
                 captures: list[Capture]) -> None:
        self.captures, self.texts, self.refused = captures, {}, {}
        self.points: dict[Any, Any] = {}
        self.places, self.members, bases, files = [], [], {}, {}
        self.samples = None
        energy = energy_of(space, places().configs)
        for machine, (_, sets) in space.machines.items():
            files[machine] = find_config(space.config_of(machine, None), space.folder,
                                         places().configs)
            bases[machine] = simulator.keys(files[machine], sets)[1]
        configurations = space.configurations(bases)
        with cli.threads(o.jobs) as pool:
            machines = [(files[c.machine], space.machines[c.machine][1] + c.sets())
                        for c in configurations]
            resolved = list(pool.map(lambda m: simulator.resolved(*m), machines))
            if space.area is None:
                areas = list(pool.map(lambda m: simulator.area(*m), machines))
            else:
                areas = [self._area(space, bases, c) for c in configurations]
        if "sample" in space.options:
            self.samples = self._samples(o, space, simulator, [text for text, _ in resolved])
        runs = {c.hash: ranges(space, c, self.samples) for c in captures}
        for n, (c, (text, why), area) in enumerate(zip(configurations, resolved, areas)):
            digest = hashlib.sha256((text or repr((files[c.machine], c.sets(), why)))
                                    .encode()).hexdigest()[:32]
            if text is None:
                self.refused[digest] = why
            else:
                self.texts[digest] = text
            self.places.append((c.machine, c.label(), digest, area, c.settings))
            for capture in captures:
                for run in runs[capture.hash]:
                    point = self._point(o, space, simulator, digest, capture, run, energy)
                    self.points.setdefault(point.id, point)
                    self.members.append((n, capture.hash, point.id))

    @staticmethod
    def _samples(o: argparse.Namespace, space: Space, simulator: Simulator,
                 texts: Sequence[str | None]) -> Any:
        """The Samples, drawn with the baseline, or else with the first machine that works."""
        wanted = space.options.get("baseline")
        known = [texts[int(wanted)]] if wanted else [t for t in texts if t]
        if not known or not known[0]:
            raise SpaceError(f"{space.path}: the simulator does not take the machine by which a "
                             "sample is drawn")
        return sweep_sample.Samples(o, space.options, simulator, known[0])

    @staticmethod
    def _point(o: argparse.Namespace, space: Space, simulator: Simulator, digest: str,
               capture: Capture, run: tuple[None, None, None], energy: Any) -> Any:
        first, last, frames = run
        return Point(configuration=digest, capture=capture.hash, first=first, last=last,
                     frames=frames, mode=space.options["mode"], ideal=space.options.get("ideal"),
                     version=simulator.version, simulator=simulator.identity,
                     statistics=space.options.get("statistics"), path=capture.path,
                     program=o.program, run_options=shlex.split(o.run_options), energy=energy,
                     warm_up=int(space.options.get("warm_up", 0)))

    @staticmethod
    def _area(space: Space, bases: dict[str, dict[str, bool | int]], c: Any) -> float:
        assert space.area
        values = dict(bases[c.machine])
        keys = space.keys
        values.update({k: keys.find(k).read(v) for k, v in c.settings.items()})
        try:
            return float(space.area.value(values))
        except (Undefined, TypeError, ValueError, OverflowError) as e:
            raise SpaceError(f"{space.path}: [area]: {e}, where {c.label()}") from None

    def store(self, store: Store, o: argparse.Namespace, space: Space) -> int:
        """Writes the plan to the store; returns the number of the design."""
        digest = hashlib.sha256(json.dumps([space.hash, self.places, self.members])
                                .encode()).hexdigest()
        rows = [(d, t, None) for d, t in self.texts.items()]
        rows += [(d, None, why) for d, why in self.refused.items()]
        design = store.design(
            space, digest, now(), " ".join(shlex.quote(a) for a in o.words), self.places,
            self.members, rows, [(c.hash, c.name, c.path, c.frames) for c in self.captures])
        if self.samples:
            store.keep_samples(design, [(c.hash, os.path.basename(self.samples.folder(c)))
                                        for c in self.captures])
        states = store.states()
        for point in self.points.values():
            if point.configuration in self.refused and point.id not in states:
                store.add(point, {"state": "failed", "message": self.refused[point.configuration],
                                  "started": now()})
        return int(design)


def only_one(folder: str) -> Any:
    """Holds a lock until this process ends, in whatever way."""
    os.makedirs(folder, exist_ok=True)
    lock = whole_file.opened(os.path.join(folder, "lock"))
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise SpaceError(f"another attila-sweep is at work in {folder}") from None
    return lock


def tools_of(o: argparse.Namespace) -> tuple[Any, ...]:
    """(Tools, Simulator). Results of a live program also depend on the driver's library."""
    sim = simulator()
    if not o.program or o.record:
        return Tools(sim), Simulator(sim)
    if not os.path.isfile(places().driver):
        raise SpaceError(f"no driver {places().driver}: run scripts/setup first")
    return Tools(sim, places().run), Simulator(sim, [places().driver])


def run_points(o: argparse.Namespace, store: Store, plan: Plan, tools: Tools) -> None:
    """Runs the points that have no result yet."""
    states = store.states()
    again = ("done",) if o.retry else FINAL
    pending = [p for p in plan.points.values()
               if states.get(p.id) not in again and p.configuration not in plan.refused]
    left = {p.id for p in pending}
    done = len(plan.points) - len(pending)
    refused = sum(p.configuration in plan.refused for p in plan.points.values())
    say("%d configurations, %d captures, %d points: %d have a result already%s" % (
        len(plan.places), len(plan.captures), len(plan.points), done - refused,
        f", {refused} are refused by the simulator" if refused else ""))
    progress = Progress(len(plan.points), done, o.jobs, store.seconds())
    progress.failed = sum(states[i] != "done" for i in plan.points.keys() & states.keys() - left)
    progress.expect(pending)

    def keep(point: Point, result: dict[str, Any]) -> None:
        store.add(point, result)
        progress.step(point, result)

    scratch = os.path.join(o.out, "scratch")
    if o.slurm:
        sweep_slurm.run(o, store, pending, plan.texts, tools, keep, say)
        return
    shutil.rmtree(scratch, ignore_errors=True)  # files that a killed sweep has left
    if pending:
        Pool(o.jobs, lambda p, started: run_point(
            p, tools, plan.texts[p.configuration], os.path.join(scratch, p.id), o.timeout,
            started)).run(pending, keep)
        shutil.rmtree(scratch, ignore_errors=True)


def dry_run(plan: Plan, store: Store | None) -> None:
    states = store.states() if store else {}
    for machine, label, digest, area, _ in plan.places:
        why = plan.refused.get(digest)
        print("%s%s" % (label, f": refused: {why}" if why else ""))
    left = [p for p in plan.points.values() if states.get(p.id) not in FINAL]
    print(f"{len(plan.places)} configurations, {len(plan.captures)} captures, {len(plan.points)} "
          f"points, {len(left)} to run")
    seconds = store.seconds() if store else {}
    if left and all(p.capture in seconds for p in left):
        print(f"about {in_words(sum(seconds[p.capture] for p in left))} in one process")


def report(o: argparse.Namespace, store: Store, design: int) -> int:
    """Makes tables, plots and the page; returns the exit status."""
    if design is None:
        raise SpaceError(f"nothing in {store.path} yet")
    written = sweep_report.write(store, design, o.out, not o.no_plots, say)
    print(sweep_report.text(store, design))
    summary = store.summary(design)
    total, done = summary["points"], summary["done"]
    say(f"wrote {', '.join(written)} in {o.out}")
    if done < total:
        failures = store.failures(design)
        say("%d of %d points have no result; the first: %s, %s: %s" %
            ((total - done, total) + failures[0] if failures else
             (total - done, total, "not run", "", "")))
    return 0 if done else 1


def main(args: list[str]) -> int:
    o = parse(args)
    database = os.path.join(o.out, "sweep.sqlite")
    if o.tables:
        if not os.path.isfile(database):
            raise SpaceError(f"no {database}")
        store = Store(database)
        return report(o, store, store.latest())
    tools, simulator = tools_of(o)
    keys = simulator.keys()[0]
    space = Space(o.space, keys)
    if o.slurm:
        sweep_slurm.check(o)
    early = (o.record or "sample" in space.options) and not o.dry_run
    lock = only_one(o.out) if early else None
    if o.record:
        record(o, space)
    captures = read_captures(o, space, simulator)
    plan = Plan(o, space, simulator, captures)
    if o.dry_run:
        dry_run(plan, Store(database) if os.path.isfile(database) else None)
        return 0
    if len(plan.refused) == len({p[2] for p in plan.places}):
        raise SpaceError("the simulator takes none of these machines: "
                         f"{next(iter(plan.refused.values()))}")
    lock = lock or only_one(o.out)
    store = Store(database)
    design = plan.store(store, o, space)
    run_points(o, store, plan, tools)
    status = report(o, store, design)
    lock.close()
    return status

