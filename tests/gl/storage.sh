#!/bin/bash
# Storage buffers and atomic counters in both modes, without and with an L2, on a memory with banks
# and on a tile-based machine: what storage.c computes, wherever atomic operations are done.
. "$(dirname "$0")/../lib/test.sh"
program=$BUILD/tests/gl/storage
run() {
   timeout 300 "$RUN" --no-check "$@" "$program" || fail "storage with $*"
}
run --mode functional
run --mode cycle --record csv --out "$WORK/channels"
run --mode cycle --set L2.Enabled=TRUE --record csv --out "$WORK/l2"
quietly "rows" "$TOP/scripts/check-rows" "$WORK/channels" "$WORK/l2"
run --mode cycle --set MEMORYCONTROLLER.MemoryControllerV2=TRUE
run --mode cycle --config "$TOP/configs/tiled.ini" --set TILING.OpenPasses=4
"$RUN" --no-check --mode functional --debug isa "$program" 2>"$WORK/isa" || fail "storage"
for op in LDB STB ATOM RED SZB; do
   grep -q "^ *$op " "$WORK/isa" || { cat "$WORK/isa"; fail "no $op in the programs"; }
done
