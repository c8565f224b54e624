#!/bin/bash
# The same run twice gives the same draws.csv; so does clocking the boxes in another order;
# functional and cycle mode give the same bytes of every frame; replaying the capture gives the same
# draws and frames.
. "$(dirname "$0")/../lib/test.sh"
run() { # name, options...
   local name=$1; shift
   quietly "$name" "$RUN" --no-check --fixed-clock 60 --out "$WORK/$name" --save-frames "$@" \
      glmark2 -s 400x300 -b build:nframes=2:duration=1000000 \
      -b texture:texture-filter=mipmap:nframes=2:duration=1000000 \
      -b desktop:windows=2:nframes=2:duration=1000000
}
same_draws() { # name, what it says when they differ
   cmp "$WORK/first/draws.csv" "$WORK/$1/draws.csv" || fail "$2"
}
same_frames() { # name: as many frames as in the first run, each the same
   local file count
   count=$(find "$WORK/$1" -name 'frame-*.png' | wc -l)
   [ "$count" = "$frames" ] || fail "$1: $count frames, not $frames"
   for file in "$WORK"/first/frame-*.png; do
      cmp "$file" "$WORK/$1/$(basename "$file")" || fail "$1: other pixels in $(basename "$file")"
   done
}
run first --capture "$WORK/capture"
[ "$(wc -l <"$WORK/first/draws.csv")" -gt 6 ] || fail "draws.csv has no rows"
frames=$(find "$WORK/first" -name 'frame-*.png' | wc -l)
[ "$frames" -ge 6 ] || fail "only $frames frames"
run second
same_draws second "two runs differ"
ATTILA_BOX_ORDER=4711 run permuted
same_draws permuted "the order of the boxes changes statistics"
run functional --mode functional
same_frames functional
quietly replay "$SIM" run "$WORK/capture" --out "$WORK/replay" --save-frames
same_draws replay "the replay's draws differ"
same_frames replay
echo "$frames frames, $(($(wc -l <"$WORK/first/draws.csv") - 1)) draws: all equal"
