#!/bin/bash
# Wayland clients on a compositor without a screen (Weston): what the compositor shows is what the
# simulated GPU scanned out. Our own client checks its pixels itself; weston-simple-egl is not
# ours.
. "$(dirname "$0")/../lib/test.sh"
for tool in weston weston-screenshooter weston-simple-egl; do
   command -v $tool >/dev/null || skip "no $tool: scripts/setup installs it (Debian's weston)"
done
IMGDIFF=("$TOP/scripts/attila" imgdiff)

# Weston 10 (Debian 12) and 14 (Debian 13) have different names for the renderer. The shell that
# places windows is the default one: without a panel, a window as large as the screen fills it.
export XDG_RUNTIME_DIR=$WORK/runtime WAYLAND_DISPLAY=attila-test
mkdir -m 700 "$XDG_RUNTIME_DIR"
printf '[shell]\npanel-position=none\nstartup-animation=none\nlocking=false\n' \
   >"$XDG_RUNTIME_DIR/weston.ini"
renderer=--use-pixman
weston --help | grep -q -- --renderer && renderer=--renderer=pixman
weston=
# Debug: any client may take pictures of the screen.
start_weston() { # log
   weston --backend=headless-backend.so $renderer --width=320 --height=240 --idle-time=0 \
      --config="$XDG_RUNTIME_DIR/weston.ini" --debug --socket=$WAYLAND_DISPLAY >"$1" 2>&1 &
   weston=$!
   local i
   for ((i = 0; i < 300; i++)); do
      [ -S "$XDG_RUNTIME_DIR/$WAYLAND_DISPLAY" ] && return 0
      kill -0 $weston 2>/dev/null || break
      sleep 0.1
   done
   cat "$1"; fail "weston does not start"
}
client=
trap 'kill $client $weston 2>/dev/null; wait; rm -rf "$WORK"' EXIT

# A picture of the screen, when Weston has drawn what it was sent.
screenshot() { # file
   rm -f "$WORK"/wayland-screenshot-*.png
   ( cd "$WORK" && XDG_PICTURES_DIR=$WORK timeout 60 weston-screenshooter ) || return 1
   mv "$WORK"/wayland-screenshot-*.png "$1"
}

start_weston "$WORK/weston.log"
for mode in functional cycle; do
   out=$WORK/$mode
   mkfifo "$out.in" "$out.out"
   timeout 600 "$RUN" --no-check --mode $mode --out "$out" --save-frames \
      "$BUILD/tests/gl/wayland" <"$out.in" >"$out.out" 2>"$out.log" &
   client=$!
   exec 5>"$out.in" 6<"$out.out"
   read -r -t 600 line <&6 || line=
   [ "$line" = ready ] || { cat "$out.log"; fail "the client in $mode mode"; }
   # The compositor draws when it is time for a new picture, which may be after the client is ready.
   for ((i = 0; i < 50; i++)); do
      screenshot "$out.png" || fail "no picture of the compositor's screen"
      "${IMGDIFF[@]}" --quiet --min-psnr 99 "$out.png" "$out/frame-0004.png" >"$out.diff" && break
      sleep 0.1
   done
   "${IMGDIFF[@]}" --min-psnr 99 "$out.png" "$out/frame-0004.png" ||
      fail "the compositor does not show the last frame in $mode mode"
   exec 5>&-
   wait $client || { cat "$out.log"; fail "the client's end in $mode mode"; }
   exec 6<&-
   rows=$(column "$out/frames.csv" frame | wc -l)
   [ "$rows" -ge 5 ] || fail "$rows frames reported in $mode mode, not 5"
done
cmp <("${IMGDIFF[@]}" --crc "$WORK/functional.png") <("${IMGDIFF[@]}" --crc "$WORK/cycle.png") ||
   fail "the modes show different pictures"

# It draws until it is stopped.
"$RUN" --no-check --mode functional --out "$WORK/simple" --save-frames weston-simple-egl -f \
   >"$WORK/simple.log" 2>&1 &
client=$!
for ((i = 0; i < 1200; i++)); do
   [ -e "$WORK/simple/frame-0003.png" ] && break
   kill -0 $client 2>/dev/null || break
   sleep 0.1
done
kill -INT $client
wait $client
[ -e "$WORK/simple/frame-0003.png" ] || { cat "$WORK/simple.log"; fail "weston-simple-egl"; }
kill $weston
wait $weston
weston=
