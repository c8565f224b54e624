#!/bin/bash
# Look-ups that OpenGL 4.0 brought: gathers, arrays of cubes, levels of detail, stencil, in both
# modes; comparing gathers with the version that has them.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$BUILD/tests/gl/lookups" ] || skip "no build with Mesa"
for mode in functional cycle; do
   for version in 3.3 4.0; do
      "$RUN" --no-check --gl $version --mode $mode --out "$WORK/$mode-$version" \
         "$BUILD/tests/gl/lookups" ${version/./}0 >"$WORK/said" 2>"$WORK/log" ||
         { head -n 20 "$WORK/log"; fail "$mode: lookups $version"; }
      grep -qx "lookups agree" "$WORK/said" || fail "$mode, $version: $(cat "$WORK/said")"
   done
done
