#!/bin/bash
# attila-sim trim: frames of a golden stream, each as a capture of its own, have the pixels of the
# whole run in both modes, and exactly the cycles of its warm start, which are within 2 % of the
# whole run; draws of a frame have the same pixels. What cannot be trimmed is said. With OpenGL:
# tests/gl/trim.sh.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$SIM" ] || skip "no build"
golden=$TOP/tests/golden
cycles() { # FOLDER FRAME
   awk -F, -v frame="$2" 'NR > 1 && $1 == frame {print $5}' "$1/frames.csv"
}
near() { # NAME CYCLES OTHER PERCENT
   awk -v a="$2" -v b="$3" -v p="$4" 'BEGIN {d = 100 * (a / b - 1); exit d > p || -d > p}' ||
      fail "$1: $2 cycles, not $3 (within $4 %)"
}

# Four golden streams twice over, so that a frame follows each of theirs.
trimmed=$WORK/trimmed.attila
for stream in build desktop shading texture; do
   whole=$WORK/$stream.attila
   { cat "$golden/$stream.attila"; tail -c +25 "$golden/$stream.attila"; } >"$whole"
   quietly "whole $stream" "$SIM" run "$whole" --out "$WORK/whole" --save-frames
   for frame in 1 2 3; do
      quietly "trim $stream" "$SIM" trim "$whole" "$trimmed" --frames $frame
      grep -q "draws frame $((frame - 1)); frame 1 is frame $frame of " "$WORK/log" ||
         { cat "$WORK/log"; fail "says else"; }
      [ "$(stat -c %s "$trimmed")" -lt $((2 * $(stat -c %s "$whole"))) ] || fail "it is large"
      rm -rf "$WORK"/{warm,cycle,functional}
      quietly "$stream trimmed" "$SIM" run "$trimmed" --start-frame 1 --out "$WORK/cycle" \
         --save-frames
      quietly "$stream functional" "$SIM" run "$trimmed" --mode functional \
         --out "$WORK/functional" --save-frames
      quietly "$stream warm" "$SIM" run "$whole" --frames $frame --out "$WORK/warm"
      for mode in cycle functional; do
         cmp "$WORK/whole/frame-000$frame.png" "$WORK/$mode/frame-0001.png" ||
            fail "$stream, frame $frame: another picture in $mode mode"
      done
      near "$stream, frame $frame, warm" "$(cycles "$WORK/cycle" 1)" \
         "$(cycles "$WORK/warm" $frame)" 0
      near "$stream, frame $frame, whole" "$(cycles "$WORK/cycle" 1)" \
         "$(cycles "$WORK/whole" $frame)" 2
   done
   rm -rf "$WORK/whole"
done

# Several frames, and the last ones; a trimmed capture can be trimmed.
whole=$WORK/desktop.attila
quietly "functional" "$SIM" run "$whole" --mode functional --out "$WORK/whole" --save-frames
quietly "frames 1 to 2" "$SIM" trim "$whole" "$trimmed" --frames 1-2
grep -q 'frames 1 to 2 are frames 1 to 2 of ' "$WORK/log" || { cat "$WORK/log"; fail "says else"; }
quietly "again" "$SIM" trim "$trimmed" "$WORK/again.attila" --frames 2-
rm -rf "$WORK/functional"
quietly "run again" "$SIM" run "$WORK/again.attila" --mode functional --out "$WORK/functional" \
   --save-frames
cmp "$WORK/whole/frame-0002.png" "$WORK/functional/frame-0001.png" || fail "trimmed twice, differs"
[ ! -e "$WORK/functional/frame-0002.png" ] || fail "a frame too many"

# Draws of a frame: the surface after the last one is that of the whole frame then.
picture() { # FILE FRAME DRAW OUT
   quietly "picture of $1" "$SIM" picture "$1" --frame "$2" --draw "$3" -o "$4"
}
for draws in 0-3 2-2 5-; do
   quietly "draws $draws" "$SIM" trim "$whole" "$trimmed" --frames 1 --draws $draws
   last=$("$SIM" features "$trimmed" | awk -F, 'NR == 3 {print $2 - 1}')
   picture "$whole" 1 $((${draws%%-*} + last)) "$WORK/a.png"
   picture "$trimmed" 1 "$last" "$WORK/b.png"
   cmp "$WORK/a.png" "$WORK/b.png" || fail "draws $draws: another picture"
done

# What is wrong is said, and leaves no file.
wrong() { # STATUS TEXT ARGUMENT...
   expect_failure "$1" "$2" "$SIM" trim "${@:3}"
   [ ! -e "$WORK/no.attila" ] || fail "a file is left: $*"
}
no=$WORK/no.attila
wrong 2 'frames A-B is missing' "$whole" "$no"
wrong 2 'OUT|argument' "$whole"
wrong 2 'is the capture itself' "$whole" "$whole" --frames 1
wrong 2 'is of one frame' "$whole" "$no" --frames 1-2 --draws 3
wrong 1 'has 4 frames, from 0: there is no frame 4' "$whole" "$no" --frames 4
wrong 1 'has 4 frames, from 0: there is no frame 7' "$whole" "$no" --frames 1-7
wrong 1 'has [0-9]+ draws, from 0: there is no draw 900' "$whole" "$no" --frames 1 --draws 3-900
wrong 1 'none.attila' "$WORK/none.attila" "$no" --frames 1
head -c 50000 "$whole" >"$WORK/cut.attila"
wrong 1 'the file ends' "$WORK/cut.attila" "$no" --frames 1
wrong 1 'out.attila' "$whole" /dev/null/out.attila --frames 1
