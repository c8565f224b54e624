"""Checks the statistics that a run has written: that the rows of draws.csv add up to frames.csv for
every statistic, that every box's busy, blocked, starved and idle cycles add up to its cycles, and
that the memory's traffic is its clients'.

Not here: how statistics are counted; docs/explanation/attribution.md says what a row is.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import os
import re
import subprocess
from typing import Any

from attila import cli
from attila.cli import Error

DESCRIPTION = """\
Checks the statistics that attila-run --out DIR or attila-sim run --out DIR wrote in cycle mode: for
every statistic the rows of draws.csv add up to the row of frames.csv, and every box's busy,
blocked, starved and idle cycles to its cycles (statistics.md). With --draws-frames or
--draws-columns there is nothing to add up."""
# What may be on its way between the memory controller and the channels when a frame ends.
IN_FLIGHT = 1 << 18
ACTIVITIES = ("CyclesBusy", "CyclesBlocked", "CyclesStarved", "CyclesIdle")
ROWS_AT_ONCE = 4096


@contextlib.contextmanager
def opened(path: str):
    """A file of text, or the text in path.zst."""
    if os.path.exists(path + ".zst"):
        with subprocess.Popen(["zstd", "-dc", path + ".zst"], stdout=subprocess.PIPE,
                              text=True) as process:
            yield process.stdout
        if process.returncode:
            raise Error(f"{path}.zst: zstd cannot read all of it")
        return
    with open(path, newline="") as f:
        yield f


def domain(unit: str) -> str:
    """The column of frames.csv with the cycles of a unit's clock."""
    if unit.startswith("Sh"):
        return "shader_cycles"
    return "memory_cycles" if unit.startswith("Sched") else "cycles"


class Run:
    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.errors = 0
        with opened(os.path.join(folder, "frames.csv")) as f:
            self.names, *rows = csv.reader(f)
        self.first = self.names.index("memory_cycles") + 1
        self.frames: list[dict[str, Any]] = [dict(zip(self.names, row)) for row in rows]
        for frame in self.frames:
            for name in self.names[self.first:]:
                frame[name] = int(frame[name])

    def error(self, text: str) -> None:
        self.errors += 1
        if self.errors <= 20:
            print(f"{self.folder}: {text}")

    def add_rows(self) -> tuple[dict[str, Any], int]:
        """The sum of each frame's rows, and the number of rows. A table of many draws is larger
        than memory."""
        import pandas
        sums: dict[str, Any] = {}
        num = 0
        with opened(os.path.join(self.folder, "draws.csv")) as f:
            names = next(csv.reader([f.readline()]))
            own = names[names.index("limiter_share") + 1:]
            if own != self.names[self.first:]:
                raise Error(f"{self.folder}: draws.csv does not have every statistic of "
                            "frames.csv")
            try:
                for rows in pandas.read_csv(f, names=names, usecols=["frame", *own], dtype="int64",
                                        chunksize=ROWS_AT_ONCE):
                    num += len(rows)
                    for frame, total in rows.groupby("frame")[own].sum().iterrows():
                        sums[str(frame)] = sums.get(str(frame), 0) + total.to_numpy()
            except ValueError as e:
                raise Error(f"{self.folder}: draws.csv: {e}") from e
        return sums, num

    def check_sums(self) -> int:
        """Returns the number of rows."""
        sums, num = self.add_rows()
        late = 0
        for frame in self.frames:
            total = sums.pop(frame["frame"], None)
            if total is None:
                self.error(f"frame {frame['frame']} has no rows")
                continue
            for name, value in zip(self.names[self.first:], total):
                if value != frame[name]:
                    self.error(f"frame {frame['frame']}: {name} is {frame[name]}, its rows add "
                               f"up to {value}")
        for number in sums:
            late += 1
            print(f"{self.folder}: frame {number} has rows but did not end")
        if late > 1:
            self.error(f"{late} frames did not end")
        return num

    def check_activities(self) -> int:
        """Returns the number of boxes."""
        units = [n[len("CyclesBusy_"):] for n in self.names if n.startswith("CyclesBusy_")]
        # Columns of several instances come after a column with their sum, whose unit has no number.
        without = [re.sub(r"\d+", "", unit) for unit in units]
        sums = {w for u, w in zip(units, without) if w != u and w in units}
        boxes = [u for u in units if u not in sums]
        for frame in self.frames:
            for unit in boxes:
                total = sum(frame[f"{a}_{unit}"] for a in ACTIVITIES)
                cycles = int(frame[domain(unit)])
                if total != cycles:
                    self.error(f"frame {frame['frame']}: {unit} has {total} cycles of {cycles}")
        return len(boxes)

    def check_bytes(self) -> None:
        for what in ("ReadBytes", "WriteBytes"):
            clients = [n for n in self.names if re.match(r"[A-Za-z]+_%s_MC$" % what, n)]
            if not clients:
                raise Error(f"{self.folder}: no {what} of clients")
            for frame in self.frames:
                total = sum(frame[n] for n in clients)
                if total != frame[f"Total{what}_MC"]:
                    self.error("frame %s: Total%s_MC is %d, its clients have %d" %
                               (frame["frame"], what, frame[f"Total{what}_MC"], total))

    def check_channels(self) -> None:
        """What the channels moved is what the clients asked for: bursts of every client where
        channels tell clients apart, else transactions, which a channel may move a frame later."""
        for what in ("Read", "Write"):
            burst = re.compile(f"Client{what}Row(Hit|Miss)_.*_Sched$")
            client = re.compile(f"[A-Za-z]+_{what}Transactions_MC$")
            bursts = [n for n in self.names if burst.match(n)]
            clients = [n for n in self.names if client.match(n)]
            ahead = 0
            for frame in self.frames:
                moved = frame[f"{what}DataBytes_Sched"]
                if bursts:
                    total = sum(frame[n] for n in bursts)
                    commands = frame[f"DDR{what}Commands_Sched"]
                    if total != commands or (commands and moved % commands):
                        self.error(f"frame {frame['frame']}: channels moved {moved} bytes in "
                                   f"{commands} bursts, {total} of clients")
                    continue
                ahead += 64 * sum(frame[n] for n in clients) - moved
                if not 0 <= ahead <= IN_FLIGHT:
                    self.error(f"frame {frame['frame']}: {what} bytes of clients are {ahead} "
                               "more than those of channels")


def main(args):
    p = cli.Parser("check-rows", "DIR...", DESCRIPTION)
    p.add_argument("folders", nargs="+", metavar="DIR", help=argparse.SUPPRESS)
    folders = p.parse_args(args).folders
    for folder in folders:
        for file in ("frames.csv", "draws.csv"):
            path = os.path.join(folder, file)
            if not os.path.isfile(path) and not os.path.isfile(path + ".zst"):
                raise Error(f"no {file} in {folder}: a folder of attila-run --out is wanted")
    errors = 0
    for folder in folders:
        run = Run(folder)
        rows = run.check_sums()
        boxes = run.check_activities()
        run.check_bytes()
        run.check_channels()
        errors += run.errors
        print("%s: %d frames, %d rows, %d boxes, %d statistics: %s" %
              (folder, len(run.frames), rows, boxes, len(run.names) - run.first,
               f"{run.errors} errors" if run.errors else "all add up"))
    return 1 if errors else 0
