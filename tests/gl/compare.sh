#!/bin/bash
# First frames of glmark2 scenes in cycle mode match softpipe's: of four scenes, and of all twenty
# with scripts/test --full.
. "$(dirname "$0")/../lib/test.sh"
for tool in apitrace glretrace glmark2; do command -v $tool >/dev/null || skip "no $tool"; done
/usr/bin/python3 -c 'import numpy, scipy, PIL, matplotlib' 2>/dev/null ||
   skip "python3-numpy, python3-scipy, python3-pil or python3-matplotlib is not installed"
scenes=(texture shading bump desktop)
[ -z "${ATTILA_TEST_FULL:-}" ] || scenes=(scenes)
"$TOP/scripts/compare" --out "$TOP/out/test/compare" "${scenes[@]}" || fail "see above"
