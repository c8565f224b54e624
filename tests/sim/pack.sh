#!/bin/bash
# draws.csv.zst (--record sqlite,csv.zst): the same rows as draws.csv, for our tools, too; whole
# rows up to the last frame after kill -9 or a signal.
. "$(dirname "$0")/../lib/test.sh"
ATTILA=$TOP/scripts/attila
[ -x "$SIM" ] || skip "no build"
command -v zstd >/dev/null || skip "zstd is not installed"
stream=$TOP/tests/timing/many_draws.attila

mkdir "$WORK/packed"; echo old >"$WORK/packed/draws.csv"
quietly plain "$SIM" run "$stream" --out "$WORK/plain"
quietly packed "$SIM" run "$stream" --out "$WORK/packed" --record sqlite,csv.zst
[ ! -e "$WORK/packed/draws.csv" ] || fail "draws.csv of an earlier run is still there"
zstd -dc "$WORK/packed/draws.csv.zst" | cmp - "$WORK/plain/draws.csv" || fail "other rows"
plain=$(stat -c %s "$WORK/plain/draws.csv") packed=$(stat -c %s "$WORK/packed/draws.csv.zst")
[ $((packed * 8)) -lt "$plain" ] || fail "$plain bytes are $packed"
quietly "the same without a record" "$SIM" run "$stream" --out "$WORK/only" --record csv.zst
cmp "$WORK/packed/draws.csv.zst" "$WORK/only/draws.csv.zst" || fail "another file"
[ ! -e "$WORK/only/run.sqlite" ] || fail "there is a record"

# --- Who reads it ---
quietly diff "$ATTILA" diff "$WORK/plain" "$WORK/packed"
grep -q '^the same [1-9][0-9]* rows$' "$WORK/log" || { cat "$WORK/log"; fail "diff"; }
quietly check-rows "$TOP/scripts/check-rows" "$WORK/packed"
quietly again "$SIM" run "$stream" --out "$WORK/packed" --record csv
[ ! -e "$WORK/packed/draws.csv.zst" ] || fail "draws.csv.zst of an earlier run is still there"
expect_failure 2 'of sqlite, boxes, csv or csv.zst' \
   "$SIM" run "$stream" --out "$WORK/no" --record zst

# --- Killed runs: every frame that ended is in the file. The run stops where it reports its
# first frame, since nothing reads the pipe, which is full ---
long=$TOP/tests/golden/desktop.attila
quietly all "$SIM" run "$long" --out "$WORK/all"
mkfifo "$WORK/full"
exec 3<>"$WORK/full"
dd if=/dev/zero of="$WORK/full" bs=4096 oflag=nonblock 2>/dev/null
for signal in KILL TERM; do
   dir=$WORK/$signal
   "$SIM" run "$long" --out "$dir" --record csv.zst --progress >/dev/null 2>&3 &
   until [ -e "$dir/frames.csv" ] && [ "$(wc -l <"$dir/frames.csv")" -ge 2 ]; do
      kill -0 $! || fail "the run was over before SIG$signal"
      sleep 0.05
   done
   kill -$signal $!
   wait $! 2>/dev/null
   zstd -dc "$dir/draws.csv.zst" >"$dir/draws.csv" || fail "SIG$signal: the last frame is cut off"
   [ -z "$(tail -c 1 "$dir/draws.csv")" ] || fail "SIG$signal leaves a part of a row"
   frames=$(($(wc -l <"$dir/frames.csv") - 1))
   awk -F, -v frames=$frames 'NR == 1 || $1 < frames' "$WORK/all/draws.csv" >"$WORK/want"
   awk -F, -v frames=$frames 'NR == 1 || $1 < frames' "$dir/draws.csv" | cmp - "$WORK/want" ||
      fail "SIG$signal: the first $frames frames have other rows"
done
exec 3>&-
echo "$plain bytes of rows are $packed"
