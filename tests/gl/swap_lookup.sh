#!/bin/bash
# attila-run --grab sees every swap, however the program found glXSwapBuffers.
. "$(dirname "$0")/../lib/test.sh"
"$RUN" --no-check --mode functional --grab "$WORK/frames" "$BUILD/tests/gl/swap_lookup" \
   >"$WORK/swaps" || fail "swap_lookup"
swaps=$(cat "$WORK/swaps")
frames=$(find "$WORK/frames" -name 'frame-*.png' | wc -l)
[ "${swaps:-0}" -gt 0 ] && [ "$frames" = "$swaps" ] || fail "$frames frames of $swaps swaps"
# The names are ours: a link in the place of one is replaced, as a picture of an earlier run is, and
# not followed.
echo precious >"$WORK/target"
ln -sf "$WORK/target" "$WORK/frames/frame-0000.png"
"$RUN" --no-check --mode functional --grab "$WORK/frames" "$BUILD/tests/gl/swap_lookup" \
   >"$WORK/swaps" || fail "swap_lookup, in a folder with a link"
[ "$(cat "$WORK/target")" = precious ] || fail "a picture was written through a link"
[ ! -L "$WORK/frames/frame-0000.png" ] && [ -s "$WORK/frames/frame-0000.png" ] ||
   fail "there is no picture in place of the link"
echo "$frames frames"
