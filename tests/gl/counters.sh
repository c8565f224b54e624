#!/bin/bash
# The simulator's counters where tools look for them: GL_AMD_performance_monitor, GALLIUM_HUD,
# apitrace. In functional mode there are none.
. "$(dirname "$0")/../lib/test.sh"
counters=$BUILD/tests/gl/counters
for mode in cycle half; do
   quietly "counters in $mode mode" "$RUN" --no-check --mode $mode "$counters"
done
"$RUN" --no-check --mode functional "$counters" >"$WORK/log" 2>&1
[ $? = 3 ] || { cat "$WORK/log"; fail "counters in functional mode"; }

# piglit's own tests, where it is installed.
for name in amd_performance_monitor_api amd_performance_monitor_measure; do
   program=$(echo /usr/lib/*/piglit/bin/$name)
   [ -x "$program" ] || continue
   "$RUN" --no-check "$program" -auto -fbo >"$WORK/log" 2>&1
   grep -q '"result": "pass"' "$WORK/log" && ! grep -q '"fail"' "$WORK/log" ||
      { cat "$WORK/log"; fail "$name"; }
done

# GALLIUM_HUD: a number per frame, the same in every run, and no more than the frame's.
command -v glxgears >/dev/null || skip "no glxgears (package mesa-utils)"
hud() { # name, options...
   local name=$1; shift
   mkdir "$WORK/$name"
   quietly "HUD" "$RUN" --no-check --frames 6 --fixed-clock 50 "$@" \
      env GALLIUM_HUD='.dcycles+CyclesBusy_HZ,fragments,BusyPercent_ShF-FS' \
      GALLIUM_HUD_PERIOD=0 GALLIUM_HUD_DUMP_DIR="$WORK/$name" glxgears
}
hud first --out "$WORK/out"
hud second
for name in cycles CyclesBusy_HZ fragments BusyPercent_ShF_FS; do
   [ "$(grep -c '^[1-9][0-9]*$' "$WORK/first/$name")" -ge 3 ] ||
      fail "HUD: $name is $(xargs <"$WORK/first/$name")"
   # The last line depends on when the program is ended.
   cmp <(head -n 3 "$WORK/first/$name") <(head -n 3 "$WORK/second/$name") ||
      fail "HUD: $name is another one in a second run"
done
awk -F, 'NR > 1 {print $5}' "$WORK/out/frames.csv" | sort -n | tail -n 1 >"$WORK/most"
sort -n "$WORK/first/cycles" | tail -n 1 >>"$WORK/most"
[ "$(head -n 1 "$WORK/most")" -gt "$(tail -n 1 "$WORK/most")" ] ||
   fail "HUD: $(tail -n 1 "$WORK/most") cycles, more than the longest frame has"
"$RUN" --no-check --mode functional --frames 2 env GALLIUM_HUD=cycles glxgears >"$WORK/log" 2>&1
grep -q "unknown driver query 'cycles'" "$WORK/log" ||
   { cat "$WORK/log"; fail "HUD in functional mode"; }

# apitrace: the draws of a frame add up to what draws.csv says.
if ! command -v glretrace >/dev/null; then
   echo "no glretrace (package apitrace): not tried"
   exit 0
fi
quietly trace "$RUN" --no-check --mode functional --frames 3 \
   apitrace trace -o "$WORK/gears.trace" glxgears
"$RUN" --no-check glretrace --list-metrics "$WORK/gears.trace" >"$WORK/metrics" 2>"$WORK/log"
[ "$(grep -c 'Metric #' "$WORK/metrics")" -gt 300 ] || { head "$WORK/metrics"; fail "metrics"; }
grep -q 'Group #.*: HierarchicalZ' "$WORK/metrics" || fail "metrics have no groups of boxes"
"$RUN" --no-check --out "$WORK/replay" glretrace \
   --pdrawcalls='GL_AMD_performance_monitor: [0,0], [0,2], [0,5], [0,12]' \
   "$WORK/gears.trace" >"$WORK/pdraw" 2>"$WORK/log"
awk '$1 == "call" && $4 == "glCallList" {n++; d += $6; f += $7; if ($5 < 1 || $8 > 100) exit 1}
   END {if (!n) exit 1; print d, f}' "$WORK/pdraw" >"$WORK/traced" ||
   { cat "$WORK/pdraw"; fail "apitrace: no numbers per draw"; }
sum_of() {
   draws "$WORK/replay/draws.csv" | column /dev/stdin "$1" | awk '{n += $1} END {print n}'
}
echo "$(sum_of Batches_CP) $(sum_of ShadedFragments_FFU)" >"$WORK/rows"
cmp "$WORK/traced" "$WORK/rows" ||
   fail "apitrace: $(cat "$WORK/traced") draws and fragments, rows: $(cat "$WORK/rows")"
# Rows by the numbers of calls.
"$RUN" --no-check --out "$WORK/calls" glretrace --markers "$WORK/gears.trace" >"$WORK/log" 2>&1
draws "$WORK/calls/draws.csv" | column /dev/stdin label | tail -n 1 | grep -q ' glCallList' ||
   fail "apitrace: rows without numbers of calls"
# Simulated time per draw, in ns: the same in every run.
for run in 1 2; do
   "$RUN" --no-check glretrace --pgpu "$WORK/gears.trace" 2>"$WORK/log" |
      awk '$NF == "glCallList" {print $2, $3, $4}' >"$WORK/gpu$run"
done
awk '$3 < 100 {exit 1} END {exit !NR}' "$WORK/gpu1" || { cat "$WORK/gpu1"; fail "--pgpu"; }
cmp "$WORK/gpu1" "$WORK/gpu2" || fail "--pgpu: another time in a second run"
