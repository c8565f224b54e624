#!/bin/bash
# Debug groups, markers and object labels name the rows of draws.csv, in both modes, and --label
# chooses among them; --cycle-label and --cycle-draws choose what is simulated. Not here: which
# names match what (tests/unit/test_labels.c), memory after parts (tests/unit/test_parts.c).
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

# Parts of frames, live: the draws under the label, with their numbers and names, and their picture.
names() { draws "$WORK/$1/draws.csv" | cut -d, -f2,4 | tail -n +2; }
part() { # NAME OPTIONS...
   local name=$1; shift
   quietly "$name" "$RUN" --no-check --save-frames --out "$WORK/$name" "$@" "$BUILD/tests/gl/labels"
}
part whole
part under --cycle-label world --capture "$WORK/c.attila"
names whole | grep '"world' >"$WORK/want"
[ "$(wc -l <"$WORK/want")" = 4 ] || fail "four draws are under world"
names under | diff "$WORK/want" - || fail "draws (<: wanted) with --cycle-label world"
cmp "$WORK/whole/frame-0000.png" "$WORK/under/frame-0000.png" || fail "--cycle-label: the picture"
quietly "rows" "$TOP/scripts/check-rows" "$WORK/under"
part numbers --cycle-draws "$(head -n 1 "$WORK/want" | cut -d, -f1)-$(tail -n 1 "$WORK/want" |
   cut -d, -f1)"
names numbers | diff "$WORK/want" - || fail "draws (<: wanted) with --cycle-draws"
part workers --cycle-label world --jobs 2
names workers | diff "$WORK/want" - || fail "draws (<: wanted) with --cycle-label and --jobs"
quietly "replay" "$SIM" run "$WORK/c.attila" --cycle-label world --out "$WORK/replay"
cmp "$WORK/under/draws.csv" "$WORK/replay/draws.csv" || fail "the replay of a part has other rows"
part none --cycle-label moon
grep -q 'nothing has a label that matches "moon"; labels of 1 frame: "start", "world"' \
   "$WORK/log" || { cat "$WORK/log"; fail "--cycle-label moon: no message"; }
expect_failure 2 'cycle-draws "5-3": expected a list' "$RUN" --no-check --cycle-draws 5-3 \
   "$BUILD/tests/gl/labels"
expect_failure 2 'simulated-clock and --cycle-draws exclude each other' \
   "$RUN" --simulated-clock --cycle-draws 5 true
