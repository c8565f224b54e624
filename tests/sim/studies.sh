#!/bin/bash
# scripts/studies: what it refuses, its results from a sweep, and the evolution of a frame, whose
# lines must add up to the frame. Not here: the studies themselves, which take long.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$SIM" ] || skip "no build"
STUDIES=$TOP/scripts/studies
expect_failure 2 'which study' "$STUDIES"
expect_failure 2 'no study nonsense; there are: unified, ' "$STUDIES" nonsense
expect_failure 2 '\-\-size is WIDTHxHEIGHT' "$STUDIES" --size 320 unified
expect_failure 2 "\-\-game is FILE.attila:A-B" "$STUDIES" --game none unified
expect_failure 2 'cannot read /none.attila' "$STUDIES" --game /none.attila:1-2 unified
quietly "list" "$STUDIES" --list
for space in "$TOP"/scripts/lib/studies/*.ini; do
   quietly "$space" "$TOP/scripts/attila-sweep" "$space" --dry-run --out "$WORK/none" \
      "$TOP/tests/timing/clear.attila"
   ! grep -q refused "$WORK/log" || { cat "$WORK/log"; fail "$space has machines that cannot be"; }
done

# Means and sums of a space that is quick: two frames, of which the first is not counted.
capture=$TOP/tests/golden/build.attila
for mode in full half; do
   quietly "sweep $mode" "$TOP/scripts/attila-sweep" --no-plots --out "$WORK/$mode" \
      "$TOP/scripts/lib/studies/half-cycle-$mode.ini" "$capture"
done
/usr/bin/python3 - "$WORK" "$TOP" >"$WORK/ours" <<'PYTHON' || fail "results"
import os
import sys
sys.path.insert(0, os.path.join(sys.argv[2], "scripts", "lib"))
from study_results import Results, mean
from study_zhang import HalfCycle
r = Results()
for mode in ("full", "half"):
    r.add("half-cycle-" + mode, os.path.join(sys.argv[1], mode))
p = r.one(space="half-cycle-full", machine="loongson")
assert abs(mean([2, 8]) - 4) < 1e-12 and r.captures == ["build"], r.captures
assert r.speed(p, p) == 1 and "| loongson | build |" in HalfCycle().text(r)
print(p.cycles["build"], p.statistics["build"]["ShadedFragments_FFU"])
PYTHON
quietly "one run" "$SIM" run "$capture" --config "$TOP/configs/loongson.ini" --record csv \
   --out "$WORK/run"
awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) n[$i] = i; next}
   {rows++; if (rows > 1) {c += $n["cycles"]; s += $n["ShadedFragments_FFU"]}
    else {c0 = $n["cycles"]; s0 = $n["ShadedFragments_FFU"]}}
   END {if (rows > 1) print c, s; else print c0, s0}' "$WORK/run/frames.csv" >"$WORK/theirs"
cmp "$WORK/ours" "$WORK/theirs" || fail "$(cat "$WORK/ours") is not $(cat "$WORK/theirs")"

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
expect_failure 2 'moments from 1 to 8' evolution --moments 9
expect_failure 2 'none.attila' "$STUDIES" evolution "$WORK/none.attila"
