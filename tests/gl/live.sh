#!/bin/bash
# scripts/check-live --small: a running program with all that explains its cycles at once, twice.
# And it can fail: a run whose files were changed does not pass. scripts/check-live alone does the
# same with games and a replayed trace.
. "$(dirname "$0")/../lib/test.sh"
out=$TOP/out/test/live
check() { "$TOP/scripts/check-live" --installed --out "$out" "$@"; }
expect_failure 2 'is none of sums, intervals' check --only sum
expect_failure 2 'is not WIDTHxHEIGHT' check --size 320
expect_failure 2 'is no program' check ../x
expect_failure 2 'exclude each other' check --small build
check --packages | grep -q 'apitrace.*glmark2.*protobuf' || fail "--packages"

check --small >"$WORK/log" 2>&1; status=$?
[ $status != 77 ] || skip "$(tail -n 1 "$WORK/log")"
[ $status = 0 ] || { cat "$WORK/log"; fail "status $status"; }
tail -n 4 "$WORK/log"
awk '/^program/ {for (i = 1; i <= NF; i++) c[$i] = i}
   /^desktop/ {n++; for (k in c) if (k ~ /^(sums|intervals|maps|hud|pictures|replay|twice)$/ &&
      $c[k] != "ok") exit 1} END {exit n != 1}' "$WORK/log" || fail "a check was not made"

# changed WHAT CHECK 'TEXT' COMMAND...: after the command in a copy of the run the check fails.
changed() {
   local what=$1 check=$2 text=$3; shift 3
   rm -rf "$WORK/run" && cp -r "$out/desktop_windows_2" "$WORK/run" || fail "no run"
   (cd "$WORK/run" && "$@") || fail "$what: $*"
   TOP=$TOP expect_failure 1 "$text" /usr/bin/python3 - \
      "$check" "$WORK/run" "$SIM" <<'END'
import os, sys
sys.path.append(os.path.join(os.environ["TOP"], "tests", "lib"))
import live_checks
from attila.cli import Error
import live_run
program = live_run.Program("desktop", ["true"], 3)
try:
    getattr(live_checks, sys.argv[1])(live_checks.Case(program, *sys.argv[2:4]))
except Error as e:
    sys.exit(str(e))
END
}
sql() { /usr/bin/python3 -c 'import sqlite3, sys
db = sqlite3.connect("run.sqlite"); db.execute(sys.argv[1]); db.commit()' "$1"; }
changed cycles sums 'exclusive cycles of frames: 1:' \
   sql 'UPDATE work SET exclusive_cycles = exclusive_cycles + 1 WHERE frame = 1 AND draw = 0'
changed instructions sums 'alu_cycles of instructions' \
   sql 'UPDATE frame_instructions SET alu_cycles = alu_cycles + 1'
changed rows sums 'check-rows: status 1' sed -i '2s/$/1/' draws.csv
changed names sums 'makes another draws.csv' sed -i 's/,swap,/,sweep,/' draws.csv
changed intervals intervals 'interval|sums of intervals' sql 'DELETE FROM
   interval_counters WHERE interval = 3'
changed maps maps 'adds up to' sed -i '2s/\([0-9]*,[0-9]*,[0-9]*\)$/1\1/' maps/maps.csv
changed hud hud 'fragments of GALLIUM_HUD' sed -i 's/^/1/' hud/fragments
changed pictures pictures 'leaves the picture that was shown' cp frame-0000.png frame-0002.png
changed replay replay 'another frame-0002.png' cp frame-0000.png frame-0002.png
# Two runs that are not the same.
cp "$WORK/run/frame-0000.png" "$WORK/run/hud/more"
TOP=$TOP /usr/bin/python3 - "$out/desktop_windows_2" "$WORK/run" <<'END' ||
import os, sys
sys.path.append(os.path.join(os.environ["TOP"], "tests", "lib"))
import live_run
found = live_run.differences(*sys.argv[1:3])
assert found == ["hud/more is missing in one", "frame-0002.png"], found
END
   fail "differences of two runs"
