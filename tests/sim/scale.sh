#!/bin/bash
# Warm starts and frames in parallel: a frame started in the middle has nearly the cycles of the
# whole run and its picture exactly; workers give the same rows however many there are, and those of
# one process when a worker has the whole range; and what is refused.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$SIM" ] || skip "no build"
stream=$TOP/tests/golden/desktop.attila
cycles() { awk -F, -v frame="$2" '$1 == frame {print $5}' "$1/frames.csv"; }

quietly "whole run" "$SIM" run "$stream" --out "$WORK/full" --save-frames
# printed FOLDER WHAT: what was printed is the sum of the record.
printed() {
   local sum
   sum=$(awk -F, 'NR > 1 {n += $5} END {print n}' "$1/frames.csv")
   grep -q ", $sum cycles (" "$WORK/log" || { cat "$WORK/log"; fail "$2: the frames have $sum"; }
}
printed "$WORK/full" "the whole run"
last=$(tail -n 1 "$WORK/full/frames.csv" | cut -d, -f1)
[ "$last" -ge 1 ] || fail "the stream has only frame $last"
quietly "warm start" "$SIM" run "$stream" --start-frame 1 --out "$WORK/warm" --save-frames
[ "$(wc -l <"$WORK/warm/frames.csv")" = $((last + 1)) ] || fail "--start-frame 1: other frames"
for ((f = 1; f <= last; f++)); do
   cmp "$WORK/full/frame-000$f.png" "$WORK/warm/frame-000$f.png" || fail "frame $f: another picture"
   a=$(cycles "$WORK/full" "$f") b=$(cycles "$WORK/warm" "$f")
   [ $(((a > b ? a - b : b - a) * 50)) -le "$a" ] || fail "frame $f: $a cycles, warm start $b"
done
quietly "warm-up" "$SIM" run "$stream" --frames "$last" --warm-up "$last" --out "$WORK/warm"
printed "$WORK/warm" "a warm-up"
[ "$(cycles "$WORK/warm" "$last")" = "$(cycles "$WORK/full" "$last")" ] ||
   fail "a warm-up from the beginning changes cycles"

# An L2 has what functional mode used last, clean and dirty: without that this frame is 36 % off.
l2=(--set L2.Enabled=TRUE --set L2.Lines=1024)
quietly "an L2" "$SIM" run "$stream" --out "$WORK/l2-full" "${l2[@]}"
quietly "an L2, warm" "$SIM" run "$stream" --out "$WORK/l2-warm" "${l2[@]}" --frames "$last" \
   --save-frames
cmp "$WORK/full/frame-000$last.png" "$WORK/l2-warm/frame-000$last.png" || fail "an L2: a picture"
a=$(cycles "$WORK/l2-full" "$last") b=$(cycles "$WORK/l2-warm" "$last")
[ $(((a > b ? a - b : b - a) * 50)) -le "$a" ] || fail "an L2: $a cycles, warm start $b"
quietly "rows of an L2 that is warm" "$TOP/scripts/check-rows" "$WORK/l2-warm"

quietly "one worker" "$SIM" run "$stream" --jobs 1 --out "$WORK/one" --save-frames
quietly "three workers" "$SIM" run "$stream" --jobs 3 --out "$WORK/three" --interval 5000
cmp "$WORK/one/draws.csv" "$WORK/three/draws.csv" || fail "the number of workers changes draws.csv"
cmp "$WORK/one/counters.csv" "$WORK/three/counters.csv" || fail "... counters.csv"
sums() { cut -d, -f1-6,10- "$1/frames.csv"; }
[ "$(sums "$WORK/one")" = "$(sums "$WORK/three")" ] || fail "... frames.csv"
cmp "$WORK/full/frame-0001.png" "$WORK/one/frame-0001.png" || fail "a worker's picture"
[ ! -e "$WORK/one/workers" ] || fail "the workers' folders are left"
# Into a folder that is made, with the record alone: no rows of draws, and frames.csv as always.
quietly "workers without CSV" "$SIM" run "$stream" --jobs 2 --out "$WORK/new/folder" --record sqlite
[ "$(cut -d, -f1-5 "$WORK/new/folder/frames.csv")" = "$(cut -d, -f1-5 "$WORK/one/frames.csv")" ] ||
   fail "--record sqlite with --jobs: other rows of frames.csv"
cmp "$WORK/new/folder/draws.csv" <(head -n 1 "$WORK/one/draws.csv") || fail "... of draws.csv"
quietly "rows of workers" "$TOP/scripts/check-rows" "$WORK/one"
# A record of several workers has what each of them found alone.
quietly "a worker alone" "$SIM" run "$stream" --frames 1 --jobs 1 --out "$WORK/alone"
rows_of_1() { awk -F, '$1 == 1' "$1/draws.csv" | cut -d, -f1-7,10-; }
[ -n "$(rows_of_1 "$WORK/one")" ] || fail "no rows of frame 1"
[ "$(rows_of_1 "$WORK/alone")" = "$(rows_of_1 "$WORK/one")" ] ||
   fail "rows of a worker have changed in the record of all"
# Of a worker that did not finish nothing is merged; the others are, whichever it was.
for lost in 0 1; do
   dir=$WORK/lost$lost
   mkdir -p "$dir/run.sqlite/x" # the workers' records stay
   "$SIM" run "$stream" --jobs 2 --out "$dir" >/dev/null 2>&1 && fail "merged into a folder"
   rm -r "$dir/run.sqlite"
   worker=$dir/workers/0000000$lost
   /usr/bin/python3 -c 'import sqlite3, sys
db = sqlite3.connect(sys.argv[1]); db.execute("UPDATE run SET complete = 0"); db.commit()' \
      "$worker/run.sqlite" || fail "no record of worker $lost"
   expect_failure 1 "workers/0000000$lost: the worker did not finish: left out" "$SIM" merge "$dir"
   [ "$(cut -d, -f1 "$dir/frames.csv" | tail -n +2)" = $((1 - lost)) ] ||
      fail "frames: not the other"
   [ "$(ls "$dir/workers")" = "0000000$lost" ] || fail "folders of workers: $(ls "$dir/workers")"
done
# A merge that fails leaves no file, and can be repeated.
mkdir -p "$WORK/again/run.sqlite/x"
"$SIM" run "$stream" --jobs 2 --out "$WORK/again" >/dev/null 2>&1 && fail "merged into a folder"
rm -r "$WORK/again/run.sqlite" "$WORK/again"/*.csv
mv "$WORK/again/workers/00000001/frames.csv" "$WORK/away"
expect_failure 1 'workers/00000001/frames.csv: No such file' "$SIM" merge "$WORK/again"
[ "$(ls "$WORK/again")" = workers ] || { ls "$WORK/again"; fail "a failed merge leaves files"; }
mv "$WORK/away" "$WORK/again/workers/00000001/frames.csv"
quietly "the merge again" "$SIM" merge "$WORK/again"
cmp "$WORK/again/draws.csv" "$WORK/one/draws.csv" || fail "the merge again: other rows"
# An interrupt says how what the workers have finished is joined; they end by themselves.
(
   set -m # else the shell makes it ignore SIGINT
   exec "$SIM" run "$stream" --jobs 1 --out "$WORK/int" >"$WORK/int.log" 2>&1
) & pid=$!
until [ -d "$WORK/int/workers/00000000" ]; do kill -0 $pid || fail "it ended"; sleep 0.01; done
kill -TERM $pid; wait $pid; status=$?
[ $status = 143 ] && grep -q "attila-sim merge $WORK/int joins" "$WORK/int.log" ||
   { cat "$WORK/int.log"; fail "an interrupted run: status $status"; }
while pgrep -f -- "--out $WORK/int" >/dev/null; do sleep 0.05; done
"$SIM" merge "$WORK/int" >"$WORK/log" 2>&1
[ "$(cut -d, -f1-5 "$WORK/int/frames.csv" | head -n 2)" = \
   "$(cut -d, -f1-5 "$WORK/one/frames.csv" | head -n 2)" ] ||
   { cat "$WORK/log"; fail "an interrupted run: frame 0 is lost"; }
rm "$WORK/lost0/run.sqlite"
expect_failure 1 "no worker finished" "$SIM" merge "$WORK/lost0"
mkdir -p "$WORK/first/run.sqlite/x"
"$SIM" run "$stream" --jobs 2 --out "$WORK/first" >/dev/null 2>&1 && fail "merged into a folder"
rm -r "$WORK/first/run.sqlite" "$WORK/first/workers/00000000"
expect_failure 1 "the first worker's record is missing" "$SIM" merge "$WORK/first"
quietly "a range" "$SIM" run "$stream" --frames 0-1 --jobs 2 --job-frames 2 --out "$WORK/range"
quietly "the range here" "$SIM" run "$stream" --frames 0-1 --out "$WORK/here"
[ "$(cut -d, -f1-5 "$WORK/range/frames.csv")" = "$(cut -d, -f1-5 "$WORK/here/frames.csv")" ] ||
   fail "a worker with a whole range has other cycles than this process"
quietly "ranges" "$SIM" run "$stream" --frames 0,1 --jobs 2 --out "$WORK/ranges"
cp "$WORK/log" "$WORK/ranges.log"
[ "$(cut -d, -f1 "$WORK/ranges/frames.csv" | tail -n +2 | tr '\n' ' ')" = "0 1 " ] ||
   fail "--frames 0,1: other frames"

# Cycles and the CPU time are the workers', too.
cp "$WORK/ranges.log" "$WORK/log"
printed "$WORK/ranges" "workers"
/usr/bin/python3 - "$WORK/ranges/run.sqlite" "$(sed -n 's/.*, \([0-9.]*\) s of CPU.*/\1/p' \
   "$WORK/ranges.log")" <<'END' || fail "the workers' CPU time is left out"
import sqlite3, sys
workers, = sqlite3.connect(sys.argv[1]).execute("SELECT cpu_seconds FROM run").fetchone()
print("%s s of CPU, %.3f s of it in the workers' records" % (sys.argv[2], workers))
sys.exit(not 0 < workers <= float(sys.argv[2]) + .002)
END

expect_failure 1 'several ranges of frames in cycle mode need workers \(--jobs\)' \
   "$SIM" run "$stream" --frames 0,2
expect_failure 2 'frames "2-1": expected a list such as' "$SIM" run "$stream" --frames 2-1
expect_failure 2 '--jobs needs --out' "$SIM" run "$stream" --jobs 2
expect_failure 2 'expected A, A-B or A-' "$SIM" dump "$stream" --frames 0,2
mkdir -p "$WORK/taken/workers"
expect_failure 1 'the reports of another run are there' "$SIM" run "$stream" --jobs 2 \
   --out "$WORK/taken"
expect_failure 1 'no workers' "$SIM" merge "$WORK/taken"
expect_failure 1 'full/workers: there are no reports of workers' "$SIM" merge "$WORK/full"
expect_failure 1 'nothing is no folder' "$SIM" merge "$WORK/nothing"
