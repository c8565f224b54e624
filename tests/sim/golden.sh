#!/bin/bash
# Golden command streams: pixels, cycles and statistics of every stream in tests/golden/ are what
# golden.txt says, in both modes. With --update (scripts/golden) writes golden.txt instead; the
# commit message then says why numbers changed.
update=${1:-}
. "$(dirname "$0")/../lib/test.sh"
imgdiff=$(dirname "$SIM")/../tools/attila-imgdiff
golden=$TOP/tests/golden/golden.txt
[ -x "$SIM" ] && [ -x "$imgdiff" ] || skip "no build"

measure() { # stream file
   local name mode
   name=$(basename "$1" .attila)
   for mode in cycle functional; do
      "$SIM" run "$1" --mode $mode --out "$WORK/$name-$mode" --save-frames >"$WORK/log" 2>&1 || { cat "$WORK/log" >&2; fail "$name in $mode mode" >&2; }
   done
   local frame=0 png
   while read -r cycles; do
      png=$(printf 'frame-%04d.png' $frame)
      [ -e "$WORK/$name-cycle/$png" ] && cmp -s "$WORK/$name-cycle/$png" "$WORK/$name-functional/$png" && echo "$name frame $frame pixels $("$imgdiff" --crc "$WORK/$name-cycle/$png") cycles $cycles"
      frame=$((frame + 1))
   done < <(column "$WORK/$name-cycle/frames.csv" cycles)
   echo "$name statistics $(cksum <"$WORK/$name-cycle/draws.csv" | cut -d' ' -f1)"
}

found=0
for stream in "$TOP"/tests/golden/*.attila; do
   [ -e "$stream" ] || continue
   measure "$stream" >>"$WORK/measured" || exit 1
   found=$((found + 1))
done
[ $found -gt 0 ] || fail "no golden streams"
if [ "$update" = --update ]; then cp "$WORK/measured" "$golden"; echo "wrote $golden"; exit 0; fi
diff -u "$golden" "$WORK/measured" || fail "numbers changed: if that is meant, run scripts/golden and say why in the commit"
echo "$found streams unchanged"
