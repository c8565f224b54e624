#!/bin/bash
# Sample shading: fragments of single samples, and the parts of ARB_gpu_shader5 that concern them,
# in both modes.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$BUILD/tests/gl/sample_shading" ] || skip "no build with Mesa"
for mode in functional cycle; do
   for parts in "" gpu_shader5; do
      # shellcheck disable=SC2086 # none or one word
      "$RUN" --no-check --mode $mode --out "$WORK/$mode" "$BUILD/tests/gl/sample_shading" $parts \
         >"$WORK/said" 2>"$WORK/log" ||
         { head -n 20 "$WORK/log"; fail "$mode: sample_shading $parts"; }
      grep -q "images" "$WORK/said" || fail "$mode: $(cat "$WORK/said")"
   done
done
