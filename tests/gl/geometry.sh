#!/bin/bash
# Geometry shaders and layered rendering: what is captured and drawn is what geometry.c and layers.c
# compute, in both modes the same; streams replay.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$BUILD/tests/gl/geometry" ] || skip "no build with Mesa"
for program in geometry layers; do
   for mode in functional cycle; do
      timeout 300 "$RUN" --no-check --mode $mode --debug isa \
         --capture "$WORK/$program-$mode.attila" "$BUILD/tests/gl/$program" \
         >"$WORK/$program-$mode" 2>"$WORK/log" ||
         { grep -v '^ ' "$WORK/log" | tail -20; fail "$program in $mode mode"; }
   done
   grep -Eq '^(captured|pixels) [0-9a-f]{8}$' "$WORK/$program-cycle" || fail "no sum: $program"
   cmp "$WORK/$program-functional" "$WORK/$program-cycle" || fail "$program: the modes differ"
   grep -q '^ATTILA GS ' "$WORK/log" || fail "$program: no geometry programs are printed"
   quietly "replay of $program" "$SIM" run "$WORK/$program-cycle.attila"
   "$SIM" dump "$WORK/$program-cycle.attila" >"$WORK/dump" || fail "dump of $program"
   grep -Eq 'GEOMETRY +on' "$WORK/dump" || fail "no GEOMETRY in the stream of $program"
done
