#!/bin/bash
# The tile-based machine (configs/tiled.ini) draws the pixels of functional mode for the golden
# streams, and its rows add up. Neither the order of boxes nor threads change a number. Small bins
# and a small parameter buffer change no pixel. What it needs of other keys is said. All captures of
# tests/timing: tiling-cases.sh.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$SIM" ] || skip "no build"
tiled=$TOP/configs/tiled.ini

same() { # name, folders: their pictures are equal
   local picture
   for picture in "$2"/frame-*.png; do
      cmp "$picture" "$3/$(basename "$picture")" || fail "$1: $(basename "$picture") differs"
   done
}

for stream in "$TOP"/tests/golden/*.attila; do
   name=$(basename "$stream" .attila)
   quietly "$name in functional mode" "$SIM" run "$stream" --mode functional --save-frames \
      --out "$WORK/functional"
   quietly "$name with tiles" "$SIM" run "$stream" --config "$tiled" --save-frames \
      --out "$WORK/tiled"
   same "$name" "$WORK/functional" "$WORK/tiled"
   quietly "rows of $name" "$TOP/scripts/check-rows" "$WORK/tiled"
   rm -r "$WORK/functional" "$WORK/tiled"
done

stream=$TOP/tests/golden/build.attila
run() { # folder, arguments
   local folder=$1
   shift
   quietly "$*" "$SIM" run "$stream" --config "$tiled" --save-frames --out "$WORK/$folder" "$@"
}
run plain
column "$WORK/plain/frames.csv" PassesFence_PLB | grep -q '^[1-9]' || fail "no fence ends a pass"
run order --box-order 7
run threads --set SIMULATOR.Threads=2
for other in order threads; do
   same "$other" "$WORK/plain" "$WORK/$other"
   for statistic in cycles ListEntries_PLB Drains_TF TotalWriteBytes_MC; do
      cmp <(column "$WORK/plain/frames.csv" $statistic) \
         <(column "$WORK/$other/frames.csv" $statistic) || fail "$other: $statistic differs"
   done
done
run kept --set TILING.RenderingElimination=TRUE --set TILING.TransactionElimination=TRUE
same "kept" "$WORK/plain" "$WORK/kept"

stream=$TOP/tests/timing/fill.attila
run layers
run hidden --set TILING.ForwardPixelKill=128
same "hidden" "$WORK/layers" "$WORK/hidden"
column "$WORK/hidden/frames.csv" HiddenStamps_FFU | grep -q '^[1-9]' || fail "nothing is hidden"
quietly "rows with a window" "$TOP/scripts/check-rows" "$WORK/hidden"
run hidden-order --set TILING.ForwardPixelKill=128 --box-order 7 --set SIMULATOR.Threads=2
for statistic in cycles HiddenStamps_FFU ComparedStamps_FFU ShadedFragments_FFU; do
   cmp <(column "$WORK/hidden/frames.csv" $statistic) \
      <(column "$WORK/hidden-order/frames.csv" $statistic) || fail "order: $statistic differs"
done
run visible --set TILING.HiddenSurfaceRemoval=TRUE
same "visible" "$WORK/layers" "$WORK/visible"
column "$WORK/visible/frames.csv" HiddenFragments_Interpolator | grep -q '^[1-9]' ||
   fail "no surface is hidden"
quietly "rows with hidden surfaces" "$TOP/scripts/check-rows" "$WORK/visible"
run visible-order --set TILING.HiddenSurfaceRemoval=TRUE --box-order 7 --set SIMULATOR.Threads=2
for statistic in cycles HiddenStamps_Interpolator DeferredStamps_Interpolator; do
   cmp <(column "$WORK/visible/frames.csv" $statistic) \
      <(column "$WORK/visible-order/frames.csv" $statistic) || fail "order: $statistic differs"
done

stream=$TOP/tests/timing/depth_pass.attila
run nearer
run low-z --set TILING.LowResolutionZ=8192
same "low-resolution Z" "$WORK/nearer" "$WORK/low-z"
column "$WORK/low-z/frames.csv" CulledLowZQuads_HZ | grep -q '^[1-9]' ||
   fail "low-resolution Z drops nothing"
quietly "rows with low-resolution Z" "$TOP/scripts/check-rows" "$WORK/low-z"
run low-z-order --set TILING.LowResolutionZ=8192 --box-order 7 --set SIMULATOR.Threads=2
for statistic in cycles CulledLowZQuads_HZ LowZTiles_PLB; do
   cmp <(column "$WORK/low-z/frames.csv" $statistic) \
      <(column "$WORK/low-z-order/frames.csv" $statistic) || fail "order: $statistic differs"
done

stream=$TOP/tests/timing/depth_hidden.attila
run behind
run hz --set RASTERIZER.DisableHZ=FALSE
same "hz" "$WORK/behind" "$WORK/hz"
column "$WORK/hz/frames.csv" CulledHZFragments_HZ | grep -q '^[1-9]' || fail "HZ culls nothing"

stream=$TOP/tests/golden/build.attila
run small --set TILING.TileWidth=8 --set TILING.TileHeight=8 --set TILING.ParameterBufferSize=16
same "small" "$WORK/plain" "$WORK/small"
column "$WORK/small/frames.csv" PartialRenders_PLB | grep -q '^[1-9]' || fail "no partial render"

expect_failure 1 'COMMANDPROCESSOR.FreeOverlap = FALSE: expected TRUE' \
   "$SIM" run "$stream" --set GPU.Renderer=TILED
expect_failure 1 'TILING.ForwardPixelKill = 64: expected 0 with GPU.Renderer = IMMEDIATE' \
   "$SIM" run "$stream" --set TILING.ForwardPixelKill=64
expect_failure 1 'TILING.LowResolutionZ = 64: expected 0 with GPU.Renderer = IMMEDIATE' \
   "$SIM" run "$stream" --set TILING.LowResolutionZ=64
expect_failure 1 'TILING.HiddenSurfaceRemoval = TRUE: expected FALSE' \
   "$SIM" run "$stream" --set TILING.HiddenSurfaceRemoval=TRUE
expect_failure 1 'GPU.Renderer = "TILE": expected IMMEDIATE or TILED' \
   "$SIM" run "$stream" --set GPU.Renderer=TILE
