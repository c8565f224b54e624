#!/bin/bash
# The record has, of each draw, the call of OpenGL that asked for it, and of each program its source
# and the lines of its instructions; a replay of the capture has the same, and no cycle changes by
# it. What is not known is NULL.
. "$(dirname "$0")/../lib/test.sh"
export MESA_SHADER_CACHE_DISABLE=false MESA_SHADER_CACHE_DIR=$WORK/cache
quietly "notes" "$RUN" --no-check --out "$WORK/run" --capture "$WORK/c.attila" \
   "$BUILD/tests/gl/notes"
# Sources and lines come from Mesa's cache of programs and the driver's, too.
quietly "cached" "$RUN" --no-check --out "$WORK/cached" "$BUILD/tests/gl/notes"
quietly "replay" "$SIM" run "$WORK/c.attila" --out "$WORK/replay"
for run in run cached replay; do
   /usr/bin/python3 - "$WORK/$run/run.sqlite" <<'END' || fail "$run"
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
calls = [c for c, in db.execute("SELECT call FROM work WHERE kind = 'draw' ORDER BY work")]
assert calls == ["glDrawArrays(GL_TRIANGLES, 0, 3)",
                 "glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, 0x2)",
                 "glDrawRangeElements(GL_TRIANGLES, 0, 2, 3, GL_UNSIGNED_SHORT, client memory)",
                 "glDrawArrays(GL_TRIANGLE_STRIP, 0, 3)",
                 "glMultiDrawArrays(GL_TRIANGLES, ..., ..., 1)",
                 "glCallList(1)", "glBegin ... glEnd", "glClear(0x4000)"], calls
lines = {}
for program, source, text, line in db.execute(
        "SELECT p.program, p.source, i.text, i.line FROM programs p JOIN instructions i USING "
        "(program) ORDER BY p.program, position"):
    lines.setdefault((program, source), []).append((text.split()[0], line))
def of(part):
    found = [i for (p, source), i in lines.items() if source and part in source]
    assert found, (part, lines.keys())
    return found[0]
main = of("log2")
want = {"TEX": 9, "SIN": 10, "LG2": 12, "COS": 13, "EX2": 6, "END": None}
for op, line in want.items():
    got = {of_line for name, of_line in main if name == op}
    assert got == {line}, (op, line, main)
assert all(line in range(6, 16) for op, line in main if op not in ("END", "LOOP", "ENDLOOP")), main
vertex = of("attribute")
assert {line for op, line in vertex if op != "END"} == {5, 6}, vertex
assert all(line is None for _, line in of("#line")), "lines that #line counts"
unknown = [i for (p, source), i in lines.items() if source is None]
assert len(unknown) >= 3 and all(line is None for i in unknown for _, line in i), lines
END
done
cycles() { column "$WORK/$1/frames.csv" cycles; }
[ "$(cycles run)" = "$(cycles replay)" ] || fail "cycles: $(cycles run), replayed $(cycles replay)"
"$SIM" dump "$WORK/c.attila" >"$WORK/dump"
grep -q 'DRAW 0: .*, by glDrawArrays(GL_TRIANGLES, 0, 3)$' "$WORK/dump" || fail "dump: the call"
grep -q 'LOAD_PROGRAM .*, source of [0-9]* bytes$' "$WORK/dump" || fail "dump: the source"
grep -q 'LOAD_PROGRAM .*, source of [0-9]* bytes, lines not known$' "$WORK/dump" ||
   fail "dump: lines not known"
# A run that is neither recorded nor captured makes no notes.
quietly "nothing" "$RUN" --no-check --mode functional "$BUILD/tests/gl/notes"
