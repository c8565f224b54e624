#!/bin/bash
# The quick set of piglit: nothing regressed, the functional and the cycle mode give the same
# verdicts and the same images, and rows add up to frames (scripts/piglit installs piglit). A sample
# of 170 of the 1,339 tests; all with scripts/test --all.
. "$(dirname "$0")/../lib/test.sh"
command -v piglit >/dev/null && command -v wflinfo >/dev/null ||
   skip "piglit is not installed (scripts/piglit installs it)"
least=80 options=(--sample "170:${ATTILA_TEST_SAMPLE:-1}")
[ -z "${ATTILA_TEST_ALL:-}" ] || least=800 options=()
quietly piglit "$TOP/scripts/piglit" --quick "${options[@]}" --both-modes --rows --no-setup \
   --timeout 240 --out "$TOP/out/test/piglit"
cat "$WORK/log"
# The images were really recorded: two tests in three present some.
presenting=$(sed -n 's/^Images: \([0-9]*\) tests present .*/\1/p' "$WORK/log")
[ "${presenting:-0}" -ge $least ] || fail "only ${presenting:-0} tests present an image"
