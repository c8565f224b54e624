#!/bin/bash
# Transform feedback in both modes, which capture the same, and in a replay of the stream; the GPU
# counts the vertices of glDrawTransformFeedback itself.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$BUILD/tests/gl/feedback" ] || skip "no build with Mesa"
for mode in functional cycle; do
   timeout 300 "$RUN" --no-check --mode $mode --out "$WORK/$mode" --capture "$WORK/$mode.attila" \
      "$BUILD/tests/gl/feedback" >"$WORK/$mode.said" 2>"$WORK/log" ||
      { cat "$WORK/log"; fail "feedback in $mode mode"; }
done
grep -q '^captured [0-9a-f]*$' "$WORK/cycle.said" || fail "nothing captured"
cmp "$WORK/functional.said" "$WORK/cycle.said" || fail "the modes capture something else"
# How full buffers are stays on the GPU.
"$SIM" info "$WORK/cycle.attila" | grep -q '^VERTEX_COUNT *1 ' || fail "no VERTEX_COUNT"
quietly "replay" "$SIM" run "$WORK/cycle.attila" --out "$WORK/replay"
written=$(column "$WORK/replay/frames.csv" WrittenPrimitives_SO | awk '{s += $1} END {print s}')
over=$(column "$WORK/replay/frames.csv" OverflowPrimitives_SO | awk '{s += $1} END {print s}')
[ "$over" = 1 ] || fail "$over primitives did not fit, expected 1"
[ "$written" = 34 ] || fail "$written primitives were written, expected 34"
