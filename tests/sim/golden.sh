#!/bin/bash
# Golden command streams: pixels, cycles and statistics of every stream in tests/golden/ are what
# golden.txt says, and pixels are the same in both modes. version-1.attila is a capture of the first
# version and is never recorded anew: such files replay for ever. With --update (scripts/golden)
# writes golden.txt instead; the commit message then says why numbers changed. Frames whose modes
# differ are never written.
update=${1:-}
. "$(dirname "$0")/../lib/test.sh"
golden=$TOP/tests/golden/golden.txt
[ -x "$SIM" ] || skip "no build"

# Statistics of rows, without the columns that are derived from them.
rows() { cut -d, -f1-10,14- "$WORK/$1/draws.csv"; }
measure() { # stream file: adds its lines to $WORK/measured
   local name mode frame=0 png cycles pixels
   name=$(basename "$1" .attila)
   for mode in cycle functional; do
      quietly "$name in $mode mode" "$SIM" run "$1" --mode $mode --out "$WORK/$name-$mode" \
         --save-frames
   done
   column "$WORK/$name-cycle/frames.csv" cycles >"$WORK/cycles" || fail "$name: no column cycles"
   while read -r cycles; do
      png=$(printf 'frame-%04d.png' $frame)
      cmp "$WORK/$name-cycle/$png" "$WORK/$name-functional/$png" ||
         fail "$name: the modes differ in frame $frame"
      pixels=$("$TOP/scripts/attila" imgdiff --crc "$WORK/$name-cycle/$png") || fail "no CRC"
      echo "$name frame $frame pixels $pixels cycles $cycles" >>"$WORK/measured"
      frame=$((frame + 1))
   done <"$WORK/cycles"
   [ $frame -gt 0 ] || fail "$name: no frame"
   echo "$name statistics $(rows "$name-cycle" | cksum | cut -d' ' -f1)" \
      >>"$WORK/measured"
}

found=0
for stream in "$TOP"/tests/golden/*.attila; do
   [ -e "$stream" ] || continue
   measure "$stream"
   found=$((found + 1))
done
[ $found -gt 0 ] || fail "no golden streams"
if [ "$update" = --update ]; then
   cp "$WORK/measured" "$golden" || fail "cannot write $golden"
   echo "wrote $golden"
   exit 0
fi
diff -u "$golden" "$WORK/measured" ||
   fail "numbers changed: if that is meant, run scripts/golden and say why in the commit"
echo "$found streams unchanged"
