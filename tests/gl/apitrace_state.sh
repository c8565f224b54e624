#!/bin/bash
# The state of draws, their vertices and how many fragments passed are what apitrace says of the
# same calls on the system's driver: of uniform blocks, instances and a shadow map (modern.c), and
# of fixed functions (glxgears).
. "$(dirname "$0")/../lib/test.sh"
[ -x "$BUILD/tests/gl/modern" ] || skip "no build with Mesa"
command -v glretrace >/dev/null || skip "apitrace is not installed"
/usr/bin/python3 -c 'import numpy' 2>/dev/null || skip "python3-numpy is not installed"
need_display "$@"
system() { env -u LD_LIBRARY_PATH LIBGL_ALWAYS_SOFTWARE=1 "$@"; }
beside() { # NAME CALLS: a regular expression of calls
   local trace=$WORK/$1.trace call arguments=()
   quietly "$1 on Attila" "$RUN" --no-check --mode functional --out "$WORK/$1" \
      --capture "$WORK/$1.attila" glretrace --markers "$trace"
   system glretrace --ppd "$trace" >"$WORK/pixels" 2>"$WORK/log" || fail "pixels of $1"
   for call in $(apitrace dump --color=never "$trace" | sed -nE "s/^([0-9]+) $2.*/\1/p" |
      tail -n 2); do
      system glretrace -D "$call" "$trace" >"$WORK/$call.json" 2>"$WORK/log" ||
         fail "state of $1, call $call"
      arguments+=("$call=$WORK/$call.json")
   done
   [ ${#arguments[@]} = 2 ] || fail "$1 has no such calls"
   /usr/bin/python3 "$TOP/tests/lib/apitrace_state.py" "$WORK/$1" "$WORK/$1.attila" \
      "$WORK/pixels" "$SIM" "${arguments[@]}" || fail "$1"
}
quietly "trace of modern" system apitrace trace --api=egl -o "$WORK/modern.trace" \
   "$BUILD/tests/gl/modern" shadows 2 200x150
beside modern glDraw
quietly "trace of glxgears" "$RUN" --no-check --mode functional --frames 2 \
   apitrace trace -o "$WORK/glxgears.trace" glxgears
beside glxgears glCallList
