#!/bin/bash
# attila-sim experiment: draws that are left out or do less do just that. attila experiments: the
# table of a frame agrees, row by row, with runs by hand of the whole capture: for three frames of
# golden streams. What is wrong is said.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$SIM" ] || skip "no build"
/usr/bin/python3 -c 'import pandas' 2>/dev/null || skip "python3-pandas is not installed"
golden=$TOP/tests/golden less=$WORK/less.attila
feature() { # FILE NAME: of the last frame
   "$SIM" features "$1" | awk -F, -v name="$2" \
      'NR == 1 {for (i = 1; i <= NF; i++) if ($i == name) c = i} END {print $c}'
}
try() { # FILE ARGUMENT...: the experiment becomes $less
   quietly "experiment ${*:2}" "$SIM" experiment "$1" "$less" "${@:2}"
}
cycles() { # FILE OPTION...: of frame 1, by hand
   rm -rf "$WORK/hand"
   quietly "by hand" "$SIM" run "$1" --frames 1 --out "$WORK/hand" --record csv "${@:2}"
   column "$WORK/hand/frames.csv" cycles
}

# --- What an experiment changes, and what not ---
desktop=$golden/desktop.attila blend=$TOP/tests/timing/blend.attila
try "$blend" --what blend
[ "$(feature "$blend" blended)" -gt 0 ] && [ "$(feature "$less" blended)" = 0 ] || fail "it blends"
[ "$(feature "$blend" fragments)" = "$(feature "$less" fragments)" ] || fail "other fragments"
# Nothing blends any more: it is the copy again, and no command more.
cp "$less" "$WORK/once.attila"
try "$WORK/once.attila" --what blend
cmp "$WORK/once.attila" "$less" || fail "a second time, it changes something"
try "$desktop" --what scissor
[ "$(feature "$less" drawn)" -gt 0 ] || fail "no triangles"
[ "$(feature "$less" fragments)" -le $((4 * $(feature "$less" draws))) ] || fail "many fragments"
try "$desktop" --what textures
[ "$(feature "$less" fragments)" = "$(feature "$desktop" fragments)" ] || fail "textures: fragments"
rm -rf "$WORK"/{a,b}
for file in "$desktop" "$less"; do
   quietly "textures" "$SIM" run "$file" --out "$WORK/$(basename "$file" .attila)"
done
/usr/bin/python3 - "$WORK"/{desktop,less} <<'END' || fail "2x2 textures miss as often"
import sys, attila
before, after = (attila.open_run(f).caches() for f in sys.argv[1:])
misses = [int(c[c["cache"].str.startswith("texture")]["misses"].sum()) for c in (before, after)]
assert misses[1] * 20 < misses[0], misses
END
# One draw of one frame: the others stay, and so do the pixels up to it.
draws=$(feature "$desktop" draws)
try "$desktop" --what skip --frames 1 --draws 2
grep -q ': 1 draws changed' "$WORK/log" || { cat "$WORK/log"; fail "another number of draws"; }
[ "$(feature "$less" draws)" = $((draws - 1)) ] || fail "not one draw less"
for what in scissor textures blend; do
   try "$desktop" --what $what --frames 1 --draws 3-4
   for draw in 2 5; do
      rm -f "$WORK"/{a,b}.png
      quietly "picture" "$SIM" picture "$desktop" --frame 1 --draw $draw --before -o "$WORK/a.png"
      quietly "picture" "$SIM" picture "$less" --frame 1 --draw $draw --before -o "$WORK/b.png"
      [ $draw = 5 ] || cmp "$WORK/a.png" "$WORK/b.png" || fail "$what changes earlier draws"
   done
   [ $what = blend ] || ! cmp -s "$WORK/a.png" "$WORK/b.png" || fail "$what changes nothing"
done

# --- The table of a frame, and runs by hand of the whole capture ---
for stream in build shading texture; do
   capture=$golden/$stream.attila
   quietly "table of $stream" "$TOP/scripts/attila" experiments "$capture" --frame 1 --draws 2 \
      --config attila-bgpu --format csv
   sed -n '/^kind,/,$p' "$WORK/log" >"$WORK/table.csv"
   [ "$(wc -l <"$WORK/table.csv")" -ge 16 ] || { cat "$WORK/log"; fail "$stream: few rows"; }
   machine=(--config "$TOP/configs/attila-bgpu.ini")
   whole=$(cycles "$capture" "${machine[@]}")
   while IFS=, read -r kind what _ _ percent; do
      case $kind in
      ideal) hand=$(cycles "$capture" "${machine[@]}" --ideal "$what") ;;
      experiment) try "$capture" --what "$what" --frames 1
         hand=$(cycles "$less" "${machine[@]}") ;;
      draw) try "$capture" --what skip --frames 1 --draws "${what##* }"
         hand=$(cycles "$less" "${machine[@]}") ;;
      *) hand=$whole ;;
      esac
      awk -v a="$percent" -v b="$hand" -v w="$whole" \
         'BEGIN {d = a - 100 * (w - b) / w; exit d > 1 || -d > 1}' ||
         fail "$stream, $kind $what: saves $percent %, by hand $hand of $whole cycles"
   done < <(tail -n +2 "$WORK/table.csv")
done

# --- What is wrong ---
wrong() { # STATUS TEXT ARGUMENT...
   expect_failure "$1" "$2" "$SIM" experiment "${@:3}"
   [ ! -e "$WORK/no.attila" ] || fail "a file is left: $*"
}
wrong 2 'what LIST is missing' "$desktop" "$WORK/no.attila"
wrong 2 'of skip, scissor, textures or blend' "$desktop" "$WORK/no.attila" \
   --what fog
wrong 2 'is the capture itself' "$desktop" "$desktop" --what blend
wrong 1 'has no such draw' "$desktop" "$WORK/no.attila" --what skip --frames 9
wrong 1 'none.attila' "$WORK/none.attila" "$WORK/no.attila" --what skip
expect_failure 1 'there is no frame 7' "$TOP/scripts/attila" experiments "$desktop" --frame 7
expect_failure 2 'is it GPU.NumStampPipes' "$TOP/scripts/attila" experiments "$desktop" --frame 1 \
   --set GPU.NumStampPipe=1
