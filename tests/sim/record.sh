#!/bin/bash
# The record of a run, run.sqlite (record.md): what it says adds up, the CSV files can be made
# from it again, and it is whole after any end of the process.
. "$(dirname "$0")/../lib/test.sh"
ATTILA=$TOP/scripts/attila
[ -x "$SIM" ] || skip "no build"
stream=$TOP/tests/golden/desktop.attila
# query DB SQL: the result, a row per line, columns with | between
query() {
   /usr/bin/python3 - "$1" "$2" <<'END'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
for row in db.execute(sys.argv[2]):
    print("|".join("" if v is None else str(v) for v in row))
END
}
# expect DB SQL RESULT
expect() {
   local got
   got=$(query "$1" "$2") || fail "$2"
   [ "$got" = "$3" ] || fail "$2: $got, not $3"
}
run() { # DIR OPTION...: a replay that must succeed
   local dir=$WORK/$1; shift
   "$SIM" run "$stream" --out "$dir" "$@" >"$WORK/log" 2>&1 || { cat "$WORK/log"; fail "$*"; }
}
# again DIR: the CSV files made from the record are those that the run wrote.
again() {
   local dir=$WORK/$1 f
   mkdir "$dir/again"; mv "$dir"/*.csv "$dir/again/"
   quietly "export of $1" "$ATTILA" export "$dir"
   for f in frames draws counters; do
      [ ! -e "$dir/again/$f.csv" ] || cmp "$dir/again/$f.csv" "$dir/$f.csv" ||
         fail "$f.csv of $1 is another one"
   done
}

for name in build desktop texture shading; do
   stream=$TOP/tests/golden/$name.attila
   config=$TOP/configs/attila-bgpu.ini
   [ $name = build ] && config=$TOP/configs/stress.ini
   run $name --config "$config" --record sqlite,boxes,csv
   db=$WORK/$name/run.sqlite
   expect "$db" 'SELECT complete, mode FROM run' '1|cycle'
   expect "$db" "SELECT count(*) FROM frames f WHERE cycles !=
      (SELECT sum(exclusive_cycles) FROM work w WHERE w.frame = f.frame)" 0
   expect "$db" "SELECT count(*) FROM work WHERE exclusive_cycles > cycles" 0
   expect "$db" "SELECT count(*) FROM work w JOIN programs p ON p.program = w.fragment_program
      WHERE p.instructions < 1 OR w.kind != 'draw'" 0
   expect "$db" "SELECT count(*) FROM work WHERE kind = 'draw' AND (vertex_program IS NULL OR
      bindings NOT IN (SELECT bindings FROM bindings WHERE slot = 'color0'))" 0
   # Statistics have the same value in the tables of a class, side by side, and as the sum of boxes.
   for of in 'frame ColorWrite CyclesBusy_CW-SU' 'work ColorWrite CyclesBusy_CW-SU' \
      'work ShaderFetch FetchedInstr_ShF-FS' 'frame GDDRChannel DataCycles_Sched'; do
      read -r kind class column <<<"$of"
      tables="${kind}_${class}_boxes"
      [ "$kind" = frame ] || tables+=" work_$class"
      for table in $tables; do
         expect "$db" "SELECT sum(\"$column\") = (SELECT sum(\"$column\") FROM ${kind}_counters)
            AND sum(\"$column\") > 0 FROM \"$table\"" 1
      done
   done
   # A name that no counter has would be a text in SQL.
   expect "$db" "SELECT count(*) FROM frame_caches WHERE typeof(hits + misses) != 'integer' OR
      typeof(hits) = 'text'" 0
   # What units do with their cycles adds up, in their own clocks.
   expect "$db" "SELECT count(*) FROM frame_units u JOIN frames f USING (frame) WHERE
      busy + blocked + starved + idle NOT IN
      (boxes * cycles, boxes * shader_cycles, boxes * memory_cycles)" 0
   # Work at the best rate is a share of the time; of a channel, the cycles in which its pins move
   # data; of a unit that only the limiter's stalls describe, unknown.
   expect "$db" "SELECT count(*) FROM frame_units WHERE peak_percent NOT BETWEEN 0 AND 100" 0
   expect "$db" "SELECT count(*) FROM frame_units JOIN frames USING (frame) JOIN frame_counters
      USING (frame) WHERE unit = 'Sched' AND
      abs(peak_percent * boxes * memory_cycles - 100.0 * DataCycles_Sched) > 0.01" 0
   expect "$db" "SELECT count(*) FROM frame_units WHERE unit = 'FFU' AND peak_percent IS NOT NULL" 0
   expect "$db" "SELECT sum(read_bytes) - (SELECT sum(TotalReadBytes_MC) FROM work_counters) FROM
      work_bytes" 0
   # The studies' rate of texels is the view's.
   rate=$(/usr/bin/python3 -c 'import sys
from attila.records import reader
from attila.studies.results import share, texture_hits
print(share(texture_hits(reader.totals(reader.open_record(sys.argv[1]), "frame"))))' "$WORK/$name")
   expect "$db" "SELECT format('%.1f %%', 100.0 * sum(hits) / sum(hits + misses)) FROM
      frame_caches WHERE cache = 'texture L0' GROUP BY cache HAVING sum(hits + misses) > 0" "$rate"
   again $name
done
stream=$TOP/tests/golden/desktop.attila
db=$WORK/desktop/run.sqlite
expect "$db" "SELECT count(DISTINCT name) FROM boxes WHERE class = 'ZStencilTest'" 4
expect "$db" "SELECT value, default_value FROM configuration WHERE section = 'GPU' AND
   key = 'NumStampPipes'" '4|2'
# A machine on another one, by name; what has no effect of both is in the record.
mkdir "$WORK/machines"
printf 'base = below.ini\n[GPU]\nNumStampPipes = 1\n' >"$WORK/machines/top.ini"
printf 'base = micro2005\n[SIMULATOR]\nUseACD = 1\n' >"$WORK/machines/below.ini"
run based --config "$WORK/machines/top.ini" --frames 0 --mode functional
grep -q 'UseACD: there is one driver' "$WORK/log" || { cat "$WORK/log"; fail "no warning"; }
expect "$WORK/based/run.sqlite" "SELECT ignored_keys LIKE '%UseACD: there is one driver%',
   (SELECT group_concat(value) FROM configuration WHERE key IN ('FetchRate', 'NumStampPipes') AND
   section IN ('GPU', 'FRAGMENTSHADER')) FROM run" '1|1,1'
(cd / && "$SIM" describe --config micro2005) >/dev/null || fail "no machine by name"

# --- What is chosen ---
run some --record sqlite,boxes,csv --draws-frames 1 \
   --draws-columns 'ReadBytes_ZST-SU?,CulledHZFragments_HZ'
again some
run none --record sqlite,boxes,csv --draws-columns none
again none
run functional --mode functional
expect "$WORK/functional/run.sqlite" "SELECT mode, (SELECT count(*) FROM frames) FROM run" \
   'functional|2'
again functional
run both
run only --record sqlite,boxes
[ -z "$(tail -n +2 "$WORK/only/draws.csv")" ] || fail "draws.csv has rows"
quietly "export" "$ATTILA" export "$WORK/only"
cmp "$WORK/only/draws.csv" "$WORK/both/draws.csv" || fail "the record alone has other rows"
# Without boxes the record has less than draws.csv, which stays.
run less
before=$(cksum <"$WORK/less/draws.csv")
quietly "export of less" "$ATTILA" export "$WORK/less"
[ "$before" = "$(cksum <"$WORK/less/draws.csv")" ] || fail "export took columns out of draws.csv"
grep -q 'draws.csv: left as it is: it has [0-9]* columns' "$WORK/log" || fail "nothing says so"
run csv --record csv
[ ! -e "$WORK/csv/run.sqlite" ] || fail "there is a record"
expect_failure 2 'of sqlite, boxes, csv or csv.zst' \
   "$SIM" run "$stream" --out "$WORK/x" --record x
expect_failure 2 'record needs --out' "$SIM" run "$stream" --record csv
expect_failure 1 'no run.sqlite in .*/csv' "$ATTILA" export "$WORK/csv"

# --- A window: the same rows as without, and intervals in which they were in the machine ---
run window --draws 1:3-5 --interval 1000
rows="SELECT group_concat(work - (SELECT min(work) FROM work WHERE frame = 1 AND draw = 3) || ' ' ||
   kind || ' ' || exclusive_cycles || ' ' || start_cycle || ' ' || ifnull(limiter, '')) FROM work"
expect "$WORK/window/run.sqlite" "$rows" "$(query "$db" "$rows WHERE frame = 1 AND work BETWEEN
   (SELECT work FROM work WHERE frame = 1 AND draw = 3) AND
   (SELECT work FROM work WHERE frame = 1 AND draw = 5)")"
expect "$WORK/window/run.sqlite" "SELECT count(*) FROM work WHERE kind = 'draw'" 3
expect "$WORK/window/run.sqlite" "SELECT count(*) > 2 AND
   min(i.end_cycle) >= (SELECT min(start_cycle) FROM work) AND
   max(i.start_cycle) <= (SELECT max(end_cycle) + 1000 FROM work) FROM intervals i" 1
cmp <(tail -n +2 "$WORK/window/draws.csv" | cut -d, -f 1-40) <(grep -n '' "$WORK/both/draws.csv" |
   sed -n "$(grep -n '^1,3,draw' "$WORK/both/draws.csv" | cut -d: -f 1),$(
      grep -n '^1,5,draw' "$WORK/both/draws.csv" | cut -d: -f 1)p" | sed 's/^[0-9]*://' |
   cut -d, -f 1-40) || fail "draws.csv of a window has other rows"
run functional_window --mode functional --draws 0:2-
expect "$WORK/functional_window/run.sqlite" "SELECT min(draw), max(frame) FROM work" '2|0'
for list in 3 x 1: 1:5-3 '1:2,' 1:2-x -1:2 1:99999999999; do
   expect_failure 2 'expected a list of FRAME:DRAW, FRAME:FIRST-LAST or FRAME:FIRST- such as' \
      "$SIM" run "$stream" --out "$WORK/x" --draws "$list"
done
expect_failure 2 'needs --out' "$SIM" run "$stream" --draws 0:1
expect_failure 2 'expected a list of FRAME:DRAW' \
   env ATTILA_DRAWS=7 ATTILA_OUT="$WORK/x" "$SIM" check-env

# --- Labels: here are none; one warning. tests/unit/test_labels.c has the others ---
expect_failure 2 'needs --out' "$SIM" run "$stream" --label x
expect_failure 2 'label "": expected at least one character' \
   "$SIM" run "$stream" --out "$WORK/x" --label ''
for jobs in '' '--jobs 2'; do
   # shellcheck disable=SC2086 # two words, or none
   "$SIM" run "$stream" --mode half --out "$WORK/label$jobs" $jobs --label 'x*' 2>"$WORK/warned" ||
      fail "--label"
   [ "$(grep -c 'nothing that is reported has a label that matches "x\*"' "$WORK/warned")" = \
      $((${#jobs} == 0)) ] || { cat "$WORK/warned"; fail "warned wrongly about labels ($jobs)"; }
   expect "$WORK/label$jobs/run.sqlite" "SELECT count(*) FROM work" 0
   expect "$WORK/label$jobs/run.sqlite" "SELECT count(*) > 0 FROM frames" 1
done

# --- Intervals: they change nothing, and add up ---
run intervals --interval 777 --set GPU.MemoryClock=250
run plain --set GPU.MemoryClock=250
cmp "$WORK/intervals/draws.csv" "$WORK/plain/draws.csv" || fail "intervals change rows"
db=$WORK/intervals/run.sqlite
expect "$db" "SELECT count(*) FROM intervals WHERE cycles != 777" 1
expect "$db" "SELECT sum(i.\"TotalReadBytes_MC\") - (SELECT sum(\"TotalReadBytes_MC\") FROM
   frame_counters) FROM interval_counters i" 0
expect "$db" "SELECT count(*) FROM interval_units u JOIN intervals USING (interval) WHERE
   busy + blocked + starved + idle NOT IN
   (boxes * cycles, boxes * shader_cycles, boxes * memory_cycles)" 0
# 28 thread groups of a shader may execute, 4 more be loaded; the states of contexts add up to that.
expect "$db" "SELECT count(*) FROM interval_occupancy WHERE abs(contexts - 32) > 0.1 OR
   abs(resident - loaded - executing - waiting - ended) > 0.001 OR resident > contexts OR
   abs(threads_percent + registers_percent + inputs_percent - 100) > 0.001" 0
expect "$db" "SELECT max(resident) > 28 AND max(threads_percent) > 50 AND min(inputs_percent) < 50
   AND max(executing + waiting + ended) < 28.1 FROM interval_occupancy" 1
quietly "export of intervals" "$ATTILA" export "$WORK/intervals"
[ "$(wc -l <"$WORK/intervals/cycles.csv")" = \
   "$(query "$db" 'SELECT count(*) + 1 FROM intervals')" ] ||
   fail "cycles.csv has other rows"
expect_failure 2 'expected a whole number from 1' "$SIM" run "$stream" --out "$WORK/x" --interval 0
expect_failure 2 'needs --out' "$SIM" run "$stream" --interval 9
ATTILA_INTERVAL=x expect_failure 2 'ATTILA_INTERVAL=x: expected a whole number' "$SIM" check-env

# --- The status line: on a terminal, and nowhere else ---
script -qec "'$SIM' run '$stream' --status" /dev/null >"$WORK/terminal" 2>&1 </dev/null ||
   fail "with a status line"
grep -Eq 'attila: frame [0-9]+, draw [0-9]+, [0-9]+ cycles, [0-9]+ kcycles/s' "$WORK/terminal" ||
   { cat "$WORK/terminal"; fail "no status line"; }
"$SIM" run "$stream" --status 2>"$WORK/quiet" >/dev/null || fail "--status"
[ ! -s "$WORK/quiet" ] || fail "a status line where there is no terminal"

# --- Killed in the middle: everything up to the last frame is there. The run stops at the report
# of its first frame, since the pipe is full and not read ---
stream=$TOP/tests/golden/shading.attila
mkfifo "$WORK/full"
exec 3<>"$WORK/full"
dd if=/dev/zero of="$WORK/full" bs=4096 oflag=nonblock 2>/dev/null
"$SIM" run "$stream" --out "$WORK/killed" --progress >"$WORK/log" 2>&3 &
sim=$!
db=$WORK/killed/run.sqlite
until [ "$(query "$db" 'SELECT count(*) FROM frames' 2>/dev/null)" = 1 ]; do
   kill -0 $sim 2>/dev/null || fail "the run to kill ended by itself"
   sleep 0.1
done
kill -KILL $sim || fail "the run to kill ended by itself"
wait $sim 2>/dev/null
exec 3>&-
expect "$db" 'PRAGMA integrity_check' ok
expect "$db" "SELECT (SELECT count(*) FROM frames), complete FROM run" '1|0'
expect "$db" "SELECT count(*) FROM frames f WHERE cycles !=
   (SELECT sum(exclusive_cycles) FROM work w WHERE w.frame = f.frame)" 0
run shading2
[ "$(query "$db" 'SELECT * FROM frame_counters WHERE frame = 0')" = \
   "$(query "$WORK/shading2/run.sqlite" 'SELECT * FROM frame_counters WHERE frame = 0')" ] ||
   fail "frame 0 of the killed run is another one"
