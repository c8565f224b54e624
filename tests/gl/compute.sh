#!/bin/bash
# Compute shaders in both modes, on a machine of vectors, on one that is smaller than a workgroup,
# and on a tile-based one: what compute.c computes. While Mesa wants images of shaders for the
# extension, the environment asks for it.
. "$(dirname "$0")/../lib/test.sh"
program=$BUILD/tests/gl/compute
export MESA_EXTENSION_OVERRIDE=+GL_ARB_compute_shader
run() {
   timeout 300 "$RUN" --no-check "$@" "$program" || fail "compute with $*"
}
run --mode functional
run --mode cycle --record csv --out "$WORK/channels"
quietly "rows" "$TOP/scripts/check-rows" "$WORK/channels"
run --mode cycle --set FRAGMENTSHADER.VectorShader=TRUE --set FRAGMENTSHADER.VectorLength=64 \
   --set FRAGMENTSHADER.VectorThreads=32 --set FRAGMENTSHADER.VectorResources=1024 \
   --set L2.Enabled=TRUE
run --mode cycle --config "$TOP/configs/tiled.ini" --set GPU.NumFragmentShaders=1
"$RUN" --no-check --mode functional --debug isa "$program" 2>"$WORK/isa" || fail "compute"
for op in LDS STS ATOMS BAR; do
   grep -q "^ *$op\b" "$WORK/isa" || { cat "$WORK/isa"; fail "no $op in the programs"; }
done
