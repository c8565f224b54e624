#!/bin/bash
# scripts/check-rows on runs of the golden streams: everything adds up, on a machine with clocks of
# their own and with boxes in another order, and on one with an L2, too. And it finds what does not:
# a byte, a row, a cycle.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$SIM" ] || skip "no build"
check=$TOP/scripts/check-rows
for stream in "$TOP"/tests/golden/*.attila; do
   quietly "$stream" "$SIM" run "$stream" --out "$WORK/run"
   quietly "rows of $stream" "$check" "$WORK/run"
done
quietly "clocks" "$SIM" run "$TOP/tests/golden/texture.attila" --out "$WORK/clocks" --box-order 7 \
   --set GPU.GPUClock=500 --set GPU.ShaderClock=700 --set GPU.MemoryClock=300
quietly "rows of other clocks" "$check" "$WORK/clocks"

quietly "the other memory controller" "$SIM" run "$TOP/tests/golden/desktop.attila" \
   --config "$TOP/configs/attila-bgpu.ini" --out "$WORK/bgpu"
quietly "rows of the other memory controller" "$check" "$WORK/bgpu"

quietly "an L2" "$SIM" run "$TOP/tests/golden/texture.attila" --out "$WORK/l2" --box-order 7 \
   --config "$TOP/configs/attila-bgpu.ini" --set L2.Enabled=TRUE --set L2.Ways=2 --set L2.Lines=16
quietly "rows with an L2" "$check" "$WORK/l2"

damage() { # FILE ROW NAME VALUE|-: a run with one number of it changed, or without the row
   rm -rf "$WORK/bad"; cp -r "$WORK/clocks" "$WORK/bad"
   awk -F, -v OFS=, -v row="$2" -v name="$3" -v value="$4" '
      NR == 1 {for (i = 1; i <= NF; i++) if ($i == name) c = i; if (!c) exit 1}
      NR == row {if (value == "-") next; $c = value} {print}' \
      "$WORK/clocks/$1" >"$WORK/bad/$1" || fail "no column $3"
   cmp -s "$WORK/clocks/$1" "$WORK/bad/$1" && fail "nothing was damaged"
}
damage draws.csv 9 Commands_CP 7
expect_failure 1 'frame 0: Commands_CP is [0-9]*, its rows add up to' "$check" "$WORK/bad"
damage draws.csv 9 frame -
expect_failure 1 'its rows add up to' "$check" "$WORK/bad"
damage frames.csv 3 CyclesBlocked_FFU 1
expect_failure 1 'frame 1: FFU has [0-9]* cycles of [0-9]*' "$check" "$WORK/bad"
damage frames.csv 2 StreamerLoader_ReadBytes_MC 1
expect_failure 1 'TotalReadBytes_MC is [0-9]*, its clients have' "$check" "$WORK/bad"
damage frames.csv 2 ReadDataBytes_Sched 64
expect_failure 1 'Read bytes of clients are [0-9]* more than those of channels' \
   "$check" "$WORK/bad"
quietly "some columns" "$SIM" run "$TOP/tests/golden/build.attila" --out "$WORK/some" \
   --draws-columns none
expect_failure 1 'does not have every statistic' "$check" "$WORK/some"
