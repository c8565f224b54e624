#!/bin/bash
# State that Mesa puts into variants of shaders: the pictures are those that variants.c computes.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$BUILD/tests/gl/variants" ] || skip "no build with Mesa"
for name in two_sided two_sided_program clip_planes_stages clamp_vertex; do
   timeout 120 "$RUN" --no-check --mode functional "$BUILD/tests/gl/variants" $name || fail "$name"
done
