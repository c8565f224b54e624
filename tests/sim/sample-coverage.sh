#!/bin/bash
# Of the intervals of 95 % that attila-sample gives for runs made up here, whose cycles are known,
# at least nine of ten have the truth.
# Full only: hundreds of samples; sim/sample has some.
. "$(dirname "$0")/../lib/test.sh"
/usr/bin/python3 -c "import numpy" 2>/dev/null || skip "no python3-numpy"
export OPENBLAS_NUM_THREADS=1 # small matrices
/usr/bin/python3 "$TOP/tests/lib/sample_check.py" "$WORK" \
   ${ATTILA_TEST_SAMPLE:+"$ATTILA_TEST_SAMPLE"} ||
   fail "too few intervals have the truth"
