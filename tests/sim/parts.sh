#!/bin/bash
# Parts of frames: draws by number have nearly the cycles of the whole run, pictures are its
# pictures, rows add up, workers and an index change nothing that they may not; and what is said of
# parts that never come. Not here: bytes of memory, labels (tests/unit/test_parts.c,
# tests/gl/labels.sh).
. "$(dirname "$0")/../lib/test.sh"
[ -x "$SIM" ] || skip "no build"
stream=$TOP/tests/golden/desktop.attila
part() { # NAME OPTIONS...
   local name=$1; shift
   quietly "$name" "$SIM" run "$stream" --out "$WORK/$name" "$@"
}
draws_of() { draws "$WORK/$1/draws.csv" | cut -d, -f1,2 | tail -n +2 | tr '\n' ' '; }
part full --save-frames
part some --save-frames --cycle-draws 2-5,9-
[ "$(draws_of some)" = "0,2 0,3 0,4 0,5 0,9 0,10 0,11 0,12 0,13 0,14 0,15 1,2 1,3 1,4 1,5 " ] ||
   fail "other draws: $(draws_of some)"
for f in 0 1; do
   cmp "$WORK/full/frame-000$f.png" "$WORK/some/frame-000$f.png" || fail "frame $f: its picture"
done
quietly "rows" "$TOP/scripts/check-rows" "$WORK/some"
/usr/bin/python3 - "$WORK/full/run.sqlite" "$WORK/some/run.sqlite" <<'END' || exit 1
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("ATTACH ? AS part", sys.argv[2:])
def one(query):
    return db.execute(query).fetchone()
whole, part, n = one("SELECT sum(w.exclusive_cycles), sum(p.exclusive_cycles), count(*) FROM work "
                     "w JOIN part.work p USING (frame, draw, kind) WHERE kind = 'draw'")
if n != 15 or abs(part - whole) > whole / 20:
    sys.exit("FAILED: %d draws with %d cycles, %d in the whole run" % (n, part, whole))
simulated, = one("SELECT sum(cycles) FROM part.frames")
if simulated != one("SELECT sum(exclusive_cycles) FROM part.work")[0]:
    sys.exit("FAILED: rows do not add up to the frames")
if simulated > 2 * whole:
    sys.exit("FAILED: %d cycles were simulated for %d" % (simulated, whole))
if one("SELECT cycle_draws, cycle_label FROM part.run") != ("2-5,9-", None):
    sys.exit("FAILED: the record does not say what was simulated")
END
# The same again, in another order of boxes, and a frame with nothing to simulate.
part again --cycle-draws 2-5,9- --box-order 7
cmp "$WORK/some/draws.csv" "$WORK/again/draws.csv" || fail "another run, other rows"
part late --cycle-draws 9-
[ "$(column "$WORK/late/frames.csv" frame)" = 0 ] || fail "frame 1 has no draw 9, but a row"
# A worker of both frames is this process; workers of a frame each begin warm.
part both --cycle-draws 2-5,9- --jobs 1 --job-frames 2
[ "$(cut -d, -f1-10 "$WORK/both/draws.csv")" = "$(cut -d, -f1-10 "$WORK/some/draws.csv")" ] ||
   fail "a worker has other rows"
part one --cycle-draws 2-5,9- --jobs 1 --save-frames
part two --cycle-draws 2-5,9- --jobs 2
cmp "$WORK/one/draws.csv" "$WORK/two/draws.csv" || fail "the number of workers changes draws.csv"
cmp "$WORK/full/frame-0001.png" "$WORK/one/frame-0001.png" || fail "a worker's picture"
[ "$(draws_of one)" = "$(draws_of some)" ] || fail "workers have other draws: $(draws_of one)"
quietly "rows of workers" "$TOP/scripts/check-rows" "$WORK/one"
# With an index, and frames that are not next to each other.
cp "$stream" "$WORK/copy.attila"
quietly "index" "$SIM" index "$WORK/copy.attila" --every 1
part plain --frames 1 --cycle-draws 3
quietly "with an index" "$SIM" run "$WORK/copy.attila" --out "$WORK/jump" --frames 1 --cycle-draws 3
cmp "$WORK/plain/draws.csv" "$WORK/jump/draws.csv" || fail "an index changes draws.csv"
tail -c +25 "$stream" | cat "$stream" - >"$WORK/twice.attila"
quietly "pictures" "$SIM" run "$WORK/twice.attila" --out "$WORK/some-frames" --frames 0,3 \
   --cycle-draws 3 --save-frames
[ "$(cd "$WORK/some-frames" && echo *.png)" = "frame-0000.png frame-0003.png" ] ||
   fail "pictures of other frames"
part ranges --frames 0,1 --cycle-draws 3
[ "$(draws_of ranges)" = "0,3 1,3 " ] || fail "ranges of frames: $(draws_of ranges)"
# Maps are of what was simulated, a report opens.
part maps --cycle-draws 3-4 --maps overdraw --interval 1000
for f in 0 1; do
   [ -s "$WORK/maps/maps/frame-000$f-target1-written.png" ] || fail "no map of frame $f"
done
quietly "report" "$TOP/scripts/attila-report" "$WORK/some" --output "$WORK/report.html"

says() { # TEXT OPTIONS...
   local text=$1; shift
   quietly "$*" "$SIM" run "$stream" "$@"
   grep -Eq -- "$text" "$WORK/log" || { cat "$WORK/log"; fail "$*: no message /$text/"; }
}
says 'draws 100-120 were not simulated: 2 frames have 8 to 16 draws each, with numbers from 0$' \
   --cycle-draws 3,100-120
! grep -q 'draw 3 ' "$WORK/log" || fail "draw 3 was simulated"
says 'nothing has a label that matches "shadow"; labels of 2 frames: none' --cycle-label shadow
says 'draw 3 with a label that matches "a" was not' --cycle-draws 3 --cycle-label a
expect_failure 1 'the run has none of these frames' "$SIM" run "$stream" --cycle-draws 3 --frames 5
mkdir "$WORK/empty"
quietly "nothing" "$SIM" run "$stream" --cycle-draws 300 --out "$WORK/empty"
[ "$(wc -l <"$WORK/empty/draws.csv")" = 1 ] || fail "rows of nothing"
expect_failure 1 'no part of a frame was simulated' "$TOP/scripts/attila-report" "$WORK/empty"
expect_failure 2 '--cycle-draws "5-3": expected a list' \
   "$SIM" run "$stream" --cycle-draws 5-3
expect_failure 2 '--warm-up and --cycle-draws exclude each other' \
   "$SIM" run "$stream" --cycle-draws 3 --warm-up 1 \
   --frames 1
expect_failure 2 '--cycle-label needs cycle or half mode' \
   "$SIM" run "$stream" -m functional --cycle-label a
expect_failure 2 'unrecognized option .--cycle-draws' "$SIM" dump "$stream" --cycle-draws 3
expect_failure 1 'frequencies change by whole frames' "$SIM" run "$stream" --cycle-draws 3 \
   --set DVFS.Policy=fixed
