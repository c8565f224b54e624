#!/bin/bash
# Warm start and frames in parallel of a live program: the same rows as replaying its capture in the
# same way, however many workers there are, and nothing of the workers is left.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$BUILD/src/sim/attila-sim" ] || skip "no build"
command -v glmark2 >/dev/null || skip "no glmark2"
SIM=$BUILD/src/sim/attila-sim
run() { # NAME OPTIONS...
   local name=$1; shift
   quietly "$name" "$RUN" --no-check --fixed-clock 60 --out "$WORK/$name" "$@" \
      glmark2 -s 160x120 -b ideas:nframes=4:duration=1000000
}
run one --jobs 1 --capture "$WORK/c.attila"
run two --jobs 2
cmp "$WORK/one/draws.csv" "$WORK/two/draws.csv" || fail "two workers give other rows than one"
[ "$(cut -d, -f1 "$WORK/two/frames.csv" | wc -l)" -ge 5 ] || fail "frames are missing"
[ ! -e "$WORK/two/workers" ] || fail "the workers' folders are left"
# A capture made in functional mode has no waits, so cycles may differ by a little.
quietly "replay" "$SIM" run "$WORK/c.attila" --jobs 2 --out "$WORK/replay"
[ "$(cut -d, -f1-3 "$WORK/one/draws.csv")" = "$(cut -d, -f1-3 "$WORK/replay/draws.csv")" ] ||
   fail "the replay gives other rows"
run window --cycle-frames 1,3
[ "$(cut -d, -f1 "$WORK/window/frames.csv" | tail -n +2 | tr '\n' ' ')" = "1 3 " ] ||
   fail "--cycle-frames 1,3: other frames"
# A program that draws nothing leaves the folder to the next one.
if command -v glxinfo >/dev/null; then
   quietly "after glxinfo" "$RUN" --no-check --out "$WORK/after" --frames 3 --cycle-frames 1 \
      sh -c 'glxinfo >/dev/null; exec glmark2 -s 160x120 -b ideas:nframes=4:duration=1000000'
   grep -q 'no workers' "$WORK/log" && fail "workers of a program without a frame are missed"
   [ "$(tail -n 1 "$WORK/after/frames.csv" | cut -d, -f1)" = 1 ] || fail "no report after glxinfo"
fi
run warm --start-frame 2
[ "$(sed -n 2p "$WORK/warm/frames.csv" | cut -d, -f1)" = 2 ] || fail "--start-frame 2: other frames"
expect_failure 2 'jobs needs --out' "$RUN" --no-check --jobs 2 glmark2
expect_failure 2 'cycle-frames "3-1": expected a list' "$RUN" --no-check --jobs 2 --out "$WORK/x" \
   --cycle-frames 3-1 glmark2

# A sample of a program is recorded in its folder; killed while it is recorded, it is recorded anew.
sample() { # OPTIONS... -- PROGRAM
   quietly "sample" "$TOP/scripts/attila-sample" --out "$WORK/sample" --error 90 "$@"
}
long=(glmark2 -s 160x120 -b "ideas:nframes=14:duration=1000000")
mkdir "$WORK/sample" && echo broken >"$WORK/sample/program.attila.part"
echo >"$WORK/sample/sample.json"
sample --run-options '--no-check --fixed-clock 30' -- "${long[@]}"
grep -q '^14 of 14 frames' "$WORK/log" || { cat "$WORK/log"; fail "sample: other frames"; }
"$SIM" info "$WORK/sample/program.attila" | grep -q '14 frames' || fail "sample: another record"
made=$(stat -c %Y.%i "$WORK/sample/program.attila")
quietly "again" "$TOP/scripts/attila-sample" --out "$WORK/sample" --error 0.5 \
   --run-options '--no-check --fixed-clock 30' -- "${long[@]}"
[ "$made" = "$(stat -c %Y.%i "$WORK/sample/program.attila")" ] || fail "it was recorded again"
expect_failure 2 'of something else' "$TOP/scripts/attila-sample" --out "$WORK/sample" \
   --run-options '--no-check --fixed-clock 30' -- glmark2 -b build
expect_failure 1 'no record' "$TOP/scripts/attila-sample" --out "$WORK/none" -- false
expect_failure 1 'as a whole' "$TOP/scripts/attila-sample" --out "$WORK/none2" \
   --run-options '--mode cycle' -- true
# And a sweep's: with ranges of frames, which live programs cannot have.
cat >"$WORK/space.ini" <<'END'
[sweep]
frames = 1-2
split = 1
[parameters]
GPU.NumFragmentShaders = 1, 2
END
sweep=("$TOP/scripts/attila-sweep" "$WORK/space.ini" --record --no-plots --run-options --no-check)
quietly "sweep" "${sweep[@]}" -- "${long[@]}"
grep -q '2 configurations, 1 captures, 4 points: 0 have a result already' "$WORK/log" ||
   { cat "$WORK/log"; fail "sweep: other points"; }
quietly "sweep again" "${sweep[@]}" -- "${long[@]}"
grep -q '4 points: 4 have a result already' "$WORK/log" || { cat "$WORK/log"; fail "sweep again"; }
! grep -q 'recording' "$WORK/log" || fail "the sweep recorded it again"
printf '%s\n' '[sweep]' 'sample = 2' '[parameters]' 'NumFragmentShaders = 1, 2' >"$WORK/sample.ini"
expect_failure 2 'sample is of captures' "$TOP/scripts/attila-sweep" "$WORK/sample.ini" -- \
   glmark2 -b build
expect_failure 2 'not recorded yet' "${sweep[@]}" --dry-run -- glmark2 -b build
