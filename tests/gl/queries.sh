#!/bin/bash
# Queries of two contexts that take turns, in both modes.
. "$(dirname "$0")/../lib/test.sh"
for mode in functional cycle; do
   timeout 300 "$RUN" --no-check --mode $mode "$BUILD/tests/gl/queries" ||
      fail "queries in $mode mode"
done
