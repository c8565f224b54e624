# Points a program's OpenGL and EGL at this tree's libraries, and gives it a display. Sourced after
# common.sh. Not here: options of scripts/attila-run.
# shellcheck shell=bash

# gl_variables: prints NAME=VALUE lines, what makes glvnd load our libGLX and libEGL, GBM our
# backend, and Mesa no driver of a real GPU. meson devenv has the same (scripts/meson.build).
gl_variables() {
   cat <<EOF
__GLX_VENDOR_LIBRARY_NAME=attila
__EGL_VENDOR_LIBRARY_FILENAMES=$ATTILA_VENDOR
LIBGL_ALWAYS_SOFTWARE=1
GBM_BACKENDS_PATH=$ATTILA_GBM
GBM_ALWAYS_SOFTWARE=1
LD_LIBRARY_PATH=$ATTILA_LIBS${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
DRIRC_CONFIGDIR=${DRIRC_CONFIGDIR:-$ATTILA_TOP/scripts/lib/drirc.d}
ATTILA_MACHINES=$ATTILA_CONFIGS
EOF
}

# gl_environment DRIVER: exports what makes glvnd load our libGLX and libEGL, and nothing else's,
# with that driver. "system" leaves the machine's own OpenGL, "llvmpipe" asks it for that driver.
gl_environment() {
   case $1 in
   system) return ;;
   llvmpipe) export GALLIUM_DRIVER=llvmpipe LIBGL_ALWAYS_SOFTWARE=1; return ;;
   esac
   [ -e "$ATTILA_DRIVER" ] || die "no driver $ATTILA_DRIVER: $ATTILA_MISSING"
   export GALLIUM_DRIVER=$1
   unset MESA_LOADER_DRIVER_OVERRIDE LIBGL_DRIVERS_PATH VK_ICD_FILENAMES
   local line
   while read -r line; do export "${line?}"; done < <(gl_variables)
}

# start_display SIZE: uses $DISPLAY when it answers, else starts Xvfb on a free number and exports
# DISPLAY and XAUTHORITY. That server needs the cookie.
ATTILA_XVFB_PID=
ATTILA_XVFB_DIR=
start_display() {
   if [ -n "${DISPLAY:-}" ] && command -v xdpyinfo >/dev/null && xdpyinfo >/dev/null 2>&1; then
      return 0
   fi
   [ -n "${DISPLAY:-}" ] && ! command -v xdpyinfo >/dev/null && return 0
   command -v Xvfb >/dev/null ||
      die "there is no display and no Xvfb: install xvfb, or start an X server"
   command -v xauth >/dev/null || die "Xvfb needs xauth: install xauth"
   local number cookie
   ATTILA_XVFB_DIR=$(mktemp -d) || die "cannot make a temporary folder (disk full?)"
   cookie=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
   # The server takes any entry's cookie, whatever display the entry is for.
   echo "add :0 . $cookie" | xauth -q -f "$ATTILA_XVFB_DIR/server" source - 2>/dev/null ||
      { stop_display; die "xauth cannot write in the temporary folder"; }
   mkfifo "$ATTILA_XVFB_DIR/number" || { stop_display; die "cannot make a pipe"; }
   # A session of its own: an interrupt from the terminal must not take the program's display.
   (unset GALLIUM_DRIVER # not by env: a PATH with scripts/ has another
      exec setsid Xvfb -displayfd 3 -screen 0 "${1:-1280x1024}x24" -nolisten tcp -noreset \
         -auth "$ATTILA_XVFB_DIR/server") 3>"$ATTILA_XVFB_DIR/number" >/dev/null 2>&1 &
   ATTILA_XVFB_PID=$!
   disown $ATTILA_XVFB_PID 2>/dev/null
   read -r -t 30 number <"$ATTILA_XVFB_DIR/number" || number=
   [ -n "$number" ] || { stop_display; die "Xvfb did not start"; }
   echo "add :$number . $cookie" | xauth -q -f "$ATTILA_XVFB_DIR/client" source - 2>/dev/null ||
      { stop_display; die "xauth cannot write in the temporary folder"; }
   export DISPLAY=:$number XAUTHORITY=$ATTILA_XVFB_DIR/client
}
stop_display() {
   [ -n "$ATTILA_XVFB_PID" ] && kill "$ATTILA_XVFB_PID" 2>/dev/null
   [ -n "$ATTILA_XVFB_DIR" ] && rm -rf "$ATTILA_XVFB_DIR"
   ATTILA_XVFB_PID=
   ATTILA_XVFB_DIR=
}

# gl_renderer: prints GL_RENDERER as a GLX program sees it; empty when there is none.
gl_renderer() { glxinfo -B 2>/dev/null | sed -n 's/^OpenGL renderer string: //p'; }
