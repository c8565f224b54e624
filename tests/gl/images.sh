#!/bin/bash
# Images of shaders in both modes, with an L2, on a memory with banks and on a tile-based machine:
# what images.c stores and loads.
. "$(dirname "$0")/../lib/test.sh"
program=$BUILD/tests/gl/images
run() {
   timeout 300 "$RUN" --no-check "$@" "$program" || fail "images with $*"
}
run --mode functional
run --mode cycle
run --mode cycle --set L2.Enabled=TRUE
run --mode cycle --set MEMORYCONTROLLER.MemoryControllerV2=TRUE
run --mode cycle --config "$TOP/configs/tiled.ini" --set TILING.OpenPasses=4
"$RUN" --no-check --mode functional --debug isa "$program" 2>"$WORK/isa" || fail "images"
for op in LDI STI ATOMI REDI SZI; do
   grep -q "^ *$op " "$WORK/isa" || { cat "$WORK/isa"; fail "no $op in the programs"; }
done
