# Points a program's OpenGL and EGL at this tree's libraries, and gives it a display. Sourced after common.sh. Not here: options
# of scripts/attila-run.
# shellcheck shell=bash

# gl_environment DRIVER: exports what makes glvnd load our libGLX and libEGL, and nothing else's, with that driver.
gl_environment() {
   local mesa lib
   mesa=$(echo "$ATTILA_BUILD"/subprojects/mesa-*/)
   lib=${mesa%/}/src
   [ -e "$lib/glx/libGLX_attila.so.0" ] || die "no build in $ATTILA_BUILD: run scripts/setup first"
   export GALLIUM_DRIVER=$1
   export LIBGL_ALWAYS_SOFTWARE=1 MESA_LOADER_DRIVER_OVERRIDE=
   unset MESA_LOADER_DRIVER_OVERRIDE LIBGL_DRIVERS_PATH VK_ICD_FILENAMES
   export __GLX_VENDOR_LIBRARY_NAME=attila
   export __EGL_VENDOR_LIBRARY_FILENAMES=$lib/egl/50_attila.json
   export LD_LIBRARY_PATH=$lib/glx:$lib/egl:$lib/gbm:$lib/gallium/targets/dri${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
   export GBM_BACKENDS_PATH=$lib/gbm
   export MESA_SHADER_CACHE_DISABLE=true
}

# start_display SIZE: uses $DISPLAY when it answers, else starts Xvfb on a free number and exports DISPLAY.
ATTILA_XVFB_PID=
start_display() {
   if [ -n "${DISPLAY:-}" ] && command -v xdpyinfo >/dev/null && xdpyinfo >/dev/null 2>&1; then return 0; fi
   [ -n "${DISPLAY:-}" ] && ! command -v xdpyinfo >/dev/null && return 0
   command -v Xvfb >/dev/null || die "there is no display and no Xvfb: run scripts/setup, or start an X server"
   local number fifo
   fifo=$(mktemp -u)
   mkfifo "$fifo" || die "cannot create a pipe in the temporary folder"
   env -u GALLIUM_DRIVER Xvfb -displayfd 3 -screen 0 "${1:-1280x1024}x24" -nolisten tcp -noreset 3>"$fifo" >/dev/null 2>&1 &
   ATTILA_XVFB_PID=$!
   disown $ATTILA_XVFB_PID 2>/dev/null
   read -r -t 30 number <"$fifo" || number=
   rm -f "$fifo"
   [ -n "$number" ] || { stop_display; die "Xvfb did not start"; }
   export DISPLAY=:$number
}
stop_display() {
   [ -n "$ATTILA_XVFB_PID" ] && kill "$ATTILA_XVFB_PID" 2>/dev/null
   ATTILA_XVFB_PID=
}

# gl_renderer: prints GL_RENDERER as a GLX program sees it; empty when there is none.
gl_renderer() { glxinfo -B 2>/dev/null | sed -n 's/^OpenGL renderer string: //p'; }
