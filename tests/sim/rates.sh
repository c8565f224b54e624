#!/bin/bash
# scripts/rates: the built-in machine reaches rates of the paper's Table 1, and no shader or ROP
# that is added makes it slower. Not here: all rates and counts (docs/notebook/rates.md).
. "$(dirname "$0")/../lib/test.sh"
[ -x "$SIM" ] || skip "no build"
rates() { ATTILA_BUILD_DIR=${SIM%/src/sim/attila-sim} "$TOP/scripts/rates" "$@"; }
rates --quick >"$WORK/rates" || fail "$(cat "$WORK/rates")"
[ "$(grep -c '^| ' "$WORK/rates")" = 14 ] || fail "$(cat "$WORK/rates")"
expect_failure 2 'needs all of it' rates --quick --update
# What counts as a miss and as a rise.
/usr/bin/python3 - <<'PYTHON' || fail "rises"
from attila.tools import rates

assert rates.rises([100, 50, 51, 52, 40]) == [False, False, False, True, False]
PYTHON
