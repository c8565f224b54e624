#!/bin/bash
# Geometry shaders: what is captured and drawn is what geometry.c computes.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$BUILD/tests/gl/geometry" ] || skip "no build with Mesa"
timeout 300 "$RUN" --no-check --gl 3.2 --mode functional --debug isa "$BUILD/tests/gl/geometry" \
   >"$WORK/said" 2>"$WORK/log" || { tail -20 "$WORK/log"; fail "geometry in functional mode"; }
grep -Eq '^captured [0-9a-f]{8}$' "$WORK/said" || fail "nothing captured"
grep -q '^ATTILA GS ' "$WORK/log" || fail "no geometry programs are printed"
