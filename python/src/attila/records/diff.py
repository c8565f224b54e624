"""Compares two folders of reports: the statistics in both files draws.csv, in sum and row by row,
as far as the rows are of the same commands. What depends on the host is not compared. Not here:
captures (use diff on two outputs of attila-sim dump).
"""

from __future__ import annotations

import argparse
import heapq
import json
import os
import re
import subprocess
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from attila import cli
from attila.cli import Error
from attila.records import reader

if TYPE_CHECKING:
    from pandas import DataFrame, Series

Object = dict[str, Any]  # of JSON
KEY = ["frame", "draw", "kind"]
ROWS, SUMS, OF_ROW = 10, 40, 5  # the most that are shown: rows, sums, statistics of a row
CHUNK = 5000  # rows that are compared at a time
DIFFERENT = 4  # status of the exit


def chunks(folder: str) -> Iterator[DataFrame]:
    """Yields draws.csv or draws.csv.zst of a folder in parts, and an empty part at the end."""
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
    """Whether a statistic is of one of several units, of which there is also the sum."""
    stat, _, unit = name.rpartition("_")
    return name[-1].isdigit() and any(f"{stat}_{re.sub(number, '', unit)}" in names
                                      for number in ("[0-9]", "[0-9]+$"))


def change(a: int, b: int) -> float:
    return 100 * (b - a) / a if a else 0.0


def line(name: str, a: int, b: int) -> str:
    return f"   {name:<40} {a:14} {b:14}" + (f" {change(a, b):+8.1f} %" if a else "")


def of_row(number: int, key: Series, a: Series, b: Series) -> Object:
    """A row: its cycles, and the statistics that differ most."""
    far = (b - a).abs().drop("cycles").sort_values(ascending=False, kind="stable")
    shown = ["cycles"] + [n for n in far.index[:OF_ROW] if far[n]]
    return {"row": number, "frame": int(key["frame"]), "kind": key["kind"],
            "draw": int(key["draw"]) if key["draw"] else None,
            "statistics": [{"name": n, "a": int(a[n]), "b": int(b[n])} for n in shown]}


def end_of(folders: list[str], parts: list[DataFrame], at: int, number: int) -> list[Object]:
    """The first rows whose commands differ; kind None: all commands are the same."""
    result = []
    for folder, part in zip(folders, parts):
        row = part.iloc[at] if at < len(part) else None
        result.append({"folder": folder, "row": number,
                       "frame": None if row is None else int(row["frame"]),
                       "kind": None if row is None else row["kind"],
                       "draw": int(row["draw"]) if row is not None and row["draw"] else None})
    return result


def compare(folders: list[str]) -> Object:
    """The differences, as an object for JSON."""
    sums: Any = 0
    done = different = 0
    rows: list[tuple[int, int, Object]] = []  # the largest changes of cycles, first the largest
    end = None
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
            number = done + i - a.index[0] + 1
            rows.append((-int(far[i]), number if at else 0,
                         of_row(number, a.loc[i], ours.loc[i], theirs.loc[i])))
        rows = heapq.nsmallest(ROWS, rows, key=lambda r: r[:2])
        done += at
        if at < max(len(a), len(b)):
            end = end_of(folders, [a, b], at, done + 1)
            break
    changed = sums[sums["a"] != sums["b"]]
    order = sorted(changed.itertuples(), key=lambda r: (-abs(change(r.a, r.b)), r.Index))
    modes = [mode_of(f) for f in folders]
    return {"modes": modes, "same": not end and not different, "compared_rows": done,
            "compared_sums": len(sums), "end": end, "different_rows": different,
            "sums": [{"name": r.Index, "a": int(r.a), "b": int(r.b)} for r in order],
            "rows": [row for _, _, row in rows]}


def mode_of(folder: str) -> str | None:
    """The mode in the record, or None."""
    if not os.path.exists(os.path.join(folder, "run.sqlite")):
        return None
    mode: str = reader.open_record(folder).execute("SELECT mode FROM run").fetchone()[0]
    return mode


def say(found: Object) -> None:
    a, b = found["modes"]
    if a and b and a != b:
        print(f"The first run is in {a} mode, the second in {b} mode: their rows and statistics "
              "are not the same.")
    for at in found["end"] or []:
        print(f"{at['folder']}: no row {at['row']}" if at["kind"] is None else
              f"{at['folder']}: row {at['row']} is frame {at['frame']}, {at['kind']} "
              f"{'' if at['draw'] is None else at['draw']}")
    if found["end"]:
        print("The runs are of different commands from there on; what follows is what is before "
              "it.")
    if found["same"]:
        print(f"the same {found['compared_rows']} rows")
        return
    sums = found["sums"]
    print(f"{len(sums)} of {found['compared_sums']} statistics differ in the sum:")
    for s in sums[:SUMS]:
        print(line(s["name"], s["a"], s["b"]))
    if len(sums) > SUMS:
        print(f"   and {len(sums) - SUMS} more")
    print(f"{found['different_rows']} rows differ" +
          ("; those whose cycles differ most:" if found["rows"] else ""))
    for row in found["rows"]:
        draw = "" if row["draw"] is None else f" {row['draw']}"
        print(f"frame {row['frame']}, {row['kind']}{draw} (row {row['row']})")
        for s in row["statistics"]:
            print(line(s["name"], s["a"], s["b"]))


def main(args: list[str]) -> int:
    p = cli.Parser("diff", "A B", "Prints what two folders of reports count differently, in the "
                   "sum and in the rows of draws.csv whose cycles differ most. Exit status: 0: "
                   "nothing, 4: something.")
    p.add_argument("folders", nargs=2, metavar="DIR", help=argparse.SUPPRESS)
    p.add_argument("--format", choices=("text", "json"), default="text",
                   help="text (default), or json: an object, with all sums that differ")
    o = p.parse_args(args)
    found = compare(o.folders)
    if o.format == "json":
        print(json.dumps(found, indent=1))
    else:
        say(found)
    return 0 if found["same"] else DIFFERENT
