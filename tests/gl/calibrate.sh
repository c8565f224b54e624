#!/bin/bash
# gpu_times measures a random machine, attila calibrate derives a machine from the times alone, and
# at least four fifths of the parameters are within 10 %; attila-sim loads that machine. One
# machine, or five with scripts/test --all. Wrong tables and options are refused. Not here: a real
# card.
. "$(dirname "$0")/../lib/test.sh"
times=$BUILD/tests/gl/gpu_times
[ -x "$times" ] || skip "no build"
calibrate() { "$TOP/scripts/attila" calibrate "$@"; }
machine() { /usr/bin/python3 "$TOP/tests/lib/calibrate.py" "$@"; }

seed=${ATTILA_TEST_SAMPLE:-1}
for n in $(if [ -n "${ATTILA_TEST_ALL:-}" ]; then seq 5; else echo 1; fi); do
   number=$((seed + n - 1))
   machine machine $number >"$WORK/hidden.ini" || fail "no machine $number"
   quietly "times of machine $number" timeout 500 "$RUN" --no-check --config "$WORK/hidden.ini" \
      "$times" --simulated -o "$WORK/times.csv"
   quietly "machine from times" calibrate "$WORK/times.csv" -o "$WORK/found.ini"
   grep -q '^GPU.NumFragmentShaders .* squares: ' "$WORK/log" || fail "no measurement is named"
   grep -q '^FRAGMENTSHADER.VectorLength, .*: no benchmark' "$WORK/log" ||
      fail "what cannot be found is not named"
   quietly "the machine that was found" "$SIM" describe --config "$WORK/found.ini"
   machine check $number "$WORK/found.ini" || fail "too few parameters of machine $number"
done
# With the clock given, the table needs no triangles.
grep -v '^triangles' "$WORK/times.csv" >"$WORK/without.csv"
expect_failure 1 "no times of 'triangles'.*--clock MHZ" calibrate "$WORK/without.csv" -o "$WORK/x"
quietly "the clock given" calibrate "$WORK/without.csv" --clock 600 -o "$WORK/x"
grep -q '^GPU.GPUClock  *600 ' "$WORK/log" || fail "the clock is not as given"

expect_failure 1 'none.csv' calibrate "$WORK/none.csv" -o "$WORK/x"
echo 'a,b' >"$WORK/wrong.csv"
expect_failure 1 'expected a line test,x,work,ns' calibrate "$WORK/wrong.csv" -o "$WORK/x"
printf '%s\n' test,x,work,ns fill,0,much,1 >"$WORK/wrong.csv"
expect_failure 1 "'fill,0,much,1' is no row" calibrate "$WORK/wrong.csv" -o "$WORK/x"
printf '%s\n' test,x,work,ns fill,0,-1,1 >"$WORK/wrong.csv"
expect_failure 1 'work must be above 0' calibrate "$WORK/wrong.csv" -o "$WORK/x"
expect_failure 2 'clock.* takes a number from 1 to 10000' \
   calibrate "$WORK/times.csv" --clock 0 -o "$WORK/x"
expect_failure 2 'repeat takes a number from 1 to 99' "$times" --repeat 0
expect_failure 2 'size takes WxH' "$times" --size 100x100
expect_failure 1 'cannot write' "$RUN" --no-check "$times" --simulated -o "$WORK/none/x"
expect_failure 1 'does not measure times' "$RUN" --no-check --mode functional "$times" \
   --simulated -o "$WORK/x"
expect_failure 1 "there is no benchmark 'none'" "$RUN" --no-check "$times" --simulated --test none \
   -o "$WORK/x"
