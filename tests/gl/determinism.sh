#!/bin/bash
# The same run twice gives the same draws.csv; so does clocking the boxes in another order;
# functional and cycle mode give the same bytes of every frame; replaying the capture gives the same
# draws and frames.
. "$(dirname "$0")/../lib/test.sh"
run() { # name, options...
   local name=$1; shift
   "$RUN" --no-check --fixed-clock 60 --out "$WORK/$name" --save-frames "$@" glmark2 -s 400x300 -b build:nframes=2:duration=1000000 \
      -b texture:texture-filter=mipmap:nframes=2:duration=1000000 -b desktop:windows=2:nframes=2:duration=1000000 \
      >"$WORK/$name.log" 2>&1 || { cat "$WORK/$name.log"; fail "$name"; }
}
run first --capture "$WORK/capture"
run second
run functional --mode functional
ATTILA_BOX_ORDER=4711 run permuted
[ "$(wc -l <"$WORK/first/draws.csv")" -gt 6 ] || fail "draws.csv has no rows"
cmp "$WORK/first/draws.csv" "$WORK/second/draws.csv" || fail "two runs differ"
cmp "$WORK/first/draws.csv" "$WORK/permuted/draws.csv" || fail "the order of the boxes changes statistics"
frames=0
for f in "$WORK"/first/frame-*.png; do
   cmp "$f" "$WORK/functional/$(basename "$f")" || fail "functional and cycle mode differ in $(basename "$f")"
   frames=$((frames + 1))
done
[ $frames -ge 6 ] || fail "only $frames frames"
"$SIM" run "$WORK/capture" --out "$WORK/replay" --save-frames >"$WORK/replay.log" 2>&1 || { cat "$WORK/replay.log"; fail replay; }
cmp "$WORK/first/draws.csv" "$WORK/replay/draws.csv" || fail "the replay's draws differ"
for f in "$WORK"/first/frame-*.png; do cmp "$f" "$WORK/replay/$(basename "$f")" || fail "the replay's $(basename "$f") differs"; done
echo "$frames frames, $(($(wc -l <"$WORK/first/draws.csv") - 1)) draws: all equal"
