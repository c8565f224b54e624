"""Runs, sweeps, samples and comparisons of the simulated ATTILA GPU as pandas data frames.

    import attila
    run = attila.open_run("out/run")
    run.frames.plot(x="frame", y="cycles")
    run.draws.nlargest(10, "exclusive_cycles")
    attila.open_sweep("space.sweep").points

The commands of the program "attila" are in __main__.py.
"""

from __future__ import annotations

import os

__version__ = "0.2.0"
__all__ = ["open_run", "open_sweep", "open_sample", "open_timing", "open_comparison"]

from attila.frames import Comparison, Run, Sample, Sweep, Timing

Path = str | os.PathLike[str]


def open_run(folder: Path) -> Run:
    """A run: the folder of attila-run --out or attila-sim run --out."""
    return Run(folder)


def open_sweep(folder: Path) -> Sweep:
    """A sweep: the folder of attila sweep --out."""
    return Sweep(folder)


def open_sample(folder: Path) -> Sample:
    """A sample: the folder of attila sample --out."""
    return Sample(folder)


def open_timing(path: Path) -> Timing:
    """A comparison with the original simulator: the file of attila validate-timing -o."""
    return Timing(path)


def open_comparison(folder: Path) -> Comparison:
    """A comparison with another driver: the folder of attila compare --out."""
    return Comparison(folder)
