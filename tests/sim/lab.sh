#!/bin/bash
# docs/tutorial/lab.md: its commands run on a build of the simulator alone, with the PATH that the
# page sets, and its tables are what the machine measures now.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$SIM" ] || skip "no build"
quietly "scripts/lib/lab.sh" "$TOP/scripts/lib/lab.sh"

command -v sqlite3 >/dev/null || skip "no sqlite3"
place=$WORK/place
mkdir "$place" && git -C "$TOP" ls-files -z | (cd "$TOP" && xargs -0 tar -c) | tar -x -C "$place" ||
   fail "no copy of the tree"
ln -s "${SIM%/src/sim/attila-sim}" "$place/build-sim"
/usr/bin/python3 "$TOP/tests/lib/page_commands.py" "$TOP/docs/tutorial/lab.md" >"$WORK/script" ||
   fail "the page's blocks"
(cd "$place" && PATH=/usr/bin:/bin exec bash -eu "$WORK/script") >"$WORK/log" 2>&1 3>/dev/null ||
   { tail -n 5 "$WORK/log"; fail "the page's commands do not work without build/"; }
# What the reader sees of the cycles is what the page's table has.
cycles=$(sed -n 's/^| nothing | \([0-9]*\) |$/\1/p' "$TOP/docs/tutorial/lab.md")
grep -q "^$cycles|" "$WORK/log" || { cat "$WORK/log"; fail "no $cycles from the commands"; }
