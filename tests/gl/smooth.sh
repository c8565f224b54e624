#!/bin/bash
# The alpha test of smooth primitives, bitmaps and images, in both modes.
. "$(dirname "$0")/../lib/test.sh"
for mode in functional cycle; do
   quietly "smooth $mode" timeout 120 "$RUN" --no-check --mode $mode --debug validate \
      "$BUILD/tests/gl/smooth"
   grep -q passed "$WORK/log" || { cat "$WORK/log"; fail "smooth $mode"; }
done
