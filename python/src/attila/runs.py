"""attila.simulate() and attila.record(): start runs from Python. Not here: reading their results
(frames.py), how simulators run side by side (pool.py), design spaces (sweep/).
"""

from __future__ import annotations

import difflib
import functools
import itertools
import operator
import os
import shlex
import shutil
import tempfile
import time
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

from attila import cli, paths, simulator
from attila import program as programs
from attila.cli import Error, UsageError
from attila.frames import Run
from attila.pool import Line, Pool, Started, in_words, watched
from attila.sweep.machine import Simulator, find_config

Path = str | os.PathLike[str]
Settings = Mapping[str, Any]
Captures = list[str] | list[os.PathLike[str]] | list[Path]
Ideals = list[str] | list[str | None]
# Options of attila-sim run for which simulate() has parameters; --frames may also be a number.
OURS = {"config", "set", "ideal", "out"}


class SimulationError(Error):
    """Some runs failed. runs: the list that simulate() would have returned, with None for failed
    runs; messages: why they failed, by place in that list. Runs that did not fail can be used."""

    def __init__(self, text: str, runs: list[Run | None], messages: dict[int, str]) -> None:
        super().__init__(text)
        self.runs, self.messages = runs, messages


@dataclass(frozen=True)
class _Item:
    """One run: its elements of simulate()'s lists, its command, its folder, and its number of
    frames (None: unknown)."""

    what: str
    command: list[str]
    folder: str
    frames: int | None


@functools.cache
def _known(sim: str, command: str) -> dict[str, str]:
    """{name without dashes: argument ("": a flag)} of a command's options."""
    lines = simulator.call(sim, "options", command).splitlines()
    cells = [line.split("\t") for line in lines]
    return {c[0].removeprefix("--"): c[1] for c in cells if c[0].startswith("--")}


def words(sim: str, command: str, option: str) -> list[str]:
    """The words that an option of a command accepts."""
    for line in simulator.call(sim, "options", command).splitlines():
        cells = line.split("\t")
        if cells[0] == f"--{option}":
            return cells[2].split()
    raise Error(f"attila-sim {command} has no --{option}")


def _options(sim: str, command: str, taken: set[str], given: Mapping[str, Any]) -> list[str]:
    """Options of a command from keywords: save_frames=True becomes --save-frames, interval=1000
    becomes --interval 1000; None and False are omitted. An iterable of frames or words becomes a
    list."""
    known = {n: a for n, a in _known(sim, command).items() if n not in taken}
    words: list[str] = []
    for name, value in given.items():
        option = name.replace("_", "-")
        if option not in known:
            near = difflib.get_close_matches(option, known, 1)
            raise UsageError(f"{name} is no option of attila-sim {command}" + (
                f"; is it {near[0].replace('-', '_')}?" if near else ""))
        if value is None or value is False:
            continue
        if (value is True) != (not known[option]):
            raise UsageError(f"{name} takes " + (f"a value, {known[option]}" if known[option]
                                                 else "True or False"))
        words += [f"--{option}"]
        if isinstance(value, list | tuple | range):
            words += [",".join(str(v) for v in value)]
        elif value is not True:
            words += [os.fspath(value) if isinstance(value, os.PathLike) else str(value)]
    return words


def _plain(value: Any) -> Any:
    """Converts a number of NumPy to one of Python."""
    if isinstance(value, bool | str):
        return value
    try:
        return operator.index(value)
    except TypeError:
        return value.item() if hasattr(value, "item") else value


class _Machine:
    """A machine by name or file, and the settings that it accepts."""

    def __init__(self, sim: str, config: Path | None) -> None:
        self.simulator = Simulator(sim)
        self.config = find_config(os.fspath(config) if config else None, os.curdir,
                                  paths.places().configs)
        self.keys, self.values = self.simulator.keys(self.config)

    def check_ideal(self, ideal: str | None) -> None:
        if ideal is not None:
            simulator.call(self.simulator.path, "describe", "--ideal", ideal,
                           *Simulator.options(self.config, []))

    def options(self, settings: Settings | None) -> list[str]:
        """Options of attila-sim; raises Error if it would refuse them."""
        sets = []
        for name, value in (settings or {}).items():
            key = self.keys.find(name)
            sets.append(f"{key.full}={key.check(_plain(value))}")
        if sets:
            self.simulator.keys(self.config, sets)  # checks that they go together
        return Simulator.options(self.config, sets)

    def threads(self, settings: Settings | None) -> list[str]:
        """Options for one thread, unless the machine sets Threads: runs side by side are faster
        than threads."""
        named = {self.keys.resolve(n): v for n, v in (settings or {}).items()}
        threads = named.get("SIMULATOR.Threads", self.values["SIMULATOR.Threads"])
        return [] if threads else ["--set", "SIMULATOR.Threads=1"]


def _frames_of(sim: Simulator, capture: str, wanted: Any) -> int | None:
    """How many frames a run of a capture will have, to show progress; None: unknown."""
    frames = sim.frames(capture)
    if wanted is None:
        return frames
    if isinstance(wanted, int):
        return 1
    if isinstance(wanted, list | tuple | range):
        return len(wanted)
    return None


class _Progress:
    """A line with the frames and runs that have ended."""

    def __init__(self, items: Sequence[_Item], on: bool) -> None:
        self.items, self.line = items, Line() if on else None
        self.begin, self.ended = time.monotonic(), 0
        known = [i.frames for i in items]
        self.total = sum(n or 0 for n in known) if all(known) else None

    def frames(self) -> int:
        """Frames that are in the reports by now."""
        count = 0
        for item in self.items:
            try:
                with open(os.path.join(item.folder, "frames.csv"), "rb") as f:
                    count += max(sum(line.endswith(b"\n") for line in f) - 1, 0)
            except OSError:
                pass
        return count

    def tell(self) -> None:
        if not self.line:
            return
        frames, last = self.frames(), self.ended == len(self.items)
        part = 1.0 if last else self.ended / len(self.items)
        text = f"attila: {self.ended} of {len(self.items)} runs, {frames} "
        if self.total:
            part = min(frames / self.total, 1.0)
            text += f"of {self.total} frames"
        else:
            text += "frames"
        passed = time.monotonic() - self.begin
        if not last and part > 0:
            text += f", {in_words(passed / part - passed)} left"
        self.line.show(text, part, last)


def _run_all(items: Sequence[_Item], processes: int, progress: bool) -> list[Run]:
    runs: list[Run | None] = [None] * len(items)
    messages: dict[int, str] = {}
    shown = _Progress(items, progress)

    def work(number: int, started: Started) -> tuple[str, str]:
        return watched(items[number].command, None, started)

    def keep(number: int, result: tuple[str, str]) -> None:
        state, message = result
        if state == "done":
            runs[number] = Run(items[number].folder)
        else:
            messages[number] = message
        shown.ended += 1
        shown.tell()

    Pool(processes, work, shown.tell).run(range(len(items)), keep)
    if messages:
        first = min(messages)
        what = f"the first: {items[first].what}: " if len(items) > 1 else ""
        raise SimulationError((f"{len(messages)} of {len(items)} runs failed; " if what else "")
                              + what + messages[first], runs, messages)
    return [run for run in runs if run]


def _folder(out: Path | None, several: bool, number: int) -> str:
    if out is None:
        return tempfile.mkdtemp(prefix="attila-run-")
    return os.path.join(out, str(number)) if several else os.fspath(out)


def _single(value: Any) -> bool:
    """Whether a value is for one run, not a list for several; settings may be any sequence of
    mappings."""
    return value is None or isinstance(value, str | os.PathLike | Mapping)


@overload
def simulate(capture: Path, config: Path | None = None, *, set: Settings | None = None,
             ideal: str | None = None, out: Path | None = None, processes: int | None = None,
             progress: bool = True, **options: Any) -> Run: ...


@overload
def simulate(capture: Captures, config: Path | None = None, *,
             set: Settings | Sequence[Settings] | None = None, ideal: str | Ideals | None = None,
             out: Path | None = None, processes: int | None = None, progress: bool = True,
             **options: Any) -> list[Run]: ...


@overload
def simulate(capture: Path, config: Path | None = None, *, set: Sequence[Settings],
             ideal: str | Ideals | None = None, out: Path | None = None,
             processes: int | None = None, progress: bool = True,
             **options: Any) -> list[Run]: ...


@overload
def simulate(capture: Path, config: Path | None = None, *, set: Settings | None = None,
             ideal: Ideals, out: Path | None = None, processes: int | None = None,
             progress: bool = True, **options: Any) -> list[Run]: ...


def simulate(capture: Any, config: Path | None = None, *, set: Any = None, ideal: Any = None,
             out: Path | None = None, processes: int | None = None, progress: bool = True,
             **options: Any) -> Run | list[Run]:
    """Simulates a capture, as attila-sim run does, and opens the result.

        run = attila.simulate("game.attila", "micro2005", set={"GPU.NumFragmentShaders": 8})
        run.frames[["frame", "cycles", "limiter"]]

    A list of captures, of settings or of ideals gives a list of runs, which run side by side: all
    combinations, the last list changing fastest.

        sizes = [4, 8, 16, 32, 64]
        runs = attila.simulate("game.attila", set=[{"TextureCacheLines": n} for n in sizes])

    capture: a file of attila-run --capture, of record() or of attila-sim trim; or a list of them.
    config: the machine: an .ini file, or the name of a file of configs/. None: the default machine.
    set: {"SECTION.KEY": value} changes parameters; the section may be omitted if only one has the
        key. Or a list of such dictionaries.
    ideal: units to make ideal, "memory,caches" (attila-sim run --ideal); or a list of such texts,
        with None for the real machine.
    out: the folder for the record and the other files. Several runs get folders 0, 1, ... in it.
        None: temporary ones, removed when a run is closed or no longer used.
    processes: simulators at a time. None: one for each processor.
    progress: whether to show the progress: a bar in a notebook, a line on a terminal.
    options: every other option of attila-sim run (attila-sim help run), with _ for -:
        frames="3,10-20", mode="half", interval=1000, power="builtin", save_frames=True, ...

    Captures, machines and names of options are checked before anything runs: UsageError says what
    is wrong and what is accepted. SimulationError: some runs failed; it has the others.
    """
    sim = paths.simulator()
    varied = (capture, set, ideal)
    captures, sets, ideals = ([v] if _single(v) else list(v) for v in varied)
    several = not all(map(_single, varied))
    if not (captures and sets and ideals):
        raise UsageError("an empty list: nothing to simulate")
    if processes is not None and processes < 1:
        raise UsageError(f"processes = {processes}: expected a number from 1")
    words = _options(sim, "run", OURS, options)
    if "sqlite" not in str(options.get("record", "sqlite")):
        raise UsageError("record needs sqlite: the run is opened from it")
    machine = _Machine(sim, config)
    alone = len(captures) * len(sets) * len(ideals) == 1
    machines = [machine.options(s) + ([] if alone else machine.threads(s)) for s in sets]
    for i in ideals:
        machine.check_ideal(i)
    frames = {c: _frames_of(machine.simulator, os.fspath(c), options.get("frames"))
              for c in captures}
    items: list[_Item] = []
    for c, (settings, chosen), i in itertools.product(captures, zip(sets, machines), ideals):
        folder = _folder(out, several, len(items))
        what = ", ".join([os.fspath(c)] + [f"{k} = {v}" for k, v in (settings or {}).items()] +
                         ([f"ideal {i}"] if i else []))
        items.append(_Item(what, [sim, "run", os.fspath(c), *chosen, *words,
                                  *(["--ideal", i] if i else []), "--out", folder], folder,
                           frames[c]))
    kept: list[Run] = []
    try:
        kept = _run_all(items, processes or len(os.sched_getaffinity(0)), progress)
    except SimulationError as e:
        kept = [r for r in e.runs if r]
        raise
    finally:
        if out is None:
            _remove_later(items, kept)
    return kept if several else kept[0]


def _remove_later(items: Sequence[_Item], runs: Sequence[Run]) -> None:
    """Removes temporary folders: those that runs use, when these runs are closed; the others
    now."""
    used = {r.folder: r for r in runs}
    for item in items:
        if run := used.get(item.folder):
            run.on_close(weakref.finalize(run, shutil.rmtree, item.folder, ignore_errors=True))
        else:
            shutil.rmtree(item.folder, ignore_errors=True)


def record(program: str | Sequence[str], path: Path, config: Path | None = None, *,
           set: Settings | None = None, progress: bool = True, **options: Any) -> str:
    """Runs an OpenGL program in functional mode and records its commands to the GPU, for any number
    of simulations. Returns the path of the capture, for simulate().

        capture = attila.record("glxgears", "gears.attila", frames=10)

    program: a command line, or a list of its words.
    path: the file of the capture; an existing file is replaced when the program has ended without
        an error.
    config, set: the machine for which shaders are compiled, as for simulate().
    progress: whether to report progress on stderr.
    options: every other option of attila-run (attila-run --help), with _ for -: frames=10,
        size="640x480", ... Unless they choose another clock, time advances by 1/60 s per frame, so
        that two records are equal.

    RecordError: the program cannot be run, failed, drew nothing, or did not end.
    """
    words = shlex.split(program) if isinstance(program, str) else [os.fspath(w) for w in program]
    target = os.path.abspath(path)
    if not words or not shutil.which(words[0]):
        raise programs.RecordError(f"no program '{words[0] if words else ''}'")
    if not os.path.isdir(os.path.dirname(target)):
        raise programs.RecordError(f"no folder {os.path.dirname(target)}")
    p = paths.places()
    if not os.path.isfile(p.driver):
        raise programs.RecordError(f"no driver {p.driver}: {p.missing}")
    sim = paths.simulator()
    chosen = _options(sim, "launch", {"config", "set", "capture"}, options)
    chosen += _Machine(sim, config).options(set)
    if progress:
        cli.say(None, f"recording {words[0]} in functional mode")
    programs.record(p.run, words, chosen, target, again=True, quiet=True)
    return target
