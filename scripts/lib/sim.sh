# Finds the simulator that a script runs. Sourced by scripts and tests.
# shellcheck shell=bash

# newest_sim TOP: prints the path of the attila-sim that was built last, in build/ or build-sim/, or
# of the one in ATTILA_BUILD_DIR if that is set. If there is none, prints the path that it should
# have.
newest_sim() {
   if [ -n "${ATTILA_INSTALLED:-}" ]; then echo "$ATTILA_SIM"; return; fi
   local full=${ATTILA_BUILD_DIR:-$1/build}/src/sim/attila-sim only=$1/build-sim/src/sim/attila-sim
   if [ -x "$only" ] && [ "$only" -nt "$full" ] &&
      { [ -z "${ATTILA_BUILD_DIR:-}" ] || [ ! -x "$full" ]; }; then
      echo "$only"
   else
      echo "$full"
   fi
}
