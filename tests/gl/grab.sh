#!/bin/bash
# attila-run --grab shows what the window shows, whatever the program has set for glReadPixels, and
# leaves what it has set. Not here: how the hook finds swaps (swap_lookup.sh).
. "$(dirname "$0")/../lib/test.sh"
"$RUN" --no-check --mode functional --out "$WORK/out" --save-frames --grab "$WORK/grab" \
   "$BUILD/tests/gl/grab" >"$WORK/log" 2>&1 || { cat "$WORK/log"; fail "grab"; }
quietly "what was grabbed beside what the DAC showed" "$TOP/scripts/attila" imgdiff \
   --min-psnr 99 "$WORK/grab/frame-0000.png" "$WORK/out/frame-0000.png"
echo "alike"
