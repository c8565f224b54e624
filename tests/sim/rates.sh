#!/bin/bash
# scripts/rates: the built-in machine reaches rates of the paper's Table 1, and no shader or ROP
# that is added makes it slower. Not here: all rates and counts (docs/notebook/rates.md).
. "$(dirname "$0")/../lib/test.sh"
[ -x "$SIM" ] || skip "no build"
rates() { ATTILA_BUILD_DIR=${SIM%/src/sim/attila-sim} "$TOP/scripts/rates" "$@"; }
rates --quick >"$WORK/rates" || fail "$(cat "$WORK/rates")"
[ "$(grep -c '^| ' "$WORK/rates")" = 16 ] || fail "$(cat "$WORK/rates")"
grep -q '^| ispass2006, Fragment Generation.*: 26.7 % (bound 27 %) | Blocks' "$WORK/rates" ||
   fail "the known exception: $(cat "$WORK/rates")"
expect_failure 2 'needs all of it' rates --quick --update
# What counts as a rise, and which exceptions end with status 1: new ones, those beyond their bound,
# and in a whole run those that are gone.
/usr/bin/python3 - <<'PYTHON' || fail "exceptions"
from attila.tools import rates

assert [round(r, 1) for r in rates.rises([100, 50, 51, 52, 40])] == [0, 0, 2, 4, 0]
known = rates.KNOWN[0]
place, most = next(iter(known.most.items()))
places = [place for k in rates.KNOWN for place in k.most]


def exceptions(percents, whole=False):
    found = [rates.Found(place, percent, 2, "") for place, percent in percents.items()]
    return rates.exceptions(found, whole)


rows, wrong = exceptions({place: most, "ROPs, ALU": 2})
assert len(rows) == 1 and known.why in rows[0] and not wrong, (rows, wrong)
assert exceptions({place: most + 1})[1] == [
    f"{place}: {most + 1:.1f} %, more than the known {most} %"]
assert exceptions({"ROPs, ALU": 2.1}) == ([], ["ROPs, ALU: 2.1 % without a known reason"])
assert exceptions(dict.fromkeys(places, 2.1), True)[1] == []
assert exceptions({}, True)[1] == [f"{place}: no exception any more" for place in places]
PYTHON
