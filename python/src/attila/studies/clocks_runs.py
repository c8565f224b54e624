"""Runs of clock domains under policies of voltage, and their energies with several tables: what the
study has, and why clock domains save other parts of the energy here than in Qsilver, one change at
a time. Not here: what the study says of it (studies/clocks.py), the policies (src/sim/dvfs).
"""

from __future__ import annotations

import csv
import io
import os
from attila.paths import TOP
from attila.record import reader
from attila.studies.results import mean, percent, table
from attila.studies.runs import command, records

LEAKAGE = (10, 30, 50)
HEAD = ["time"] + [f"{e}, {n} %" for e in ("E", "ED²") for n in LEAKAGE]
TABLE = os.path.join(TOP, "configs", "power", "150nm.ini")
CONFIG = "ispass2006-split"
MEMORY = ("Sched", "MC", "DAC")  # units that are in no domain that changes
NO_CLOCKS = ["CLOCK.TreeRatio=0", "CLOCK.LocalRatio=0"]


def watermark(hold, still, *more):
    return ["DVFS.MinVoltage=50", "DVFS.Policy=WATERMARK", "DVFS.RasterDomain=geometry",
            "DVFS.Queue=interp_ffu", f"DVFS.HoldCycles={hold}",
            f"DVFS.TransitionTime={still}", *more]


FIXED = ["DVFS.MinVoltage=50", "DVFS.Policy=FIXED"]
LARGE = "RASTERIZER.InterpolatedStampQueueSize=512"
TRIANGLES = ["DVFS.MinVoltage=50", "DVFS.Policy=WATERMARK", "DVFS.Queue=ts_tt",
             "DVFS.HoldCycles=5000", "DVFS.TransitionTime=1000"]
# {name: (what, settings, settings of what it is compared with)}: the study's policies, and such
# with one change.
POLICIES = {
    "paper": ("fragments, 50,000 cycles, 10 µs", watermark(50000, 10000), FIXED),
    "tenth": ("fragments, 5,000 cycles, 1 µs", watermark(5000, 1000), FIXED),
    "free": ("fragments, 5,000 cycles, no time", watermark(5000, 0), FIXED),
    "triangles": ("triangles, 5,000 cycles, 1 µs", TRIANGLES, FIXED),
}
CHANGES = {
    "marks": ("a domain stays slow until the queue is half full",
              watermark(5000, 1000, "DVFS.RestoreBelow=50", "DVFS.RestoreAbove=50"), FIXED),
    "queue": ("room for 512 quads in the queue instead of 16",
              watermark(5000, 1000, LARGE), FIXED + [LARGE]),
    "memory": ("memory controller in the domain of fragments",
               watermark(5000, 1000, "DVFS.MemoryDomain=fragment"), FIXED),
    "deep": ("no time, and at half the frequency after 500 cycles",
             watermark(500, 0, "DVFS.SampleCycles=100", "DVFS.Step=50"), FIXED),
}
RUNS = {**POLICIES, **CHANGES}
# {name: (what, table of a leakage, without memory)}
ACCOUNTS = {
    "all": ("as above", lambda n: [f"LEAKAGE.Ratio={n:g}"], False),
    "chip": ("without memory chips, their controller and the DAC",
             lambda n: [f"LEAKAGE.Ratio={n:g}"], True),
    "gated": ("and no clocks, nothing dynamic without work",
              lambda n: NO_CLOCKS + ["CLOCK.GatingStyle=linear", f"LEAKAGE.Ratio={n:g}"], True),
    "idle": ("and leakage of idle cycles alone, by V²: the paper's rule",
             lambda n: NO_CLOCKS + ["LEAKAGE.Ratio=0", f"CLOCK.IdleShare={n:g}"], True),
}

# Accounts whose parts are told, with shorter names.
SHORT = {"all": "this table of energies", "idle": "the paper's rule"}
SPLIT = ["policy; energies", "work", "leakage", "leakage over work"] + [
    f"E, {n} %" for n in LEAKAGE]
STREAMS = ("alu_dependent", "texture_trilinear", "triangles_program")
SAVED = {10: .13, 50: .30}  # the paper's energies


def needed(size):
    """What work and leakage save where both together save SAVED, leakage being size times the
    work, times its share."""
    low, high = ((1 + n / 100 * size) * saved for n, saved in SAVED.items())
    leakage = (high - low) / (size * .4)
    return low - .1 * size * leakage, leakage


class Energy:
    """Of a run with a table: seconds, and the total in femtojoules; without the first frame where
    there are several."""

    def __init__(self, o, folder, settings, chip) -> None:
        text = command(o.sim, "power", folder, "--table", TABLE, "--by", "frame", "--format", "csv",
                       *(a for s in settings for a in ("--set", s)))
        rows = list(csv.DictReader(io.StringIO(text)))
        frames = sorted({int(r["frame"]) for r in rows})
        counted = frames[1:] or frames
        rows = [r for r in rows if int(r["frame"]) in counted and not (
            chip and r["unit"] in MEMORY)]
        self.total = sum(int(r["total_fj"]) - chip * int(r["offchip_fj"]) for r in rows)
        self.seconds = sum({r["frame"]: float(r["seconds"]) for r in rows}.values())


class ClockRuns:
    """Runs of all policies on captures, and their energies; ratios are over the fixed frequency."""

    def __init__(self, o, captures):
        """captures: {name: (path, frames or None)}"""
        self.o, self.captures, self.found = o, captures, {}
        self.all = dict(captures)
        for name in STREAMS:
            self.all[name] = (os.path.join(TOP, "tests", "timing", name + ".attila"), None)
        wanted = {}
        for name, (path, frames) in self.all.items():
            options = ["--frames", frames] if frames else []
            runs = RUNS if name in captures else {"free": RUNS["free"]}
            for _, *pair in runs.values():
                for settings in pair:
                    wanted[(name, tuple(settings))] = (path, CONFIG, settings, options)
        self.folders = records(o, wanted)

    def games(self):
        return [n for n, (_, frames) in self.captures.items() if frames]

    def energy(self, capture, settings, account, leakage):
        key = (capture, tuple(settings), account, leakage)
        if key not in self.found:
            _, of, chip = ACCOUNTS[account]
            self.found[key] = Energy(self.o, self.folders[key[:2]], of(leakage / 100), chip)
        return self.found[key]

    def ratio(self, run, captures, leakage, what, account="all"):
        """Of what(energy), mean of captures."""
        _, settings, base = RUNS[run]
        return mean([what(self.energy(c, settings, account, leakage)) /
                     what(self.energy(c, base, account, leakage)) for c in captures])

    def ratios(self, run, captures, leakage, account="all"):
        """(T, E, ED2)"""
        t, e = (self.ratio(run, captures, leakage, what, account)
                for what in (lambda e: e.seconds, lambda e: e.total))
        return t, e, e * t * t

    def row(self, run, captures, account="all"):
        found = [self.ratios(run, captures, n, account) for n in LEAKAGE]
        return ([percent(found[0][0])] + [percent(f[1]) for f in found] +
                [percent(f[2]) for f in found])

    def split(self, run, captures, account):
        """(what work saves, what leakage saves, leakage over work): energies are work and what
        leakage of all of the peak would be, times the share of it that a table says."""
        def leak(e):
            return (e[1] - e[0]) / ((LEAKAGE[-1] - LEAKAGE[0]) / 100)

        def work(e):
            return e[0] - leak(e) * LEAKAGE[0] / 100
        _, settings, base = RUNS[run]
        found = []
        for c in captures:
            now, then = ([self.energy(c, s, account, n).total for n in (LEAKAGE[0], LEAKAGE[-1])]
                         for s in (settings, base))
            found.append((work(now) / work(then), leak(now) / leak(then), leak(then) / work(then)))
        return [mean(column) for column in zip(*found)]

    def split_row(self, what, run, captures, account):
        work, leak, size = self.split(run, captures, account)
        return [what, percent(work), percent(leak), f"{size:.1f}"] + [
            percent(self.ratios(run, captures, n, account)[1]) for n in LEAKAGE]

    def needed_row(self, size, captures):
        work, leak, _ = self.split("deep", captures, "idle")
        here = [(work + n / 100 * size * leak) / (1 + n / 100 * size) for n in SAVED]
        return [f"{size}"] + [percent(1 - x) for x in needed(size)] + [percent(x) for x in here]

    def speeds(self):
        """Rows: mean frequency of the domains over each capture."""
        rows = []
        for name in self.captures:
            db = reader.open_record(self.folders[(name, tuple(RUNS["tenth"][1]))])
            found = dict(db.execute(
                "SELECT name, sum(c.percent * f.cycles) / sum(f.cycles) FROM frame_clocks c "
                "JOIN frames f USING (frame) GROUP BY name"))
            rows.append([name] + [f"{found[d]:.0f} %" for d in ("geometry", "fragment")])
        return rows

    def why(self, captures):
        """The tables of the experiment."""
        runs = [[RUNS[n][0]] + self.row(n, captures) for n in ("tenth", *CHANGES)]
        accounts = [[what] + self.row("tenth", captures, name)
                    for name, (what, _, _) in ACCOUNTS.items()]
        accounts += [["and changes take no time"] + self.row("free", captures, "idle"),
                     ["and half the frequency after 500 cycles"] +
                     self.row("deep", captures, "idle")]
        return ("Other runs, one change each:\n\n" + table(["policy"] + HEAD, runs) +
                "\nThe first row's run with other tables of energies; each row has the changes of "
                "those before, too:\n\n" + table(["energies"] + HEAD, accounts) +
                "\nEnergy is work and a share of what leakage of all of the peak would be (the "
                "paper's 10, 30 and 50 %). What both save, how large the whole leakage is beside "
                "the work at nominal frequency, and what follows:\n\n" +
                table(SPLIT, [self.split_row(f"{RUNS[run][0]}; {SHORT[account]}", run,
                                             captures, account)
                              for run in ("tenth", "free", "deep") for account in SHORT]) +
                "\nBy capture, changes that take no time and the paper's rule; the last three are "
                "streams of `tests/timing` that one engine limits throughout:\n\n" +
                table(["capture"] + SPLIT[1:],
                      [self.split_row(c, "free", [c], "idle") for c in self.all]) +
                "\nWhat work and leakage have to save for the paper's -13 % and -30 %, by how "
                "large the whole leakage is beside the work; and what energy would save at 10 "
                "and 50 % if they saved what they do here with the paper's rule, no time, and "
                "half the frequency after 500 cycles:\n\n" +
                table(["leakage over work", "work", "leakage", "here, E, 10 %", "here, E, 50 %"],
                      [self.needed_row(k, captures) for k in (1, 2, 5, 10)]) +
                "\nMean frequency of the domains, first row's run:\n\n" +
                table(["capture", "geometry", "fragments"], self.speeds()))
