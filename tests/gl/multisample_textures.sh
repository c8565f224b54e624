#!/bin/bash
# Multisample textures: every sample of every kind of format, edges, blits, errors, in both modes.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$BUILD/tests/gl/multisample_textures" ] || skip "no build with Mesa"
for mode in functional cycle; do
   "$RUN" --no-check --mode $mode --out "$WORK/$mode" "$BUILD/tests/gl/multisample_textures" \
      >"$WORK/said" 2>"$WORK/log" || { head -n 20 "$WORK/log"; fail "$mode: multisample_textures"; }
   # 11 formats, 3 numbers of samples: 3 images of a texture, 5 of an array.
   grep -qx "264 images" "$WORK/said" || fail "$mode: $(cat "$WORK/said")"
done
