#!/bin/bash
# Scenes of OpenGL 3.3 in a core context (modern.c): both modes draw the same, close to softpipe's
# picture, and the units that the scenes are for have work. Softpipe's shadows have 38 dB beside
# llvmpipe's and ours, which have 56 dB beside each other.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$BUILD/tests/gl/modern" ] || skip "no build with Mesa"
/usr/bin/python3 -c 'import numpy, scipy, PIL' 2>/dev/null ||
   skip "python3-numpy, python3-scipy or python3-pil is not installed"
draw() { # SCENE NAME OPTION...
   quietly "$1, $2" timeout 300 "$RUN" --no-check "${@:3}" "$BUILD/tests/gl/modern" "$1" 3 200x150 \
      "$WORK/$1-$2.ppm"
}
while read -r scene statistic; do
   draw "$scene" functional --mode functional
   draw "$scene" cycle --mode cycle --out "$WORK/$scene" --record csv
   draw "$scene" softpipe --driver softpipe
   cmp "$WORK/$scene-functional.ppm" "$WORK/$scene-cycle.ppm" || fail "$scene: the modes differ"
   quietly "$scene beside softpipe" "$TOP/scripts/attila" imgdiff --min-psnr 35 --max-blocks 0 \
      "$WORK/$scene-cycle.ppm" "$WORK/$scene-softpipe.ppm"
   work=$(column "$WORK/$scene/frames.csv" "$statistic" | awk '{s += $1} END {print s}')
   [ "${work:-0}" -gt 0 ] || fail "$scene: $statistic is ${work:-0}"
done <<'EOF'
shadows Requests_CC-FS0
particles WrittenPrimitives_SO
fur Primitives_GI
EOF
