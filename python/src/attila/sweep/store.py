"""sweep.sqlite: all data of attila-sweep, in one file. A point is one run: a configuration, a
capture (or program), a range of frames; its key is a hash of all that its result depends on, so
that no point runs twice. Tables are described in docs/howto/sweep.md. Not here: running.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from typing import Any

from attila.cli import Error
from attila.records import reader
from attila.sweep.run import Point

SCHEMA = 1
TABLES = """
CREATE TABLE about (schema INTEGER);
CREATE TABLE designs (design INTEGER PRIMARY KEY, space TEXT, hash TEXT UNIQUE, started TEXT,
   ran TEXT,
   command TEXT, area TEXT, count TEXT, baseline TEXT);
CREATE TABLE configurations (configuration TEXT PRIMARY KEY, text TEXT, error TEXT);
CREATE TABLE captures (capture TEXT PRIMARY KEY, name TEXT, path TEXT, frames INTEGER);
CREATE TABLE places (design INTEGER, place INTEGER, machine TEXT, label TEXT, configuration TEXT,
   area REAL, PRIMARY KEY (design, place));
CREATE TABLE settings (design INTEGER, place INTEGER, key TEXT, value TEXT,
   PRIMARY KEY (design, place, key));
CREATE TABLE members (design INTEGER, place INTEGER, capture TEXT, point TEXT,
   PRIMARY KEY (design, place, capture, point));
CREATE TABLE points (point TEXT PRIMARY KEY, configuration TEXT, capture TEXT, first_frame INTEGER,
   last_frame INTEGER, mode TEXT, ideal TEXT, version TEXT, simulator TEXT, state TEXT,
   message TEXT, host TEXT, started TEXT, wall_seconds REAL, cpu_seconds REAL);
CREATE TABLE frames (point TEXT, frame INTEGER, cycles INTEGER, shader_cycles INTEGER,
   memory_cycles INTEGER, simulated_ms REAL, statistics TEXT, PRIMARY KEY (point, frame));
CREATE TABLE slurm_spools (spool TEXT PRIMARY KEY, submitted TEXT, state TEXT);
CREATE INDEX members_by_point ON members (point);
CREATE VIEW results AS SELECT design, place, label, machine, captures.name AS capture, state,
   message, first_frame, last_frame, host, wall_seconds, point,
   (SELECT sum(cycles) FROM frames f WHERE f.point = m.point) AS cycles
   FROM members m JOIN places USING (design, place) JOIN captures USING (capture)
   LEFT JOIN points USING (point);
CREATE VIEW statistics AS SELECT point, frame, json_each.key AS name, json_each.value AS value
   FROM frames, json_each(frames.statistics);
"""
# These are also added to files of an earlier version. folder: relative to sweep.sqlite.
ADDED = """CREATE TABLE IF NOT EXISTS samples (design INTEGER, capture TEXT, folder TEXT,
   PRIMARY KEY (design, capture))"""
FINAL = ("done", "failed")  # a point in another state runs again


class Store:
    def __init__(self, path: str) -> None:
        self.path = path
        try:
            self.db = reader.connect(path)
            self.db.execute("PRAGMA synchronous = NORMAL")
            made = self.db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            if not made:
                with self.db:
                    for statement in TABLES.split(";\n"):
                        self.db.execute(statement)
                    self.db.execute("INSERT INTO about VALUES (?)", (SCHEMA,))
            with self.db:
                self.db.execute(ADDED)
            schema = self.db.execute("SELECT schema FROM about").fetchone()
        except (Error, sqlite3.Error) as e:
            raise e if isinstance(e, Error) else Error(f"{path}: {e}") from None
        if schema != (SCHEMA,):
            raise Error(f"{path} is of another version of attila-sweep")

    def design(self, space: Any, digest: str, started: str, command: str, places: Sequence[Any],
               members: Sequence[Any], configurations: Sequence[Any],
               captures: Sequence[Any]) -> Any:
        """Writes a design, once for each space; returns its number. places: [(machine, label,
        configuration, area, {key: value})], members: [(place, capture, point)]."""
        with self.db:
            row = self.db.execute("SELECT design FROM designs WHERE hash = ?",
                                  (digest,)).fetchone()
            self.db.executemany("INSERT OR IGNORE INTO configurations VALUES (?, ?, ?)",
                                configurations)
            self.db.executemany("INSERT OR REPLACE INTO captures VALUES (?, ?, ?, ?)", captures)
            if row:
                self.db.execute("UPDATE designs SET ran = ? WHERE design = ?", (started, row[0]))
                return row[0]
            design = self.db.execute(
                "INSERT INTO designs (space, hash, started, ran, command, area, count, baseline) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (space.path, digest, started, started, command, space.area and space.area.text,
                 space.options.get("count"), space.options.get("baseline"))).lastrowid
            for n, (machine, label, configuration, area, settings) in enumerate(places):
                self.db.execute("INSERT INTO places VALUES (?, ?, ?, ?, ?, ?)",
                                (design, n, machine, label, configuration, area))
                self.db.executemany("INSERT INTO settings VALUES (?, ?, ?, ?)",
                                    [(design, n, k, v) for k, v in settings.items()])
            self.db.executemany("INSERT INTO members VALUES (?, ?, ?, ?)",
                                [(design, *m) for m in members])
        return design

    def latest(self) -> Any:
        """The number of the design that ran last, or None."""
        row = self.db.execute("SELECT design FROM designs ORDER BY ran DESC, design DESC"
                              ).fetchone()
        return row and row[0]

    def states(self) -> Any:
        """{point: state} of all points that have run."""
        return dict(self.db.execute("SELECT point, state FROM points"))

    def seconds(self) -> Any:
        """{capture: seconds that a point of it took on average}"""
        return dict(self.db.execute("SELECT capture, avg(wall_seconds) FROM points "
                                    "WHERE state = 'done' GROUP BY capture"))

    def add(self, point: Point, result: dict[str, Any]) -> None:
        """Writes the result of a Point (sweep/run.py), in one transaction."""
        with self.db:
            self.db.execute("DELETE FROM frames WHERE point = ?", (point.id,))
            self.db.execute(
                "INSERT OR REPLACE INTO points VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                (point.id, point.configuration, point.capture, point.first, point.last, point.mode,
                 point.ideal, point.version, point.simulator, result["state"],
                 result.get("message"), result.get("host"), result.get("started"),
                 result.get("wall_seconds"), result.get("cpu_seconds")))
            self.db.executemany(
                "INSERT INTO frames VALUES (?, ?, ?, ?, ?, ?, ?)",
                [(point.id, f["frame"], f["cycles"], f["shader_cycles"], f["memory_cycles"],
                  f["simulated_ms"], json.dumps(f["statistics"], sort_keys=True))
                 for f in result.get("frames", [])])

    def table(self, design: int) -> tuple[Any, ...]:
        """(places, captures). Each place has number, label, machine, area, {key: value}, {name of
        the capture: (cycles, frames counted) or None} and, if the space has energies, {name of the
        capture: femtojoules}. captures: names, in order."""
        count = self.db.execute("SELECT count FROM designs WHERE design = ?",
                                (design,)).fetchone()[0] or "0-"
        first, dash, last = count.partition("-")
        last = int(last) if last else 1 << 62 if dash else int(first)
        settings: dict[Any, Any] = {}
        for place, key, value in self.db.execute(
                "SELECT place, key, value FROM settings WHERE design = ? ORDER BY rowid",
                (design,)):
            settings.setdefault(place, {})[key] = value
        cycles: dict[Any, Any] = {}
        energy: dict[Any, Any] = {}
        captures: dict[Any, Any] = {}
        for place, name, waiting, total, frames, fj in self.db.execute(
                "SELECT m.place, c.name, sum(coalesce(p.state, '') != 'done'), "
                "sum((SELECT sum(cycles) FROM frames f WHERE f.point = m.point AND f.frame "
                "BETWEEN ?1 AND ?2)), sum((SELECT count(*) FROM frames f WHERE f.point = m.point "
                "AND f.frame BETWEEN ?1 AND ?2)), sum((SELECT sum(json_extract(statistics, "
                "'$.EnergyTotal')) FROM frames f WHERE f.point = m.point AND f.frame BETWEEN ?1 "
                "AND ?2)) FROM members m JOIN captures c USING (capture) LEFT JOIN points p "
                "USING (point) "
                "WHERE m.design = ?3 GROUP BY m.place, m.capture ORDER BY m.rowid",
                (int(first), last, design)):
            captures[name] = None
            cycles.setdefault(place, {})[name] = None if waiting or not total else (total, frames)
            if fj and not waiting:
                energy.setdefault(place, {})[name] = fj
        places = [{"place": n, "machine": machine, "label": label, "area": area,
                   "settings": settings.get(n, {}), "cycles": cycles.get(n, {}),
                   "energy": energy.get(n, {})}
                  for n, machine, label, area in self.db.execute(
                      "SELECT place, machine, label, area FROM places WHERE design = ? "
                      "ORDER BY place", (design,))]
        return places, list(captures)

    def keep_samples(self, design: int, folders: Sequence[tuple[str, str]]) -> None:
        """Writes the samples from which the captures of a design are estimated. folders: [(capture,
        folder)]."""
        with self.db:
            self.db.executemany("INSERT OR REPLACE INTO samples VALUES (?, ?, ?)",
                                [(design, *f) for f in folders])

    def samples(self, design: int) -> dict[Any, Any]:
        """{name of the capture: (capture, folder)}; empty if captures are simulated as a whole."""
        return {name: (capture, folder) for name, capture, folder in self.db.execute(
            "SELECT name, capture, folder FROM samples JOIN captures USING (capture) "
            "WHERE design = ?", (design,))}

    def values(self, design: int, capture: str, place: int, statistic: str | None = None) -> Any:
        """{frame: cycles, or a statistic} of the frames of a capture that a place has simulated."""
        what = "cycles" if statistic is None else "coalesce(json_extract(statistics, ?4), 0)"
        path = [] if statistic is None else ["$." + statistic]
        return dict(self.db.execute(
            f"SELECT frame, {what} FROM members JOIN frames USING (point) WHERE design = ?1 AND "
            "capture = ?2 AND place = ?3", [design, capture, place, *path]))

    def failures(self, design: int) -> Any:
        """[(label, capture, message)] of the points that failed."""
        return self.db.execute(
            "SELECT label, capture, message FROM results WHERE design = ? AND state NOT IN "
            "('done') ORDER BY place", (design,)).fetchall()

    def summary(self, design: int) -> Any:
        """{"started", "points", "done", "failed", "seconds", "hosts", "versions"}"""
        row = self.db.execute(
            "SELECT d.started, count(DISTINCT m.point) AS points, "
            "count(DISTINCT CASE p.state WHEN 'done' THEN p.point END) AS done, "
            "count(DISTINCT CASE p.state WHEN 'failed' THEN p.point END) AS failed, "
            "(SELECT sum(wall_seconds) FROM points WHERE point IN (SELECT point FROM members "
            "WHERE design = d.design)) AS seconds, group_concat(DISTINCT p.host) AS hosts, "
            "group_concat(DISTINCT p.simulator) AS versions "
            "FROM designs d JOIN members m USING (design) LEFT JOIN points p USING (point) "
            "WHERE d.design = ?", (design,))
        return dict(zip((d[0] for d in row.description), row.fetchone()))

    def remember_spool(self, spool: str, submitted: str) -> None:
        with self.db:
            self.db.execute("INSERT INTO slurm_spools VALUES (?, ?, 'submitted')",
                            (spool, submitted))

    def spools(self) -> list[Any]:
        """Folders of the job arrays whose end was not seen."""
        return [s for s, in self.db.execute("SELECT spool FROM slurm_spools WHERE "
                                            "state = 'submitted' ORDER BY rowid")]

    def spool_ended(self, spool: str) -> None:
        with self.db:
            self.db.execute("UPDATE slurm_spools SET state = 'ended' WHERE spool = ?", (spool,))
