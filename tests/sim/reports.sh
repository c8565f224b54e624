#!/bin/bash
# Reports of attila-sim: what draws.csv can be limited to, host times, folders that are in use, full
# disks (limits of a file's size).
. "$(dirname "$0")/../lib/test.sh"
[ -x "$SIM" ] || skip "no build"
stream=$TOP/tests/golden/desktop.attila
rows() { tail -n +2 "$1"; }
# Every line ends, and has as many fields as the first.
whole() {
   [ -z "$(tail -c 1 "$1")" ] || fail "$1 ends in the middle of a line"
   awk -F, 'NR == 1 {n = NF} NF != n {exit 1}' "$1" || fail "$1 has a row that is not whole"
}
run() { # DIR OPTION...: a replay in cycle mode that must succeed
   local dir=$WORK/$1; shift
   "$SIM" run "$stream" --out "$dir" "$@" >"$WORK/log" 2>&1 || { cat "$WORK/log"; fail "$*"; }
}

run all --progress
whole "$WORK/all/draws.csv"; whole "$WORK/all/frames.csv"

# --- Host times ---
grep -Eq '^attila: frame 0: .* cycles, [0-9.]+ s of CPU in [0-9.]+ s, [0-9]+ kcycles/s$' \
   "$WORK/log" || { cat "$WORK/log"; fail "no progress"; }
paste -d' ' <(column "$WORK/all/frames.csv" cycles) <(column "$WORK/all/frames.csv" cpu_seconds) \
   <(column "$WORK/all/frames.csv" kcycles_per_s) |
   awk '!($2 > 0) || $3 * $2 * 1000 < $1 * 0.9 || $3 * $2 * 1000 > $1 * 1.1 {exit 1}' ||
   fail "kcycles_per_s is not cycles by cpu_seconds"

# --- What draws.csv is limited to ---
run some --draws-frames 1 --draws-columns 'ReadBytes_ZST-SU?,CulledHZFragments_HZ'
whole "$WORK/some/draws.csv"
want=frame,draw,kind,label,meta,prim,count,start_cycle,end_cycle,cycles,exclusive_cycles,limiter
want+=,limiter_share,CulledHZFragments_HZ
for n in $(head -n 1 "$WORK/all/draws.csv" | tr , '\n' | grep -c '^ReadBytes_ZST-SU[0-9]$' |
   xargs seq 0 | head -n -1); do
   want=$want,ReadBytes_ZST-SU$n
done
[ "$(head -n 1 "$WORK/some/draws.csv")" = "$want" ] ||
   fail "columns: $(head -n 1 "$WORK/some/draws.csv"), not $want"
for name in draw cycles CulledHZFragments_HZ ReadBytes_ZST-SU1; do
   diff <(paste -d, <(column "$WORK/all/draws.csv" frame) <(column "$WORK/all/draws.csv" "$name") |
      sed -n 's/^1,//p') <(column "$WORK/some/draws.csv" "$name") || fail "$name is another one"
done
[ "$(column "$WORK/some/draws.csv" frame | sort -u)" = 1 ] || fail "not only frame 1"
for name in cycles draws CulledHZFragments_HZ; do
   diff <(column "$WORK/all/frames.csv" $name) <(column "$WORK/some/frames.csv" $name) ||
      fail "frames.csv is limited, too"
done
run none --draws-columns none --draws-frames 5-,0
[ "$(head -n 1 "$WORK/none/draws.csv")" = "${want%%,CulledHZ*}" ] || fail "not without statistics"
[ "$(column "$WORK/none/draws.csv" frame | sort -u)" = 0 ] || fail "not only frame 0"
expect_failure 1 'no statistic of this machine is named "Nonsense_HZ"' \
   "$SIM" run "$stream" --out "$WORK/x" --draws-columns 'CulledHZFragments_HZ,Nonsense_HZ'
expect_failure 1 'the list is empty' "$SIM" run "$stream" --out "$WORK/x" --draws-columns ,
for list in 3-1 x '1,' 99999999999 1--2 '' -3; do
   expect_failure 2 'draws-frames ".*": expected a list such as' \
      "$SIM" run "$stream" --out "$WORK/x" --draws-frames "$list"
done
expect_failure 2 'draws-columns needs --out' "$SIM" run "$stream" --draws-columns none
expect_failure 1 'no statistic .* "Nonsense"' \
   env ATTILA_DRAWS_COLUMNS=Nonsense ATTILA_OUT="$WORK/x" "$SIM" check-env

# --- Two processes with one folder ---
"$SIM" run "$stream" --out "$WORK/shared" >"$WORK/first" 2>&1 &
first=$!
until [ -s "$WORK/shared/frames.csv" ]; do
   kill -0 $first || { cat "$WORK/first"; fail "the first process ended"; }
   sleep 0.02
done
kill -STOP $first
run shared --mode functional
kill -CONT $first
grep -q "shared/draws.csv is being written by another simulator: .* shared/simulator-2" \
   <(sed "s#$WORK/##g" "$WORK/log") || { cat "$WORK/log"; fail "the folder is not named"; }
wait $first || { cat "$WORK/first"; fail "the first process failed"; }
cmp "$WORK/all/draws.csv" "$WORK/shared/draws.csv" || fail "the first report is damaged"
[ "$(rows "$WORK/shared/simulator-2/frames.csv" | wc -l)" = 2 ] || fail "no report of the second"

# --- The pages of attila-run --report: one for each of them, with the capture that it made ---
REPORT=$WORK/report
printf '#!/bin/sh\n{ env | grep ^ATTILA_; echo "$@"; } >>"%s"\n' "$WORK/pages" >"$REPORT"
chmod +x "$REPORT"
cp "$stream" "$WORK/shared/it's.attila"; cp "$stream" "$WORK/shared/it's-2.attila"
launch --report --out "$WORK/run" --capture "$WORK/run/it's.attila" \
   cp -r "$WORK/shared/." "$WORK/run" 2>"$WORK/log" || { cat "$WORK/log"; fail "no pages"; }
for i in '' /simulator-2; do
   grep -q "page: $WORK/run$i/report.html" "$WORK/log" || { cat "$WORK/log"; fail "no page$i"; }
   line=$(grep -F "/it'\\''s${i#/simulator}.attila' " "$WORK/log") || fail "not the capture of $i"
   # As a shell reads it.
   eval "set -- ${line#*next: }"
   [ "$3" = "$WORK/run/it's${i#/simulator}.attila" ] || fail "$line"
done
[ "$(wc -l <"$WORK/pages")" = 2 ] && ! grep -q ATTILA_ "$WORK/pages" ||
   { cat "$WORK/pages"; fail "attila-report is not started twice"; }
launch --report --out "$WORK/empty" true 2>"$WORK/log" && fail "a page of nothing"
grep -q 'nothing was recorded, so there is no page' "$WORK/log" || { cat "$WORK/log"; fail empty; }

# --- Full disks ---
full() { # KIB TEXT OPTION...: ends with status 2 and one message
   local size=$1 text=$2; shift 2
   ( ulimit -f "$size"; exec "$SIM" run "$stream" --out "$WORK/full" "$@" ) >"$WORK/log" 2>&1
   local status=$?
   [ $status = 1 ] || { cat "$WORK/log"; fail "full disk: status $status"; }
   [ "$(grep -c 'File too large' "$WORK/log")" = 1 ] && grep -q "$text" "$WORK/log" ||
      { cat "$WORK/log"; fail "full disk: not said once"; }
}
full 130 'full/draws.csv: File too large: the reports end in frame 0,' --record csv
whole "$WORK/full/draws.csv"; whole "$WORK/full/frames.csv"
n=$(rows "$WORK/full/draws.csv" | wc -l)
[ "$n" -gt 0 ] && cmp <(rows "$WORK/full/draws.csv") <(rows "$WORK/all/draws.csv" | head -n "$n") ||
   fail "$n other rows"
full 1 'full/frame-0000.png: File too large' --mode functional --save-frames --record csv
[ ! -e "$WORK/full/frame-0000.png" ] || fail "a part of a picture"
full 1 'full/draws.csv: File too large$'
run whole --record sqlite
kib=$(($(stat -c %s "$WORK/whole/run.sqlite") / 1024))
full $((kib * 9 / 10)) 'full/run.sqlite: File too large: the reports end in frame 0,' \
   --record sqlite

# --- Any number of settings ---
settings=()
for n in $(seq 300); do settings+=(--set "GPU.GPUClock=$n"); done
"$SIM" describe --format ini "${settings[@]}" | grep -Eq '^GPUClock *= *300' ||
   fail "the last of 300 settings does not count"
