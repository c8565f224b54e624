#!/bin/bash
# GBM: EGL windows, mapped buffers, textures and render targets through dmabufs, on a DRM device
# that a preloaded library stands for (fake_drm.c); kmscube, a program that is not ours, shows on
# its screen what the simulated GPU scanned out.
. "$(dirname "$0")/../lib/test.sh"
FAKE=$BUILD/tests/gl/fake_drm.so
IMGDIFF=("$TOP/scripts/attila" imgdiff)
for mode in functional cycle; do
   timeout 600 "$RUN" --no-check --mode $mode --out "$WORK/$mode" --save-frames \
      env LD_PRELOAD="$FAKE" "$BUILD/tests/gl/gbm" 5 || fail "gbm in $mode mode"
   # Five frames with one sample, five with four, and maybe what came after the last swap.
   rows=$(column "$WORK/$mode/frames.csv" frame | wc -l)
   [ "$rows" = 10 ] || [ "$rows" = 11 ] || fail "$rows frames reported in $mode mode, not 10"
   [ -e "$WORK/$mode/frame-0009.png" ] || fail "the last frame was not saved in $mode mode"
done

command -v kmscube >/dev/null || skip "no kmscube: scripts/setup installs it; the rest passed"
# kmscube ends when there is something to read from standard input, or its end.
mkfifo "$WORK/silence" && exec 7<>"$WORK/silence"
cube() { # NAME DRIVER OPTION...: five frames; the screen shows frame 0, then flips to the others
   local out=$WORK/$1 driver=$2 own=(); shift 2
   mkdir -p "$out.screen"
   [ "$driver" != attila ] || own=(--mode cycle --out "$out" --save-frames)
   timeout 600 "$RUN" --no-check --driver "$driver" "${own[@]}" \
      env LD_PRELOAD="$FAKE" FAKE_DRM_OUT="$out.screen" kmscube -D /dev/dri/card0 -c 5 "$@" \
      <&7 >"$out.log" 2>&1 || { tail -n 20 "$out.log"; fail "kmscube $* with $driver"; }
}
shows() { # NAME OPTION...: the screen shows what was scanned out
   local i
   cube "$1" attila "${@:2}"
   for i in 0 1 2 3 4; do
      "${IMGDIFF[@]}" --min-psnr 99 "$WORK/$1.screen/screen-000$i.png" "$WORK/$1/frame-000$i.png" ||
         fail "kmscube ${*:2}: the screen in frame $i"
   done
}
alike() { # NAME NAME: of screens
   "${IMGDIFF[@]}" --min-psnr 28 --max-blocks 20 "$WORK/$1.screen/screen-0003.png" \
      "$WORK/$2.screen/screen-0003.png" || fail "kmscube draws $2 differently from $1"
}
shows smooth
shows samples -s 4
shows rgba -M rgba
shows nv12 -M nv12-1img
shows planes -M nv12-2img
cube reference softpipe
alike reference smooth
alike reference samples
# The same texture as RGBA, as one image with two planes, and as two images. A black one would make
# a file of little more than a kilobyte.
alike rgba nv12
alike rgba planes
[ "$(stat -c %s "$WORK/rgba.screen/screen-0003.png")" -gt 5000 ] || fail "kmscube has no texture"
