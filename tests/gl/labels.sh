#!/bin/bash
# Debug groups, markers and object labels name the rows of draws.csv, in both modes.
. "$(dirname "$0")/../lib/test.sh"
cat >"$WORK/want" <<'END'

start
world
world/trees
world/trees: oak
world
...a group of twenty/the innermost
start
[mirror]
[mirror] reflection
[plain]
[mirror pass]

END
for mode in functional cycle; do
   quietly "labels in $mode mode" "$RUN" --no-check --mode $mode --out "$WORK/$mode" \
      "$BUILD/tests/gl/labels"
   draws "$WORK/$mode/draws.csv" | column /dev/stdin label |
      sed 's/^"//; s/"$//; s#^\.\.\..*\(a group of twenty/the innermost\)$#...\1#' >"$WORK/got"
   diff "$WORK/want" "$WORK/got" || fail "labels (<: wanted) in $mode mode"
done
bytes=$(draws "$WORK/cycle/draws.csv" | column /dev/stdin label | grep '^"*\.\.\.' |
   tr -d '"\n' | wc -c)
[ "$bytes" = 127 ] || fail "a long label has $bytes bytes"
