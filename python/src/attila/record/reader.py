"""Opens records of runs (run.sqlite, docs/reference/record.md) and reads their statistics.

open_record(folder) is the way to a record for everything in this package: it reads any folder, also
one that may not be written, and refuses what another version of Attila has written.
Not here: what is derived from statistics (the record's views).
"""

import os
import sqlite3
import urllib.parse

from attila.cli import Error

SCHEMA = 5  # of run.schema


def open_record(folder: str) -> sqlite3.Connection:
    """A connection that only reads; the run may still go on."""
    path = os.path.join(folder, "run.sqlite")
    uri = "file:" + urllib.parse.quote(os.path.abspath(path))
    error = None
    # A run that was killed while it wrote a frame must be tidied up first, which takes writing.
    for mode in ("ro", "rw"):
        try:
            db = sqlite3.connect(uri + "?mode=" + mode, uri=True)
            rows = db.execute("SELECT schema FROM run").fetchall()
            break
        except sqlite3.Error as e:
            error = e
    else:
        raise Error(f"{path} is no record of a run: {error}") from error
    if not rows:
        raise Error(f"{path}: the run ended before it began; there is nothing in it")
    if rows[0][0] != SCHEMA:
        raise Error(f"{path} is of another version of Attila: it has schema {rows[0][0]}, and this "
                    f"one reads {SCHEMA}; record the run again")
    return db


def has(db, name):
    """Whether the record has a table or view."""
    return db.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (name,)).fetchone() is not None


def box_tables(db, kind):
    """[(class, table)] of statistics of single boxes; kind: frame, work or interval."""
    names = [r[0] for r in db.execute("SELECT DISTINCT class FROM counters ORDER BY counter")]
    return [(n, f"{kind}_{n}_boxes") for n in names if has(db, f"{kind}_{n}_boxes")]


def values(db, kind):
    """Rows (key, name of the counter, value), without zeros."""
    rows = db.execute(f"SELECT * FROM {kind}_counters")
    columns = [d[0] for d in rows.description]
    for row in rows:
        for column, value in zip(columns[1:], row[1:]):
            if value:
                yield row[0], column, value


def box_values(db, kind):
    """Rows (key, box, name of the counter, value), without zeros."""
    for _, name in box_tables(db, kind):
        rows = db.execute(f'SELECT * FROM "{name}"')
        columns = [d[0] for d in rows.description]
        for row in rows:
            for column, value in zip(columns[2:], row[2:]):
                if value:
                    yield row[0], row[1], column, value


def totals(db, kind):
    """{name of the counter: sum over all rows}"""
    if not has(db, f"{kind}_counters"):
        return {}
    columns = [d[0] for d in db.execute(f"SELECT * FROM {kind}_counters LIMIT 0").description][1:]
    sums = ", ".join(f'coalesce(sum("{c}"), 0)' for c in columns)
    return dict(zip(columns, db.execute(f"SELECT {sums} FROM {kind}_counters").fetchone()))
