#!/bin/bash
# Queries of two contexts that take turns, conditional draws and times, in both modes.
. "$(dirname "$0")/../lib/test.sh"
for mode in functional cycle; do
   timeout 300 "$RUN" --no-check --mode $mode "$BUILD/tests/gl/queries" >"$WORK/$mode" ||
      fail "queries in $mode mode"
done
grep -qx '0 bits of time' "$WORK/functional" || fail "$(cat "$WORK/functional")"
grep -qx '64 bits of time' "$WORK/cycle" || fail "$(cat "$WORK/cycle")"
# The GPU decides about the draws, not the driver.
"$RUN" --no-check --mode functional --capture "$WORK/queries.attila" "$BUILD/tests/gl/queries" \
   >"$WORK/log" ||
   fail "capture"
"$SIM" info "$WORK/queries.attila" | grep -q '^CONDITION *2 ' || fail "no CONDITION in the stream"
