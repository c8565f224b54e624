#!/bin/bash
# Dual-source blending in both modes and in a replay; a second colour takes a turn more in the ROP.
. "$(dirname "$0")/../lib/test.sh"
program=$BUILD/tests/gl/dual_source
[ -x "$program" ] || skip "no build with Mesa"
for mode in functional cycle; do
   timeout 300 "$RUN" --no-check --mode $mode --capture "$WORK/$mode.attila" "$program" ||
      fail "dual_source in $mode mode"
done
replay() { # COLORWRITE.DualSourceBlendRate: prints the cycles
   quietly "replay" "$SIM" run "$WORK/cycle.attila" --out "$WORK/replay-$1" \
      --set COLORWRITE.DualSourceBlendRate="$1"
   column "$WORK/replay-$1/frames.csv" cycles | awk '{s += $1} END {print s}'
}
two=$(replay 2) sixty=$(replay 60)
[ "$two" -gt 0 ] && [ "$sixty" -gt $((two + 1000)) ] ||
   fail "$two cycles, and $sixty with a slow blend of two colours"
