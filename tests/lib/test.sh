# Shared by the test scripts. A test ends with status 0 (passed), 77 (skipped) or another one
# (failed).
# shellcheck shell=bash
# shellcheck disable=SC2034 # the tests use the variables
set -u
TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
BUILD=${ATTILA_BUILD_DIR:-$TOP/build}
RUN=$TOP/scripts/attila-run
export PYTHONPATH=$TOP/python/src
. "$TOP/scripts/lib/sim.sh"
SIM=$(newest_sim "$TOP")
export MESA_SHADER_CACHE_DISABLE=true # but where the cache itself is tested
WORK=$(mktemp -d) || exit 1
trap 'rm -rf "$WORK"' EXIT

fail() { echo "FAILED: $*"; exit 1; }
skip() { echo "$*"; exit 77; }
# expect_failure STATUS 'TEXT' COMMAND...: the command must exit with that status and say TEXT (a
# regular expression).
expect_failure() {
   local want=$1 text=$2 status; shift 2
   "$@" >"$WORK/expect" 2>&1; status=$?
   [ $status = "$want" ] || { cat "$WORK/expect"; fail "status $status, not $want: $*"; }
   grep -Eq -- "$text" "$WORK/expect" ||
      { cat "$WORK/expect"; fail "message does not match /$text/: $*"; }
}
# need_display ARGUMENT...: the test starts again, with its arguments, on a virtual server.
# shellcheck disable=SC2120 # most tests have none
need_display() {
   [ -z "${TEST_DISPLAY:-}" ] || return 0
   rm -rf "$WORK"
   TEST_DISPLAY=1 exec env -u DISPLAY "$RUN" --driver system --no-check bash "$0" "$@"
}
# launch OPTION... PROGRAM...: attila-run in a tree that has all but Mesa, on no real display;
# REPORT stands for attila-report.
launch() {
   printf '#!/bin/sh\n' >"$WORK/xdpyinfo" && chmod +x "$WORK/xdpyinfo"
   PATH=$WORK:$PATH DISPLAY=:1 ATTILA_PLACES=$(printf '%s=/bin/sh\n' driver hook page
      echo "report=${REPORT:-}") "$SIM" launch --no-check "$@"
}
# quietly WHAT COMMAND...: the command must succeed; what it says is shown only if it does not, and
# is in $WORK/log.
quietly() {
   local what=$1 status; shift
   "$@" >"$WORK/log" 2>&1; status=$?
   [ $status = 0 ] || { cat "$WORK/log"; fail "$what: status $status"; }
}
# column FILE NAME: the values of a CSV column, one a line. There must be such a column.
column() {
   awk -F, -v name="$2" '
      NR == 1 {for (i = 1; i <= NF; i++) if ($i == name) c = i; if (!c) exit 1; next}
      {print $c}' "$1"
}
# sample N: N of the lines on standard input, which the seed of scripts/test chooses, in their
# order; all of them with scripts/test --all.
sample() {
   if [ -n "${ATTILA_TEST_ALL:-}" ]; then cat; return; fi
   awk -v seed="${ATTILA_TEST_SAMPLE:-1}" -v OFS='\t' \
      'BEGIN {srand(seed)} {print rand(), NR, $0}' |
      sort -n | head -n "$1" | sort -t "$(printf '\t')" -k 2,2n | cut -f 3-
}
# draws FILE: the rows of draws.csv that are draws, and the names of the columns.
draws() {
   awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == "kind") c = i; if (!c) exit 1}
      NR == 1 || $c == "draw"' "$1"
}
# need_pages: the page of reports is bundled, for Chromium; skips the test where that cannot be.
need_pages() {
   CHROMIUM=$(command -v chromium || command -v chromium-browser) || skip "no chromium"
   command -v npm >/dev/null || skip "no npm"
   export CHROMIUM WORK ATTILA_REPORT_DIR=${ATTILA_REPORT_DIR:-$TOP/build-report}
   "$TOP/scripts/lib/report_bundle.sh" --tests >"$WORK/log" 2>&1 && return
   cat "$WORK/log"
   grep -q 'could not fetch' "$WORK/log" && skip "npm packages: no network"
   fail "the page cannot be bundled"
}
