"""A study after Qsilver, Figure 5: clock domains whose voltage and frequency a queue between them
controls. Not here: running (studies/command.py), the policies (src/sim/dvfs), energies (attila-sim
power).
"""

from __future__ import annotations

import argparse
import csv
import io
import os
from collections.abc import Callable, Sequence
from typing import Any

from attila.paths import TOP
from attila.records import reader
from attila.studies.results import Study, change, mean, percent, share
from attila.studies.runs import command, leakage_in, records

LEAKAGE = (10, 30, 50)
CONFIG = "ispass2006-split"
TABLE = os.path.join(TOP, "configs", "power", "qsilver2004.ini")
CLOCKS = [f"GPU.{n}Clock=300" for n in ("GPU", "Shader", "Memory")]  # Qsilver's
FIXED = ["DVFS.MinVoltage=50", "DVFS.Policy=FIXED"]


def watermark(hold: int, still: int, *more: str) -> list[str]:
    return ["DVFS.MinVoltage=50", "DVFS.Policy=WATERMARK", "DVFS.RasterDomain=geometry",
            "DVFS.Queue=interp_ffu", f"DVFS.HoldCycles={hold}",
            f"DVFS.TransitionTime={still}", *more]


# {name: (description, settings, settings of the run that it is compared with)}
POLICIES = {
    "paper": ("50,000 cycles, 10 µs: the paper's", watermark(50000, 10000), FIXED),
    "tenth": ("5,000 cycles, 1 µs", watermark(5000, 1000), FIXED),
    "free": ("5,000 cycles, no time", watermark(5000, 0), FIXED),
    "deep": ("500 cycles, no time, at once half the frequency",
             watermark(500, 0, "DVFS.SampleCycles=100", "DVFS.Step=50"), FIXED),
}
# {name: (description, function from leakage to changes of the table)}
ACCOUNTS: dict[str, tuple[str, Callable[[float], list[str]]]] = {
    "table": ("the table's leakage, at work and idle", lambda n: [f"LEAKAGE.Ratio={n:g}"]),
    "idle": ("the paper's: idle cycles alone leak, by V²",
             lambda n: ["CLOCK.LocalRatio=0", "CLOCK.GatingStyle=linear_idle",
                        "LEAKAGE.Ratio=0", f"CLOCK.IdleShare={n:g}"]),
}


class ClockRuns:
    """Runs of all policies on captures {name: (path, frames or None)}, and their energies. Ratios
    are relative to the fixed frequency."""

    def __init__(self, o: argparse.Namespace, captures: dict[str, tuple[str, str | None]],
                 games: list[str]) -> None:
        self.o, self.captures, self.games = o, captures, games
        self.found: dict[tuple[Any, ...], tuple[float, float]] = {}
        self.leaked: dict[tuple[Any, ...], float] = {}
        self.folders = records(o, {
            (name, tuple(settings)): (path, CONFIG, [*CLOCKS, *settings],
                                      ["--frames", frames] if frames else [])
            for name, (path, frames) in captures.items()
            for _, *pair in POLICIES.values() for settings in pair})

    def energy(self, capture: str, settings: Sequence[str], account: str,
               leakage: int) -> tuple[float, float]:
        """(seconds, femtojoules) of a run."""
        key = (capture, tuple(settings), account, leakage)
        if key not in self.found:
            text = command(self.o.sim, "power", self.folders[key[:2]], "--table", TABLE, "--by",
                           "frame", "--format", "csv",
                           *(a for s in ACCOUNTS[account][1](leakage / 100) for a in ("--set", s)))
            rows = list(csv.DictReader(io.StringIO(text)))
            self.found[key] = (sum({r["frame"]: float(r["seconds"]) for r in rows}.values()),
                               float(sum(int(r["total_fj"]) for r in rows)))
            self.leaked[key] = leakage_in(rows)
        return self.found[key]

    def leaks(self, capture: str) -> list[str]:
        """The capture, and the share of leakage in what the chip dissipates at its fixed
        frequency, for each of LEAKAGE."""
        for n in LEAKAGE:
            self.energy(capture, FIXED, "table", n)
        return [capture] + [share(self.leaked[capture, tuple(FIXED), "table", n]) for n in LEAKAGE]

    def ratios(self, policy: str, captures: Sequence[str], leakage: int,
               account: str = "table") -> tuple[float, float, float]:
        """(T, E, ED2), means over the captures."""
        _, settings, base = POLICIES[policy]
        pairs = [[self.energy(c, s, account, leakage) for s in (settings, base)] for c in captures]
        t, e = (mean([now[i] / then[i] for now, then in pairs]) for i in (0, 1))
        return t, e, e * t * t

    def row(self, policy: str, captures: Sequence[str], account: str) -> list[str]:
        found = [self.ratios(policy, captures, n, account) for n in LEAKAGE]
        return [percent(found[0][0])] + [percent(f[i]) for i in (1, 2) for f in found]

    def speeds(self) -> list[list[str]]:
        """Mean frequency of the domains over each capture, with the paper's policy."""
        rows = []
        for name in self.captures:
            db = reader.open_record(self.folders[(name, tuple(POLICIES["paper"][1]))])
            found = dict(db.execute(
                "SELECT name, sum(c.percent * f.cycles) / sum(f.cycles) FROM frame_clocks c "
                "JOIN frames f USING (frame) GROUP BY name"))
            rows.append([name] + [f"{found[d]:.0f} %" for d in ("geometry", "fragment")])
        return rows


class ClockDomains(Study):
    name = "clock-domains"
    title = "Clock domains with dynamic voltage"
    source = "Qsilver (Sheaffer and others 2004), section 5.2.2, Figure 5"
    measures = True
    scenes = ["shadow"]

    def measure(self, o: argparse.Namespace) -> Any:
        paths = {n: os.path.join(o.out, "{}x{}".format(*self.size), n + ".attila")
                 for n in self.scenes}
        captures = {label: (path, frame) for label, path, frame in o.frames}
        captures |= {n: (path, "1") for n, path in paths.items()}
        return ClockRuns(o, captures, [label for label, _, _ in o.frames])

    def found(self, r: ClockRuns) -> dict[str, Any]:
        found: dict[Any, Any] = {}
        for policy, prefix in (("paper", ""), ("tenth", "tenth-")) if r.games else ():
            low, high = (r.ratios(policy, r.games, n) for n in (LEAKAGE[0], LEAKAGE[-1]))
            found |= {prefix + name: [change(value)] for name, value in (
                ("time", low[0]), ("energy-low", low[1]), ("energy-high", high[1]),
                ("ed2-low", low[2]), ("ed2-high", high[2]))}
        return found

    def data(self, r: ClockRuns) -> dict[str, Any]:
        over = r.games or self.scenes
        return {"over": over, "leakage": [f"{n} %" for n in LEAKAGE], "speeds": r.speeds(),
                "leaks": [r.leaks(c) for c in r.captures],
                "policies": [(what, [[text] + r.row(p, over, account)
                                     for p, (text, _, _) in POLICIES.items()])
                             for account, (what, _) in ACCOUNTS.items()],
                "by_capture": [[c] + r.row("paper", [c], "table") for c in r.captures]}

    def plot(self, plt: Any, r: ClockRuns) -> tuple[Any, str]:
        figure, both = plt.subplots(1, 2, figsize=(11, 4), sharey=True)
        over = r.games or self.scenes
        for axes, (account, (what, _)) in zip(both, ACCOUNTS.items()):
            for i, policy in enumerate(POLICIES):
                found = [r.ratios(policy, over, n, account) for n in LEAKAGE]
                axes.bar([k + i * .16 for k in range(len(LEAKAGE))], [f[2] for f in found], .15,
                         label=POLICIES[policy][0])
            for x, value in ((0, .89), (2, .70)):  # from the text of the paper
                axes.plot([x - .1, x + .75], [value, value], color="#222222", linewidth=2,
                          label="paper" if not x else None)
            axes.set_xticks([k + .32 for k in range(3)], [f"{n} % leakage" for n in LEAKAGE])
            axes.set_title("leakage: " + what, fontsize=9)
        both[0].set_ylabel("ED² over nominal frequency; less is better")
        both[1].legend(frameon=False, fontsize=7)
        return figure, "ED² of clock domains over nominal frequency"
