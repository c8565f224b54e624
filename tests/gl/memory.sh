#!/bin/bash
# What is in memory that belonged to something else before, in both modes, on a GPU with 16 MiB.
. "$(dirname "$0")/../lib/test.sh"
for mode in functional cycle; do
   timeout 300 "$RUN" --no-check --mode $mode --set MEMORYCONTROLLER.MemorySize=16 \
      "$BUILD/tests/gl/memory" || fail "memory in $mode mode"
done
