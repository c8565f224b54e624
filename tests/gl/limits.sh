#!/bin/bash
# Limits, in both modes: everything in functional mode, what is quick in cycle mode. Memory is used
# up on GPUs with 32 and 16 MiB.
# Full only: takes more than a minute.
. "$(dirname "$0")/../lib/test.sh"
limits() { # options of attila-run, --, arguments of limits
   local options=()
   while [ "$1" != -- ]; do options+=("$1"); shift; done
   shift
   echo "-- ${options[*]}: $*"
   quietly "limits $*" timeout 300 "$RUN" --no-check "${options[@]}" "$BUILD/tests/gl/limits" "$@"
   grep checks "$WORK/log" || fail "no checks"
}
limits --mode functional -- surfaces shaders assembly state endless
limits --mode functional --set MEMORYCONTROLLER.MemorySize=32 -- memory
limits --mode cycle -- --small surfaces shaders assembly state
limits --mode cycle --set MEMORYCONTROLLER.MemorySize=16 -- --small memory state
# A shader that never ends is stopped with a warning, and the GPU goes on.
quietly "an endless shader" "$RUN" --no-check --mode cycle \
   --set SIMULATOR.MaxLoopIterations=200000 "$BUILD/tests/gl/limits" --small endless
grep -q 'loops more than\|was stopped after' "$WORK/log" ||
   { cat "$WORK/log"; fail "no warning about the endless shader"; }
