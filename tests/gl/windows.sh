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
"$RUN" --no-check --mode functional --capture "$WORK/capture" "$BUILD/tests/gl/windows" 0 \
   front_cleared || fail "clears of a front buffer"
bytes=$("$SIM" info "$WORK/capture" | awk '$1 == "WRITE_BUFFER" {print $3}')
[ "$bytes" -lt 16384 ] || fail "a window that is cleared was read: $bytes bytes were uploaded"
# Undrawn contents are not copied into the multisampled surface.
"$RUN" --no-check --mode functional --capture "$WORK/samples" "$BUILD/tests/timing/microbench" \
   msaa4_fill || fail "a multisampled pbuffer"
"$SIM" info "$WORK/samples" | grep -q " draws (0 of the driver's own)" ||
   fail "the driver draws before the first draw of the program"
