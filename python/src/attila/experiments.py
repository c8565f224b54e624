"""attila.experiment() and attila.savings(): how many cycles a frame would save if its draws did
less, or a unit were ideal. Not here: what an experiment changes (attila-sim experiment), the
command (tools/experiments.py).
"""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING, Any

from attila import cli, paths, runs, simulator
from attila.runs import Path, Settings

if TYPE_CHECKING:
    from pandas import DataFrame


def _range(value: int | str | None, option: str) -> list[str]:
    return [] if value is None else [option, str(value)]


def experiment(capture: Path, path: Path, what: str, *, frames: int | str | None = None,
               draws: int | str | None = None) -> str:
    """Writes a copy of a capture whose draws are left out or do less, as attila-sim experiment
    does. Returns its path, for simulate().

        less = attila.experiment("game.attila", "less.attila", "blend")
        runs = attila.simulate(["game.attila", less], frames=3)

    what: "skip", "scissor", "textures" or "blend", or several with commas between.
    frames, draws: the draws that change, as 3 or "3-9"; None: all.
    """
    simulator.call(paths.simulator(), "experiment", os.fspath(capture), os.fspath(path), "--what",
                   what, *_range(frames, "--frames"), *_range(draws, "--draws"))
    return os.fspath(path)


def _costliest(run: Any, capture: str, most: int) -> list[int]:
    """Numbers of the draws of frame 1 that cost most. If a condition has left out draws, these have
    a number in the capture but not in the record; then the list is empty."""
    info = simulator.call(paths.simulator(), "dump", capture, "--frames", "1")
    draws = run.draws[run.draws["frame"] == 1]
    if sum(" DRAW " in line for line in info.splitlines()) != len(draws):
        cli.say(None, "the frame has conditional draws: no row for single draws")
        return []
    return [int(n) for n in draws.nlargest(most, "exclusive_cycles")["draw"]]


def savings(capture: Path, frame: int, config: Path | None = None, *, set: Settings | None = None,
            draws: int = 5, processes: int | None = None, progress: bool = True) -> DataFrame:
    """How much of a frame each experiment and each ideal unit would save: a row each, with cycles,
    saved (cycles) and percent (of the frame's cycles), the largest first. The first row is the
    unchanged frame.

        attila.savings("game.attila", 40, "micro2005")

    Every run is of the frame alone (attila-sim trim), from a warm start.

    capture, config, set, processes, progress: as for simulate().
    draws: how many of the costliest draws are left out, each in a run of its own.
    """
    import pandas
    sim = paths.simulator()
    with tempfile.TemporaryDirectory(prefix="attila-savings-") as folder:
        names: list[tuple[str, str]] = []
        captures: list[str] = []

        def add(kind: str, name: str, what: str | None = None, draw: int | None = None) -> str:
            """Makes a capture of the frame alone. The experiment is applied before that, since it
            may access other memory."""
            source, alone = os.fspath(capture), os.path.join(folder, f"{len(names)}.attila")
            if what:
                source = experiment(source, os.path.join(folder, "all.attila"), what, frames=frame,
                                    draws=draw)
            simulator.call(sim, "trim", source, alone, "--frames", str(frame))
            names.append((kind, name))
            captures.append(alone)
            return alone

        whole = add("", "the frame as it is")
        options: dict[str, Any] = {"config": config, "set": set, "processes": processes,
                                   "progress": progress, "frames": 1}
        quiet: dict[str, Any] = {**options, "progress": False}
        with runs.simulate(whole, **quiet) as base:
            costly = _costliest(base, whole, draws)
        for what in runs.words(sim, "experiment", "what"):
            if what != "skip":
                add("experiment", what, what)
        for draw in costly:
            add("draw", f"without draw {draw}", "skip", draw)
        found = runs.simulate(captures, **options)
        ideals = runs.words(sim, "run", "ideal")
        names += [("ideal", name) for name in ideals]
        found += runs.simulate(whole, ideal=ideals, **options)
        cycles = [int(r.frames["cycles"].iloc[0]) for r in found]
        for run in found:
            run.close()
    rows = [(kind, name, n, cycles[0] - n, 100 * (cycles[0] - n) / cycles[0])
            for (kind, name), n in zip(names, cycles, strict=True)]
    rows[1:] = sorted(rows[1:], key=lambda row: -row[3])
    return pandas.DataFrame(rows, columns=["kind", "what", "cycles", "saved", "percent"])
