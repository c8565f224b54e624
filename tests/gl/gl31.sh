#!/bin/bash
# OpenGL 3.1 with and without what it removed, in both modes: the pictures are those that gl31.c
# computes.
. "$(dirname "$0")/../lib/test.sh"
program=$BUILD/tests/gl/gl31
[ -x "$program" ] || skip "no build with Mesa"
for mode in functional cycle; do
   for profile in core compatibility; do
      timeout 300 "$RUN" --no-check --mode $mode "$program" $profile ||
         fail "gl31 $profile in $mode mode"
   done
done
