"""The data of the page of a run, from run.sqlite (docs/reference/record.md), as lists for JSON.

read_run(folder, frames) returns a dictionary, pairs(a, b) the rows of two runs that belong
together. Values come from the views of the record. What the record lacks is None, and the page then
says so. Not here: pictures, the page itself (report/html.py).
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from attila.cli import Error
from attila.records import reader
from attila.records.reader import Database, has

TABLES = ("configuration", "boxes", "counters", "kinds", "programs", "bindings")
# Kinds of rows: name in views, table.
KINDS = (("frame", "frames"), ("work", "work"), ("interval", "intervals"))


def table(db: Database, query: str, arguments: Sequence[Any] = ()) -> dict[str, Any]:
    rows = db.execute(query, arguments)
    return {"columns": [d[0] for d in rows.description], "rows": [list(r) for r in rows]}


def number(value: Any, digits: int | None = None) -> Any:
    """The number, or None for anything else (a counter that this machine lacks)."""
    if not isinstance(value, (int, float)):
        return None
    return value if digits is None or isinstance(value, int) else round(value, digits)


def named(db: Database, view: str, kind: str, name: str, columns: Sequence[str],
          place: Mapping[int, int]) -> dict[str, Any] | None:
    """A view that has several rows for each row of a kind (K): its names, and for each K one list
    with the columns of all names. place: the index of each K in the lists. None: there is no such
    view."""
    if not has(db, view):
        return None
    position = {}
    names: list[Any] = []
    rows: list[Any] = [[] for _ in place]
    query = f"SELECT {kind}, {name}, {', '.join(columns)} FROM {view}"
    for key, of, *values in db.execute(query):
        if key not in place:
            continue
        if of not in position:
            position[of] = len(names)
            names.append(of)
        row = rows[place[key]]
        first = position[of] * len(columns)
        if len(row) < first + len(columns):
            row.extend([None] * (first + len(columns) - len(row)))
        row[first:first + len(columns)] = [number(v, 2) for v in values]
    return {"names": names, "columns": list(columns), "rows": rows}


def counters_of(db: Database, kind: str, place: Mapping[int, int]) -> Any:
    """The counters of each K that are not zero: number of the counter, value, number, ..."""
    if not has(db, kind + "_counters"):
        return None
    counters = dict(db.execute("SELECT name, counter FROM counters"))
    rows: list[Any] = [[] for _ in place]
    for key, name, value in reader.values(db, kind):
        if name not in counters:
            raise Error(f"{db.path}: damaged: no counter is called {name}")
        if key in place:
            rows[place[key]] += (counters[name], value)
    return rows


OVERDRAW = {
    "work": ("target", "pixels", "shaded", "written", "overdraw", "shaded_per_pixel"),
    "frame": ("address", "format", "width", "height", "label", "draws", "pixels", "shaded",
              "written", "overdraw", "shaded_per_pixel"),
}


def overdraw(db: Database, kind: str, place: Mapping[int, int]) -> dict[str, Any] | None:
    """A list of rows for each K: one for a draw; for a frame, one per surface that was drawn to.
    None: the record has no such view."""
    if kind not in OVERDRAW or not has(db, kind + "_overdraw"):
        return None
    columns = OVERDRAW[kind]
    rows: list[Any] = [[] for _ in range(len(place))]
    for row in db.execute(f"SELECT {kind}, {', '.join(columns)} FROM {kind}_overdraw"):
        if row[0] in place:
            rows[place[row[0]]].append([number(v, 4) if isinstance(v, float) else v
                                        for v in row[1:]])
    return {"columns": columns, "rows": rows}


def of_each(db: Database, view: str, place: Mapping[int, int]) -> dict[str, Any] | None:
    """The columns of a view that has one row for each K, in the order of the K's. None: there is no
    such view, or no row."""
    if not has(db, view):
        return None
    found = table(db, f"SELECT * FROM {view}")
    rows: list[list[Any] | None] = [None] * len(place)
    for row in found["rows"]:
        if row[0] in place:
            rows[place[row[0]]] = [number(v, 2) for v in row[1:]]
    return {"columns": found["columns"][1:], "rows": rows}


def details(db: Database, kind: str, place: Mapping[int, int]) -> dict[str, Any]:
    units = ["busy_percent", "blocked_percent", "peak_percent"]
    if kind == "frame":
        units += ["busy", "blocked", "starved", "idle", "boxes"]
    return {
        "units": named(db, kind + "_units", kind, "unit", units, place),
        "bytes": named(db, kind + "_bytes", kind, "client", ("read_bytes", "written_bytes"), place),
        "caches": named(db, kind + "_caches", kind, "cache", ("hits", "misses", "retries"), place),
        "energy": named(db, kind + "_energy", kind, "unit",
                        ("dynamic_fj", "clock_fj", "leakage_fj", "offchip_fj", "total_fj"), place),
        "occupancy": of_each(db, kind + "_occupancy", place),
        "fragments": of_each(db, kind + "_fragments", place),
        "overdraw": overdraw(db, kind, place),
        "counters": counters_of(db, kind, place) if kind != "interval" else None,
    }


def channels(db: Database, first: int, last: int) -> Any:
    """Bytes that each memory channel moved in each frame: [frame, box, read bytes, ...]."""
    found = [c for c, _ in reader.box_tables(db, "frame")
             if c in ("GDDRChannel", "MemoryScheduler")]
    if not found:
        return None
    boxes = f"frame_{found[0]}_boxes"
    of, = db.execute("SELECT unit FROM boxes WHERE class = ? LIMIT 1", found).fetchone()
    known = {d[0] for d in db.execute(f'SELECT * FROM "{boxes}" LIMIT 0').description}
    wanted = {"read_bytes": "ReadBytes", "written_bytes": "WriteBytes",
              "data_cycles": "DataCycles", "row_hits": "RowHit", "row_misses": "RowMiss"}
    columns = [f'"{statistic}_{of}" AS {name}' if f"{statistic}_{of}" in known else
               f"NULL AS {name}" for name, statistic in wanted.items()]
    return table(db, f'SELECT frame, box AS channel, {", ".join(columns)} FROM "{boxes}" '
                 "WHERE frame BETWEEN ? AND ? ORDER BY rowid", (first, last))


def instructions(db: Database, first: int, last: int) -> Any:
    """Costs of each instruction of each program in these frames; None: none are recorded."""
    if not has(db, "frame_instructions"):
        return None
    known = {d[0] for d in db.execute("SELECT * FROM frame_instructions LIMIT 0").description}
    sums = [c for c in ("groups", "inputs", "alu_cycles", "wait_fetch", "wait_result",
                        "wait_decode", "wait_texture", "wait_constant", "wait_memory",
                        "wait_barrier", "wait_output")
            if c in known]
    return table(db, "SELECT i.program, i.position, i.text, i.line, %s FROM instructions i "
                 "LEFT JOIN (SELECT * FROM frame_instructions WHERE frame BETWEEN ? AND ?) f "
                 "ON f.program = i.program AND f.position = i.position "
                 "GROUP BY i.program, i.position ORDER BY i.program, i.position" %
                 ", ".join(f"coalesce(sum(f.{c}), 0) AS {c}" for c in sums), (first, last))


def states(db: Database, first: int, last: int) -> Any:
    """The states of the draws of these frames: all items, and a list for each state: its number,
    then item and value of what it changes; the first one has all. None: no draw has a state."""
    low, high = db.execute("SELECT min(pipeline), max(pipeline) FROM work WHERE frame BETWEEN ? "
                           "AND ?", (first, last)).fetchone()
    if low is None:
        return None
    rows: dict[int, list[Any]] = {low: [low]}
    for item, value, _ in db.execute("SELECT item, value, max(pipeline) FROM pipelines WHERE "
                                     "pipeline <= ? GROUP BY item ORDER BY item", (low,)):
        if value is not None:
            rows[low] += (item, value)
    for pipeline, item, value in db.execute(
            "SELECT pipeline, item, value FROM pipelines WHERE pipeline > ? AND pipeline <= ? "
            "ORDER BY pipeline, item", (low, high)):
        rows.setdefault(pipeline, [pipeline]).extend((item, value))
    return {"items": [list(r) for r in db.execute(
        "SELECT item, part, number, name, type, program FROM pipeline_items ORDER BY item")],
        "states": list(rows.values())}


def read_run(folder: str, frames: tuple[int, int] | None = None) -> Any:
    """frames: (first, last) or None for all."""
    db = reader.open_record(folder)
    runs = table(db, "SELECT * FROM run")
    run = dict(zip(runs["columns"], runs["rows"][0]))
    if run["mode"] == "functional":
        raise Error(f"{folder} is a run in functional mode: it has no cycles, so there is "
                          "nothing to report (use --mode cycle)")
    first, last = frames or (0, 1 << 62)
    between = (first, last)
    lists = {"frames": table(db, "SELECT * FROM frames WHERE frame BETWEEN ? AND ?", between)}
    if not lists["frames"]["rows"]:
        total = db.execute("SELECT count(*) FROM frames").fetchone()[0]
        raise Error("%s has no frames%s: %s" % (
            folder, " %d to %d" % between if frames and total else "",
            f"it has 0 to {total - 1}" if total else
            "no part of a frame was simulated (--cycle-draws, --cycle-label)"
            if run.get("cycle_draws") or run.get("cycle_label") else
            "no frame was recorded"))
    for name in ("work", "intervals"):
        lists[name] = table(db, f"SELECT * FROM {name} WHERE frame BETWEEN ? AND ?", between)
    data: dict[str, Any] = {"name": os.path.basename(os.path.abspath(folder)), "run": run}
    data.update(lists)
    for name in TABLES:
        data[name] = table(db, f"SELECT * FROM {name}")
    for kind, name in KINDS:
        place = {row[0]: i for i, row in enumerate(lists[name]["rows"])}
        data["of_" + kind] = details(db, kind, place)
    for name in ("passes", "pass_draws", "pass_bins"):
        data[name] = table(db, f"SELECT * FROM {name} WHERE frame BETWEEN ? AND ? ORDER BY frame, "
                           "pass", between) if has(db, name) else None
    data["channels"] = channels(db, first, last)
    data["instructions"] = instructions(db, first, last)
    data["states"] = states(db, first, last)
    db.close()
    return data


def keys(data: dict[str, Any]) -> Any:
    """A key for each row of work, which its partner in another run has, too: frame, kind, and its
    number among the rows of this kind in the frame."""
    columns = data["work"]["columns"]
    frame, kind = columns.index("frame"), columns.index("kind")
    result = []
    seen: dict[Any, Any] = {}
    for row in data["work"]["rows"]:
        of = (row[frame], row[kind])
        seen[of] = seen.get(of, 0) + 1
        result.append(of + (seen[of],))
    return result


def pairs(a: Any, b: Any) -> list[Any]:
    """Returns [[row of A or None, row of B or None], ...] in the order of A, then rows of B
    alone."""
    of_b = {key: i for i, key in enumerate(keys(b))}
    result = [[i, of_b.pop(key, None)] for i, key in enumerate(keys(a))]
    return result + [[None, i] for i in of_b.values()]
