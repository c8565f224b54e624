#!/bin/bash
# Several windows, shared contexts, resizing, front buffers, glXCopySubBuffer, pixmaps and pbuffers;
# multisampled ones where the X server knows such configurations (Debian 13's Xvfb does not).
. "$(dirname "$0")/../lib/test.sh"
for mode in functional cycle; do
   for samples in 0 4; do
      timeout 300 "$RUN" --no-check --mode $mode "$BUILD/tests/gl/windows" $samples
      status=$?
      [ $status = 0 ] || [ $status$samples = 774 ] || fail "$samples samples in $mode mode"
   done
done
