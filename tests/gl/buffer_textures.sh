#!/bin/bash
# Buffers as textures: every format, parts of buffers, buffers that change, in both modes.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$BUILD/tests/gl/buffer_textures" ] || skip "no build with Mesa"
for mode in functional cycle; do
   "$RUN" --no-check --mode $mode --out "$WORK/$mode" "$BUILD/tests/gl/buffer_textures" \
      >"$WORK/said" 2>"$WORK/log" || { head -n 20 "$WORK/log"; fail "$mode: buffer_textures"; }
   grep -qx "36 formats" "$WORK/said" || fail "$mode: $(cat "$WORK/said")"
done
