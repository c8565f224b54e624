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
! grep -q warning "$WORK/log" || { cat "$WORK/log"; fail "a warning about no frame of the user's"; }
grep -q '4 snapshots of 8 frames' "$WORK/log" || { cat "$WORK/log"; fail "other snapshots"; }
quietly "info" "$SIM" info "$capture"
grep -q 'index: 4 snapshots, the last of frame 8, .* 1 machine, ' "$WORK/log" ||
   { cat "$WORK/log"; fail "info does not know the index"; }
same "at a snapshot" --frames 4
same "after one" --start-frame 5
same "warm-up" --frames 5 --warm-up 2
same "workers" --frames 1,3-4,7 --jobs 2
same "half" --frames 6 --mode half
same "parts of frames that are not next to each other" --frames 1,4,7 --cycle-draws 2-3,9-
# Functional mode alone needs no machine of the index.
same "functional" --frames 5- --mode functional
same "functional, one frame" --frames 6 --mode functional --set GPU.NumStampPipes=4
# pictures NAME OPTION...: a replay that jumps shows what one shows that does not.
pictures() {
   local name=$1
   shift
   rm -rf "$WORK/with" "$WORK/without"
   quietly "$name" "$SIM" picture "$capture" "$@" --raw --out "$WORK/with"
   ! grep -q warning "$WORK/log" || { cat "$WORK/log"; fail "$name: the index was not used"; }
   quietly "$name" "$SIM" picture "$capture" "$@" --raw --out "$WORK/without" --no-index
   [ -s "$WORK/with/pictures.csv" ] || fail "$name: no pictures"
   diff -r "$WORK/with" "$WORK/without" || fail "$name: other pictures"
}
pictures "pictures" --pick 2:0,5:3-9,7:1 --diff --before --after --textures
pictures "pictures of cycles" --frame 5 --cycle 20000,60000
# Which way up a surface is may be known from a frame long ago: here a window was where later a
# texture is.
/usr/bin/python3 - "$TOP/tests/golden/texture.attila" "$WORK/o.attila" <<'END'
import array, struct, sys, zlib
whole = open(sys.argv[1], "rb").read()
chunks, at = b"", 24
while at < len(whole):
    kind, raw, stored, _ = struct.unpack_from("<4I", whole, at)
    data = whole[at + 16:at + 16 + stored]
    at += 16 + stored
    if kind == 1:
        words = array.array("I", data if raw == stored else zlib.decompress(data))
        data = array.array("I", [0x34000 if w == 0x4000 else w for w in words]).tobytes()
    head = struct.pack("<3I", kind, len(data), len(data))
    chunks += head + struct.pack("<I", zlib.crc32(head + data)) + data
open(sys.argv[2], "wb").write(whole[:24] + chunks + 2 * whole[24:])
END
capture=$WORK/o.attila
quietly "index" "$SIM" index "$capture" --every 2
pictures "ways up" --frame 5 --draw 0 --textures
capture=$WORK/d.attila
# And it does jump, to frame 6: the frames before are not replayed.
quietly "progress" "$SIM" run "$capture" --frames 7 --mode functional --progress
grep -q 'frame 6:' "$WORK/log" && ! grep -q 'frame 4:' "$WORK/log" ||
   { cat "$WORK/log"; fail "functional mode does not jump"; }
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
# An L2 is filled with what was used last, whatever its size; who uses it is the machine's.
l2=(--set L2.Enabled=TRUE --set L2.Lines=1024)
warned "an L2" 'no machine.*clients of an L2' "${l2[@]}"
quietly "a machine with an L2" "$SIM" index "$capture" --set L2.Enabled=TRUE
same "an L2" --frames 5 "${l2[@]}"
same "an L2, workers" --frames 1,3-4,7 --jobs 2 "${l2[@]}"
warned "another client" 'no machine' "${l2[@]}" --set L2.TextureUnitPolicy=0
warned "other filters" 'texture filters' --set FRAGMENTSHADER.MaxAnisotropy=2

# --every is what was asked for, also where others are there; without it they stay.
quietly "the same snapshots" "$SIM" index "$capture" --every 2
grep -q 'is there' "$WORK/log" || { cat "$WORK/log"; fail "the same snapshots are made again"; }
cp "$WORK/d.attila.index" "$WORK/both"
quietly "other snapshots" "$SIM" index "$capture" --every 3
grep -q '2 snapshots of 8 frames' "$WORK/log" &&
   grep -q 'for 2 other machines: index' "$WORK/log" ||
   { cat "$WORK/log"; fail "--every is ignored where other snapshots are"; }
quietly "any snapshots" "$SIM" index "$capture"
grep -q 'is there' "$WORK/log" || { cat "$WORK/log"; fail "snapshots are made again"; }
same "other snapshots" --frames 4
cp "$WORK/both" "$WORK/d.attila.index"

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
   1) grep -q 'damaged\|corrupt' "$WORK/log" || { cat "$WORK/log"; fail "no message"; } ;;
   *) cat "$WORK/log"; fail "byte $at: status $status" ;;
   esac
   rm -rf "$WORK/c"
   [ -e "$WORK/first" ] || cp "$WORK/now" "$WORK/first"
   cmp "$WORK/now" "$WORK/first" || fail "byte $at: other cycles"
done
rm "$WORK/d.attila.index"
# Without a snapshot: the cause is not the machine, and --every makes some.
quietly "an index without snapshots" "$SIM" index "$capture" --every 1000
warned "no snapshot" 'it has no snapshot: the capture is short'
quietly "with snapshots" "$SIM" index "$capture" --every 4
same "an index that had none" --frames 5
rm "$WORK/d.attila.index"
: >"$WORK/d.attila.index"
warned "empty" 'not an index'
quietly "made again" "$SIM" index "$capture" --every 3
same "made again" --frames 7

expect_failure 2 'unrecognized option .--every' "$SIM" run "$capture" --every 2
expect_failure 2 'expected a whole number from 1' "$SIM" index "$capture" --every 0
expect_failure 1 'No such file' "$SIM" index "$WORK/nothing"
