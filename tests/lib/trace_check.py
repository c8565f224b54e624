#!/usr/bin/python3
"""trace_check.py PROTO_FOLDER TRACE [RECORD]: a trace of attila-sim run --trace, decoded by
python3-protobuf with the classes that protoc made of perfetto.proto: tracks, slices that nest,
flows that connect. With the record of the same run, which the trace has all of (and clocks of
500 MHz, so that a cycle is 2 ns): what is in it is what the machine counted. Prints what it
found."""
import collections
import functools
import gc
import json
import re
import sqlite3
import sys

gc.disable()  # millions of tuples live to the end
sys.path.insert(0, sys.argv[1])
import perfetto_pb2 as pb  # noqa: E402


def fail(text):
    sys.exit(f"{sys.argv[2]}: {text}")


tracks = {}
events = collections.defaultdict(list)  # track: [(time, type, event)]
flows = collections.defaultdict(list)   # flow: [(time, order, track, name, category)]
trace = pb.Trace()
trace.ParseFromString(open(sys.argv[2], "rb").read())
# Fields of numbers that perfetto.proto does not have.
size = trace.ByteSize()
trace.DiscardUnknownFields()
if trace.ByteSize() != size:
    fail(f"unknown fields of {size - trace.ByteSize()} bytes")
if trace.packet[0].sequence_flags != 1:
    fail("the first packet does not begin a sequence")
for order, packet in enumerate(trace.packet):
    if packet.HasField("track_descriptor"):
        d = packet.track_descriptor
        if d.uuid in tracks:
            fail(f"two tracks {d.uuid}")
        if d.HasField("parent_uuid") and d.parent_uuid not in tracks:
            fail(f"track {d.uuid} before its parent")
        tracks[d.uuid] = d
    else:
        e = packet.track_event
        if e.track_uuid not in tracks:
            fail(f"an event of track {e.track_uuid}, which is not described")
        events[e.track_uuid].append((packet.timestamp, e.type, e))
        for f in e.flow_ids:
            flows[f].append((packet.timestamp, order, e.track_uuid, e.name, e.categories[0]))


@functools.lru_cache(None)
def path(track):
    d = tracks[track]
    return (path(d.parent_uuid) if d.HasField("parent_uuid") else ()) + (d.name,)


@functools.lru_cache(None)
def unit_class(track):
    # Digits are numbers of instances, but that of L2C.
    return re.sub("(?<!^L)[0-9]", "", path(track)[1].split(" ")[0])


counts = collections.Counter()
misses = []  # (track, event)
cycles = collections.Counter()  # (unit, category): ns
owners = collections.Counter()  # (unit's class, category, its work): ns
commands = collections.Counter()
for track, list_of in events.items():
    time, stack = 0, []
    for at, kind, e in list_of:
        if at < time:
            fail(f"{path(track)}: {at} after {time}")
        time = at
        if kind == pb.TrackEvent.TYPE_SLICE_BEGIN:
            stack.append((at, e))
        elif kind == pb.TrackEvent.TYPE_SLICE_END:
            if not stack:
                fail(f"{path(track)}: an end without a beginning at {at}")
            begin, slice_ = stack.pop()
            category = slice_.categories[0]
            counts[category] += 1
            cycles[path(track)[1], category] += at - begin
            if category in ("busy", "blocked"):
                owners[unit_class(track), category, slice_.name] += at - begin
            if category == "miss":
                misses.append((track, slice_))
            if category == "command":
                n = [a.int_value for a in slice_.debug_annotations if a.name == "commands"]
                commands[slice_.name] += n[0] if n else 1
            if stack and category in ("vertex", "quad", "triangle", "miss", "request",
                                      "transaction", "group"):
                fail(f"{path(track)}: slices overlap at {at}")
        elif kind == pb.TrackEvent.TYPE_INSTANT:
            counts["new " + e.categories[0]] += 1
            if e.categories[0] == "triangle" and not stack and path(track)[1][:3] != "PA ":
                fail(f"{path(track)}: {e.name} is made of no draw at {at}")
        else:
            counts["value"] += 1
    if stack:
        fail(f"{path(track)}: {stack[-1][1].name} does not end")

for flow, list_of in flows.items():
    if len(list_of) < 2:
        fail(f"flow {flow} has one end: {list_of}")
    if len({step[2] for step in list_of}) < 2:
        fail(f"flow {flow} connects nothing: {list_of}")
counts["flows"] = len(flows)
units = {path(t)[1].split(" ")[0] for t in tracks if len(path(t)) == 2}
# A quad's flow begins in HZ and goes on through the boxes that have it.
through = collections.Counter()
for flow, list_of in flows.items():
    ordered = sorted(list_of)
    if ordered[0][3].startswith("quad"):
        boxes = [unit_class(t) for _, _, t, _, category in ordered if category != "miss"]
        through[" ".join(boxes)] += 1
counts["ways of quads"] = len(through)
if through and any(not way.startswith("HZ ") for way in through):
    fail(f"quads that do not begin in HZ: {through}")

# A vertex's begins in the post shading cache; triangles are made on it.
vertices = collections.Counter()
for flow, list_of in flows.items():
    ordered = sorted(list_of)
    if ordered[0][4] == "vertex":
        if unit_class(ordered[0][2]) != "StOC":
            fail(f"a vertex that does not begin in StOC: {ordered}")
        vertices[" ".join("draw" if c == "triangle" else unit_class(t)
                          for _, _, t, _, c in ordered if c != "miss")] += 1
# A request's flow comes from its miss, which is on the flow of the requester.
asked = collections.Counter()  # (unit's class, "read" or "write", requester)
banks = collections.Counter()
for track, e in misses:
    own = {c for _, _, _, _, c in flows[e.flow_ids[0]]}
    if "request" not in own:
        fail(f"a miss without a request: {e}")
    began = sorted(flows[f])[0] if (f := e.flow_ids[-1]) != e.flow_ids[0] else None
    by = "indices" if "indices" in own else began[4] if began else "nobody"
    # It was in the unit, or in a group in its shader.
    if began and not any(c == "group" if unit_class(track)[:2] == "TU" else
                         path(t)[1] == path(track)[1] for _, _, t, _, c in flows[f]):
        fail(f"{path(track)}: {began[3]} asked for {e.name} and was not there")
    asked[unit_class(track), e.name.split(" ")[0], by] += 1
    banks["command" in own] += 1
counts["asked"] = {" ".join(k): v for k, v in sorted(asked.items())}
counts["to banks"] = banks[True]

if len(sys.argv) > 3:
    db = sqlite3.connect(sys.argv[3])

    def number(sql):
        return db.execute(sql).fetchone()[0] or 0

    def counter(name):
        return number(f'SELECT sum("{name}") FROM frame_counters')

    def equal(what, found, expected):
        if found != expected:
            fail(f"{what}: {found} in the trace, {expected} in the record")

    equal("draws", counts["draw"], number("SELECT count(*) FROM work WHERE kind = 'draw'"))
    equal("quads", counts["new quad"] * 4, counter("OutputFragments_HZ"))
    equal("triangles", counts["new triangle"], counter("Triangles_PA"))
    equal("vertices", counts["new vertex"], counter("Misses_StOC"))
    # Of memory: the requester of each miss that caches count; writes are also those of commands.
    if counts["request"]:
        for key, expected in (
                ("StF read indices", "MemoryTransactions_StF"),
                ("SL read vertex", "MissOKFetch_FC_InC_SL"),
                ("TU-FSTU read quad", "ReadTransactions_TU-FSTU"),
                ("ZST-SU read quad", "MissOKFetch_FC_ZST-SU -ClearFills_ZST-SU"),
                ("CW-SU read quad", "MissOKFetch_FC_CW-SU -ClearFills_CW-SU")):
            equal(key, counts["asked"].get(key, 0), sum(
                -counter(name[1:]) if name[0] == "-" else counter(name)
                for name in expected.split()))
        for unit in ("ZST-SU", "CW-SU"):
            if counts["asked"].get(f"{unit} write quad", 0) > counter(f"WriteReqAccepted_{unit}"):
                fail(f"{unit}: quads caused more writes than there were")
        if any(by == "nobody" for _, _, by in asked):
            fail(f"nobody asked for them: {asked}")
    # Only the controller with banks has transactions that are followed to them.
    if number("SELECT value = 'TRUE' FROM configuration WHERE key = 'MemoryControllerV2'"):
        # What an L2 reads is on the way of a request: to its slice, to the channel, to a bank.
        if number("SELECT value = 'TRUE' FROM configuration WHERE section = 'L2' AND "
                  "key = 'Enabled'"):
            if not 0 < counts["to banks"] < counts["miss"]:
                fail(f"{counts['to banks']} of {counts['miss']} misses reach a bank through an L2")
            for steps in flows.values():
                if {s[4] for s in steps} >= {"request", "command"}:
                    units_of = " ".join(unit_class(t) for _, _, t, _, c in sorted(steps)
                                        if c != "miss")
                    if not re.fullmatch("MC L2C( Sched)+", units_of):
                        fail(f"a request's way is {units_of}: {sorted(steps)}")
            equal("bytes that slices read", sum(
                int(e.name.split(" ")[1]) for track, list_of in events.items()
                if unit_class(track) == "Sched" for _, kind, e in list_of
                if kind == pb.TrackEvent.TYPE_SLICE_BEGIN and e.categories[0] == "transaction" and
                e.name.startswith("read") and e.flow_ids), counter("FillBytes_L2C"))
        else:
            if counts["request"]:
                equal("misses that reach a bank", counts["to banks"], counts["miss"])
            equal("transactions", counts["transaction"], counter("TotalTransactions_MC"))
        for name, statistic in (("read", "Read"), ("write", "Write"), ("activate", "Active"),
                                ("precharge", "Precharge")):
            equal(name, commands[name], counter(f"DDR{statistic}Commands_Sched"))
    boxes = [db.execute(f'SELECT box, sum("CyclesBusy_{u}"), sum("CyclesBlocked_{u}") FROM '
                        f'"frame_{c}_boxes" GROUP BY box').fetchall()
             for c, u in db.execute("SELECT DISTINCT class, unit FROM boxes WHERE instance IS NOT "
                                    "NULL")]
    for unit, busy, blocked in (row for rows in boxes for row in rows):
        for category, value in (("busy", busy), ("blocked", blocked)):
            found = sum(v for (u, c), v in cycles.items() if c == category and
                        u.split(" ")[0] == unit)
            equal(f"{category} cycles of {unit}", found / 2, value or 0)
            counts[f"{category} units"] += found > 0
    # And for which work, by the slices' names. The trace goes on for some cycles after the last
    # frame, in which the command processor takes the last commands.
    for unit, name, *both in db.execute(
            "SELECT unit, CASE kind WHEN 'draw' THEN 'draw ' || draw ELSE kind END AS name, "
            "sum(busy), sum(blocked) FROM work_units JOIN work USING (work) "
            "WHERE kind != 'other' GROUP BY unit, name"):
        for category, value in zip(("busy", "blocked"), both):
            found = owners[unit, category, name] / 2
            if unit != "CP" or not value <= found <= value + 4:
                equal(f"{category} cycles of {unit} for {name}", found, value)
print(json.dumps({**counts, "units": len(units), "ways": through,
                  "ways of vertices": vertices}))
