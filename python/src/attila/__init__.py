"""The simulated ATTILA GPU: record programs, simulate captures, and look at runs, sweeps, samples
and comparisons as pandas data frames.

    import attila
    capture = attila.record("glxgears", "gears.attila", frames=3)
    run = attila.simulate(capture, "micro2005")
    run.frames[["frame", "cycles", "limiter"]]
    run.draws.nlargest(10, "exclusive_cycles")

    machines = [{"GPU.NumFragmentShaders": n} for n in (1, 2, 4, 8)]
    runs = attila.simulate(capture, set=machines)           # a list, run side by side
    [r.frames["cycles"].sum() for r in runs]

simulate and record start runs. savings tells how much faster a frame would be with an ideal unit,
or with draws that do less (experiment makes such captures). open_run, open_sweep, open_sample,
open_timing and open_comparison open what the programs have left in their folders. All errors are
subclasses of Error: UsageError (an argument is wrong), RecordError (a program cannot be recorded),
SimulationError (a run failed).

"attila --help" lists the same things as commands. docs/howto/python.md has examples,
docs/reference/record.md all tables and columns.
"""

from __future__ import annotations

import os

__version__ = "0.2.0"
__all__ = ["simulate", "record", "experiment", "savings", "open_run", "open_sweep",
           "open_sample", "open_timing", "open_comparison", "Run", "Sweep", "Sample", "Timing",
           "Comparison", "Error", "UsageError", "RecordError", "SimulationError"]

from attila.cli import Error, UsageError
from attila.experiments import experiment, savings
from attila.frames import Comparison, Run, Sample, Sweep, Timing
from attila.program import RecordError
from attila.runs import SimulationError, record, simulate

Path = str | os.PathLike[str]


def open_run(folder: Path) -> Run:
    """A run: the folder of attila-run --out, attila-sim run --out or simulate(out=...)."""
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
