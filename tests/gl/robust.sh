#!/bin/bash
# Vertices and indices outside their buffers read zeros, in both modes: the part "robust" of limits.
. "$(dirname "$0")/../lib/test.sh"
for mode in functional cycle; do
   quietly "robust in $mode mode" timeout 300 "$RUN" --no-check --mode $mode \
      "$BUILD/tests/gl/limits" --small robust
   grep -q 'robust .* checks' "$WORK/log" || fail "no checks in $mode mode"
done
