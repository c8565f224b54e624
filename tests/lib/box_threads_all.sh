#!/bin/bash
# Threads that clock the boxes of a machine (SIMULATOR.Threads): all golden and timing streams give
# the same files with 2, 3, 5 and 16 threads as with one. And the long forms of
# tests/unit/test_threads.c: 100 random machines, 300 programs that end.
# Run by hand when core/ changes: threads that wait for each other slow all other tests.
. "$(dirname "$0")/test.sh"
. "$(dirname "$0")/box_threads.sh"
[ -x "$SIM" ] || skip "no build"
found=0
for stream in "$TOP"/tests/golden/*.attila "$TOP"/tests/timing/*.attila; do
   name=$(basename "$stream" .attila)
   compare "$name" attila-bgpu "2 3 5 16" "$stream"
   rm -rf "$WORK/$name"-*
   found=$((found + 1))
done
[ $found -gt 70 ] || fail "only $found streams"
ATTILA_TEST_LONG=1 quietly "random machines" "$BUILD/tests/unit/test_threads"
echo "$found streams, 100 random machines"
