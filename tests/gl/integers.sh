#!/bin/bash
# Images of integers keep their bits in clears, copies, blits, resolves, read-back; shaders write,
# read and interpolate integers exactly. In both modes.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$BUILD/tests/gl/integers" ] || skip "no build with Mesa"
# check PROGRAM LINE: the program ends well and prints the line
check() {
   "$RUN" --no-check --mode $mode --out "$WORK/$mode-$1" "$BUILD/tests/gl/$1" \
      >"$WORK/said" 2>"$WORK/log" || { head -n 20 "$WORK/log"; fail "$mode: $1"; }
   grep -qx "$2" "$WORK/said" || fail "$mode: $(cat "$WORK/said")"
}
for mode in functional cycle; do
   check integers "19 formats"
   check integer_shaders "66 draws"
done
