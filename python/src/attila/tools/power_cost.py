"""What energies cost a run that is recorded anyway: CPU time, or instructions, with --power beside
the same run without it, of the whole process.

CPU times are medians of TIMES pairs of runs that take turns, so that a host that gets slower makes
both slower; "differ": half the runs without --power lie within so many percent of each other, which
is what a difference of two such medians can tell at best. Instructions are counted by valgrind,
once. With and without intervals of 10,000 cycles. Exit: 1 if one of the captures costs more than
LIMIT. Not here: what the record costs (tools/record_cost.py), from which the counting of time and
instructions is.
"""

import os
import shutil
import statistics
import tempfile

from attila.cli import Error
from attila.tools.record_cost import cpu_seconds, instructions, parts

LIMIT = 3  # percent
CASES = (("record", ()), ("intervals", ("--interval", "10000")))


def measure(command, times, what):
    """[(without, with)] of TIMES pairs of runs, of the process."""
    with tempfile.TemporaryDirectory() as folder:
        pairs = []
        for n in range(times):
            pair = []
            for name, more in (("off", []), ("on", ["--power", "builtin"])):
                pair.append(what(command + ["--out", f"{name}-{n}"] + more, folder)[1])
                shutil.rmtree(os.path.join(folder, f"{name}-{n}"))
            pairs.append(pair)
    return pairs


def spread(values):
    """Distance between the quartiles, in percent of the median."""
    if len(values) < 4:
        return 0
    low, middle, high = statistics.quantiles(values, n=4)
    return 100 * (high - low) / middle


def main(sim, config, times, captures, count):
    what, times = (instructions, 1) if count else (cpu_seconds, times)
    sim, config = os.path.abspath(sim), os.path.abspath(config)
    if count and not shutil.which("valgrind"):
        raise Error("valgrind is not installed")
    unit, scale = ("M", 1e-6) if what is instructions else ("s", 1)
    print(f"{'Instructions' if what is instructions else 'CPU time'} of the process with --out "
          "DIR, and what --power adds\n")
    print("| stream | %s |" % " | ".join(f"{n}, {unit} | --power | differ"
                                         for n, _ in CASES))
    print(f"|---|{'---:|' * (3 * len(CASES))}")
    worst = 0
    for stream in captures:
        capture, frames = parts(stream)
        row = []
        for _, more in CASES:
            pairs = measure([sim, "run", os.path.abspath(capture), "--config", config] + frames +
                            list(more), times, what)
            off, on = (statistics.median(p[i] for p in pairs) for i in range(2))
            worst = max(worst, 100 * (on / off - 1))
            row += [f"{off * scale:.3f}", f"{100 * (on / off - 1):+.1f} %",
                    f"{spread([p[0] for p in pairs]):.1f} %"]
        name = os.path.basename(stream).replace(".attila", "").replace("@", ", frames ")
        print(f"| {name} | {' | '.join(row)} |", flush=True)
    print(f"\nat most {worst:+.1f} %; {LIMIT} % are allowed")
    return int(worst > LIMIT)
