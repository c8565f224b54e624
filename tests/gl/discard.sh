#!/bin/bash
# Depth that the program discards, or that a swap in a window makes useless, does not go to memory
# in a tile-based machine; pixels are the same. Not here: which surfaces a DISCARD drops
# (tests/unit/test_tiling.c).
. "$(dirname "$0")/../lib/test.sh"
program=$BUILD/tests/gl/discard
[ -x "$program" ] || skip "no build with Mesa"
tiled=$TOP/configs/tiled.ini
sum() { # FOLDER STATISTIC
   column "$WORK/$1/frames.csv" "$2" | awk '{s += $1} END {print s + 0}'
}
for what in discard keep again; do
   timeout 300 "$RUN" --no-check --config "$tiled" --capture "$WORK/$what.attila" \
      --out "$WORK/$what" "$program" $what >"$WORK/log" 2>&1 || { cat "$WORK/log"; fail "$what"; }
   quietly "$what in functional mode" timeout 300 "$RUN" --no-check --mode functional \
      "$program" $what
done
[ "$(sum discard WriteBytes_ZST-SU)" = 0 ] || fail "discarded depth is written"
[ "$(sum discard DiscardedLines_ZST-SU)" = 64 ] ||
   fail "$(sum discard DiscardedLines_ZST-SU) lines are dropped, not 64x64 pixels of 4 bytes"
[ "$(sum keep WriteBytes_ZST-SU)" -gt 0 ] || fail "depth is not written"
[ "$(sum again PassesDiscard_PLB)" = 1 ] || fail "the draw after the discard begins no pass"
"$SIM" dump "$WORK/discard.attila" >"$WORK/dump"
grep -q DISCARD "$WORK/dump" || fail "no DISCARD in the capture"

command -v glxgears >/dev/null || skip "no glxgears (package mesa-utils)"
quietly "glxgears" "$RUN" --no-check --config "$tiled" --frames 2 --out "$WORK/gears" glxgears
[ "$(sum gears DiscardedLines_ZST-SU)" -gt 0 ] || fail "a swap discards no depth"
[ "$(sum gears BinLines_ZST-SU)" = 0 ] || fail "depth is written before the swap"
