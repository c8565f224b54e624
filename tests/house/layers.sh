#!/bin/bash
# Includes run down only, as docs/layers.txt has it, and docs/images/layers.svg shows them; no two C
# files have the same name. First the checker itself, on small trees that break one rule each.
. "$(dirname "$0")/../lib/house.sh"
command -v dot >/dev/null || skip "graphviz is not installed"

# tree LIST: a source tree with that list of layers and two folders, a above b.
tree() {
   rm -rf "$WORK/tree"
   mkdir -p "$WORK/tree"/{scripts/lib,docs/images,src/a,src/b} || fail "no $WORK/tree"
   cp "$TOP"/scripts/lib/layers*.py "$WORK/tree/scripts/lib/"
   printf '%s\n' "$@" >"$WORK/tree/docs/layers.txt"
   echo '#include "b/low.h"' >"$WORK/tree/src/a/high.c"
   echo 'int low;' >"$WORK/tree/src/b/low.h"
   git -C "$WORK/tree" init -q || fail "git init"
}
check() { # options of layers.py
   git -C "$WORK/tree" add -A && /usr/bin/python3 "$WORK/tree/scripts/lib/layers.py" "$@"
}
list=('= High' 'src/a : what : src/b' '= Low' 'src/b : what :')
tree "${list[@]}"
check --update || fail "a tree in order is refused"
check || fail "the picture just drawn is refused"

# A new file leaves the picture as it is; an arrow that is gone does not.
echo 'int more;' >"$WORK/tree/src/b/more.h"
check || fail "a new file needs a new picture"
echo 'int high;' >"$WORK/tree/src/a/high.c"
expect_failure 1 'layers.svg is not what the includes look like' check
tree "${list[@]}"
echo '#include "a/up.h"' >>"$WORK/tree/src/b/low.h"
touch "$WORK/tree/src/a/up.h"
expect_failure 1 '^src/b/low.h:2: src/b includes from src/a: that runs up' check --update
grep -q '^a circle: src/a includes from src/b includes from src/a' "$WORK/expect" ||
   fail "the circle is not told"
tree "${list[@]}"
echo '#include "b/more.h"' >>"$WORK/tree/src/b/low.h"
echo '#include "b/low.h"' >"$WORK/tree/src/b/more.h"
expect_failure 1 '^a circle: src/b/low.h includes from src/b/more.h includes from src/b/low.h' \
   check --update
tree '= One' 'src/a : what :' 'src/b : what :'
expect_failure 1 '^src/a/high.c:1: .* that runs sideways' check --update
tree '= One' 'src/a : what : src/b' 'src/b : what :'
check --update || fail "a listed neighbour is refused"
echo 'int x;' >"$WORK/tree/src/a/high.c"
expect_failure 1 '^docs/layers.txt:2: src/a includes nothing from src/b' check --update
tree '= High' 'src/a : what :' '= Low' 'src/b : what :'
expect_failure 1 '^src/a/high.c:1: .* that is not listed' check --update
tree '= High' 'src/a : what :' '= Low'
expect_failure 1 '^src/b/low.h:1: its folder is in no layer' check --update
tree "${list[@]}"
echo '#include "pipe/p_state.h"' >>"$WORK/tree/src/a/high.c"
expect_failure 1 '^src/a/high.c:2: "pipe/p_state.h" is no file of ours' check --update
tree "${list[@]}"
touch "$WORK/tree/src/b/high.c"
expect_failure 1 '^src/b/high.c:1: has the name of src/a/high.c' check --update

# Then our own sources, with an include that a box, the decoder and functional mode must not have.
git -C "$TOP" ls-files -z '*.c' '*.h' docs/layers.txt docs/images/layers.svg |
   tar -C "$TOP" --null -T - -c | tar -C "$WORK/tree" -x || fail "no copy of the sources"
git -C "$WORK/tree" add -A
for file in src/sim/box/command/dac.c src/sim/decode/sim_device.h src/sim/func/sim_func.c; do
   cp "$TOP/$file" "$WORK/kept"
   echo '#include "results/sim_report.h"' >>"$WORK/tree/$file"
   expect_failure 1 "^$file:[0-9]+: .* includes from src/sim/results: that runs up" check
   cp "$WORK/kept" "$WORK/tree/$file"
done

/usr/bin/python3 "$TOP/scripts/lib/layers.py" || fail "see above and docs/explanation/layers.md"
