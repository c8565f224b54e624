#!/bin/bash
# Random programs of OpenGL 3.3 and OpenGL ES 3.0, invalid calls included: none crashes, most of
# their draws are valid, and both modes make the same pictures. scripts/sanitize runs 2,000 others
# under sanitizers.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$BUILD/tests/gl/random/random" ] || skip "no build with Mesa"
for api in core es; do
   for mode in functional cycle; do
      quietly "$api in $mode mode" timeout 300 "$RUN" --no-check --mode $mode \
         "$BUILD/tests/gl/random/random" $api 1 12
      cp "$WORK/log" "$WORK/$mode"
   done
   diff "$WORK/functional" "$WORK/cycle" || fail "$api: the modes differ"
   [ "$(grep -c "^$api [0-9]*: .* draws" "$WORK/cycle")" = 12 ] || fail "$api: not 12 programs"
   draws=$(awk '{draws += $5} END {print draws}' "$WORK/cycle")
   [ "$draws" -ge 50 ] || fail "$api: only $draws draws without an error"
   [ "$(cut -d, -f3 "$WORK/cycle" | sort -u | wc -l)" -ge 4 ] || fail "$api: the same pictures"
done
