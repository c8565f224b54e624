#!/bin/bash
# Programs reach our driver through GLX, EGL on X11 and EGL without a display; a driver that does
# not exist fails.
. "$(dirname "$0")/../lib/test.sh"
"$RUN" glxinfo -B >"$WORK/glx" 2>&1 || { cat "$WORK/glx"; fail glxinfo; }
grep -q 'OpenGL renderer string: ATTILA' "$WORK/glx" || { cat "$WORK/glx"; fail "GLX renderer"; }
grep -q 'OpenGL version string: 2\.1' "$WORK/glx" || { cat "$WORK/glx"; fail "OpenGL 2.1"; }
grep -q 'direct rendering: Yes' "$WORK/glx" || fail "direct rendering"
# EGL on X11 with OpenGL ES; without a display: egl.sh.
"$RUN" --no-check glmark2-es2 -s 64x64 -b build:nframes=1:duration=1000000 >"$WORK/egl" 2>&1 || { cat "$WORK/egl"; fail "EGL on X11"; }
grep -q 'GL_RENDERER: *ATTILA' "$WORK/egl" && grep -q 'GL_VERSION: *OpenGL ES 2.0' "$WORK/egl" || { cat "$WORK/egl"; fail "EGL on X11: renderer or version"; }
"$RUN" --driver softpipe glxinfo -B | grep -q softpipe || fail "softpipe of the same build"
GALLIUM_DRIVER=nonsense "$RUN" --driver softpipe true || fail "attila-run overrides GALLIUM_DRIVER"
