#!/bin/bash
# Queries of two contexts that take turns, and conditional draws, in both modes.
. "$(dirname "$0")/../lib/test.sh"
for mode in functional cycle; do
   timeout 300 "$RUN" --no-check --mode $mode "$BUILD/tests/gl/queries" ||
      fail "queries in $mode mode"
done
# The GPU decides about the draws, not the driver.
"$RUN" --no-check --mode functional --capture "$WORK/queries.attila" "$BUILD/tests/gl/queries" ||
   fail "capture"
"$SIM" info "$WORK/queries.attila" | grep -q '^CONDITION *2 ' || fail "no CONDITION in the stream"
