#!/bin/bash
# Off-screen EGL: pbuffer swaps end frames, several threads share the GPU; both without an X server.
. "$(dirname "$0")/../lib/test.sh"
no_display=(env -u DISPLAY -u WAYLAND_DISPLAY)
"$RUN" --no-check --out "$WORK/o" "${no_display[@]}" "$BUILD/tests/gl/egl_pbuffer" ||
   fail "egl_pbuffer"
rows=$(column "$WORK/o/frames.csv" frame | wc -l)
# A last row may hold what came after the last swap.
[ "$rows" -ge 3 ] && [ "$rows" -le 4 ] ||
   { cut -d, -f1-8 "$WORK/o/frames.csv"; fail "$rows frames reported, not 3"; }
[ "$(column <(draws "$WORK/o/draws.csv") frame | grep -c '^1$')" = 2 ] ||
   fail "frame 1 does not have two draws"
for mode in functional cycle; do
   timeout 300 "$RUN" --no-check --mode $mode "${no_display[@]}" "$BUILD/tests/gl/egl_threads" ||
      fail "egl_threads in $mode mode"
done
