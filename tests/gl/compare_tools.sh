#!/bin/bash
# scripts/compare beside the system's driver: the same program is alike, a wrong blend mode of one
# draw is found by the bisect, frames recorded by scripts/record-frames are compared, times are
# joined; wrong input is refused.
# Full only: half a minute of other drivers' replays.
. "$(dirname "$0")/../lib/test.sh"
for tool in apitrace glretrace; do command -v $tool >/dev/null || skip "no $tool"; done
/usr/bin/python3 -c 'import numpy, scipy, PIL, matplotlib' 2>/dev/null ||
   skip "python3-numpy, python3-scipy, python3-pil or python3-matplotlib is not installed"
compare() { "$TOP/scripts/compare" --out "$WORK/out" "$@"; }
program=$BUILD/tests/gl/blends
# Frame 0 does not count: glretrace's window gets its size at the first swap.

quietly "alike" compare --reference llvmpipe --mode functional --frames 4 --skip 1 "$program"
grep -Eq '^blends +3 ' "$WORK/log" || { cat "$WORK/log"; fail "not three frames"; }
[ "$(wc -l <"$WORK/out/frames.csv")" = 4 ] || fail "frames.csv has not three rows"
for file in compare.html compare.json blends-attila.png blends-llvmpipe.png blends-diff.png; do
   [ -s "$WORK/out/$file" ] || fail "no $file"
done
sed -i 's/"psnr": 99.99/"psnr": 77.77/' "$WORK/out/compare.json" # would be 99.99 if done again
quietly "resumed" compare --resume --reference llvmpipe --mode functional --frames 4 --skip 1 \
   "$program"
grep -Eq '^blends +3 +77.77' "$WORK/log" || fail "nothing is resumed"
trace=$(ls "$WORK"/out/traces/blends-*.trace)
bisect=(--reference system --mode functional --trace "$trace" --bisect --frame)
quietly "bisect without an error" compare "${bisect[@]}" 3

# The driver replays another trace, in which GL_ONE replaces GL_ONE_MINUS_SRC_ALPHA for the fourth
# square of frame 3.
want=$(apitrace dump --color=never "$trace" | awk '
   /glBlendFunc.*GL_ONE_MINUS_SRC_ALPHA/ {on = 1} on && / glEnd/ {print $1; exit}')
quietly "trace with the error" "$RUN" --no-check --mode functional \
   apitrace trace --api gl --output "$WORK/wrong.trace" "$program" wrong
trace=$(realpath "$trace")
export LD_PRELOAD=$BUILD/tests/gl/swap_trace.so
export SWAP_TRACE_FROM=$trace SWAP_TRACE_TO=$WORK/wrong.trace
compare "${bisect[@]}" 2 >"$WORK/log" 2>&1 || { cat "$WORK/log"; fail "frame 2 has no error"; }
compare "${bisect[@]}" 3 >"$WORK/log" 2>&1
[ $? = 1 ] && grep -q "^call $want: glBegin(mode = GL_QUADS)" "$WORK/log" ||
   { cat "$WORK/log"; fail "the bisect does not find call $want"; }
grep -Eq '^   GL_BLEND_DST +GL_ONE, but system: GL_ONE_MINUS_SRC_ALPHA' "$WORK/log" ||
   { cat "$WORK/log"; fail "the state does not tell the factors apart"; }
# 1/4 of the background (64, 64, 128) and 3/4 of the square's colour, and what ONE makes of it.
grep -Eq "^   $want +207 207 128 +159 159 32 .*<--" "$WORK/log" ||
   { cat "$WORK/log"; fail "the history of the pixel"; }
for file in bisect.html bisect-{before,after}-{attila,system}.png; do
   [ -s "$WORK/out/$file" ] || fail "no $file"
done
# A comparison names the draw, too.
compare --reference llvmpipe --mode functional --skip 1 --trace "$trace" >"$WORK/log" 2>&1 &&
   fail "frame 3 is alike with an error"
[ "$(column "$WORK/out/frames.csv" call | tr '\n' ' ')" = "  $want " ] ||
   { cat "$WORK/out/frames.csv"; fail "the comparison does not name call $want"; }
unset LD_PRELOAD SWAP_TRACE_FROM SWAP_TRACE_TO

quietly "times" compare --reference llvmpipe --time --repeat 1 --trace "$trace"
# The three clears: glretrace measures no draws of immediate mode.
[ "$(wc -l <"$WORK/out/times.csv")" = 4 ] && [ -s "$WORK/out/times.svg" ] || fail "no times"

record() { env -C "$WORK" "$RUN" --driver system --no-check "$WORK/record-frames" "$@"; }
cp "$TOP/scripts/record-frames" "$WORK" # it travels alone
quietly "record" record --out "$WORK/recorded" --times --trace "$trace"
quietly "recorded frames" compare --skip 1 --reference "$WORK/recorded" --mode functional
grep -Eq '^blends +3 ' "$WORK/log" || { cat "$WORK/log"; fail "recorded: not 3 frames"; }
quietly "recorded times" compare --reference "$WORK/recorded" --time
frame=$(ls "$WORK"/recorded/*/frame-0001.png)
cp "$WORK/out/blends-diff.png" "$frame"
expect_failure 1 'is not the picture that was recorded' compare --reference "$WORK/recorded" \
   --mode functional
expect_failure 1 'draws need a driver' compare --reference "$WORK/recorded" --mode functional \
   --bisect --frame 0
expect_failure 1 'no folder of scripts/record-frames' compare --reference "$WORK/out"
expect_failure 1 'softpipe, llvmpipe or a folder' compare --reference nothing
expect_failure 2 'neither a program nor a scene' compare nothing
expect_failure 1 'not a trace of apitrace' compare --trace "$program"
expect_failure 1 'there is no frame 7' compare "${bisect[@]}" 7
expect_failure 2 'bisect needs --frame' compare --bisect "$program"
expect_failure 2 'is not WIDTHxHEIGHT' compare --size 3 build
expect_failure 1 'functional mode has no time' compare --time --mode functional build
expect_failure 2 'either --trace FILE or a program' record --out "$WORK/x"
expect_failure 1 'not a trace of apitrace' record --out "$WORK/x" --trace "$program"
