#!/usr/bin/env python3
# Copyright 2026 The Attila developers
# SPDX-License-Identifier: MIT
"""Compares a trace that protoc decoded with the record it was made of: perfetto_check.py TEXT DB
FIRST LAST (frames). Values come from the columns of interval_counters, not from the views that the
exporter reads. Not here: decoding (protoc does it)."""
import collections
import json
import sqlite3
import sys


def parse(lines):
    """A message of protoc's text: a list of values for each name."""
    message = collections.defaultdict(list)
    for line in lines:
        line = line.strip()
        if line == "}":
            break
        if line.endswith(" {"):
            message[line[:-2]].append(parse(lines))
        elif line:
            name, value = line.split(": ", 1)
            assert not name.isdigit(), "field %s is not Perfetto's" % name
            if value.startswith('"'):
                value = value[1:-1].encode().decode("unicode_escape").encode("latin1").decode()
            message[name].append(value)
    return message


class Trace:
    """What is in a trace: tracks by number, slices and counters by the name of their track."""

    def __init__(self, path):
        self.tracks, self.slices, self.counters = {}, [], collections.defaultdict(list)
        opened, last = {}, {}
        packets = parse(iter(open(path)))["packet"]
        assert packets[0]["sequence_flags"] == ["1"], "the first packet does not begin a sequence"
        for packet in packets:
            assert packet["trusted_packet_sequence_id"] == ["1"]
            for track in packet["track_descriptor"]:
                number = track["uuid"][0]
                assert number not in self.tracks, "track %s twice" % number
                assert track["process"] or track["parent_uuid"][0] in self.tracks, track
                self.tracks[number] = track
            for event in packet["track_event"]:
                time, track = int(packet["timestamp"][0]), event["track_uuid"][0]
                assert time >= last.get(track, 0), "time goes back on track %s" % track
                last[track] = time
                name, kind = self.tracks[track]["name"][0], event["type"][0]
                if kind == "TYPE_COUNTER":
                    assert self.tracks[track]["counter"], name
                    value = (event["counter_value"] + event["double_counter_value"])[0]
                    self.counters[name].append((time, float(value)))
                elif kind == "TYPE_SLICE_BEGIN":
                    assert track not in opened, "slices overlap in %s" % name
                    opened[track] = (time, event)
                else:
                    assert kind == "TYPE_SLICE_END", kind
                    start, begin = opened.pop(track)
                    self.slices.append((name, start, time, begin))
        assert not opened, "slices without an end"


def arguments(event):
    """Annotations of an event by name."""
    out = {}
    for a in event["debug_annotations"]:
        convert = int if a["int_value"] else float if a["double_value"] else str
        out[a["name"][0]] = convert((a["int_value"] + a["double_value"] + a["string_value"])[0])
    return out


def has_energies(db):
    return db.execute("SELECT 1 FROM sqlite_master WHERE name = 'power_terms'").fetchone()


def want_power(want, db, rows, mhz):
    """Energies of the intervals: of units and kinds in nJ, and by time in W."""
    units = [u for u, in db.execute("SELECT DISTINCT unit FROM power_terms").fetchall()]
    every = collections.defaultdict(dict)
    for e in db.execute("SELECT * FROM interval_energy").fetchall():
        every[e["interval"]][e["unit"]] = e
    for r in rows:
        time, energy = r["start_cycle"] * 1000 // mhz, every[r["interval"]]
        seconds = r["cycles"] / (mhz * 1e6)
        for kind in ("dynamic", "clock", "leakage", "offchip"):
            want[kind].append((time, sum(e[kind + "_fj"] for e in energy.values()) * 1e-6))
        for u in units:
            want[u + " power"].append((time, energy[u]["total_fj"] * 1e-15 / seconds))
        want["machine power"].append(
            (time, sum(e["total_fj"] for e in energy.values()) * 1e-15 / seconds))


def check_slices(trace, db, first, last, mhz):
    """Every row of work, every frame, with its time and what limited it."""
    rows = {r["work"]: r for r in db.execute(
        "SELECT w.*, v.name AS vertex_name, p.instructions AS length FROM work w LEFT JOIN "
        "programs v ON v.program = vertex_program LEFT JOIN programs p ON p.program = "
        "fragment_program WHERE cycles > 0 AND frame BETWEEN ? AND ?", (first, last))}
    work = [s for s in trace.slices if s[0] != "frames" and not s[0].startswith("passes")]
    frames = [s for s in trace.slices if s[0] == "frames"]
    assert len(work) == len(rows), (len(work), len(rows))
    total = exclusive = 0
    energy = {} if not has_energies(db) else dict(db.execute(
        "SELECT work, sum(total_fj) FROM work_energy GROUP BY work").fetchall())
    for name, start, end, event in work:
        a = arguments(event)
        row = rows.pop(a["work"])
        assert start == row["start_cycle"] * 1000 // mhz and end == row["end_cycle"] * 1000 // mhz
        assert name.startswith("draws" if row["kind"] == "draw" else "other work"), name
        assert event["categories"] == [row["kind"]]
        number = row["number"] if row["draw"] is None else row["draw"]
        assert event["name"] == [row["label"] or "%s %d" % (row["kind"], number)], event["name"]
        for key in ("frame", "cycles", "exclusive_cycles", "limiter", "limiter_share", "limiter2",
                    "primitive", "count", "instances"):
            assert a.get(key) == row[key], (key, a.get(key), row[key])
        assert a.get("vertex_program") == row["vertex_name"]
        assert a.get("fragment_instructions") == row["length"]
        joules = energy.get(row["work"], 0) * 1e-15
        assert abs(a.get("joules", 0) - joules) <= 1e-9 * joules, (a.get("joules"), joules)
        slots = [r["slot"] for r in db.execute(
            "SELECT slot FROM bindings WHERE bindings = ? AND slot NOT GLOB 'texture*'",
            (row["bindings"],))]
        assert sorted(t.split()[0] for t in a.get("targets", "").split(", ") if t) == sorted(slots)
        total += end - start
        exclusive += a["exclusive_cycles"]
    cycles, alone = db.execute(
        "SELECT sum(cycles), sum(exclusive_cycles) FROM work WHERE frame BETWEEN ? AND ?",
        (first, last)).fetchone()
    # Times are rounded down: each slice may be 1 ns longer or shorter, none if a cycle is whole ns.
    assert abs(total - cycles * 1000 / mhz) <= (len(work) if 1000 % mhz else 0), (total, cycles)
    assert exclusive == alone, (exclusive, alone)
    recorded = db.execute("SELECT count(*), min(start_cycle), max(end_cycle) FROM frames WHERE "
                          "cycles > 0 AND frame BETWEEN ? AND ?", (first, last)).fetchone()
    assert len(frames) == recorded[0]
    assert sum(f[2] - f[1] for f in frames) == (
        recorded[2] * 1000 // mhz - recorded[1] * 1000 // mhz)


def check_passes(trace, db, first, last, mhz):
    """Two slices for each pass of a tile-based machine: geometry, and bins."""
    found = [s for s in trace.slices if s[0].startswith("passes")]
    wanted = []
    for p in db.execute("SELECT * FROM passes WHERE frame BETWEEN ? AND ?", (first, last)):
        middle = p["start_cycle"] + p["geometry_cycles"]
        for name, start, end in (("geometry", p["start_cycle"], middle),
                                 ("bins", middle, p["end_cycle"])):
            if end > start:
                wanted.append((start * 1000 // mhz, end * 1000 // mhz,
                               "%s of pass %d" % (name, p["pass"]), p["why"], p["draws"]))
    assert sorted(wanted) == sorted(
        (start, end, event["name"][0], arguments(event)["why"], arguments(event)["draws"])
        for _, start, end, event in found), (wanted, found)
    return len(found)


def check_counters(trace, db, first, last, mhz):
    """Every counter has a value for each interval and a zero behind the last one."""
    begin, end = db.execute("SELECT min(start_cycle), max(end_cycle) FROM frames WHERE frame "
                            "BETWEEN ? AND ?", (first, last)).fetchone()
    # Without intervals they have no statistics, either.
    if not db.execute("SELECT 1 FROM intervals").fetchone():
        assert not trace.counters
        return
    rows = db.execute("SELECT * FROM interval_all WHERE end_cycle > ? AND start_cycle < ? ORDER BY "
                      "interval", (begin, end)).fetchall()
    if not rows:
        assert not trace.counters
        return
    units = db.execute("SELECT unit, count(*) AS boxes, clock FROM boxes GROUP BY unit").fetchall()
    clocks = {"gpu": "cycles", "shader": "shader_cycles", "memory": "memory_cycles"}
    columns = rows[0].keys()
    units = [u for u in units if "CyclesBusy_" + u["unit"] in columns]
    clients = [c[:-len("_ReadBytes_MC")] for c in columns if c.endswith("_ReadBytes_MC")]
    want = collections.defaultdict(list)
    for r in rows:
        time = r["start_cycle"] * 1000 // mhz
        for u in units:
            all_cycles = u["boxes"] * r[clocks[u["clock"]]]
            for what, column in (("busy", "CyclesBusy_"), ("blocked", "CyclesBlocked_")):
                want["%s %s" % (u["unit"], what)].append(
                    (time, 100.0 * r[column + u["unit"]] / all_cycles))
        for c in clients:
            want[c + " read"].append((time, r[c + "_ReadBytes_MC"]))
            want[c + " written"].append((time, r[c + "_WriteBytes_MC"]))
        want["generated"].append((time, r["GeneratedFragments_TT"]))
        want["passed"].append((time, r["PassedFragments_ZST-SU"]))
        hits, misses = r["Hits_StOC"], r["Misses_StOC"]
        if hits + misses:
            want["shaded vertices hits"].append((time, 100.0 * hits / (hits + misses)))
    if has_energies(db):
        want_power(want, db, rows, mhz)
    stop = rows[-1]["end_cycle"] * 1000 // mhz
    for name, values in want.items():
        got = trace.counters[name]
        assert len(got) == len(values) + 1, (name, len(got), len(values))
        assert got[-1] == (stop, 0), (name, got[-1])
        for g, w in zip(got, values):
            assert g[0] == w[0] and abs(g[1] - w[1]) <= 1e-9 * abs(w[1]), (name, g, w)
    names = set(want) | {"uncovered", "culled_hz", "uncovered_tested", "tested", "failed",
                         "colour_input", "colour_dead", "colour_uncovered"} | {
        c + " hits" for c, in db.execute("SELECT DISTINCT cache FROM interval_caches").fetchall()}
    assert set(trace.counters) <= names, set(trace.counters) - names


def main():
    text, database, first, last = sys.argv[1:]
    db = sqlite3.connect(database)
    db.row_factory = sqlite3.Row
    mhz = db.execute("SELECT gpu_mhz FROM run").fetchone()[0]
    trace = Trace(text)
    check_slices(trace, db, int(first), int(last), mhz)
    passes = check_passes(trace, db, int(first), int(last), mhz)
    check_counters(trace, db, int(first), int(last), mhz)
    lanes = len({s[0] for s in trace.slices if s[0].startswith("draws")})
    print(json.dumps({"slices": len(trace.slices), "counters": len(trace.counters),
                      "lanes": lanes, "passes": passes}))


if __name__ == "__main__":
    main()
