#!/bin/bash
# GLSL 1.30 in both modes: the pictures are those that glsl130.c computes. A shader of GLSL 1.20
# is compiled as if there were no native integers.
. "$(dirname "$0")/../lib/test.sh"
program=$BUILD/tests/gl/glsl130
for mode in functional cycle; do
   timeout 300 "$RUN" --no-check --mode $mode "$program" || fail "glsl130 in $mode mode"
done
native='^ *(I(ADD|SUB|MUL|SHR|MIN|MAX|EQ|NE|LT|GE|2F)|U(SHR|MIN|MAX|LT|GE|2F)|AND|X?OR|SHL|F2[IU]) '
"$RUN" --no-check --mode functional --debug isa "$program" 2>"$WORK/isa" || fail "glsl130"
grep -Eq "$native" "$WORK/isa" || { cat "$WORK/isa"; fail "GLSL 1.30 without native integers"; }
"$RUN" --no-check --mode functional --debug isa "$program" legacy 2>"$WORK/isa" || fail "legacy"
grep -q '^ *LOOP' "$WORK/isa" || { cat "$WORK/isa"; fail "no loop in GLSL 1.20"; }
! grep -E "$native" "$WORK/isa" || fail "native integers in GLSL 1.20"
