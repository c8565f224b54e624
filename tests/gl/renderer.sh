#!/bin/bash
# Programs reach our driver through GLX, EGL on X11 and EGL without a display; with a driver that
# does not exist none of them finds another one.
. "$(dirname "$0")/../lib/test.sh"
says() { # regular expression: what the last command must have said
   grep -Eq -- "$1" "$WORK/log" || { cat "$WORK/log"; fail "not said: $1"; }
}
glmark2_es2=(glmark2-es2 -s 64x64 -b build:nframes=1:duration=1000000)
no_display=(env -u DISPLAY -u WAYLAND_DISPLAY "$BUILD/tests/gl/egl_pbuffer")

for mode in functional cycle; do
   quietly GLX "$RUN" --mode $mode glxinfo -B
   says '^OpenGL renderer string: ATTILA'
   says '^OpenGL version string: 3\.3 \(Compatibility Profile\)'
   says '^OpenGL shading language version string: 3\.30'
   says '^OpenGL core profile version string: 3\.3 \(Core Profile\)'
   says '^OpenGL core profile shading language version string: 3\.30'
   says '^direct rendering: Yes'
done
quietly "EGL on X11" "$RUN" --no-check "${glmark2_es2[@]}"
says 'GL_RENDERER: *ATTILA'
says 'GL_VERSION: *OpenGL ES 3\.1'
# This program looks at GL_RENDERER itself.
quietly "EGL without a display" "$RUN" --no-check "${no_display[@]}"

# softpipe of the same build is there, whatever the user's environment says.
quietly softpipe env GALLIUM_DRIVER=nonsense "$RUN" --driver softpipe glxinfo -B
says '^OpenGL renderer string: softpipe'

# fails_alone COMMAND...: with a driver that does not exist the command fails and names no renderer.
fails_alone() {
   if "$RUN" --no-check env GALLIUM_DRIVER=nonsense "$@" >"$WORK/log" 2>&1; then
      cat "$WORK/log"
      fail "runs although its driver does not exist: $*"
   fi
   ! grep -Ei 'renderer.*(attila|softpipe|llvmpipe)' "$WORK/log" || fail "found another driver: $*"
}
fails_alone glxinfo -B
fails_alone "${glmark2_es2[@]}"
fails_alone "${no_display[@]}"
