# shellcheck shell=bash
# shellcheck disable=SC2034 # the scripts use the variables
# Where things are, and the environment variables that lead programs there, in a source tree that
# scripts/setup built or in an installation (which has a file of meson install beside this one).
# Only this file knows; it is sourced by common.sh.

# attila_paths: sets, from ATTILA_TOP and ATTILA_BUILD,
#   ATTILA_SIM      attila-sim, ATTILA_RUN attila-run
#   ATTILA_BIN      folder of attila-run, attila-report, ... for PATH
#   ATTILA_PATH     all folders for PATH
#   ATTILA_HOOK     libattila-hook.so
#   ATTILA_LIBS     folders of the driver's libraries, with ':' between them
#   ATTILA_DRIVER   the library with driver and simulator
#   ATTILA_VENDOR   glvnd's description of our EGL
#   ATTILA_GBM      folder of GBM's backend
#   ATTILA_CONFIGS  folder of machines
#   ATTILA_BUNDLE   folder of the report's page
#   ATTILA_MISSING  advice for when something is missing
attila_paths() {
   local mesa installed
   installed=$(dirname "${BASH_SOURCE[0]}")/installed.sh
   if [ -r "$installed" ]; then
      # shellcheck source=/dev/null
      . "$installed"
      return
   fi
   mesa=$(echo "$ATTILA_BUILD"/subprojects/mesa-*/)
   mesa=${mesa%/}/src
   ATTILA_SIM=$ATTILA_BUILD/src/sim/attila-sim
   ATTILA_RUN=$ATTILA_TOP/scripts/attila-run
   ATTILA_BIN=$ATTILA_TOP/scripts/bin # not scripts/, whose env would hide that of the system
   ATTILA_PATH=$ATTILA_TOP/scripts/shims:$ATTILA_BIN:$ATTILA_BUILD/src/sim
   ATTILA_HOOK=$ATTILA_BUILD/src/tools/libattila-hook.so
   ATTILA_LIBS=$mesa/glx:$mesa/egl:$mesa/gbm:$mesa/gallium/targets/dri
   ATTILA_DRIVER=$(echo "$mesa"/gallium/targets/dri/libgallium-*.so)
   ATTILA_VENDOR=$mesa/egl/50_attila.json
   ATTILA_GBM=$mesa/gbm/backends/dri
   ATTILA_CONFIGS=$ATTILA_TOP/configs
   ATTILA_BUNDLE=${ATTILA_REPORT_DIR:-$ATTILA_TOP/build-report}/page
   ATTILA_MISSING="run scripts/setup first"
}

# gl_variables: prints NAME=VALUE lines. With them glvnd loads our libGLX and libEGL, GBM loads our
# backend, Mesa loads no driver of a real GPU, and xvfb-run starts a server without these variables.
# meson devenv has the same (scripts/meson.build).
gl_variables() {
   before() { case $2 in "$1"|"$1":*) echo "$2" ;; *) echo "$1${2:+:$2}" ;; esac; }
   cat <<EOF
__GLX_VENDOR_LIBRARY_NAME=attila
__EGL_VENDOR_LIBRARY_FILENAMES=$ATTILA_VENDOR
LIBGL_ALWAYS_SOFTWARE=1
GBM_BACKENDS_PATH=$ATTILA_GBM
GBM_ALWAYS_SOFTWARE=1
LD_LIBRARY_PATH=$(before "$ATTILA_LIBS" "${LD_LIBRARY_PATH:-}")
DRIRC_CONFIGDIR=${DRIRC_CONFIGDIR:-$ATTILA_TOP/scripts/lib/drirc.d}
ATTILA_MACHINES=$ATTILA_CONFIGS
PATH=$(before "$ATTILA_PATH" "$PATH")
EOF
}
