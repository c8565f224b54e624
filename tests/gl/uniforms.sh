#!/bin/bash
# The state of a draw has the uniforms of its program by their names, with the types and values that
# OpenGL reports; also replayed, in functional mode, by workers, from Mesa's cache of programs, and
# in a trimmed capture, whose programs were loaded before it begins.
. "$(dirname "$0")/../lib/test.sh"
export MESA_SHADER_CACHE_DISABLE=false MESA_SHADER_CACHE_DIR=$WORK/cache
ATTILA=$TOP/scripts/attila
quietly "uniforms" sh -c "'$RUN' --no-check --out '$WORK/run' --capture '$WORK/c.attila' \
   '$BUILD/tests/gl/uniforms' >'$WORK/wanted'"
quietly "cached" "$RUN" --no-check --out "$WORK/cached" "$BUILD/tests/gl/uniforms"
quietly "replay" "$SIM" run "$WORK/c.attila" --out "$WORK/replay"
quietly "functional" "$SIM" run "$WORK/c.attila" --mode functional --out "$WORK/functional"
quietly "workers" "$SIM" run "$WORK/c.attila" --jobs 2 --job-frames 1 --out "$WORK/workers"
quietly "trim" "$SIM" trim "$WORK/c.attila" "$WORK/trimmed.attila" --frames 1 --draws 0-3
quietly "trimmed" "$SIM" run "$WORK/trimmed.attila" --out "$WORK/trimmed"
for run in run cached replay functional workers trimmed; do
   /usr/bin/python3 - "$WORK/$run" "$WORK/wanted" <<'END' || fail "$run"
import re, struct, sys
from attila.records import state
from attila.records.reader import open_record
db = open_record(sys.argv[1])
def word(text):  # as a float of 32 bits, if it is one
    return text if text in ("true", "false") else struct.pack("f", float(text))
wanted = []
for line in open(sys.argv[2]):
    if line.startswith("draw "):
        wanted.append({})
        continue
    name, kind, value = line.rstrip("\n").split("|")
    wanted[-1][name] = (kind, value if kind[0] in "iu" else [word(w) for w in value.split()])
assert len(wanted) == 8 and len(wanted[0]) == 54, (len(wanted), len(wanted[0]))
works = [w for w, in db.execute("SELECT work FROM work WHERE kind = 'draw' ORDER BY work")]
if sys.argv[1].endswith("/trimmed"):
    assert len(works) == 4, works
    works = [None] * 4 + works
assert len(works) == 8, works
for n, of in enumerate(wanted[:7]):
    if not works[n]:
        continue
    items = state.items(db, works[n])
    widths = {i.number: i.value for i in items if i.part == "texture" and i.name == "width"}
    got = {}
    for i in items:
        if i.type and i.value is not None and i.name != "gl_FbWposYTransform":  # Mesa's own
            value = str(i.value)
            if i.type == "sampler2D":
                value = str(widths[i.value])
            value = value if i.type[0] in "iu" else \
                [word(w) for w in value.replace(",", "").split()]
            # Stages that share a uniform agree.
            assert got.setdefault(i.name, (i.type, value)) == (i.type, value), i
    assert got == of, (n, set(got) ^ set(of),
                       {k: (got[k], of[k]) for k in got if k in of and got[k] != of[k]})
    assert not any(i.name == "c" for i in items), (n, [i for i in items if i.name == "c"])
# What a program has set is marked, nothing else.
def changed(draw):
    return {i.name for i in state.items(db, works[draw]) if i.type and i.value != i.before}
second = {"tint", "lights[1].power", "shine[0]", "shine[1]", "shine[2]"}
assert not works[1] or changed(1) == second, changed(1)
assert not works[3] or changed(3) == {"shade"}, changed(3)
assert not works[3] or changed(4) | changed(5) == set(), (changed(4), changed(5))
# Mesa's names of the state of fixed functions.
fixed = {i.name: i.value for i in state.items(db, works[7]) if i.type}
rows = [v for k, v in sorted(fixed.items()) if re.search(r"matrix\.mvp", k)]
assert rows and "0.5" in " ".join(map(str, rows)), fixed
END
done
"$ATTILA" state "$WORK/run" 0:0 >"$WORK/text" || fail "attila state"
grep -qx 'vertex uniforms' "$WORK/text" || fail "no heading"
grep -Eq '^   vec4 tint +-?[0-9.]+ -?[0-9.]+ ' "$WORK/text" || fail "no type"
"$ATTILA" state "$WORK/run" 0:0 0:1 >"$WORK/text"
grep -Eq '^   vec4 tint .* -> ' "$WORK/text" || fail "two draws"
[ "$(grep -Ec '^   (vec4|float) .*->' "$WORK/text")" = 5 ] ||
   fail "two draws differ in $(cat "$WORK/text")"
"$SIM" dump "$WORK/c.attila" >"$WORK/dump"
grep -q '^ *uniform c [0-9]* vec4 tint$' "$WORK/dump" || fail "dump"
