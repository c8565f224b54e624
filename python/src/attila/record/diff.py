"""Compares two folders of reports: what draws.csv of both count, in the sum and row by row, as far
as their rows are of the same commands. What depends on the host is not compared. Not here: captures
(attila-sim diff).
"""

from __future__ import annotations

import argparse
import heapq
import os
import re
import subprocess
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from attila import cli
from attila.cli import Error

if TYPE_CHECKING:
    from pandas import DataFrame, Series

KEY = ["frame", "draw", "kind"]
ROWS, SUMS, OF_ROW = 10, 40, 5  # the most that is shown: rows, sums, statistics of a row
CHUNK = 5000  # rows that are compared at a time
DIFFERENT = 4  # status of the exit, as of attila-sim diff


def chunks(folder: str) -> Iterator[DataFrame]:
    """draws.csv or draws.csv.zst of a folder in parts, and an empty one behind them."""
    import pandas
    path = os.path.join(folder, "draws.csv")
    source: Any = path
    if os.path.exists(path + ".zst"):
        source = subprocess.Popen(["zstd", "-dcq", path + ".zst"], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL).stdout
    elif not os.path.exists(path):
        raise Error(f"cannot read {path}: it comes from a run with --out")
    try:
        chunk = None
        for chunk in pandas.read_csv(source, chunksize=CHUNK, encoding_errors="replace",
                                     dtype={k: str for k in KEY}, keep_default_na=False):
            missing = [k for k in KEY if k not in chunk]
            if missing:
                raise Error(f"{path} is of another version: it has no {missing[0]}")
            yield chunk
        if chunk is not None:
            yield chunk.iloc[:0]
    except pandas.errors.EmptyDataError:
        raise Error(f"cannot read {path}: it is empty") from None


def of_one_unit(name: str, names: set[str]) -> bool:
    """A statistic of one of several units: the sum of all is there, too."""
    stat, _, unit = name.rpartition("_")
    return name[-1].isdigit() and f"{stat}_{re.sub('[0-9]', '', unit)}" in names


def change(a: int, b: int) -> float:
    return 100 * (b - a) / a if a else 0.0


def line(name: str, a: int, b: int) -> str:
    return f"   {name:<40} {a:14} {b:14}" + (f" {change(a, b):+8.1f} %" if a else "")


def say_row(number: int, key: Series, a: Series, b: Series) -> str:
    """What is said of a row: its cycles, and the statistics that differ most."""
    far = (b - a).abs().drop("cycles").sort_values(ascending=False, kind="stable")
    shown = ["cycles"] + [n for n in far.index[:OF_ROW] if far[n]]
    draw = f" {key['draw']}" if key["draw"] else ""
    return "\n".join([f"frame {key['frame']}, {key['kind']}{draw} (row {number})"] +
                     [line(n, a[n], b[n]) for n in shown])


def say_end(folders: list[str], parts: list[DataFrame], at: int, number: int) -> None:
    for folder, part in zip(folders, parts):
        if at < len(part):
            row = part.iloc[at]
            print(f"{folder}: row {number} is frame {row['frame']}, {row['kind']} {row['draw']}")
        else:
            print(f"{folder}: no row {number}")
    print("The runs are of different commands from there on; what follows is what is before it.")


def compare(folders: list[str]) -> int:
    sums: Any = 0
    done = different = 0
    rows: list[tuple[int, int, str]] = []  # the largest changes of cycles, of equal ones the first
    same = True
    left, right = (chunks(f) for f in folders)
    for parts in zip(left, right):
        a, b = parts
        names = list(a.columns[list(a.columns).index("cycles"):])
        names = [n for n in names if n in b and not of_one_unit(n, set(names)) and
                 not n.startswith("limiter")]
        count = min(len(a), len(b))
        equal = (a[KEY].head(count) == b[KEY].head(count)).all(axis=1)
        at = count if equal.all() else int(equal.argmin())
        ours, theirs = a[names].head(at).astype("int64"), b[names].head(at).astype("int64")
        sums = sums + (ours.sum() if at else ours.sum() * 0).to_frame("a").join(
            theirs.sum().to_frame("b"))
        differs = (ours != theirs).any(axis=1)
        different += int(differs.sum())
        far = (theirs["cycles"] - ours["cycles"]).abs()[differs]
        for i in far.sort_values(ascending=False, kind="stable").index[:ROWS]:
            rows.append((-int(far[i]), done + i - a.index[0] + 1 if at else 0,
                         say_row(done + i - a.index[0] + 1, a.loc[i], ours.loc[i], theirs.loc[i])))
        rows = heapq.nsmallest(ROWS, rows)
        done += at
        if at < max(len(a), len(b)):
            say_end(folders, [a, b], at, done + 1)
            same = False
            break
    if same and not different:
        print(f"the same {done} rows")
        return 0
    changed = sums[sums["a"] != sums["b"]]
    print(f"{len(changed)} of {len(sums)} statistics differ in the sum:")
    order = sorted(changed.itertuples(), key=lambda r: (-abs(change(r.a, r.b)), r.Index))
    for r in order[:SUMS]:
        print(line(r.Index, r.a, r.b))
    if len(order) > SUMS:
        print(f"   and {len(order) - SUMS} more")
    print(f"{different} rows differ" + ("; those whose cycles differ most:" if different else ""))
    for _, _, text in rows:
        print(text)
    return DIFFERENT


def main(args: list[str]) -> int:
    p = cli.Parser("diff", "A B", "Prints what two folders of reports count differently, in the "
                   "sum and in the rows of draws.csv whose cycles differ most. Exit status: 0: "
                   "nothing, 4: something.")
    p.add_argument("folders", nargs=2, metavar="DIR", help=argparse.SUPPRESS)
    return compare(p.parse_args(args).folders)
