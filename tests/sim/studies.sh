#!/bin/bash
# scripts/studies: what it refuses, its results from a sweep, and the evolution of a frame, whose
# lines must add up to the frame. Not here: the studies themselves, which take long.
# Full only: a minute of runs.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$SIM" ] || skip "no build"
STUDIES=$TOP/scripts/studies
expect_failure 2 'which study' "$STUDIES"
expect_failure 2 'no study nonsense; there are: unified, ' "$STUDIES" nonsense
expect_failure 2 "\-\-game: is FILE.attila:A,B" "$STUDIES" --game none unified
expect_failure 2 "cannot read $WORK/none.attila" "$STUDIES" --game "$WORK/none.attila:1,2" unified
expect_failure 2 'not both' "$STUDIES" --no-games --game "$TOP/tests/golden/build.attila:1" unified
quietly "list" "$STUDIES" --list
for space in "$TOP"/python/src/attila/studies/designs/*.ini; do
   quietly "$space" "$TOP/scripts/attila-sweep" "$space" --dry-run --out "$WORK/none" \
      "$TOP/tests/timing/clear.attila"
   ! grep -q refused "$WORK/log" || { cat "$WORK/log"; fail "$space has machines that cannot be"; }
done

# Means and sums of a space that is quick: all frames.
capture=$TOP/tests/golden/build.attila
quietly "sweep" "$TOP/scripts/attila-sweep" --no-plots --out "$WORK/half-cycle" \
   "$TOP/python/src/attila/studies/designs/half-cycle.ini" "$capture"
/usr/bin/python3 - "$WORK" "$TOP" >"$WORK/ours" <<'PYTHON' || fail "results"
import os
import sys
from attila.studies.results import Results, mean
from attila.studies.zhang import HalfCycle
r = Results()
r.add("half-cycle", os.path.join(sys.argv[1], "half-cycle"), "a frame")
r.experiment = {}
p = r.one(space="half-cycle", machine="loongson", HalfCycle="FALSE")
assert abs(mean([2, 8]) - 4) < 1e-12 and r.captures == ["a frame"], r.captures
assert r.speed(p, p) == 1 and HalfCycle().data(r)["rows"][0][:2] == ["loongson", "a frame"]
print(p.cycles["a frame"], p.statistics["a frame"]["ShadedFragments_FFU"])
PYTHON
quietly "one run" "$SIM" run "$capture" --config "$TOP/configs/loongson.ini" --record csv \
   --out "$WORK/run"
awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i; next}
   {c += $n["cycles"]; s += $n["ShadedFragments_FFU"]}
   END {print c, s}' "$WORK/run/frames.csv" >"$WORK/theirs"
cmp "$WORK/ours" "$WORK/theirs" || fail "$(cat "$WORK/ours") is not $(cat "$WORK/theirs")"

# The L2: places by their sizes and clients, and what each is beside the first; a game's speeds.
printf 'place,speed-up,+-\n0,1.000,0.000\n1,1.012,0.004\n' >"$WORK/table.csv"
for space in caches caches-clients; do
   quietly "$space" "$TOP/scripts/attila-sweep" --no-plots --out "$WORK/$space" \
      "$TOP/python/src/attila/studies/designs/$space.ini" "$capture"
done
/usr/bin/python3 - "$WORK" <<'PYTHON' || fail "the study of the L2"
import os
import sys
from attila.studies.caches import Caches, SIZES, WAYS
from attila.studies.results import Results, estimates_of
assert estimates_of(sys.argv[1]) == [(1, 0), (1.012, .004)]
r, study = Results(), Caches()
for space in study.spaces[:2]:
    r.add(space, os.path.join(sys.argv[1], space))
sizes, clients = study.sizes(r), study.clients(r)
assert len(sizes) == 1 + len(SIZES) * len(WAYS) and list(clients)[0] == "all take lines", clients
assert len(clients) == 8 and "TextureUnit: pass by" in clients, clients
rows = study.rows(sizes, "build")
assert rows[0][1] == rows[0][4] == "+0.0 %" and rows[0][5] == "" and rows[-1][5], rows
assert float(rows[-1][3]) < float(rows[0][3]), rows  # the largest saves bytes
PYTHON

# Streams that studies make: their second frames have the same pixels on both machines, and move the
# bytes that arithmetic says. 640x480 pixels of 4 bytes are 1228800 bytes.
/usr/bin/python3 - "$SIM" "$WORK" <<'PYTHON' || fail "streams of studies"
import csv
import os
import subprocess
import sys
from attila.studies import streams, tiling
from attila.studies.streams import layers, moving
sim, work = sys.argv[1:]
folder, screen = os.path.join(work, "made"), 1228800
os.mkdir(folder)

def run(path, renderer, mode="cycle"):
    """(statistics of the second frame, its picture)"""
    out = os.path.join(work, "made-run")
    subprocess.run([sim, "run", path, "--config", "tiled", "--set", f"GPU.Renderer={renderer}",
                    "--set", "COLORWRITE.DisableCompression=TRUE", "--mode", mode,
                    "--save-frames", "--out", out], check=True, stdout=subprocess.DEVNULL)
    with open(os.path.join(out, "frames.csv"), newline="") as f:
        rows = list(csv.DictReader(f))
    with open(os.path.join(out, "frame-0001.png"), "rb") as f:
        return rows[1], f.read()

def both(path, **expected):
    immediate, tiled = run(path, "IMMEDIATE"), run(path, "TILED")
    assert immediate[1] == tiled[1], path
    for name, (a, b) in expected.items():
        found = [int(s[f"{name}-SU"]) for s, _ in (immediate, tiled)]
        assert found == [a, b], (path, name, found)
    return tiled

both(layers(folder, "opaque", 3, 0), WriteBytes_CW=(3 * screen, screen), ReadBytes_CW=(0, 0))
# The first layer is drawn on clear blocks, the second one over it.
both(layers(folder, "blended", 2, 32), WriteBytes_CW=(2 * screen, screen),
     ReadBytes_CW=(screen, 0))
nearer = both(layers(folder, "nearer", 2, 0), WriteBytes_CW=(2 * screen, screen))
farther = both(layers(folder, "farther", 2, 0), WriteBytes_CW=(screen, screen))
for statistics, _ in (nearer, farther):  # depth is discarded
    assert statistics["WriteBytes_ZST-SU"] == "0" < statistics["DiscardedLines_ZST-SU"]
assert int(run(layers(folder, "nearer", 1, 16), "TILED")[0]["InputTriangles_PLB"]) == 2 * 40 * 30

# A scene in a window 4 times as wide and high has some 16 times the fragments; moved, it differs.
small = run(streams.TOP + "/tests/golden/build.attila", "IMMEDIATE")[0]
large, picture = run(tiling.scene(folder, "build"), "IMMEDIATE")
ratio = int(large["ShadedFragments_FFU"]) / int(small["ShadedFragments_FFU"])
assert 15 < ratio < 17, ratio
moves = tiling.scene(folder, "build-moves", lambda stream: moving(stream, 1))
assert run(moves, "IMMEDIATE", "functional")[1] != picture
PYTHON

# The tile-based machine: results of small spaces.
/usr/bin/python3 - "$SIM" "$WORK/tiled" <<'PYTHON' || fail "studies of the tile-based machine"
import argparse
import sys
from attila.studies import command
from attila.studies.tiling import Elimination, crossing
assert crossing([(1, 1.2), (2, .8)]) == 1.5 and crossing([(1, .9), (2, .8)]) is None
o = argparse.Namespace(sim=sys.argv[1], out=sys.argv[2], jobs=2, frames=[], no_games=True)

class Few(Elimination):
    programs, counts = (), {"rectangles": [], "rectangles-one": [50]}

study, r = Few(), command.run(Few(), o)
assert study.found(r)["both"].agrees and study.found(r)["transaction"] == [100], study.found(r)
of = study.ways(r)
assert study.undrawn(of["rendering"], "rectangles") == 1 and study.undrawn(of["none"],
                                                                           "rectangles") == 0
part = study.undrawn(of["rendering"], "rectangles-one")
assert .9 < part < 1, part  # one rectangle of 60 has another colour
# Each bin with another colour is drawn and written; no other bin is.
written = study.unwritten(of["transaction"], of["none"], "rectangles-one")
assert abs(part - written) < .01, (part, written)
PYTHON

# Studies of single frames, and why clock domains save what they do: what they read from records is
# what the records have.
/usr/bin/python3 - "$SIM" "$WORK/frames" "$TOP" <<'PYTHON' || fail "studies of a frame"
import argparse
import os
import sqlite3
import sys
from attila.studies import trials
from attila.studies.runs import leakage_of, of_stages, records
from attila.studies.clocks import TABLE, ClockRuns, POLICIES
from attila.studies.frame import Frame, Units
from attila.studies.watts import PeakWatts
capture = os.path.join(sys.argv[3], "tests", "golden", "build.attila")
o = argparse.Namespace(sim=sys.argv[1], out=sys.argv[2], jobs=2,
                       frames=[("build 1", capture, "1"), ("build 0", capture, "0")])
frame = Frame()
measured = frame.measure(o)
assert list(measured) == ["build 1", "build 0"], measured
runs = measured["build 1"]
vertices, fragments = frame.balance(runs)
t = runs["separate"]
of = t.instances("ExecutedInstructions_ShDX-FS")
assert sum(map(sum, of.values())) == sum(t.counters["ExecutedInstructions_ShDX-FS"])
# A mesh in a small picture: its vertices are most of the work of four shaders of twelve.
assert max(vertices) > max(fragments) and 0 < max(vertices) <= 1, (vertices, fragments)
cycles, draws = t.db.execute("SELECT sum(cycles), (SELECT count(*) FROM work WHERE kind = 'draw') "
                             "FROM frames").fetchone()
assert cycles <= t.cycles[-1] < cycles + 10000 and len(frame.batches(runs)) == draws
assert runs["small"].cycles[-1] > runs["large"].cycles[-1]
data = frame.data(measured)
assert [f["frame"] for f in data["frames"]] == list(measured), data
assert data["frames"][0]["batches"] == draws and set(data["limits"]) == set(frame.labels.values())
found = frame.found(measured)
assert len(found["memory"]) == 2, found
# The peak of memory leaves out what the DAC reads, which here is the most of an interval.
large = runs["large"]
rows = [dict(zip(large.bytes, v)) for v in zip(*large.bytes.values())]
drawn = max((sum(v.values()) - v["DAC"]) / n / .64 for v, n in zip(rows, large.lengths))
every = max(sum(v.values()) / n / .64 for v, n in zip(rows, large.lengths))
assert abs(found["memory-peak"][0] - drawn) < 1e-9 and drawn < every, (found, drawn, every)
units = Units()
hits = [h for h in units.hits(units.measure(o)["build 1"]["window, 1"]) if h is not None]
assert all(0 <= h <= 1 for h in hits), hits
clocks = ClockRuns(o, {"build": (capture, "1")}, [])
assert clocks.folders == ClockRuns(o, {"build": (capture, "1")}, []).folders  # run once
fixed = POLICIES["paper"][2]
(time, low), (same, high) = (clocks.energy("build", fixed, "table", n) for n in (10, 50))
assert time == same and low < high
# Leakage by 10 to 50 % of the units' peaks: a larger share of what is dissipated, and growing.
leaks = [float(text.split()[0]) for text in clocks.leaks("build")[1:]]
assert 10 < leaks[0] < leaks[1] < leaks[2] < 100, leaks
folder = clocks.folders["build", tuple(fixed)]
assert abs(100 * leakage_of(o.sim, folder, TABLE) - leaks[0]) < .1, leaks
# Peaks of blocks: an interval that is not whole does not count.
text = "".join(f"{n},TS,{seconds},0,0,0,0,{total}\n"
               for n, seconds, total in ((0, 1000 / 300e6, 10 ** 10), (1, 1e-9, 10 ** 12)))
watts = PeakWatts.intervals("interval,unit,seconds,dynamic_fj,clock_fj,leakage_fj,offchip_fj,"
                            "total_fj\n" + text)
assert len(watts) == 1 and abs(watts[0]["TS"]["total"] - 3) < 1e-9, watts
# What vertices take of a unified shader's cycles, counted by program and as a whole.
small = records(o, {"": (capture, "micro2005", ["GPU.NumFragmentShaders=1"],
                         ["--frames", "1"])})[""]
fetched = of_stages(small, "fetches")
whole, = sqlite3.connect(os.path.join(small, "run.sqlite")).execute(
    'SELECT "FetchedInstr_ShF-FS" FROM frame_all').fetchone()
assert set(fetched) == {"vertex", "fragment"} and sum(fetched.values()) * 4 == whole, (
    fetched, whole)
# An experiment has the value of its machines as they are, and with one thing changed.
two = [("micro2005", [f"GPU.NumFragmentShaders={n}"]) for n in (1, 2)]
made = [("build", capture, ["--frames", "1"])]
tried = trials.rows(o, [
    trials.Trial("speed", two, "ideal shaders", options=["--ideal", "shader"]),
    trials.Trial("limit", two[:1], "ideal shaders", options=["--ideal", "shader"],
                 value=trials.limiter),
    trials.Trial("use", two[:1], "two shaders", ["GPU.NumFragmentShaders=2"],
                 value=trials.executed(4)),
    trials.Trial("not here", two, "", captures=["none"])], made)
assert [row[:2] for row in tried] == [[w, "build"] for w in ("speed", "limit", "use")], tried
assert float(tried[0][2][:-2]) > 30 and float(tried[0][4][:-2]) < 20, tried
assert tried[1][2] == "shaders" != tried[1][4], tried
executed, = sqlite3.connect(os.path.join(small, "run.sqlite")).execute(
    'SELECT "ExecutedInstructions_ShDX-FS" * 25.0 / cycles FROM frame_all').fetchone()
assert tried[2][2] == f"{executed:.1f} %" and float(tried[2][4][:-2]) > executed + 9, tried
# Vertices limit this frame: with transitions that take no time the fragment domain saves energy.
t, e, ed2 = clocks.ratios("free", ["build"], 10)
assert e < 1 and abs(ed2 - e * t * t) < 1e-12, (t, e)
PYTHON

/usr/bin/python3 -c 'import matplotlib' 2>/dev/null || skip "no python3-matplotlib"
evolution() {
   ATTILA_BUILD_DIR=${SIM%/src/sim/attila-sim} "$STUDIES" evolution "$capture" \
      --out "$WORK/evolution" "$@"
}
quietly "evolution" evolution --interval 5000 --config "$TOP/configs/loongson.ini"
for file in evolution.png evolution.svg intervals.csv; do
   [ -s "$WORK/evolution/$file" ] || fail "no $file"
done
quietly "its frame" "$SIM" run "$capture" --frames 0-0 --config "$TOP/configs/loongson.ini" \
   --record sqlite --out "$WORK/frame"
# The last interval ends when the machine is idle, some cycles after the frame.
sum=$(awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i; next}
   {c += $n["cycles"]; f += $n["shaded fragments"]} END {print c "|" f}' \
   "$WORK/evolution/intervals.csv")
frame=$(/usr/bin/python3 -c 'import sqlite3, sys
print("%d|%d" % sqlite3.connect(sys.argv[1]).execute("SELECT cycles, \"ShadedFragments_FFU\" "
      "FROM frame_all").fetchone())' "$WORK/frame/run.sqlite")
[ "${sum#*|}" = "${frame#*|}" ] && [ "${sum%|*}" -ge "${frame%|*}" ] &&
   [ "${sum%|*}" -lt $((${frame%|*} + 5000)) ] ||
   fail "the intervals are $sum cycles and fragments, the frame $frame"
expect_failure 2 'the frame has' evolution --at 999999999
expect_failure 2 'moments: takes a number from 1 to 8' evolution --moments 9
expect_failure 2 'none.attila' "$STUDIES" evolution "$WORK/none.attila"
