#!/bin/bash
# Partial uploads of odd places and sizes are in the texture, and nothing else is changed, in both
# modes; other uploads with each seed of scripts/test.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$BUILD/tests/gl/uploads" ] || skip "no build with Mesa"
for mode in functional cycle; do
   for seed in 1 "${ATTILA_TEST_SAMPLE:-2}"; do
      quietly "uploads $seed in $mode mode" timeout 300 "$RUN" --no-check --mode $mode \
         "$BUILD/tests/gl/uploads" "$seed"
   done
done
