"""Opens records of runs (run.sqlite, docs/reference/record.md) and reads their statistics.

Everything in this package opens records with open_record(folder). It reads any folder, even one
that is read-only, and refuses a record of another version of Attila. If something cannot be read,
then or later, it raises an Error that names the file. Not here: values that are derived from
statistics (the views of the record).
"""

from __future__ import annotations

import os
import sqlite3
import urllib.parse
from collections.abc import Callable, Iterator
from typing import Any, TypeVar, cast

from attila.cli import Error

SCHEMA = 8  # of run.schema
T = TypeVar("T")


class Database(sqlite3.Connection):
    """A connection whose errors name the file (path). Reading a damaged file may fail at any
    row."""

    path = ""

    def try_to(self, call: Callable[..., T], *arguments: Any) -> T:
        try:
            return call(*arguments)
        except UnicodeError:
            raise Error(f"{self.path}: damaged: a text in it is not UTF-8") from None
        except sqlite3.Error as e:
            raise Error(f"{self.path}: {e}") from e

    def cursor(self, factory: Any = None) -> Any:
        return super().cursor(factory or Rows)  # type: ignore[arg-type]

    def execute(self, *arguments: Any) -> Rows:
        rows: Rows = self.cursor().execute(*arguments)
        return rows


class Rows(sqlite3.Cursor):
    """A cursor whose errors name the file of its Database."""

    connection: Database

    def execute(self, *arguments: Any) -> Rows:
        return self.connection.try_to(super().execute, *arguments)

    def __next__(self) -> Any:
        return self.connection.try_to(super().__next__)

    def fetchone(self) -> Any:
        return self.connection.try_to(super().fetchone)

    def fetchall(self) -> list[Any]:
        return self.connection.try_to(super().fetchall)


def connect(path: str, mode: str = "rwc") -> Database:
    """mode: ro, rw or rwc, as in SQLite's URIs."""
    uri = f"file:{urllib.parse.quote(os.path.abspath(path))}?mode={mode}"
    db = cast(Database, sqlite3.connect(uri, uri=True, factory=Database))
    db.path = path
    return db


def open_record(folder: str) -> Database:
    """Opens a record for reading; the run may still be going on."""
    path = os.path.join(folder, "run.sqlite")
    if not os.path.isdir(folder):
        raise Error(f"{folder} is no folder")
    if not os.path.exists(path):
        raise Error(f"no run.sqlite in {folder}: a folder of attila-run --out or attila-sim run "
                    "--out is wanted")
    # SQLite must repair the file of a run that was killed while it wrote, so open it for writing.
    for mode in ("ro", "rw"):
        try:
            db = connect(path, mode)
            rows = db.execute("SELECT schema FROM run").fetchall()
            break
        except (Error, sqlite3.Error) as e:
            left = [end for end in ("-journal", "-wal") if os.path.exists(path + end)]
            if mode == "rw" and left and not os.access(path, os.W_OK):
                raise Error(f"{path}: its run was killed while it wrote, and SQLite must put the "
                            f"last frame in order ({path}{left[0]}), which needs leave to write: "
                            "copy the folder, or open the record once as its owner") from e
            if mode == "rw":
                raise Error(f"{path} is no record of a run: "
                            f"{str(e).removeprefix(path).lstrip(': ')}") from e
    if not rows:
        raise Error(f"{path}: the run ended before it began; there is nothing in it")
    if rows[0][0] != SCHEMA:
        raise Error(f"{path} is of another version of Attila: it has schema {rows[0][0]}, and this "
                    f"one reads {SCHEMA}; record the run again")
    return db


def has(db: sqlite3.Connection, name: str) -> bool:
    """Whether the record has a table or view."""
    return db.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (name,)).fetchone() is not None


def box_tables(db: sqlite3.Connection, kind: str) -> list[Any]:
    """[(class, table)] of the tables with statistics of single boxes; kind: frame, work or
    interval."""
    names = [r[0] for r in db.execute("SELECT DISTINCT class FROM counters ORDER BY counter")]
    return [(n, f"{kind}_{n}_boxes") for n in names if has(db, f"{kind}_{n}_boxes")]


def values(db: sqlite3.Connection, kind: str) -> Iterator[Any]:
    """Rows (key, name of the counter, value), without zeros."""
    rows = db.execute(f"SELECT * FROM {kind}_counters")
    columns = [d[0] for d in rows.description]
    for row in rows:
        for column, value in zip(columns[1:], row[1:]):
            if value:
                yield row[0], column, value


def box_values(db: sqlite3.Connection, kind: str) -> Iterator[Any]:
    """Rows (key, box, name of the counter, value), without zeros."""
    for _, name in box_tables(db, kind):
        rows = db.execute(f'SELECT * FROM "{name}"')
        columns = [d[0] for d in rows.description]
        for row in rows:
            for column, value in zip(columns[2:], row[2:]):
                if value:
                    yield row[0], row[1], column, value


def totals(db: sqlite3.Connection, kind: str) -> Any:
    """{name of the counter: sum over all rows}"""
    if not has(db, f"{kind}_counters"):
        return {}
    columns = [d[0] for d in db.execute(f"SELECT * FROM {kind}_counters LIMIT 0").description][1:]
    sums = ", ".join(f'coalesce(sum("{c}"), 0)' for c in columns)
    return dict(zip(columns, db.execute(f"SELECT {sums} FROM {kind}_counters").fetchone()))


def limits(folder: str) -> tuple[int, list[tuple[str, float]]]:
    """Cycles of the last frame of a run, and what limited it, most first: (unit, share)."""
    db = open_record(folder)
    cycles, *row = db.execute(
        "SELECT cycles, limiter, limiter_share, limiter2, limiter2_share, limiter3, "
        "limiter3_share FROM frames ORDER BY frame DESC LIMIT 1").fetchone()
    db.close()
    return cycles, [(row[i], row[i + 1]) for i in (0, 2, 4) if row[i]]
