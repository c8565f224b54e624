#!/bin/bash
# ARB_gpu_shader5, in both modes. What concerns samples is in sample_shading.sh.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$BUILD/tests/gl/gpu_shader5" ] || skip "no build with Mesa"
for mode in functional cycle; do
   "$RUN" --no-check --mode $mode --out "$WORK/$mode" "$BUILD/tests/gl/gpu_shader5" \
      >"$WORK/said" 2>"$WORK/log" || { head -n 20 "$WORK/log"; fail "$mode: gpu_shader5"; }
   grep -qx "shaders agree" "$WORK/said" || fail "$mode: $(cat "$WORK/said")"
done
