#!/bin/bash
# Draws whose numbers are in a buffer, first instances, framebuffers without images, in both modes.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$BUILD/tests/gl/indirect" ] || skip "no build with Mesa"
for mode in functional cycle; do
   "$RUN" --no-check --mode $mode --out "$WORK/$mode" "$BUILD/tests/gl/indirect" \
      >"$WORK/said" 2>"$WORK/log" || { head -n 20 "$WORK/log"; fail "$mode: indirect"; }
   grep -qx "draws agree" "$WORK/said" || fail "$mode: $(cat "$WORK/said")"
done
