"""Checks the statistics that a run has written: that the rows of draws.csv add up to frames.csv for
every statistic, that every box's busy, blocked, starved and idle cycles add up to its cycles, and
that the traffic of memory equals that of its clients.

Not here: how statistics are counted; docs/explanation/attribution.md says what a row is.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import subprocess
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from attila import cli
from attila.cli import Error

if TYPE_CHECKING:
    from pandas import DataFrame, Series

DESCRIPTION = """\
Checks the statistics that attila-run --out DIR or attila-sim run --out DIR wrote in cycle mode: for
every statistic the rows of draws.csv add up to the row of frames.csv, and every box's busy,
blocked, starved and idle cycles to its cycles (statistics.md). With --draws-frames or
--draws-columns there is nothing to add up."""
# Bytes that may be on their way between the memory controller and the channels when a frame ends.
IN_FLIGHT = 1 << 18
ACTIVITIES = ("CyclesBusy", "CyclesBlocked", "CyclesStarved", "CyclesIdle")
ROWS_AT_ONCE, SHOWN = 4096, 20  # rows that are read at a time; errors that are shown


@contextlib.contextmanager
def opened(path: str) -> Iterator[Any]:
    """Opens a text file, or the text in path.zst."""
    if not os.path.exists(path + ".zst"):
        with open(path, newline="", encoding="utf-8", errors="replace") as f:
            yield f
        return
    with subprocess.Popen(["zstd", "-dc", path + ".zst"], stdout=subprocess.PIPE,
                          text=True) as process:
        yield process.stdout
    if process.returncode:
        raise Error(f"{path}.zst: zstd cannot read all of it")


def rows_of(folder: str, statistics: list[str]) -> tuple[DataFrame, int]:
    """The sum of each frame's rows in draws.csv, and the number of rows. The file may be larger
    than memory."""
    import pandas
    parts, number = [], 0
    with opened(os.path.join(folder, "draws.csv")) as f:
        names = f.readline().rstrip("\n").split(",")
        if names[names.index("limiter_share") + 1:] != statistics:
            raise Error(f"{folder}: draws.csv does not have every statistic of frames.csv")
        try:
            for rows in pandas.read_csv(f, names=names, usecols=["frame", *statistics],
                                        dtype="int64", chunksize=ROWS_AT_ONCE):
                parts.append(rows.groupby("frame").sum())
                number += len(rows)
        except ValueError as e:
            raise Error(f"{folder}: draws.csv: {e}") from e
    return pandas.concat(parts).groupby(level=0).sum(), number


def clock_of(unit: str) -> str:
    """The column of frames.csv with the cycles of a unit's clock."""
    return ("shader_cycles" if unit.startswith("Sh") else
            "memory_cycles" if unit.startswith("Sched") else "cycles")


def wrong_sums(folder: str, frames: DataFrame, rows: DataFrame) -> Iterator[str]:
    for frame in frames.index.difference(rows.index):
        yield f"frame {frame} has no rows"
    late = rows.index.difference(frames.index)
    for frame in late:
        print(f"{folder}: frame {frame} has rows but did not end")
    if len(late) > 1:
        yield f"{len(late)} frames did not end"
    for frame, found in rows.drop(late).iterrows():
        wanted = frames[found.index].loc[frame]
        for name in found.index[found != wanted]:
            yield f"frame {frame}: {name} is {wanted[name]}, its rows add up to {found[name]}"


def boxes_of(frames: DataFrame) -> list[str]:
    """The units that are boxes, without the sums over several instances; the column of a sum comes
    before those of its instances."""
    families: dict[str, list[str]] = {}
    for name in frames:
        if name.startswith("CyclesBusy_"):
            unit = name.removeprefix("CyclesBusy_")
            families.setdefault(re.sub(r"\d+", "", unit), []).append(unit)
    return [u for units in families.values() for u in units[len(units) > 1:]]


def wrong_activities(frames: DataFrame) -> Iterator[str]:
    for unit in boxes_of(frames):
        total = sum(frames[f"{a}_{unit}"] for a in ACTIVITIES)
        cycles = frames[clock_of(unit)]
        for frame in frames.index[total != cycles]:
            yield f"frame {frame}: {unit} has {total[frame]} cycles of {cycles[frame]}"


def wrong_bytes(folder: str, frames: DataFrame) -> Iterator[str]:
    for what in ("ReadBytes", "WriteBytes"):
        clients = frames.filter(regex=f"^[A-Za-z]+_{what}_MC$")
        if not len(clients.columns):
            raise Error(f"{folder}: no {what} of clients")
        total, wanted = clients.sum(axis=1), frames[f"Total{what}_MC"]
        for frame in frames.index[total != wanted]:
            yield (f"frame {frame}: Total{what}_MC is {wanted[frame]}, its clients have "
                   f"{total[frame]}")


def wrong_ahead(more: Series, what: str, of: str, than: str) -> Iterator[str]:
    """more: by how many bytes the requests of each frame exceed what was moved."""
    ahead = more.cumsum()
    for frame in ahead.index[(ahead < 0) | (ahead > IN_FLIGHT)]:
        yield f"frame {frame}: {what} bytes of {of} are {ahead[frame]} more than those of {than}"


def wrong_channels(frames: DataFrame) -> Iterator[str]:
    """Checks that the channels have moved what the clients requested. If channels tell clients
    apart, this is checked for the bursts of each client, else for transactions, which a channel may
    move a frame later. With an L2, the channels must have moved what the L2 requested, and the L2
    what the clients requested."""
    l2 = "Fetches_L2C" in frames
    for what, filled in (("Read", "FillBytes"), ("Write", "WriteBackBytes")):
        if l2:
            clients = frames[f"Total{what}Bytes_MC"]
            if what == "Write":
                clients = clients + 4 * frames["Atomics_L2C"]
            yield from wrong_ahead(clients - frames[f"{what}Bytes_L2C"], what, "clients", "the L2")
        moved = frames[f"{what}DataBytes_Sched"]
        bursts = frames.filter(regex=f"^Client{what}Row(Hit|Miss)_.*_Sched$")
        if len(bursts.columns):
            total, commands = bursts.sum(axis=1), frames[f"DDR{what}Commands_Sched"]
            for frame in frames.index[(total != commands) | (moved % commands.clip(1) != 0)]:
                yield (f"frame {frame}: channels moved {moved[frame]} bytes in {commands[frame]} "
                       f"bursts, {total[frame]} of clients")
            continue
        if l2:
            yield from wrong_ahead(frames[f"{filled}_L2C"] - frames[f"{what}Bytes_Sched"], what,
                                   "the L2", "channels")
            continue
        clients = frames.filter(regex=f"^[A-Za-z]+_{what}Transactions_MC$").sum(axis=1)
        if what == "Write":  # of what channels changed
            clients = clients + frames.filter(regex="^AtomicRequests_LSU-[A-Z]+$").sum(axis=1)
        yield from wrong_ahead(64 * clients - moved, what, "clients", "channels")


def check(folder: str) -> int:
    """Prints what is wrong with a run; returns the number of errors."""
    import pandas
    with opened(os.path.join(folder, "frames.csv")) as f:
        frames = pandas.read_csv(f, index_col="frame")
    names = list(frames)
    statistics = names[names.index("memory_cycles") + 1:]
    rows, number = rows_of(folder, statistics)
    errors = [*wrong_sums(folder, frames, rows), *wrong_activities(frames),
              *wrong_bytes(folder, frames), *wrong_channels(frames)]
    for text in errors[:SHOWN]:
        print(f"{folder}: {text}")
    print(f"{folder}: {len(frames)} frames, {number} rows, {len(boxes_of(frames))} boxes, "
          f"{len(statistics)} statistics: {f'{len(errors)} errors' if errors else 'all add up'}")
    return len(errors)


def main(args: list[str]) -> int:
    p = cli.Parser("check-rows", "DIR...", DESCRIPTION)
    p.add_argument("folders", nargs="+", metavar="DIR", help=argparse.SUPPRESS)
    folders = p.parse_args(args).folders
    for folder in folders:
        for file in ("frames.csv", "draws.csv"):
            path = os.path.join(folder, file)
            if not os.path.isfile(path) and not os.path.isfile(path + ".zst"):
                raise Error(f"no {file} in {folder}: a folder of attila-run --out is wanted")
    return 1 if sum(check(folder) for folder in folders) else 0
