"""A record as a trace for ui.perfetto.dev and trace_processor: frames, draws and other work are
slices; the activity of units in intervals is counters. Time is simulated GPU time: cycle C of the
GPU clock is at C * 1000 / gpu_mhz ns, rounded down.

The numbers of fields are those of Perfetto's published protos (protos/perfetto/trace/trace.proto,
trace_packet.proto, track_event/*.proto). Not here: traces of signals (attila-sim run --trace), the
meaning of tables and formulas (docs/reference/record.md).
"""

from __future__ import annotations

import itertools
import operator
import os
import stat
import struct
import sys
from collections.abc import Generator, Iterable, Iterator
from typing import Any, BinaryIO, NamedTuple

from attila import whole_file
from attila.cli import Error
from attila.records import reader

RUN = 1  # track of the process
BEGIN, END, COUNTER = 1, 2, 4  # TrackEvent.Type
EXPLICIT = 3  # ChildTracksOrdering: by rank
BYTES = 3  # CounterDescriptor.Unit

Value = int | float | str | bytes | None


def varint(n: int) -> bytes:
    out = bytearray()
    n &= (1 << 64) - 1
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


def message(*fields: tuple[int, Value]) -> bytes:
    """Encodes a message from fields (number, value). A value None omits the field; bytes are an
    encoded message."""
    out = []
    for number, value in fields:
        if isinstance(value, int):
            out.append(varint(number << 3) + varint(value))
        elif isinstance(value, float):
            out.append(varint(number << 3 | 1) + struct.pack("<d", value))
        elif value is not None:
            if isinstance(value, str):
                # Bytes of a label that are not UTF-8 were read as surrogates.
                value = value.encode("utf-8", "replace")
            out.append(varint(number << 3 | 2) + varint(len(value)) + value)
    return b"".join(out)


class Group(NamedTuple):
    """A group of counters. Columns of the query: interval; the subject of the counters (None: the
    names of the columns are enough); their subgroup (None: none); values. unit: as text; code:
    Perfetto's number for the unit."""

    name: str
    view: str
    query: str
    unit: str | None
    code: int = 0


GROUPS = (
    Group("units", "interval_units",
          "SELECT interval, unit, (SELECT min(class) FROM boxes b WHERE b.unit = u.unit) || ' (' "
          "|| unit || ')', busy_percent AS busy, blocked_percent AS blocked FROM interval_units u",
          "%"),
    Group("fragments", "interval_fragments",
          "SELECT interval, NULL, NULL, generated, uncovered, culled_hz, uncovered_tested, tested, "
          "passed, failed, colour_input, colour_dead, colour_uncovered FROM interval_fragments",
          "fragments"),
    Group("bytes by client", "interval_bytes",
          "SELECT interval, client, client, read_bytes AS read, written_bytes AS written FROM "
          "interval_bytes", None, BYTES),
    Group("caches", "interval_caches",
          "SELECT interval, cache, NULL, hit_percent AS hits FROM interval_caches", "%"),
    Group("power", "interval_energy",
          "SELECT interval, unit, NULL, total_fj * 1e-15 / seconds AS power FROM (SELECT interval, "
          "'machine' AS unit, sum(total_fj) AS total_fj, 0 AS place FROM interval_energy GROUP BY "
          "interval UNION ALL SELECT interval, unit, total_fj, 1 FROM interval_energy) JOIN "
          "interval_power USING (interval)", "W"),
    Group("energy", "interval_energy",
          "SELECT interval, NULL, NULL, sum(dynamic_fj) * 1e-6 AS dynamic, sum(clock_fj) * 1e-6 AS "
          "clock, sum(leakage_fj) * 1e-6 AS leakage, sum(offchip_fj) * 1e-6 AS offchip FROM "
          "interval_energy GROUP BY interval", "nJ"))

LIMITERS = "limiter, limiter_share, limiter2, limiter2_share, limiter3, limiter3_share"
# Columns: start, end, category, name; then annotations. {0}: columns of energy; {1}: the join for
# these.
FRAMES = ("SELECT start_cycle, end_cycle, 'frame', 'frame ' || frame, frame, draws, cycles, "
          "start_cycle, simulated_ms, {0}" + LIMITERS + " FROM frames {1} WHERE frame BETWEEN ? "
          "AND ? AND cycles > 0 ORDER BY frame")
WORK = ("SELECT start_cycle, end_cycle, kind, coalesce(w.label, kind || ' ' || coalesce(draw, "
        "number)), work, frame, number, draw, w.label AS label, meta, cycles, exclusive_cycles, "
        "start_cycle, {0}" + LIMITERS + ", primitive, count, instances, v.name AS vertex_program, "
        "v.instructions AS vertex_instructions, p.name AS fragment_program, p.instructions AS "
        "fragment_instructions, (SELECT group_concat(b.slot || ' ' || b.width || 'x' || b.height "
        "|| ' ' || b.format || coalesce(' ' || b.label, ''), ', ') FROM bindings b WHERE "
        "b.bindings = w.bindings AND b.slot NOT GLOB 'texture*') AS targets FROM work w {1} LEFT "
        "JOIN programs v ON v.program = vertex_program LEFT JOIN programs p ON p.program = "
        "fragment_program WHERE frame BETWEEN ? AND ? AND cycles > 0 ORDER BY start_cycle, work")
# The two phases of a pass of a tile-based machine.
PASSES = ("SELECT start_cycle, start_cycle + geometry_cycles, 'pass', 'geometry of pass ' || pass, "
          "{0} FROM passes WHERE frame BETWEEN ?1 AND ?2 UNION ALL SELECT start_cycle + "
          "geometry_cycles, end_cycle, 'pass', 'bins of pass ' || pass, {0} FROM passes WHERE "
          "frame BETWEEN ?1 AND ?2 ORDER BY 1, 2").format(
              "frame, pass, why, first_draw, draws, parts, bin_width, bin_height")
INTERVALS = ("SELECT interval, start_cycle, end_cycle FROM intervals, (SELECT min(start_cycle) AS "
             "a, max(end_cycle) AS b FROM frames WHERE frame BETWEEN ? AND ?) WHERE end_cycle > a "
             "AND start_cycle < b ORDER BY interval")


class Trace:
    """The trace of the chosen frames; each method yields packets."""

    def __init__(self, db: reader.Database, folder: str, frames: tuple[int, int] | None) -> None:
        self.db, self.folder, self.frames = db, folder, frames or (0, (1 << 63) - 1)
        self.chosen = " in --frames" if frames else ""
        self.last_track = RUN
        self.energies = reader.has(db, "power_terms")
        self.mhz, self.mode, self.program, self.arguments = db.execute(
            "SELECT gpu_mhz, mode, program, arguments FROM run").fetchone()
        if self.mode == "functional" or not self.mhz:
            raise Error(f"{folder}: a functional run has no cycles to trace")

    def ns(self, cycle: int) -> int:
        return int(cycle * 1000 // self.mhz)

    def track(self, parent: int, name: str, rank: int,
              group: Group | None = None) -> tuple[int, bytes]:
        """Returns a new track below another one, and the packet that describes it."""
        self.last_track += 1
        counter = group and message((3, group.code or None), (6, group.unit))
        return self.last_track, message((60, message(
            (1, self.last_track), (5, parent), (2, name), (11, EXPLICIT), (12, rank),
            (8, counter))))

    def event(self, cycle: int, track: int, kind: int, *fields: tuple[int, Value]) -> bytes:
        return message((8, self.ns(cycle)), (11, message((9, kind), (11, track), *fields)))

    def slice(self, track: int, names: list[str], row: tuple[Any, ...]) -> Iterator[bytes]:
        """Yields a slice. Its annotations are the columns from the fifth on, with the names of
        these."""
        annotations = ((4, message(({int: 4, float: 5, str: 6}[type(v)], v), (10, name)))
                       for name, v in zip(names[4:], row[4:]) if v is not None)
        yield self.event(row[0], track, BEGIN, (22, row[2]), (23, row[3]), *annotations)
        yield self.event(row[1], track, END)

    def rows(self, query: str, power: str) -> tuple[list[str], reader.Rows]:
        rows = self.db.execute(query.format(*("joules, watts, ", power) if self.energies
                                            else ("", "")), self.frames)
        return [d[0] for d in rows.description], rows

    def run(self) -> Iterator[bytes]:
        # The viewer shows only the name of a process.
        name = " ".join(filter(None, (os.path.basename(self.program or "attila"), self.arguments)))
        yield message((13, 1), (60, message((1, RUN), (11, EXPLICIT),
                                            (3, message((1, 1), (6, name[:199]))))))

    def put_frames(self) -> Iterator[bytes]:
        track, packet = self.track(RUN, "frames", 0)
        names, rows = self.rows(FRAMES, "LEFT JOIN frame_power USING (frame)")
        first = next(rows, None)
        if not first:
            raise Error(f"{self.folder}: no frame with cycles is recorded{self.chosen}")
        yield packet
        for row in itertools.chain((first,), rows):
            yield from self.slice(track, names, row)

    def lane(self, lanes: list[list[int]], row: tuple[Any, ...], parent: int, name: str,
             rank: int) -> Generator[bytes, None, int]:
        """Returns the track of the first of the lanes, [track, end], that is free when a row
        begins. If there is none, yields a new one."""
        lane = next((n for n in lanes if n[1] <= self.ns(row[0])), None)
        if not lane:
            track, packet = self.track(parent, name, rank)
            lane = [track, 0]
            lanes.append(lane)
            yield packet
        lane[1] = self.ns(row[1])
        return lane[0]

    def put_work(self) -> Iterator[bytes]:
        """Yields the slices of work. Slices that overlap lie on several lanes, each on the first
        lane that is free."""
        lanes: dict[str, tuple[int, list[list[int]]]] = {}  # group: track, [track, end] of lanes
        names, rows = self.rows(WORK, "LEFT JOIN work_power USING (work)")
        for row in rows:
            name = "draws" if row[2] == "draw" else "other work"
            if name not in lanes:
                group, packet = self.track(RUN, name, 1 if name == "draws" else 2)
                lanes[name] = group, []
                yield packet
            group, of_group = lanes[name]
            # The viewer would show lanes of the same name as one.
            track = yield from self.lane(of_group, row, group, f"{name}, lane {len(of_group) + 1}",
                                         len(of_group))
            yield from self.slice(track, names, row)

    def put_passes(self) -> Iterator[bytes]:
        """Yields the slices of passes. Those of passes that are open at once lie on several
        lanes."""
        if not reader.has(self.db, "passes"):
            return
        rows = self.db.execute(PASSES, self.frames)
        names = [d[0] for d in rows.description]
        lanes: list[list[int]] = []  # track, end
        for row in rows:
            track = yield from self.lane(
                lanes, row, RUN, f"passes, lane {len(lanes) + 1}" if lanes else "passes", 1)
            if row[1] > row[0]:
                yield from self.slice(track, names, row)

    def put_group(self, number: int, group: Group,
                  intervals: dict[int, tuple[int, int]]) -> Iterator[bytes]:
        """Yields the counters of a group. A counter keeps its value until the next one, so a zero
        ends each run of intervals."""
        rows = self.db.execute(group.query + " ORDER BY interval")
        columns = [d[0] for d in rows.description][3:]
        inner: dict[str | None, int] = {}
        tracks: dict[str, int] = {}
        end: int | None = None
        for interval, of_interval in itertools.groupby(rows, key=operator.itemgetter(0)):
            if interval not in intervals:
                continue
            start = intervals[interval][0]
            if end is not None and end != start:
                yield from (self.event(end, t, COUNTER, (30, 0)) for t in tracks.values())
            end = intervals[interval][1]
            for _, of, own, *values in of_interval:
                for column, value in zip(columns, values):
                    name = f"{of} {column}" if of else column
                    if value is None:
                        continue
                    if not inner:
                        inner[None], packet = self.track(RUN, group.name, 3 + number)
                        yield packet
                    if own not in inner:
                        inner[own], packet = self.track(inner[None], own, len(tracks))
                        yield packet
                    if name not in tracks:
                        tracks[name], packet = self.track(inner[own], name, len(tracks), group)
                        yield packet
                    yield self.event(start, tracks[name], COUNTER,
                                     (30 if isinstance(value, int) else 44, value))
        if end is not None:
            yield from (self.event(end, t, COUNTER, (30, 0)) for t in tracks.values())

    def put_intervals(self) -> Iterator[bytes]:
        intervals = {i: (a, b) for i, a, b in self.db.execute(INTERVALS, self.frames)}
        if not intervals:
            print(f"attila export: {self.folder}: no intervals are recorded (--interval N): no "
                  "counters in the trace", file=sys.stderr)
        # Skip views that the record lacks, since this machine lacks their counters.
        for number, group in enumerate(GROUPS):
            if intervals and reader.has(self.db, group.view):
                yield from self.put_group(number, group, intervals)


def write(f: BinaryIO, packets: Iterable[bytes]) -> None:
    for packet in packets:
        f.write(message((1, message((10, 1)) + packet)))  # all of one sequence


def export(db: reader.Database, folder: str, path: str | None,
           frames: tuple[int, int] | None) -> None:
    """Writes the trace. path: the file to write; None: a file in the folder."""
    trace = Trace(db, folder, frames)
    if path is None:
        path = os.path.join(folder, "run.perfetto-trace")
        f = whole_file.opened(path, "wb")
    else:
        f = open(path, "wb")
    try:
        with f:
            write(f, itertools.chain(trace.run(), trace.put_frames(), trace.put_passes(),
                                     trace.put_work(), trace.put_intervals()))
    except BaseException:
        # Remove an incomplete trace, since it looks like a complete one; but leave what is not a
        # file (/dev/stdout).
        if stat.S_ISREG(os.stat(path).st_mode):
            os.remove(path)
        raise
