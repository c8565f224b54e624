#!/bin/bash
# attila-sim trim of programs with conditional draws whose counters begin before the wanted ones,
# stream-out, several contexts, layers and geometry shaders: draws from the middle of a frame leave
# what they leave in the whole capture. Frames and errors: tests/sim/trim.sh.
. "$(dirname "$0")/../lib/test.sh"
picture() { # FILE FRAME DRAW SURFACE OUT: there may be no such surface
   "$SIM" picture "$1" --frame "$2" --draw "$3" --surface "$4" -o "$5" >"$WORK/log" 2>&1
}
for program in queries feedback contexts layers geometry; do
   capture=$WORK/$program.attila pictures=0
   quietly "$program" timeout 300 "$RUN" --no-check --mode functional --capture "$capture" \
      "$BUILD/tests/gl/$program"
   draws=$("$SIM" trim "$capture" "$WORK/no" --frames 0 --draws 99999 2>&1 |
      grep -oE '[0-9]+ draws' | cut -d' ' -f1)
   # Of queries all draws around the conditional ones; of others some.
   step=$((draws / 12 + 1)) first=$step
   [ $program != queries ] || { step=1 first=48 draws=57; }
   for ((draw = first; draw < draws; draw += step)); do
      quietly "trim $program" "$SIM" trim "$capture" "$WORK/trimmed.attila" --frames 0 \
         --draws $draw-$draw
      for surface in color0 depth; do
         rm -f "$WORK"/{a,b}.png
         picture "$capture" 0 $draw $surface "$WORK/a.png" || continue
         picture "$WORK/trimmed.attila" 1 0 $surface "$WORK/b.png"
         cmp "$WORK/a.png" "$WORK/b.png" || fail "$program, draw $draw: another $surface"
         pictures=$((pictures + 1))
      done
   done
   [ $pictures -gt 8 ] || fail "$program: only $pictures pictures of $draws draws"
   echo "$program: $pictures pictures"
done
