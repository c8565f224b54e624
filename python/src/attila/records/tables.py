"""CSV files of a record: frames.csv and draws.csv as a run writes them, cycles.csv of its
intervals, instructions.csv of its programs, counters.csv with the meaning of the columns. If the
record has energies, there is also a file of joules beside each table, with the same rows in the
same order. Labels of work may be any bytes; the connection decodes them with surrogateescape.
Not here: the meaning of the tables (docs/reference/record.md), the model of energy
(docs/explanation/power.md).
"""

from __future__ import annotations

import csv
import fnmatch
import itertools
import operator
import os
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TextIO

from attila import cli, whole_file
from attila.records import reader

Row = tuple[Any, ...]
ENERGIES = ("dynamic", "clock", "leakage", "offchip")


class Table(NamedTuple):
    """kind: key of its statistics; rows: table of the record; columns: columns of the file, which
    are in the record or are derived by a rule in FORMATS; energy: the first columns of a line of
    joules."""

    file: str
    kind: str
    rows: str
    columns: str
    energy: str


TABLES = (
    Table("frames", "frame", "frames", "frame draws start_cycle end_cycle cycles simulated_ms "
          "host_seconds cpu_seconds kcycles_per_s shader_cycles memory_cycles", "frame"),
    Table("draws", "work", "work", "frame draw kind label meta prim count start_cycle end_cycle "
          "cycles exclusive_cycles limiter limiter_share", "frame draw kind label"),
    Table("cycles", "interval", "intervals", "interval frame start_cycle end_cycle cycles "
          "shader_cycles memory_cycles", "interval"))

EXPRESSIONS = {
    "kcycles_per_s": "CASE WHEN cpu_seconds > 0 THEN cycles / cpu_seconds * 1e-3 ELSE 0.0 END",
    "prim": "primitive"}
FORMATS: dict[str, Callable[[Any], str]] = {
    "simulated_ms": "{:.6f}".format, "host_seconds": "{:.3f}".format,
    "cpu_seconds": "{:.3f}".format, "kcycles_per_s": "{:.1f}".format,
    "limiter_share": lambda v: "" if v is None else f"{v:.4f}", "label": lambda v: quoted(v)}


def quoted(text: str | None) -> str:
    """A field in quotes, on one line."""
    return '"' + re.sub(r"[\0-\x1f]", " ", text or "").replace('"', '""') + '"'


def plain(value: Any) -> str:
    return "" if value is None else str(value)


def joules(femtojoules: float) -> str:
    return f"{femtojoules * 1e-15:.12g}"


def create(folder: str, name: str) -> TextIO:
    file: TextIO = whole_file.opened(os.path.join(folder, name), encoding="utf-8",
                                     errors="surrogateescape")
    return file


class Boxes:
    """Statistics of single boxes for one kind of rows. The rows are read in the order of their
    keys."""

    def __init__(self, db: reader.Database, kind: str, chosen: Callable[[str], bool]) -> None:
        self.tables: dict[str, Iterator[tuple[int, dict[str, Row]]]] = {}
        self.next: dict[str, tuple[int, dict[str, Row]] | None] = {}
        self.columns: list[str] = []
        self.places: list[tuple[str, str, list[int]]] = []  # class, box, columns that are chosen
        names = {}
        for cls, table in reader.box_tables(db, kind):
            rows = db.execute(f'SELECT * FROM "{table}" ORDER BY rowid')
            names[cls] = [d[0] for d in rows.description]
            self.tables[cls] = self._by_key(rows)
            self.next[cls] = next(self.tables[cls], None)
        for cls, name, unit in db.execute(
                "SELECT class, name, unit FROM boxes WHERE instance IS NOT NULL ORDER BY box"):
            # For the box ZST-SU0, InputFragments_ZST-SU becomes InputFragments_ZST-SU0.
            here = [(i, n[:len(n) - len(unit)] + name)
                    for i, n in enumerate(names.get(cls, ())) if i >= 2]
            here = [(i, n) for i, n in here if chosen(n)]
            if here:
                self.places.append((cls, name, [i for i, _ in here]))
                self.columns += [n for _, n in here]

    @staticmethod
    def _by_key(rows: Iterable[Row]) -> Iterator[tuple[int, dict[str, Row]]]:
        for key, group in itertools.groupby(rows, key=operator.itemgetter(0)):
            yield key, {row[1]: row for row in group}

    def of(self, key: int) -> list[str]:
        now: dict[str, dict[str, Row]] = {}
        for cls, row in self.next.items():
            if row and row[0] == key:
                now[cls] = row[1]
                self.next[cls] = next(self.tables[cls], None)
        out: list[str] = []
        for cls, name, columns in self.places:
            found = now.get(cls, {}).get(name)
            out += [str(found[i]) for i in columns] if found else ["0"] * len(columns)
        return out


def would_lose(path: str, columns: list[str]) -> set[str]:
    """Columns that an existing file has and the new one would lack."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape", newline="") as f:
            rows = csv.reader(f)
            header: list[str] = next(rows, [])
            return set(header) - set(columns) if next(rows, None) else set()
    except FileNotFoundError:
        return set()


def put_table(db: reader.Database, folder: str, table: Table, patterns: str | None) -> None:
    """Writes a table. patterns: as in --draws-columns; None: all statistics."""
    wanted = None if patterns is None else [p for p in re.split("[, ]+", patterns) if p != "none"]

    def chosen(name: str) -> bool:
        return wanted is None or any(fnmatch.fnmatchcase(name, p) for p in wanted)

    view, columns = f"{table.kind}_counters", table.columns.split()
    counters: list[str] = []
    if reader.has(db, view):
        counters = [d[0] for d in db.execute(f"SELECT * FROM {view} LIMIT 0").description[1:]]
        counters = [c for c in counters if chosen(c)]
    select = ", ".join([f"r.{table.kind}"] + [EXPRESSIONS.get(c, f"r.{c}") for c in columns] +
                       [f'coalesce(c."{c}", 0)' for c in counters])
    join = f"JOIN {view} c USING ({table.kind})" if counters else ""
    boxes = Boxes(db, table.kind, chosen)
    header = columns + counters + boxes.columns
    path = os.path.join(folder, f"{table.file}.csv")
    lost = would_lose(path, header)
    if lost:
        cli.say("export", f"{path}: left as it is: it has {len(lost)} columns that the record does "
                f"not have, such as {min(lost)} (--record sqlite,boxes)")
        return
    formats = [FORMATS.get(c, plain) for c in columns]
    with create(folder, f"{table.file}.csv") as f:
        f.write(",".join(header) + "\n")
        for row in db.execute(f"SELECT {select} FROM {table.rows} r {join} ORDER BY 1"):
            fields = [put(v) for put, v in zip(formats, row[1:])]
            f.write(",".join(itertools.chain(fields, map(str, row[1 + len(columns):]),
                                             boxes.of(row[0]))) + "\n")


def put_query(db: reader.Database, folder: str, name: str, query: str,
              texts: tuple[str, ...]) -> None:
    """Writes the result of a query if it has rows. texts: columns that are quoted."""
    rows = db.execute(query)
    names = [d[0] for d in rows.description]
    first = rows.fetchone()
    if not first:
        return
    formats = [quoted if n in texts else plain for n in names]
    with create(folder, name) as f:
        f.write(",".join(names) + "\n")
        for row in itertools.chain((first,), rows):
            f.write(",".join(put(v) for put, v in zip(formats, row)) + "\n")


def put_energy(db: reader.Database, folder: str, table: Table, units: list[str]) -> None:
    kind, begin = table.kind, table.energy.split()
    energies = db.execute(f"SELECT {kind}, unit, dynamic_fj, clock_fj, leakage_fj, offchip_fj, "
                          f"total_fj FROM {kind}_energy ORDER BY {kind}")
    groups = itertools.groupby(energies, key=operator.itemgetter(0))
    group = next(groups, None)
    rows = db.execute(f"SELECT r.{kind}, {', '.join('r.' + c for c in begin)}, seconds, watts "
                      f"FROM {table.rows} r LEFT JOIN {kind}_power USING ({kind}) ORDER BY 1")
    with create(folder, f"{table.file}-energy.csv") as f:
        f.write(",".join(begin + ["seconds", "joules", "watts"] +
                         [f"joules_{n}" for n in (*ENERGIES, *units)]) + "\n")
        for key, *fields, seconds, watts in rows:
            of_row: list[Row] = []
            if group and group[0] == key:
                of_row = list(group[1])
                group = next(groups, None)
            total = {u: 0.0 for u in units}
            for e in of_row:
                total[e[1]] += e[6]
            # Time in which nothing ran has no watts.
            f.write(",".join(
                [FORMATS.get(c, plain)(v) for c, v in zip(begin, fields)] +
                [f"{seconds or 0:.12g}", joules(sum(e[6] for e in of_row)),
                 "" if watts is None else f"{watts:.12g}"] +
                [joules(sum(e[2 + i] for e in of_row)) for i in range(len(ENERGIES))] +
                [joules(v) for v in total.values()]) + "\n")


def export(db: reader.Database, folder: str) -> None:
    (patterns,) = db.execute("SELECT draws_columns FROM run").fetchone()
    used = [t for t in TABLES if t.kind != "interval" or
            db.execute("SELECT 1 FROM intervals LIMIT 1").fetchone()]
    for table in used:
        put_table(db, folder, table, patterns if table.kind == "work" else None)
    put_query(db, folder, "instructions.csv",
              "SELECT i.frame, stage, name, {}, text FROM frame_instructions i JOIN programs USING "
              "(program) JOIN instructions USING (program, position) ORDER BY i.frame, i.program, "
              "i.position".format(", ".join(
                  f"i.{d[0]}" for d in db.execute(
                      "SELECT * FROM frame_instructions LIMIT 0").description[1:])),
              ("name", "text"))
    put_query(db, folder, "counters.csv",
              "SELECT name, statistic, class, unit, boxes, measure, meaning, attribution FROM "
              "counters ORDER BY counter", ("meaning", "attribution"))
    if reader.has(db, "power_terms"):
        units = [u for u, in db.execute(
            "SELECT unit FROM power_terms GROUP BY unit ORDER BY min(term)")]
        for table in used:
            if reader.has(db, f"{table.kind}_energy"):
                put_energy(db, folder, table, units)
