#!/bin/bash
# Every machine of configs/, and the built-in one with every memory of configs/memory/, draws the
# golden streams with the same pixels as functional mode, is listed in configs/README.md, and gives
# no warning.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$SIM" ] || skip "no build"
# A screen that is refreshed by itself, in domains of different clocks: a swap ends all the same.
for clock in 700 450 600; do
   quietly "MemoryClock $clock" "$SIM" run "$TOP/tests/golden/build.attila" \
      --set GPU.MemoryClock=$clock --set DAC.SynchedRefresh=FALSE
   grep -q ' 2 frames' "$WORK/log" || { cat "$WORK/log"; fail "MemoryClock $clock"; }
done
for stream in "$TOP"/tests/golden/*.attila; do
   name=$(basename "$stream" .attila)
   quietly "$name in functional mode" "$SIM" run "$stream" --mode functional --frames 0-0 \
      --out "$WORK/$name" --save-frames
   for config in "$TOP"/configs/*.ini "$TOP"/configs/memory/*.ini; do
      machine=$(basename "$config")
      grep -q "^| \`$machine\` |" "$TOP/configs/README.md" "$TOP/docs/notebook/memories.md" ||
         fail "$machine is not in configs/README.md or memories.md"
      quietly "$name on $machine" "$SIM" run "$stream" --config "$config" --frames 0-0 \
         --out "$WORK/$name-$machine" --save-frames
      ! grep -i warning "$WORK/log" || fail "$machine gives warnings"
      cmp "$WORK/$name/frame-0000.png" "$WORK/$name-$machine/frame-0000.png" ||
         fail "$name: other pixels on $machine"
   done
done
