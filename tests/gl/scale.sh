#!/bin/bash
# Hot start and frames in parallel of a live program: the same rows as replaying its capture in the
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
run hot --start-frame 2
[ "$(sed -n 2p "$WORK/hot/frames.csv" | cut -d, -f1)" = 2 ] || fail "--start-frame 2: other frames"
expect_failure 1 'frames in parallel need a folder' "$RUN" --no-check --jobs 2 glmark2
expect_failure 1 'is not a list of frames' "$RUN" --no-check --jobs 2 --out "$WORK/x" \
   --cycle-frames 3-1 glmark2
