#!/bin/bash
# attila-sim index: a run that starts from a snapshot is the run that led up to it, byte for byte,
# also with workers and with another machine; an index that is stale, damaged or of another machine
# is named and changes no result.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$SIM" ] || skip "no build"
# Frames of a golden stream, again and again: the header and its chunks.
long() {
   cat "$TOP/tests/golden/$1.attila"
   for ((i = 1; i < $2; i++)); do tail -c +25 "$TOP/tests/golden/$1.attila"; done
}
long desktop 4 >"$WORK/d.attila"
capture=$WORK/d.attila

# Everything but host times.
record() {
   /usr/bin/python3 - "$1/run.sqlite" <<'END'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
for table, in sorted(db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")):
    if table.startswith(("sqlite", "run")):
        continue
    names = [c[1] for c in db.execute("PRAGMA table_info(%s)" % table)]
    keep = [n for n in names if "cpu" not in n and "wall" not in n and "host" not in n]
    for row in db.execute("SELECT %s FROM %s" % (",".join('"%s"' % k for k in keep), table)):
        print(table, row)
END
}
# same NAME OPTION...: a run with the index is one without.
same() {
   local name=$1
   shift
   rm -rf "$WORK/with" "$WORK/without"
   quietly "$name" "$SIM" run "$capture" "$@" --out "$WORK/with" --save-frames
   ! grep -q warning "$WORK/log" || { cat "$WORK/log"; fail "$name: the index was not used"; }
   quietly "$name" "$SIM" run "$capture" "$@" --out "$WORK/without" --save-frames --no-index
   cmp "$WORK/with/draws.csv" "$WORK/without/draws.csv" || fail "$name: draws.csv differs"
   record "$WORK/with" >"$WORK/a"
   record "$WORK/without" >"$WORK/b"
   [ -s "$WORK/a" ] || fail "$name: an empty record"
   cmp "$WORK/a" "$WORK/b" || fail "$name: run.sqlite differs"
   for picture in "$WORK"/without/*.png; do
      cmp "$picture" "$WORK/with/$(basename "$picture")" || fail "$name: another picture"
   done
}

quietly "index" "$SIM" index "$capture" --every 2
grep -q '4 snapshots of 8 frames' "$WORK/log" || { cat "$WORK/log"; fail "other snapshots"; }
quietly "info" "$SIM" info "$capture"
grep -q 'index: 4 snapshots, the last of frame 8, .* 1 machine, ' "$WORK/log" ||
   { cat "$WORK/log"; fail "info does not know the index"; }
same "at a snapshot" --frames 4
same "after one" --start-frame 5
same "warm-up" --frames 5 --warm-up 2
same "workers" --frames 1,3-4,7 --jobs 2
same "half" --frames 6 --mode half
quietly "there already" "$SIM" index "$capture"
grep -q 'is there' "$WORK/log" || fail "an index that is right is made again"

# Another machine is added; snapshots of machines that differ elsewhere are the same.
warned() {
   quietly "$1" "$SIM" run "$capture" --frames 5 --out "$WORK/w" "${@:3}"
   grep -q "warning: .*$2" "$WORK/log" || { cat "$WORK/log"; fail "$1: no warning"; }
   rm -rf "$WORK/w"
}
same "other shaders" --frames 4 --set GPU.NumFragmentShaders=8
warned "other ROPs" 'no machine' --set GPU.NumStampPipes=4
quietly "another machine" "$SIM" index "$capture" --set GPU.NumStampPipes=4
grep -q 'for another machine' "$WORK/log" || fail "the machine was not added"
same "the other machine" --frames 5 --set GPU.NumStampPipes=4
same "the first machine" --frames 5
warned "other filters" 'texture filters' --set FRAGMENTSHADER.MaxAnisotropy=2

# Of another capture, cut off, and with a changed byte: never wrong results.
cp "$WORK/d.attila.index" "$WORK/good"
long texture 8 >"$WORK/t.attila"
cp "$WORK/good" "$WORK/t.attila.index"
capture=$WORK/t.attila
warned "another capture" 'of another capture'
capture=$WORK/d.attila
size=$(stat -c %s "$WORK/good")
head -c $((size / 2)) "$WORK/good" >"$WORK/d.attila.index"
warned "cut off" 'damaged'
for ((at = 60; at < size; at += size / 17)); do
   cp "$WORK/good" "$WORK/d.attila.index"
   printf '\x5a' | dd of="$WORK/d.attila.index" bs=1 seek=$at conv=notrunc status=none
   "$SIM" run "$capture" --frames 5 --out "$WORK/c" --draws-columns none >"$WORK/log" 2>&1
   status=$?
   case $status in
   0) cut -d, -f1-5 "$WORK/c/frames.csv" >"$WORK/now" ;;
   2) grep -q 'damaged\|no sense' "$WORK/log" || { cat "$WORK/log"; fail "no message"; } ;;
   *) cat "$WORK/log"; fail "byte $at: status $status" ;;
   esac
   rm -rf "$WORK/c"
   [ -e "$WORK/first" ] || cp "$WORK/now" "$WORK/first"
   cmp "$WORK/now" "$WORK/first" || fail "byte $at: other cycles"
done
rm "$WORK/d.attila.index"
: >"$WORK/d.attila.index"
warned "empty" 'not an index'
quietly "made again" "$SIM" index "$capture" --every 3
same "made again" --frames 7

expect_failure 1 '\-\-every is of index' "$SIM" run "$capture" --every 2
expect_failure 1 'is not a value' "$SIM" index "$capture" --every 0
expect_failure 2 'No such file' "$SIM" index "$WORK/nothing"
