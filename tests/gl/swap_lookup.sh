#!/bin/bash
# attila-run --grab sees every swap, however the program found glXSwapBuffers.
. "$(dirname "$0")/../lib/test.sh"
"$RUN" --no-check --mode functional --grab "$WORK/frames" "$BUILD/tests/gl/swap_lookup" \
   >"$WORK/swaps" || fail "swap_lookup"
swaps=$(cat "$WORK/swaps")
frames=$(find "$WORK/frames" -name 'frame-*.png' | wc -l)
[ "${swaps:-0}" -gt 0 ] && [ "$frames" = "$swaps" ] || fail "$frames frames of $swaps swaps"
echo "$frames frames"
