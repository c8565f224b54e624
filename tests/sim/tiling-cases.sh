#!/bin/bash
# Full only: more than a hundred captures, each in both modes
# The tile-based machine draws the pixels of functional mode for all captures of tests/timing.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$SIM" ] || skip "no build"
found=0
for stream in "$TOP"/tests/timing/*.attila; do
   name=$(basename "$stream" .attila)
   quietly "$name in functional mode" "$SIM" run "$stream" --mode functional --save-frames \
      --out "$WORK/functional"
   quietly "$name with tiles" "$SIM" run "$stream" --config "$TOP/configs/tiled.ini" \
      --save-frames --out "$WORK/tiled"
   for picture in "$WORK"/functional/frame-*.png; do
      cmp "$picture" "$WORK/tiled/$(basename "$picture")" || fail "$name: other pixels"
   done
   rm -r "$WORK/functional" "$WORK/tiled"
   found=$((found + 1))
done
[ $found -gt 100 ] || fail "only $found captures"
echo "$found captures with the same pixels"
