#!/bin/bash
# The state of draws in the record (record.md, "The state of a draw"): it agrees with the surfaces
# that draws have bound and with the registers that attila-sim dump prints; parts of a run, workers
# and a run in functional mode have the same; "attila state" prints it, and what differs between two
# draws. Not here: the words of OpenGL (tests/unit/test_pipeline.c), the page (report.sh).
. "$(dirname "$0")/../lib/test.sh"
[ -x "$SIM" ] || skip "no build"
ATTILA=$TOP/scripts/attila stream=$TOP/tests/golden/desktop.attila
run() { # DIR OPTION...
   local dir=$WORK/$1; shift
   quietly "run $*" "$SIM" run "$stream" --config "$TOP/configs/attila-bgpu.ini" --out "$dir" "$@"
}
# python CODE ARGUMENT...: with db(folder) and all, the state of every draw that the folder has
python() {
   /usr/bin/python3 - "${@:2}" <<END || fail "see above"
import sqlite3, sys
from attila.records.reader import open_record
def db(folder): return open_record(folder)
def all(folder, columns="value, before"):
    return {r[:5]: r[5:] for r in db(folder).execute("SELECT frame, draw, part, p.number, name, "
            + columns + " FROM work_pipeline p JOIN work USING (work)")}
$1
END
}

run whole
# Each draw has the surfaces of its set of bindings, which is written as a whole.
python '
rows = db(sys.argv[1]).execute("SELECT work, slot, address, width FROM work JOIN bindings "
                               "USING (bindings)").fetchall()
state = {r[:4]: r[4] for r in db(sys.argv[1]).execute(
    "SELECT work, part, number, name, value FROM work_pipeline")}
for work, slot, address, width in rows:
    part = slot.rstrip("0123456789")
    number = int(slot[len(part):]) if slot != part else None
    assert state[work, part, number, "address"] == hex(address), (work, slot, address)
    if part == "texture":
        assert state[work, part, number, "width"] == width, (work, slot)
assert len(rows) > 40, len(rows)
' "$WORK/whole"
# Blending and its factors at each draw are those of the last registers that were written.
quietly "dump" sh -c "'$SIM' dump '$stream' >'$WORK/dump'"
python '
import re
now, draws = {}, []
for line in open(sys.argv[2]):
    for name, value in re.findall(r"color\[0\]\.(blend_enable|rgb_src|rgb_dst) = (\w+)", line):
        now[name] = value
    if re.match(r" +\d+ DRAW ", line):
        draws.append((now.get("blend_enable", "0"), now.get("rgb_src"), now.get("rgb_dst")))
state = all(sys.argv[1])
got = []
for f, d in db(sys.argv[1]).execute("SELECT frame, draw FROM work WHERE kind = ?", ("draw",)):
    of = lambda name: state.get((f, d, "color", 0, name), (None,))[0]
    got.append((of("GL_BLEND"), of("GL_BLEND_SRC_RGB"), of("GL_BLEND_DST_RGB")))
words = lambda w: "GL_" + w.replace("INV_", "ONE_MINUS_")
wanted = [("GL_TRUE", words(s), words(d)) if e == "1" else ("GL_FALSE", None, None)
          for e, s, d in draws]
assert got == wanted and len(set(wanted)) > 1, (got, wanted)
' "$WORK/whole" "$WORK/dump"

run functional --mode functional
run workers --jobs 2 --job-frames 1
run part --draws-frames 1
run window --draws 1:3-5
run csv --record csv
python '
whole, folder = all(sys.argv[1]), sys.argv[2]
for name, draws in (("functional", None), ("workers", None), ("part", (1, 0, 99)),
                    ("window", (1, 3, 5))):
    got = all(f"{folder}/{name}")
    wanted = {k: v for k, v in whole.items() if not draws or
              k[0] == draws[0] and draws[1] <= k[1] <= draws[2]}
    if draws:  # the draw before the first is not there
        got, wanted = ({k: v[0] for k, v in s.items() if v[0] is not None} for s in (got, wanted))
    assert got == wanted, (name, len(got), len(wanted), set(got.items()) ^ set(wanted.items()))
    assert len(got) > 100, name
' "$WORK/whole" "$WORK"
state() { "$ATTILA" state "$@"; }
state "$WORK/whole" 0:3 >"$WORK/text" || fail "attila state"
head -n 1 "$WORK/text" | grep -qx 'frame 0, draw 3' || fail "no title"
grep -Eq '^   GL_CULL_FACE_MODE +GL_BACK$' "$WORK/text" || fail "no cull face"
grep -Eq '^   width +42 \* \(before: 160\)$' "$WORK/text" || fail "no mark"
state --changed "$WORK/whole" 0:3 >"$WORK/changed" || fail "attila state --changed"
grep -q GL_CULL_FACE "$WORK/changed" && fail "--changed prints more"
[ "$(grep -c '\*' "$WORK/changed")" = "$(grep -c '\*' "$WORK/text")" ] ||
   fail "--changed lacks some"
expect_failure 4 'GL_BLEND  *GL_FALSE -> GL_TRUE' state "$WORK/whole" 0:3 0:4
state "$WORK/whole" 0:3 --run "$WORK/workers" >"$WORK/text" || fail "two runs differ"
grep -qx 'no difference' "$WORK/text" || fail "nothing says that there is no difference"
state --format json "$WORK/whole" 0:4 | /usr/bin/python3 -c 'import json, sys
s = json.load(sys.stdin)
assert s["color"]["0"]["GL_BLEND"] == "GL_TRUE" and s["framebuffer"]["width"] == 160, s' ||
   fail "JSON of a state"
expect_failure 2 'frame 0 has no draw 99: it has [0-9]*, from 0' state "$WORK/whole" 0:99
expect_failure 2 'frame 7 has no draw 0: it has no draws' state "$WORK/whole" 7:0
expect_failure 2 'takes FRAME:DRAW' state "$WORK/whole" 3
expect_failure 2 'one or two draws' state "$WORK/whole" 0:1 0:2 0:3
expect_failure 2 'changed needs one draw' state --changed "$WORK/whole" 0:1 0:2
expect_failure 1 'no run.sqlite' state "$WORK/csv" 0:1
