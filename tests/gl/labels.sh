#!/bin/bash
# Debug groups, markers and object labels name the rows of draws.csv, in both modes, and --label
# chooses among them. Not here: which names match what (tests/unit/test_labels.c).
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
# What is left of the rows above with --label NAME.
chosen() { # MODE NAME LABELS
   quietly "--label '$2' in $1 mode" "$RUN" --no-check --mode "$1" --out "$WORK/$1-$2" \
      --label "$2" "$BUILD/tests/gl/labels"
   draws "$WORK/$1-$2/draws.csv" | column /dev/stdin label | tr -d '"' | paste -sd , >"$WORK/got"
   [ "$(cat "$WORK/got")" = "$3" ] || fail "--label $2 in $1 mode: $(cat "$WORK/got")"
}
for mode in functional cycle; do
   quietly "labels in $mode mode" "$RUN" --no-check --mode $mode --out "$WORK/$mode" \
      "$BUILD/tests/gl/labels"
   draws "$WORK/$mode/draws.csv" | column /dev/stdin label |
      sed 's/^"//; s/"$//; s#^\.\.\..*\(a group of twenty/the innermost\)$#...\1#' >"$WORK/got"
   diff "$WORK/want" "$WORK/got" || fail "labels (<: wanted) in $mode mode"
   chosen $mode world "world,world/trees,world/trees: oak,world"
   chosen $mode mirror "[mirror],[mirror] reflection"
   chosen $mode 'the inner*' "$(grep innermost <(draws "$WORK/$mode/draws.csv" |
      column /dev/stdin label) | tr -d '"')"
   chosen $mode nothing ""
   grep -q 'warning: nothing that is reported has a label that matches "nothing"' "$WORK/log" ||
      fail "no warning in $mode mode"
done
bytes=$(draws "$WORK/cycle/draws.csv" | column /dev/stdin label | grep '^"*\.\.\.' |
   tr -d '"\n' | wc -c)
[ "$bytes" = 127 ] || fail "a long label has $bytes bytes"
