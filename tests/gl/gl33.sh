#!/bin/bash
# What OpenGL 3.2 and 3.3 brought, in core and compatibility contexts and in OpenGL ES 3.0, and the
# least limits that these versions name, in both modes: the pictures are those that gl33.c and
# limits33.c compute.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$BUILD/tests/gl/gl33" ] || skip "no build with Mesa"
for program in gl33 limits33; do
   for mode in functional cycle; do
      for profile in core compatibility es; do
         timeout 300 "$RUN" --no-check --mode $mode "$BUILD/tests/gl/$program" $profile ||
            fail "$program $profile in $mode mode"
      done
   done
done
