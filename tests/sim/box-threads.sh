#!/bin/bash
# Threads that clock the boxes of a machine (SIMULATOR.Threads): pictures, draws, frames, intervals
# and records of golden streams do not depend on how many there are, dealt and delayed at random
# (--box-order); warm starts, parts of frames, workers, half mode, traces and maps neither. It says
# when fewer are used, and refuses what is no number of threads. Not here: random machines, data
# races, programs that end (tests/unit/test_threads.c); all streams (tests/lib/box_threads_all.sh,
# by hand).
. "$(dirname "$0")/../lib/test.sh"
. "$(dirname "$0")/../lib/box_threads.sh"
[ -x "$SIM" ] || skip "no build"
stream=$TOP/tests/golden/texture.attila

compare plain stress "3 5" "$stream" --save-frames --interval 5000
grep -q draws.csv "$WORK/plain-1.files" || fail "no draws.csv"
grep -q '^frame_instructions' "$WORK/plain-1.files" || fail "no costs"
compare hot attila-bgpu 2 "$stream" --frames 1
compare part attila-bgpu 2 "$stream" --cycle-draws 0
compare shared attila-bgpu "2 3" "$stream" --set L2.Enabled=TRUE --interval 5000
compare half attila-bgpu 2 "$stream" --mode half
stream=$TOP/tests/golden/build.attila
compare boxes attila-bgpu 2 "$stream" --record sqlite,boxes
compare maps attila-bgpu 2 "$stream" --maps all
grep -q 'SIMULATOR.Threads = 2: 1 used, boxes write maps in their order' "$WORK/maps-2.log" ||
   fail "maps: nothing said"
compare trace attila-bgpu 2 "$stream" --trace @/trace.pftrace --trace-cycles 1000-3000
grep -q 'SIMULATOR.Threads = 2: 1 used, boxes write a trace in their order' "$WORK/trace-2.log" ||
   fail "trace: nothing said"
compare workers attila-bgpu 2 "$stream" --jobs $(($(nproc) + 1))
grep -q 'SIMULATOR.Threads = 2: 1 used, workers share the processors' "$WORK/workers-2.log" ||
   fail "workers: nothing said"

quietly "as it pays" "$SIM" run "$stream" --set SIMULATOR.Threads=2
grep -q '% of cycles by 2 threads' "$WORK/log" || fail "nothing said about threads"
quietly "chosen" "$SIM" run "$stream" --set SIMULATOR.Threads=0
grep -q 'by . threads' "$WORK/log" && fail "several threads for a small machine"
quietly "a point of a sweep" /usr/bin/python3 -c 'import sys
from attila.sweep.machine import Simulator
text, _ = Simulator(sys.argv[1], []).resolved(None, ["SIMULATOR.Threads=0"])
assert "\nThreads = 1\n" in text, text' "$SIM"
for n in 17 -1 2x; do
   expect_failure 1 'SIMULATOR.Threads' "$SIM" run "$stream" --set SIMULATOR.Threads=$n
done
expect_failure 1 'SIMULATOR.Threads = 2: expected 0 or 1 with DVFS.Policy' "$SIM" run "$stream" \
   --set SIMULATOR.Threads=2 --set DVFS.Policy=FIXED
