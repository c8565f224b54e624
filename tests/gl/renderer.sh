#!/bin/bash
# Programs reach our driver through GLX, EGL on X11 and EGL without a display; a driver that does not exist fails.
. "$(dirname "$0")/../lib/common.sh"
"$RUN" glxinfo -B >"$WORK/glx" 2>&1 || { cat "$WORK/glx"; fail glxinfo; }
grep -q 'OpenGL renderer string: ATTILA' "$WORK/glx" || { cat "$WORK/glx"; fail "GLX renderer"; }
grep -q 'OpenGL version string: 2\.1' "$WORK/glx" || { cat "$WORK/glx"; fail "OpenGL 2.1"; }
grep -q 'direct rendering: Yes' "$WORK/glx" || fail "direct rendering"
"$RUN" eglinfo -B >"$WORK/egl" 2>&1
for platform in 'X11 platform' 'Surfaceless platform' 'GBM platform'; do
   sed -n "/^$platform/,/^\$/p" "$WORK/egl" >"$WORK/part"
   case $platform in GBM*) [ -e /dev/dri/card0 ] || continue ;; esac
   grep -q 'ATTILA' "$WORK/part" || { cat "$WORK/egl"; fail "EGL $platform"; }
done
"$RUN" --driver softpipe glxinfo -B | grep -q softpipe || fail "softpipe of the same build"
GALLIUM_DRIVER=nonsense "$RUN" --driver softpipe true || fail "attila-run overrides GALLIUM_DRIVER"
