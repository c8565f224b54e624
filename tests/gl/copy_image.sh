#!/bin/bash
# Copies of bits between images of other formats, targets and levels, in both modes.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$BUILD/tests/gl/copy_image" ] || skip "no build with Mesa"
for mode in functional cycle; do
   "$RUN" --no-check --mode $mode --out "$WORK/$mode" "$BUILD/tests/gl/copy_image" \
      >"$WORK/said" 2>"$WORK/log" || { head -n 20 "$WORK/log"; fail "$mode: copy_image"; }
   # Pairs of formats of 4, 8 and 16 bytes, and of targets.
   grep -qx "50 copies" "$WORK/said" || fail "$mode: $(cat "$WORK/said")"
done
